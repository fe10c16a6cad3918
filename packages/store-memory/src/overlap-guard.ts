import {
  actorRelations,
  blocksTime,
  type CommitRefusal,
  type Instant,
  maxDuration,
  type OverlapGuard,
} from '@calends/core/store';
import { type AppointmentRow, byStart } from './appointment-row.js';
import { busyEntries } from './busy.js';
import type { OrganizationRows } from './organization-rows.js';
import type { Tables } from './tables.js';

const takingTime = actorRelations.filter((relation) => relation !== 'SERVICE');

/** What stands in the way of a commit, as its refusal tells it. */
export type InTheWay = Omit<Extract<CommitRefusal, { status: 'slotConflict' }>, 'status'>;

/** What stands in the way (D26); of buffers and holds only a guard with a span knows. */
export function conflictsWith(
  tables: Tables,
  organizationId: string,
  guard: OverlapGuard,
  ownId: string | undefined,
  at: Instant,
): InTheWay | undefined {
  const rows = tables.appointments.of(organizationId);
  if (guard.span === undefined) {
    const appointmentIds = inWindow(rows, guard, ownId);
    return appointmentIds.length === 0 ? undefined : { appointmentIds };
  }
  const { actorIds, window, span, exceptHoldIds = [] } = guard;
  const both = { from: Math.min(window.from, span.from), to: Math.max(window.to, span.to) };
  const question = { organizationId, actorIds, window: both, exceptAppointmentId: ownId, now: at };
  const inTheWay = busyEntries(tables, question).filter(
    ({ blocks, start, end, busy, holdId }) =>
      blocks &&
      ((start < window.to && end > window.from) || (busy.from < span.to && busy.to > span.from)) &&
      (holdId === undefined || !exceptHoldIds.includes(holdId)),
  );
  if (inTheWay.length === 0) return undefined;
  const appointmentIds = inOrder(inTheWay.flatMap(({ appointmentId = '' }) => rows.find(appointmentId) ?? []));
  return inTheWay.some(({ holdId }) => holdId !== undefined) ? { appointmentIds, isHeld: true } : { appointmentIds };
}

function inWindow(
  rows: OrganizationRows,
  { actorIds, window: { from, to } }: OverlapGuard,
  ownId: string | undefined,
): readonly string[] {
  // Found without a look at all that are long over.
  const near = actorIds
    .flatMap((actorId) => takingTime.map((relation) => rows.ofActor(relation, actorId)))
    .flatMap((ofActor) => {
      const since = ({ appointment }: AppointmentRow) => appointment.schedule.start <= from - maxDuration;
      return ofActor?.between(since, ({ appointment }) => appointment.schedule.start < to) ?? [];
    })
    .filter(
      ({ appointment }) => appointment.id !== ownId && appointment.schedule.end > from && blocksTime(appointment),
    );
  return inOrder(near);
}

/** Ids by start, then id, each once. */
function inOrder(rows: readonly AppointmentRow[]): readonly string[] {
  return [...new Set(rows)].sort(byStart).map(({ appointment }) => appointment.id);
}
