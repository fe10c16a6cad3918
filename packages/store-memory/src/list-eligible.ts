import type { Appointment } from '@calends/core';
import type { EligiblePage } from '@calends/core/store';
import { compareText } from './code-point-order.js';
import type { OrganizationRows } from './organization-rows.js';

/** The next rows that can be activated, by id (D69). */
export function listEligible(
  { scheduled }: OrganizationRows,
  { applicationIds, after, limit }: EligiblePage,
): readonly Appointment[] {
  const wanted = applicationIds === undefined ? undefined : new Set(applicationIds);
  const found: Appointment[] = [];
  for (const { appointment } of scheduled.after(({ appointment: { id } }) =>
    after === undefined ? false : compareText(id, after) <= 0,
  )) {
    if (found.length >= limit) break;
    if (wanted?.has(appointment.applicationId) ?? true) found.push(appointment);
  }
  return found;
}
