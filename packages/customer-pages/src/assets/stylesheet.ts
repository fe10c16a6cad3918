/** How the pages look: one column, readable at 320 px and at 200 % zoom, light and dark. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --paper: #ffffff; --ink: #17212b; --soft: #4c5a68; --line: #c3ccd5;
  --accent: #0b5cad; --on-accent: #ffffff; --danger: #b3261e; --on-danger: #ffffff;
  --done: #e3f4e8; --done-ink: #10502a; --problem: #fdeceb; --problem-ink: #7d1712;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10161c; --paper: #1a232c; --ink: #e8edf2; --soft: #a9b6c3; --line: #44525f;
    --accent: #8cc2ff; --on-accent: #06223d; --danger: #ffb4ab; --on-danger: #50100b;
    --done: #143524; --done-ink: #b9ecc9; --problem: #44191a; --problem-ink: #ffd9d5;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; padding: 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header { max-width: 36rem; margin: 0.5rem auto 1rem; color: var(--soft); font-weight: 600; }
header p { margin: 0; }
main {
  max-width: 36rem; margin: 0 auto; padding: clamp(1.25rem, 5vw, 2.5rem); background: var(--paper);
  border: 1px solid var(--line); border-radius: 1rem; overflow-wrap: anywhere;
}
h1 { margin: 0 0 1rem; font-size: 1.6rem; line-height: 1.25; text-wrap: balance; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.05rem; }
dl { margin: 0 0 1.5rem; }
dt { color: var(--soft); font-size: 0.9rem; margin-top: 0.9rem; }
dd { margin: 0; }
.day { display: block; font-weight: 600; }
.clock { font-variant-numeric: tabular-nums; }
.zone, .hint { color: var(--soft); font-size: 0.9rem; }
.what { margin: -0.5rem 0 1rem; color: var(--soft); }
.notice { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border-radius: 0.6rem; }
.notice.done { background: var(--done); color: var(--done-ink); }
.notice.problem { background: var(--problem); color: var(--problem-ink); }
.actions { list-style: none; margin: 1.5rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.75rem; }
button, .button {
  display: inline-block; min-height: 2.75rem; padding: 0.6rem 1.1rem; border: 1px solid var(--accent); border-radius: 0.6rem;
  background: transparent; color: var(--accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { text-decoration: underline; }
.primary, form#entry button { background: var(--accent); color: var(--on-accent); }
.danger { border-color: var(--danger); color: var(--danger); }
button.danger { background: var(--danger); color: var(--on-danger); }
.plain { min-height: 2.75rem; border: 0; padding: 0.6rem 0; font-weight: 400; color: var(--soft); text-decoration: underline; }
.leave { margin-top: 1.5rem; border-top: 1px solid var(--line); padding-top: 0.5rem; }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
input, textarea {
  width: 100%; min-height: 2.75rem; padding: 0.55rem 0.75rem; border: 1px solid var(--soft); border-radius: 0.6rem;
  background: var(--paper); color: var(--ink); font: inherit;
}
form#entry button { margin-top: 1rem; }
.fields { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); }
.fields p { margin: 0 0 1rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30rem) {
  body { padding: 0.5rem; }
  .actions { flex-direction: column; }
  .actions .button, .actions button, form#entry button { width: 100%; text-align: center; }
}
`;
