import type { Instant, WakeInterests } from '@calends/core';
import { runSingle, type Steps } from '../database/steps.js';
import type { QueueTable } from '../dialects/dialect.js';
import { optionalInteger } from '../rows/fields.js';
import { nextClaimableEvent } from './event-claims.js';

/**
 * When the next notification of a channel is due.
 *
 * In the queue that is the first entry that nobody holds, or the end of a claim on one before it; the later ones end
 * later. The limit is none: it tells the planner to read in order from the first entry on.
 */
const nextDue: Readonly<Record<QueueTable, string>> = {
  calends_notifications: 'select min(wake_at) from calends_notifications where channel = ? and wake_at is not null',
  calends_notification_queue: `
    with asked as materialized (select ?::text as channel), free as materialized (
      select due_at from calends_notification_queue
      where channel = (select channel from asked) and due_at is not null and held_until is null
      order by due_at, id limit 1
    )
    select least((select due_at from free), (
      select min(held_until) from (
        select held_until from calends_notification_queue
        where channel = (select channel from asked)
          and due_at <= coalesce((select due_at from free), ${Number.MAX_SAFE_INTEGER})
        order by due_at, id limit (select ${Number.MAX_SAFE_INTEGER})
      ) until_then))`,
};

/** The earliest instant at which a worker that does these kinds of work finds something to do; null = none. */
export function* nextWakeAt(
  table: QueueTable,
  { appointments, events, channels }: WakeInterests,
): Steps<Instant | null> {
  const instants = [
    ...(appointments ? ['select min(wake_at) from calends_appointments where wake_at is not null'] : []),
    ...(events ? [nextClaimableEvent] : []),
    // One for each channel, so that each is the first entry of its part of the index.
    ...channels.map(() => nextDue[table]),
  ];
  if (instants.length === 0) return null;
  const columns = instants.map((query, index) => `(${query}) as instant_${index}`);
  const row = yield* runSingle(`select ${columns.join(', ')}`, channels);
  const known = instants.flatMap((_, index) => (row && optionalInteger(row, `instant_${index}`)) ?? []);
  return known.length === 0 ? null : Math.min(...known);
}
