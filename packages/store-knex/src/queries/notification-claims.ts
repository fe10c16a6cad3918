import { type Instant, type NotificationClaim, type NotificationUpdate, StoreError } from '@calends/core/store';
import type { Connections } from '../database/connections.js';
import type { SqlValue } from '../sql/sql.js';
import { runSingle, type Steps } from '../sql/steps.js';
import { integer, type Row } from '../sql/rows.js';
import { notificationParts, withAppointmentAndCustomer } from './notification-parts.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

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

/** Notifications of a channel that are due at a time, earliest first, with the state in which they are found. */
export const dueNotifications = `select organization_id, id, phase as found, wake_at as due_at,
    updated_at as updated_before
  from calends_notifications where channel = ? and wake_at <= ? order by wake_at, id limit ?`;

/** The time that a claim takes for now. */
export function* timeOf({ now }: NotificationClaim, dialect: SqlDialect): Steps<Instant> {
  if (now !== undefined) return now;
  const { text, values } = dialect.clock();
  const row = yield* runSingle(`select ${text} as instant`, values);
  if (row === undefined) throw new StoreError('unexpected', 'The database did not tell the time.');
  return integer(row, 'instant');
}
