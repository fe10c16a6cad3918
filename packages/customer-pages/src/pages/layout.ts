import { directionOf } from '@calends/core/operations';
import { html, Markup } from '../html.js';
import type { PageTexts } from '../texts/page-texts.js';
import type { PageFrame } from './page.js';

/** A whole document around the main part of a page. */
export function layout({ language, base, name }: PageFrame, title: string, main: Markup, script?: Markup): string {
  return html`${new Markup('<!doctype html>')}
    <html lang="${language.tag}" dir="${directionOf(language.tag)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${name === undefined ? title : `${title} – ${name}`}</title>
        <link rel="stylesheet" href="${base}/assets/pages.css" />
      </head>
      <body>
        ${name !== undefined && html`<header><p>${name}</p></header>`}
        <main>${main}</main>
        ${script}
      </body>
    </html> `.text;
}

/** What a page tells besides what it is. */
interface Told {
  readonly problem?: string | undefined;
  readonly done?: string | undefined;
}

/** The title of a page begins with what became of the form before it: it is what screen readers say first. */
export function titleWith({ problem: refused }: PageTexts, title: string, { problem, done }: Told): string {
  if (problem !== undefined) return `${refused}: ${title}`;
  return done === undefined ? title : `${done} ${title}`;
}

/** Marks a field where one of these texts is what was refused. */
export function markedIf(problem: string | undefined, faults: readonly string[]): Markup | undefined {
  return problem !== undefined && faults.includes(problem) ? html`aria-invalid="true"` : undefined;
}

/** A box that tells at once what went wrong or what was done; read out by screen readers. */
export function notice(kind: 'problem' | 'done', text: string, heading?: string): Markup {
  if (kind === 'done') return html`<div class="notice done" role="status">${text}</div>`;
  // What was refused has a heading and is on a page once. Fields are described by it, and reading begins with it: what is there
  // when a page is opened is no news to a screen reader.
  const first = heading !== undefined && html`id="problem" tabindex="-1" autofocus`;
  return html`<div class="notice problem" role="alert" ${first}>
    ${heading !== undefined && html`<strong>${heading}</strong> `}${text}
  </div>`;
}
