import type { Change, Instant } from '@calends/core/store';
import { busyEntries } from './busy.js';
import type { Tables } from './tables.js';

/** Place of the first limit that is reached; -1 = none. What the change itself writes, uses up or gives up does not count. */
export function reachedLimit(
  tables: Tables,
  { organizationId, limits = [], holds = {} }: Change,
  exceptAppointmentId: string | undefined,
  now: Instant,
): number {
  const given = [holds.consume, ...(holds.release ?? [])];
  return limits.findIndex(({ actorId, serviceActorId, window, max }) => {
    const entries = busyEntries(tables, { organizationId, actorIds: [actorId], window, exceptAppointmentId, now });
    const counted = entries.filter(
      (each) =>
        each.start >= window.from &&
        each.start < window.to &&
        (serviceActorId === undefined || each.serviceActorId === serviceActorId) &&
        (each.holdId === undefined || !given.includes(each.holdId)),
    );
    return counted.length >= max;
  });
}
