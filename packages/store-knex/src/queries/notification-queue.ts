import { countRows, listRows, run, runSingle, type Steps } from '../sql/steps.js';
import type { Backlog, Instant, NotificationChannel, WakeInterests } from '@calends/core/store';
import { nextClaimableEvent } from './events.js';
import { concat, sql } from '../sql/sql.js';
import { integer, optionalInteger, text } from '../sql/rows.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** What is due and what is under way: as the notifications have it, or a narrow table beside them. */
export interface NotificationQueue {
  /** When the next notification of a channel (`?`) is due, as a query of one value. */
  readonly nextDue: string;
  /** Notifications `n` of an organization (`?`) that a worker must look at some time, as parts of a query. */
  readonly notDone: { readonly tables: string; readonly where: string };
  /** Channel, phase and `wake_at` of what is not DONE, as a query in parentheses. */
  readonly undelivered: string;
  /** A statement that carries out an update of notifications and brings the queue in step; absent = the update does. */
  readonly inStep?: (update: string) => string;
}

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

/** Whose reminders are released, and when. */
export interface ReminderRelease {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly at: Instant;
}

const release = (through: string): string => `update calends_notifications${through}
  set wake_at = case when scheduled_for > ? then scheduled_for else ? end, revision = revision + 1
  where organization_id = ? and appointment_id = ? and type = 'REMINDER' and phase = 'READY'
    and wake_at > scheduled_for and wake_at > ?`;

/** Makes due the reminders of an appointment that wait for its room, with one statement. */
export function* releaseReminders(
  { queue: { inStep }, sql: { through } }: { readonly queue: NotificationQueue; readonly sql: SqlDialect },
  { organizationId, appointmentId, at }: ReminderRelease,
): Steps<void> {
  const update = release(through('calends_notifications_by_appointment'));
  yield* run(inStep?.(update) ?? update, [at, at, organizationId, appointmentId, at]);
}

/** How many of these notifications are being sent. */
export function* countSending(dialect: SqlDialect, organizationId: string, ids: readonly string[]): Steps<number> {
  if (ids.length === 0) return 0;
  const query = concat(
    sql(`select count(*) as counted from calends_notifications where organization_id = ? and `, organizationId),
    dialect.anyOf('id', ids),
    sql(` and phase = 'SENDING'`),
  );
  return yield* countRows(query);
}

/** Everything that is not DONE, by channel and phase. */
export function notificationBacklog({ undelivered }: NotificationQueue): Steps<readonly Backlog[]> {
  return listRows(
    sql(`select channel, phase, count(*) as amount, min(wake_at) as oldest from ${undelivered} undelivered
      group by channel, phase order by channel, phase`),
    (row) => ({
      channel: text(row, 'channel') as NotificationChannel,
      phase: text(row, 'phase') as Backlog['phase'],
      count: integer(row, 'amount'),
      oldestWakeAt: optionalInteger(row, 'oldest') ?? null,
    }),
  );
}
