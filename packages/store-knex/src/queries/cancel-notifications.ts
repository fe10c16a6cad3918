import type { Notification, NotificationCancellation } from '@calends/core';
import { allOf, type Sql, type SqlValue, sql } from '../database/sql.js';
import type { SqlDialect } from '../dialects/dialect.js';

/** Tells whether a cancellation reaches a notification. */
export function isReached(
  { appointmentId, phase, type, channel, addressee }: Notification,
  cancellation: NotificationCancellation,
): boolean {
  const { types, channels, addresseeId } = cancellation;
  return (
    appointmentId === cancellation.appointmentId &&
    (phase === 'READY' || phase === 'RETRY_WAIT' || phase === 'SENDING') &&
    (types?.includes(type) ?? true) &&
    (channels?.includes(channel) ?? true) &&
    (addresseeId === undefined || addresseeId === addressee.id)
  );
}

/** The same as a condition on `n`; `undefined` when a filter has no alternative, so that nothing is reached. */
export function cancellableNotifications(
  dialect: SqlDialect,
  organizationId: string,
  { appointmentId, types, channels, addresseeId }: NotificationCancellation,
): Sql | undefined {
  if (types?.length === 0 || channels?.length === 0) return undefined;
  return allOf([
    sql('n.organization_id = ? and n.appointment_id = ?', organizationId, appointmentId),
    sql(`n.phase in ('READY', 'RETRY_WAIT', 'SENDING')`),
    ...(types === undefined ? [] : [dialect.anyOf('n.type', types)]),
    ...(channels === undefined ? [] : [dialect.anyOf('n.channel', channels)]),
    ...(addresseeId === undefined ? [] : [sql('n.addressee_id = ?', addresseeId)]),
  ]);
}

/**
 * What a cancellation makes of a notification that it reaches, as assignments of an update; values by
 * {@link cancelValues}. What is being sent is only marked.
 *
 * `phase` is assigned last: MySQL and MariaDB assign from left to right, and what follows sees the new value.
 */
export const cancelAssignments = `cancel_requested_at = case when phase = 'SENDING' then ? else cancel_requested_at end,
  message = case when phase = 'SENDING' then message else ? end,
  updated_at = case when phase = 'SENDING' or attempts > 0 then updated_at else ? end,
  status = case when phase = 'SENDING' then status else 'CANCELLED' end,
  wake_at = case when phase = 'SENDING' then wake_at else null end,
  next_retry_at = case when phase = 'SENDING' then next_retry_at else null end,
  kept = case when phase = 'SENDING' then kept else null end,
  event_count = event_count + case when phase = 'SENDING' then 0 else 1 end,
  revision = revision + 1,
  phase = case when phase = 'SENDING' then 'SENDING' else 'DONE' end`;

/** The values of {@link cancelAssignments}. */
export const cancelValues = ({ message, at }: NotificationCancellation): readonly SqlValue[] => [at, message, at];
