import { notificationChannels } from '@calends/core/store';
import type { Row } from '../sql/rows.js';
import { runSingle, type Steps } from '../sql/steps.js';
import type { Dialect } from './dialect.js';
import { recordRefusalsStepwise, sealStepwise } from '../queries/audit-record.js';
import { countOtpTryStepwise } from '../queries/proofs.js';
import { settleEvent } from '../queries/events.js';
import type { AppointmentKey } from '../queries/find-queue.js';
import { appointmentColumns } from '../tables/appointments.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import type { NotificationQueue } from '../queries/notification-queue.js';

const findOne = `select ${appointmentColumns} from calends_appointments a where organization_id = ? and id = ?`;

/** Reads appointments with one statement each, where that is as quick as one for all. */
function* findOneByOne(keys: readonly AppointmentKey[]): Steps<readonly Row[]> {
  const found: Row[] = [];
  for (const { organizationId, appointmentId } of keys) {
    const row = yield* runSingle(findOne, [organizationId, appointmentId]);
    if (row !== undefined) found.push(row);
  }
  return found;
}

const anyChannel = notificationChannels.map((channel) => `'${channel}'`).join(', ');

/** The notifications as their own queue. */
const notificationsAsQueue = ({ through }: Pick<SqlDialect, 'through'>): NotificationQueue => ({
  nextDue: 'select min(wake_at) from calends_notifications where channel = ? and wake_at is not null',
  // By channel and time: the history of an organization is many times what waits, and the primary key would lead through all of it.
  notDone: {
    tables: `calends_notifications n${through('calends_notifications_due')}`,
    where: `n.organization_id = ? and n.channel in (${anyChannel}) and n.wake_at is not null`,
  },
  // In two parts, each of which an index answers alone: what has a time, and what waits for a call of the provider. That
  // nothing is DONE that has a time is said to databases that cannot index a part of the rows.
  undelivered: `(
    select channel, phase, wake_at from calends_notifications where wake_at is not null and phase <> 'DONE'
    union all
    select channel, phase, wake_at from calends_notifications where wake_at is null and phase <> 'DONE')`,
});

type Part = 'findAppointments' | 'queue' | 'settleEvents' | 'countOtpTry' | 'recordRefusals' | 'sealAudit';

/** What a database does one statement after the other, in a transaction where they belong together; `locking` as in its commits. */
export const stepwise = (dialect: Pick<Dialect, 'sql' | 'insertNew'>, locking: string): Pick<Dialect, Part> => ({
  findAppointments: findOneByOne,
  queue: notificationsAsQueue(dialect.sql),
  settleEvents: (connections, outcomes) =>
    connections.transact(function* () {
      for (const outcome of outcomes) yield* settleEvent(outcome);
    }),
  countOtpTry: (connections, attempt) => connections.transact(() => countOtpTryStepwise(attempt)),
  recordRefusals: (connections, refusals) => connections.transact(() => recordRefusalsStepwise(refusals)),
  sealAudit: (connections, seal) => connections.transact(() => sealStepwise(dialect, seal, locking)),
});
