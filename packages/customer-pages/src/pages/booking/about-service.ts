import type { OfferedService } from '@calends/core/operations';
import { html, type Markup } from '../../html.js';

/** What the host says of a service: with whom, and where. */
export function aboutService({ description }: Pick<OfferedService, 'description'>): Markup | undefined {
  return description === undefined || description === '' ? undefined : html`<p class="about">${description}</p>`;
}
