import type { Notification, NotificationCancellation } from '@calends/core/store';
import { allOf, type Sql, type SqlValue, sql } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** Tells whether a cancellation reaches a notification. */
export function isReached(
  { appointmentId, phase, type, channel, addressee, cancelRequestedAt }: Notification,
  cancellation: NotificationCancellation,
): boolean {
  const { types, channels, addresseeId, messageIfTaken } = cancellation;
  const isTaken = phase === 'SUBMITTED' || phase === 'POLLING';
  const isToldOf = isTaken && messageIfTaken !== undefined && cancelRequestedAt === undefined;
  return (
    appointmentId === cancellation.appointmentId &&
    (phase === 'READY' || phase === 'RETRY_WAIT' || phase === 'SENDING' || isToldOf) &&
    (types?.includes(type) ?? true) &&
    (channels?.includes(channel) ?? true) &&
    (addresseeId === undefined || addresseeId === addressee.id)
  );
}

const isUnderWay = `n.phase in ('READY', 'RETRY_WAIT', 'SENDING')`;
const isTaken = `n.phase in ('SUBMITTED', 'POLLING')`;

/** The same as a condition on `n`; `undefined` when a filter has no alternative, so that nothing is reached. */
export function cancellableNotifications(
  dialect: SqlDialect,
  organizationId: string,
  { appointmentId, types, channels, addresseeId, messageIfTaken }: NotificationCancellation,
): Sql | undefined {
  if (types?.length === 0 || channels?.length === 0) return undefined;
  return allOf([
    sql('n.organization_id = ? and n.appointment_id = ?', organizationId, appointmentId),
    sql(
      messageIfTaken === undefined ? isUnderWay : `(${isUnderWay} or (${isTaken} and n.cancel_requested_at is null))`,
    ),
    ...(types === undefined ? [] : [dialect.anyOf('n.type', types)]),
    ...(channels === undefined ? [] : [dialect.anyOf('n.channel', channels)]),
    ...(addresseeId === undefined ? [] : [sql('n.addressee_id = ?', addresseeId)]),
  ]);
}

const leftAsTheyAre = `('SENDING', 'SUBMITTED', 'POLLING')`;

/**
 * What a cancellation makes of a notification that it reaches, as assignments of an update; values by
 * {@link cancelValues}. What is being sent is only marked, and what a provider has taken says so.
 *
 * `phase` is assigned last: MySQL and MariaDB assign from left to right, and what follows sees the new value.
 */
export const cancelAssignments = `cancel_requested_at = case when phase in ${leftAsTheyAre} then ? else cancel_requested_at end,
  message = case when phase = 'SENDING' then message when phase in ${leftAsTheyAre} then ? else ? end,
  updated_at = case when phase in ${leftAsTheyAre} or attempts > 0 then updated_at else ? end,
  status = case when phase in ${leftAsTheyAre} then status else 'CANCELLED' end,
  wake_at = case when phase in ${leftAsTheyAre} then wake_at else null end,
  next_retry_at = case when phase in ${leftAsTheyAre} then next_retry_at else null end,
  kept = case when phase in ${leftAsTheyAre} then kept else null end,
  event_count = event_count + case when phase = 'SENDING' then 0 else 1 end,
  revision = revision + 1,
  phase = case when phase in ${leftAsTheyAre} then phase else 'DONE' end`;

/** The values of {@link cancelAssignments}. */
export const cancelValues = ({ message, messageIfTaken, at }: NotificationCancellation): readonly SqlValue[] => [
  at,
  messageIfTaken ?? null,
  message,
  at,
];
