import type { Backlog, NotificationChannel } from '@calends/core';
import { run, runSingle, type Steps } from '../database/steps.js';
import { concat, sql } from '../database/sql.js';
import type { QueueTable, SqlDialect } from '../dialects/dialect.js';
import { integer, optionalInteger, text } from '../rows/fields.js';

/** How many of these notifications are being sent. */
export function* countSending(dialect: SqlDialect, organizationId: string, ids: readonly string[]): Steps<number> {
  if (ids.length === 0) return 0;
  const query = concat(
    sql(`select count(*) as sending from calends_notifications where organization_id = ? and `, organizationId),
    dialect.anyOf('id', ids),
    sql(` and phase = 'SENDING'`),
  );
  const row = yield* runSingle(query.text, query.values);
  return row === undefined ? 0 : integer(row, 'sending');
}

/**
 * What is not DONE: in the queue everything, read from its narrow table. Of the notifications in two parts, each of
 * which an index answers alone: what has a time, and what waits for a call of the provider. That nothing is DONE that
 * has a time is said to databases that cannot index a part of the rows.
 */
const undelivered: Readonly<Record<QueueTable, string>> = {
  calends_notification_queue: `(
    select channel, phase, coalesce(held_until, due_at) as wake_at
    from calends_notification_queue where phase <> 'DONE')`,
  calends_notifications: `(
    select channel, phase, wake_at from calends_notifications where wake_at is not null and phase <> 'DONE'
    union all
    select channel, phase, wake_at from calends_notifications where wake_at is null and phase <> 'DONE')`,
};

/** Everything that is not DONE, by channel and phase. */
export function* notificationBacklog(table: QueueTable): Steps<readonly Backlog[]> {
  const { rows } = yield* run(
    `select channel, phase, count(*) as amount, min(wake_at) as oldest from ${undelivered[table]} undelivered
      group by channel, phase order by channel, phase`,
  );
  return rows.map((row) => ({
    channel: text(row, 'channel') as NotificationChannel,
    phase: text(row, 'phase') as Backlog['phase'],
    count: integer(row, 'amount'),
    oldestWakeAt: optionalInteger(row, 'oldest') ?? null,
  }));
}
