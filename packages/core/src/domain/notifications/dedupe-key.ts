import { createHash } from 'node:crypto';
import type { Notification } from './notification.js';

/** What makes two notifications the same one (D56). */
export type DedupeParts = Pick<
  Notification,
  'appointmentId' | 'scheduleVersion' | 'type' | 'channel' | 'addressee' | 'offset' | 'sourceEventId'
>;

/** Unique key of a notification: two with the same one are never stored (D56). */
export function dedupeKeyOf(parts: DedupeParts): string {
  const { appointmentId, scheduleVersion, type, channel, addressee, offset, sourceEventId } = parts;
  const text = JSON.stringify([
    appointmentId,
    scheduleVersion,
    type,
    channel,
    addressee.type,
    addressee.id,
    offset ?? null,
    sourceEventId,
  ]);
  return createHash('sha256').update(text).digest('base64url');
}
