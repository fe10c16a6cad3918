import type { Backlog, NotificationChannel } from '@calends/core/store';
import { run, runSingle, type Steps } from '../database/steps.js';
import { concat, sql } from '../database/sql.js';
import type { NotificationQueue, SqlDialect } from '../dialects/dialect.js';
import { integer, optionalInteger, text } from '../tables/fields.js';

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

/** Everything that is not DONE, by channel and phase. */
export function* notificationBacklog({ undelivered }: NotificationQueue): Steps<readonly Backlog[]> {
  const { rows } = yield* run(
    `select channel, phase, count(*) as amount, min(wake_at) as oldest from ${undelivered} undelivered
      group by channel, phase order by channel, phase`,
  );
  return rows.map((row) => ({
    channel: text(row, 'channel') as NotificationChannel,
    phase: text(row, 'phase') as Backlog['phase'],
    count: integer(row, 'amount'),
    oldestWakeAt: optionalInteger(row, 'oldest') ?? null,
  }));
}
