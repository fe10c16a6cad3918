import { html } from '../html.js';
import { layout } from './layout.js';
import type { PageFrame } from './page.js';

/** A page that only tells something, and leads back where there is something to go back to. */
export function messagePage(frame: PageFrame, title: string, lead: string, back?: string): string {
  return layout(
    frame,
    title,
    html`<h1>${title}</h1>
      <p>${lead}</p>
      ${back !== undefined && html`<p class="leave"><a href="${back}">${frame.language.texts.back}</a></p>`}`,
  );
}
