import { html, type Markup } from '../html.js';

/** Values that a form carries. */
export function hiddenFields(values: Readonly<Record<string, string>>): Markup {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`${fields}`;
}
