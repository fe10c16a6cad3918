import type { Instant, WakeInterests } from '@calends/core/store';
import { runSingle, type Steps } from '../database/steps.js';
import type { NotificationQueue } from '../dialects/dialect.js';
import { optionalInteger } from '../tables/fields.js';
import { nextClaimableEvent } from './event-claims.js';

/** The earliest instant at which a worker that does these kinds of work finds something to do; null = none. */
export function* nextWakeAt(
  { nextDue }: NotificationQueue,
  { appointments, events, channels }: WakeInterests,
): Steps<Instant | null> {
  const instants = [
    ...(appointments ? ['select min(wake_at) from calends_appointments where wake_at is not null'] : []),
    ...(events ? [nextClaimableEvent] : []),
    // One for each channel, so that each is the first entry of its part of the index.
    ...channels.map(() => nextDue),
  ];
  if (instants.length === 0) return null;
  const columns = instants.map((query, index) => `(${query}) as instant_${index}`);
  const row = yield* runSingle(`select ${columns.join(', ')}`, channels);
  const known = instants.flatMap((_, index) => (row && optionalInteger(row, `instant_${index}`)) ?? []);
  return known.length === 0 ? null : Math.min(...known);
}
