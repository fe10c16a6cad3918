import type { Appointment } from '@calends/core';
import { createHash } from 'node:crypto';
import { html, type Markup } from '../html.js';

/** Values that a form carries. */
export function hiddenFields(values: Readonly<Record<string, string>>): Markup {
  const fields = Object.entries(values).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`${fields}`;
}

/** What a form that changes an appointment carries: it changes this one, as it was shown, or nothing. */
export const formOf = ({ id, version }: Appointment) => ({ appointment: markOf(id), version: String(version) });

/** Tells a form of this appointment from one of another; its id stands in no page. */
export const markOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 22);
