import {
  type Instant,
  type NotificationClaim,
  type NotificationUpdate,
  type SendLook,
  type StandingNotification,
  StoreError,
} from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import { concat, sql, type SqlValue } from '../sql/sql.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import { integer, optionalInteger, optionalText, type Row } from '../sql/rows.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { Coalescer, type Pressure, type QueueParts } from '../database/coalescer.js';
import {
  notificationParts,
  notificationTable,
  readNotification,
  withAppointmentAndCustomer,
} from '../tables/notifications.js';

/** What a claim on notifications gave. */
export interface ClaimedRows {
  readonly now: Instant;
  /**
   * Earliest first, as `selectClaimed` has them, with `found`, `due_at` and `updated_before`: phase, `wake_at` and
   * `updated_at` before the claim.
   */
  readonly rows: readonly Row[];
}

/** How a database hands out notifications, and takes what became of them. */
export interface DeliveryDialect {
  /** Claims due notifications; rows as they are after the claim. */
  readonly claimNotifications: (connections: Connections, claim: NotificationClaim) => Promise<ClaimedRows>;

  /** Writes outcomes (at least one), each only while its notification has the expected revision; tells which were. */
  readonly settleNotifications: (
    connections: Connections,
    updates: readonly NotificationUpdate[],
  ) => Promise<readonly boolean[]>;
}

const toSend = `phase in ('READY', 'RETRY_WAIT', 'SENDING')`;
const toPoll = `phase in ('SUBMITTED', 'POLLING')`;

/**
 * What a claim makes of a notification, as assignments of an update; values by {@link claimValues}.
 *
 * `phase` is assigned last: MySQL and MariaDB assign from left to right, and what follows sees the new value.
 */
export const claimAssignments = `status = 'PENDING',
  updated_at = case when ${toSend} then ? else updated_at end,
  attempts = attempts + case when ${toSend} then 1 else 0 end,
  next_retry_at = case when ${toSend} then null else next_retry_at end,
  lost_claims = lost_claims + case when phase = 'SENDING' then 1 else 0 end,
  poll_attempts = poll_attempts + case when ${toPoll} then 1 else 0 end,
  next_poll_at = case when ${toPoll} then null else next_poll_at end,
  wake_at = ?,
  revision = revision + 1,
  phase = case when ${toPoll} then 'POLLING' else 'SENDING' end`;

/** The values of {@link claimAssignments}. */
export const claimValues = (now: Instant, { leaseFor }: NotificationClaim): readonly SqlValue[] => [
  now,
  now + leaseFor,
];

/** Notifications with what sending them needs; a condition on `n` follows. */
export const selectClaimed = `select ${notificationParts} from calends_notifications n ${withAppointmentAndCustomer}`;

/** The time that a claim takes for now. */
export function* timeOf({ now }: NotificationClaim, dialect: SqlDialect): Steps<Instant> {
  if (now !== undefined) return now;
  const { text, values } = dialect.clock();
  const row = yield* runSingle(`select ${text} as instant`, values);
  if (row === undefined) throw new StoreError('unexpected', 'The database did not tell the time.');
  return integer(row, 'instant');
}

/** How a database looks at notifications right before they are sent. */
export interface LookDialect {
  readonly looks: Pressure;
  readonly sql: SqlDialect;
}

/** Looks at a notification right before it is sent, together with others of the same moment. */
export type LookQueue = (look: SendLook) => Promise<StandingNotification | undefined>;

const lookFields = {
  organization_id: 'text',
  appointment_id: 'text',
  channel: 'text',
  addressee_id: 'text',
  id: 'text',
  at: 'integer',
} as const;

const valuesOf = ({ organizationId, appointmentId, channel, addresseeId, id, now }: SendLook) => [
  ...[organizationId, appointmentId, channel, addresseeId],
  ...[id, now],
];

const seen = `${notificationTable.as('n')}, a.schedule_version, c.primary_email, c.primary_phone`;

/** The notification `n` itself and what goes the same way and is under way, for a look whose columns are written like this. */
const isSeen = (column: (name: keyof typeof lookFields) => string): string =>
  `n.organization_id = ${column('organization_id')} and n.appointment_id = ${column('appointment_id')}
    and n.channel = ${column('channel')} and n.addressee_id = ${column('addressee_id')}
    and (n.id = ${column('id')} or n.phase in ('SENDING', 'RETRY_WAIT')
      or (n.phase = 'READY' and (n.scheduled_for is null or n.scheduled_for <= ${column('at')})))`;

const seenByOne = `select ${seen} from calends_notifications n ${withAppointmentAndCustomer} where ${isSeen(() => '?')}`;

// An outer join: no database begins with the notifications then.
const seenByMany = (through: string): string =>
  `left join calends_notifications n${through} on ${isSeen((name) => `w.${name}`)} ${withAppointmentAndCustomer}`;

function* rowsSeen(dialect: SqlDialect, looks: readonly SendLook[]): Steps<readonly (readonly Row[])[]> {
  const [first] = looks;
  if (first !== undefined && looks.length === 1) return [(yield* run(seenByOne, valuesOf(first))).rows];
  const wanted = dialect.givenRows(lookFields, looks.map(valuesOf));
  const joined = seenByMany(dialect.through('calends_notifications_by_appointment'));
  const query = concat(sql(`select w.n as look, ${seen} from `), wanted, sql(` as w ${joined}`));
  const { rows } = yield query;
  const byLook = looks.map((): Row[] => []);
  for (const row of rows) byLook[integer(row, 'look') - 1]?.push(row);
  return byLook;
}

function standingIn(rows: readonly Row[], { id }: SendLook): StandingNotification | undefined {
  const own = rows.find((row) => row['n_id'] === id);
  if (own === undefined) return undefined;
  return {
    revision: integer(own, 'n_revision'),
    scheduleVersion: optionalInteger(own, 'schedule_version'),
    primaryEmail: optionalText(own, 'primary_email'),
    primaryPhone: optionalText(own, 'primary_phone'),
    others: rows.filter((row) => row !== own).map(readNotification),
  };
}

/** The queue of a store's looks before a send: those of one moment are one statement. */
export function lookQueue({ dialect, connections, attempt, tracer }: QueueParts<LookDialect>): LookQueue {
  const looks = new Coalescer<SendLook, StandingNotification | undefined>({
    ...dialect.looks,
    traced: tracer && { tracer, name: 'look' },
    perform: async (asked) => {
      const seenRows = await attempt(() => connections.read(() => rowsSeen(dialect.sql, asked)));
      return asked.map((look, index) => standingIn(seenRows[index] ?? [], look));
    },
  });
  return (look) => looks.submit(look);
}
