/** How the pages look: one column, readable at 320 px and at 200 % zoom, light and dark. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --paper: #ffffff; --ink: #17212b; --soft: #4c5a68; --line: #c3ccd5;
  --accent: #0b5cad; --on-accent: #ffffff; --danger: #b3261e; --on-danger: #ffffff;
  --panel: #eef4fb; --shade: rgb(23 33 43 / 5%);
  --done: #e3f4e8; --done-ink: #10502a; --problem: #fdeceb; --problem-ink: #7d1712;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10161c; --paper: #1a232c; --ink: #e8edf2; --soft: #a9b6c3; --line: #44525f;
    --accent: #8cc2ff; --on-accent: #06223d; --danger: #ffb4ab; --on-danger: #50100b;
    --panel: #202d3a; --shade: rgb(0 0 0 / 25%);
    --done: #143524; --done-ink: #b9ecc9; --problem: #44191a; --problem-ink: #ffd9d5;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; padding: clamp(0.75rem, 5vh, 4rem) 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header { max-width: 36rem; margin: 0 auto 1rem; color: var(--soft); font-weight: 600; overflow-wrap: anywhere; }
header p { margin: 0; }
main {
  max-width: 36rem; margin: 0 auto; padding: clamp(0.75rem, 5.6vw, 2.5rem); background: var(--paper);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1px 2px var(--shade), 0 8px 24px var(--shade);
  overflow-wrap: anywhere;
}
h1 { margin: 0 0 1.25rem; font-size: 1.6rem; line-height: 1.25; text-wrap: balance; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.05rem; }
/* What the host says may be in another script than the page: it runs its own way, and begins where the page does. */
h1, h2, .what, .about { unicode-bidi: plaintext; text-align: -webkit-match-parent; text-align: match-parent; }
/* A long word has its hyphen, where the browser knows the language, before it is broken anywhere. */
h1, h2, .what, label, button, .button { hyphens: auto; hyphenate-limit-chars: 12 4 4; }
dl, dd { margin: 0; }
dt { color: var(--soft); font-size: 0.9rem; }
.times { padding: 1rem clamp(0.5rem, 5.5vw, 1.25rem); border-radius: 0.75rem; background: var(--panel); border-inline-start: 4px solid var(--accent); }
.day { display: block; font-weight: 600; }
.clock { display: block; font-size: 1.35rem; line-height: 1.35; font-weight: 600; font-variant-numeric: tabular-nums; }
.other-zone { margin-top: 0.9rem; padding-top: 0.8rem; border-top: 1px solid var(--line); }
.other-zone .day { font-weight: 400; }
.other-zone .clock { font-size: 1.05rem; }
.zone, .hint { color: var(--soft); font-size: 0.9rem; }
.times .zone { display: block; }
.hint { display: block; margin-top: 0.4rem; }
.facts { display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; margin: 1.25rem 0 0; }
main > :last-child, main form > :last-child { margin-bottom: 0; }
.what { margin: -1rem 0 1.25rem; color: var(--soft); }
/* In forced colours, where grounds are gone, the border shows. */
.notice { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border: 1px solid transparent; border-radius: 0.6rem; }
.notice.done { background: var(--done); color: var(--done-ink); }
.notice.problem { background: var(--problem); color: var(--problem-ink); }
.actions { list-style: none; margin: 1.75rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.75rem; }
.actions li { flex: 1 1 12rem; }
.actions .first { flex-basis: 100%; }
button, .button {
  display: block; width: 100%; min-height: 2.75rem; padding: 0.6rem clamp(0.25rem, 4.8vw, 1.1rem); border: 1px solid var(--accent);
  border-radius: 0.6rem; background: transparent; color: var(--accent); font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { text-decoration: underline; }
.primary { background: var(--accent); color: var(--on-accent); }
.danger { border-color: var(--danger); color: var(--danger); }
button.danger { background: var(--danger); color: var(--on-danger); }
.plain { border: 0; padding: 0.6rem 0; font-weight: 400; color: var(--soft); text-decoration: underline; }
.plain:hover { color: var(--ink); }
.leave { margin-top: 1.25rem; border-top: 1px solid var(--line); padding-top: 0.5rem; margin-block-end: -1rem; }
label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
input, textarea, select {
  display: block; width: 100%; min-height: 2.75rem; padding: 0.55rem clamp(0.25rem, 3.3vw, 0.75rem); border: 1px solid var(--soft);
  border-radius: 0.6rem; background: var(--paper); color: var(--ink); font: inherit;
}
textarea { resize: vertical; }
.fields { display: grid; gap: 0.75rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); }
.fields p { margin: 0; }
.about { white-space: pre-line; }
.service { margin-top: 1.5rem; padding-top: 0.5rem; border-top: 1px solid var(--line); }
.service h2 { margin-top: 1rem; }
.service .about { margin: 0; color: var(--soft); }
.service .actions { margin-top: 1rem; }
.notice.held { background: var(--panel); }
.times + form { margin-top: 1.25rem; }
.zones { margin-top: 1.25rem; }
details { border-top: 1px solid var(--line); }
details:last-child { border-bottom: 1px solid var(--line); }
summary { min-height: 2.75rem; padding: 0.75rem 0.25rem; cursor: pointer; }
summary h2 { display: inline; margin: 0; }
summary .hint { margin: 0; padding-inline-start: 1.1rem; }
.clocks {
  list-style: none; margin: 0; padding: 0 0 1rem; display: grid; gap: 0.5rem;
  grid-template-columns: repeat(auto-fill, minmax(min(7rem, 100%), 1fr));
}
.clocks button { height: 100%; padding: 0.5rem 0.25rem; }
.clocks .own { display: block; font-size: 1.1rem; font-variant-numeric: tabular-nums; }
.clocks .zone { display: block; font-weight: 400; font-size: 0.8rem; }
.leave a:not(.button) {
  display: inline-flex; align-items: center; min-width: 2.75rem; min-height: 2.75rem; color: var(--soft);
}
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (max-width: 30rem) {
  body { padding: clamp(0.25rem, 2.2vw, 0.5rem); }
}
@media print {
  body { padding: 0; }
  main { border: 0; box-shadow: none; }
  .actions, .leave { display: none; }
}
`;
