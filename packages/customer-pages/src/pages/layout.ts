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

/** A box that tells at once what went wrong or what was done; read out by screen readers. */
export function notice(kind: 'problem' | 'done', text: string, heading?: string): Markup {
  return kind === 'problem'
    ? // What was refused has a heading; fields are described by it, and it is on a page once.
      html`<div class="notice problem" role="alert" ${heading !== undefined && html`id="problem"`}>
        ${heading !== undefined && html`<strong>${heading}</strong> `}${text}
      </div>`
    : html`<div class="notice done" role="status">${text}</div>`;
}
