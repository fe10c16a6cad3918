import { html } from '../html.js';
import { layout } from './layout.js';
import type { PageFrame } from './page.js';

/** A page that only tells something. */
export function messagePage(frame: PageFrame, title: string, lead: string): string {
  return layout(
    frame,
    title,
    html`<h1>${title}</h1>
      <p>${lead}</p>`,
  );
}
