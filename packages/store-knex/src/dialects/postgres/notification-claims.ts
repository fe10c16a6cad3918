import { claimAssignments, type DeliveryDialect } from '../../queries/delivery.js';
import type { DeliveryEvent, Notification, NotificationUpdate } from '@calends/core/store';
import type { SqlValue } from '../../sql/sql.js';
import { run } from '../../sql/steps.js';
import {
  deliveryEventTable,
  deliveryTable,
  notificationParts,
  withAppointmentAndCustomer,
} from '../../tables/notifications.js';
import { integer, text } from '../../sql/rows.js';
import { columnLists, nameList, rowSource } from './column-lists.js';
import { requeueSteps } from './notification-queue.js';
import { eventId } from './notifications-statement.js';
import { databaseClock, noLimit } from './sql.js';

/** The assignments with the statement's own clock where others bind the time. */
const assignments = ['clock.instant', 'clock.lease_until'].reduce(
  (written, value) => written.replace('?', value),
  claimAssignments,
);

/**
 * Chooses, locks, changes and answers in one step.
 *
 * The queue is read in its order, and the notification of one entry after the other is locked until there are enough:
 * one that somebody holds, or has moved since, is passed over. So are the entries of claims that have not run out: they
 * are the first of the queue, and few. The limit of the queue is none; it tells the planner that the first entries are
 * wanted. Without it, and without statistics of the table, it would sort all that is due.
 *
 * Appointment and profile are read as they were when the statement began. So a row that somebody changed since then
 * is passed over like one that is locked: it has another revision, and the next claim finds it.
 *
 * Rows are known by where they lie: by their keys the planner would read a small table whole for every claim.
 */
const claimNotifications = `with clock as materialized (
    select instant, instant + ?::int8 as lease_until from (select coalesce(?::int8, ${databaseClock}) as instant) taken
  ), due as materialized (
    select entry, due_row, due_revision, found, due_at, updated_before from (
      select q.ctid as entry, q.organization_id, q.id, coalesce(q.held_until, q.due_at) as wake_at
      from calends_notification_queue q
      where q.channel = ? and q.due_at <= (select instant from clock)
        and (q.held_until is null or q.held_until <= (select instant from clock))
      order by q.due_at, q.id limit ${noLimit}
    ) waiting cross join lateral (
      select n.ctid as due_row, n.revision as due_revision, n.phase as found, n.wake_at as due_at,
        n.updated_at as updated_before
      from calends_notifications n
      where n.organization_id = waiting.organization_id and n.id = waiting.id and n.wake_at = waiting.wake_at
      for update skip locked
    ) locked limit ?
  ), claimed as (
    update calends_notifications n set ${assignments}
    from due, clock
    where n.ctid = due_row and n.revision = due_revision
    returning n.*, found, due_at, updated_before, entry
  ), moved as (
    update calends_notification_queue q set phase = c.phase, held_until = c.wake_at from claimed c where q.ctid = c.entry
  )
  select clock.instant as claimed_at, n.found, n.due_at, n.updated_before, ${notificationParts}
  from clock left join claimed n on true ${withAppointmentAndCustomer}
  order by n.due_at, n.id`;

/** An outcome; `told_at` is when its last event happened, where that event says just what the notification does. */
const givenFields = {
  expected_revision: 'integer',
  ...deliveryTable.fields,
  told_at: 'integer',
} as const;

const settled = deliveryTable.others.map((name) => `${name} = g.${name}`).join(', ');

/** What the usual event has of its notification under other names. */
const ofNotification: Readonly<Record<string, string>> = {
  id: eventId,
  notification_id: 'n.id',
  number: 'n.event_count',
  happened_at: 'n.told_at',
};
const usualEvent = deliveryEventTable.names.map((name) => ofNotification[name] ?? `n.${name}`);
const otherEvent = deliveryEventTable.names.map((name) => `e.${name}`);

/**
 * Outcomes travel as a list for each column, and so do their events, but for the usual one: that repeats its
 * notification.
 *
 * The outcomes come in the order of their ids, so that two statements that write the same rows do not deadlock. What
 * is answered are those that were not written, which is none as a rule.
 */
const settleNotifications = `with given as materialized (
    select * from ${rowSource(givenFields, 'many')} as outcome (${nameList(givenFields)})
  ), written as (
    update calends_notifications n set ${settled} from given g
    where n.organization_id = g.organization_id and n.id = g.id and n.revision = g.expected_revision
    returning n.*, g.told_at
  ), ${requeueSteps('written').join(', ')}, told as (
    insert into calends_delivery_events (${deliveryEventTable.list})
    select ${usualEvent.join(', ')} from written n where n.told_at is not null
    union all
    select ${otherEvent.join(', ')}
    from ${rowSource(deliveryEventTable.fields, 'many')} as e (${deliveryEventTable.list})
    join written n on n.organization_id = e.organization_id and n.id = e.notification_id
  )
  select g.organization_id, g.id from given g
  where not exists (select 1 from written w where w.organization_id = g.organization_id and w.id = g.id)`;

const compareKeys = ({ next: a }: NotificationUpdate, { next: b }: NotificationUpdate): number =>
  a.organizationId === b.organizationId ? (a.id < b.id ? -1 : 1) : a.organizationId < b.organizationId ? -1 : 1;

/** True when an event says just what its notification does by now, and so can be made of it. */
const repeats = (event: DeliveryEvent, next: Notification): boolean =>
  event.number === next.eventCount && repeated.every((field) => event[field] === next[field]);

const repeated = [
  ...(['status', 'message', 'errorMessage', 'providerStatus', 'messageId', 'conversationId'] as const),
  ...(['attempts', 'pollAttempts', 'nextPollAt'] as const),
];

const keyOf = (organizationId: string, id: string): string => JSON.stringify([organizationId, id]);

/** One statement each. */
export const postgresDelivery: DeliveryDialect = {
  async claimNotifications(connections, { channel, limit, leaseFor, now }) {
    const { rows } = await connections.use(() => run(claimNotifications, [leaseFor, now ?? null, channel, limit]));
    const [first = {}] = rows;
    // Without a claim one row tells the time.
    return { now: integer(first, 'claimed_at'), rows: rows.filter((row) => row['n_id'] !== null) };
  },

  async settleNotifications(connections, updates) {
    const outcomes: (readonly SqlValue[])[] = [];
    const otherEvents: (readonly SqlValue[])[] = [];
    for (const { next, events, expectedRevision } of [...updates].sort(compareKeys)) {
      const usual = events.find((event) => repeats(event, next));
      outcomes.push([expectedRevision, ...deliveryTable.values(next), usual?.timestamp ?? null]);
      for (const event of events) if (event !== usual) otherEvents.push(deliveryEventTable.values(event, next));
    }
    const values = [...columnLists(givenFields, outcomes), ...columnLists(deliveryEventTable.fields, otherEvents)];
    // Whole or not at all, in a transaction of the host too.
    const { rows } = await connections.single(() => run(settleNotifications, values));
    if (rows.length === 0) return updates.map(() => true);
    const missed = new Set(rows.map((row) => keyOf(text(row, 'organization_id'), text(row, 'id'))));
    return updates.map(({ next }) => !missed.has(keyOf(next.organizationId, next.id)));
  },
};
