import type { DeliveryEvent, Instant, Notification, NotificationCancellation } from '@calends/core/store';
import { sealedCopy } from './sealed-copy.js';

/** The notification claimed: to be sent, or to ask the provider for it. */
export function claimed(found: Notification, now: Instant, leaseFor: number): Notification {
  const claim = { wakeAt: now + leaseFor, revision: found.revision + 1 };
  if (found.phase === 'SUBMITTED' || found.phase === 'POLLING') {
    const pollAttempts = found.pollAttempts + 1;
    return sealedCopy({ ...found, ...claim, phase: 'POLLING', pollAttempts, nextPollAt: undefined });
  }
  return sealedCopy({
    ...found,
    ...claim,
    phase: 'SENDING',
    status: 'PENDING',
    attempts: found.attempts + 1,
    lostClaims: found.lostClaims + (found.phase === 'SENDING' ? 1 : 0),
    updatedAt: now,
    nextRetryAt: undefined,
  });
}

/** A reminder that waits for a room, due at a time or at its own later one; `undefined` for every other notification. */
export function releasedReminder(found: Notification, at: Instant): Notification | undefined {
  const { type, phase, wakeAt, scheduledFor, revision } = found;
  if (type !== 'REMINDER' || phase !== 'READY' || wakeAt === null || scheduledFor === undefined) return undefined;
  const dueAt = Math.max(scheduledFor, at);
  return wakeAt <= dueAt ? undefined : sealedCopy({ ...found, wakeAt: dueAt, revision: revision + 1 });
}

/** Tells whether the notification is being sent, waits for another attempt, or was due by then. */
export function isUnderWay({ phase, scheduledFor }: Notification, now: Instant): boolean {
  return (
    phase === 'SENDING' ||
    phase === 'RETRY_WAIT' ||
    (phase === 'READY' && (scheduledFor === undefined || scheduledFor <= now))
  );
}

/** Tells whether the notification is to be sent to a customer and keeps what it is made of. */
export function isKept({ phase, addressee, kept }: Notification): boolean {
  return (
    (phase === 'READY' || phase === 'RETRY_WAIT' || phase === 'SENDING') &&
    addressee.type === 'CUSTOMER' &&
    kept !== undefined
  );
}

/** Tells whether the cancellation reaches the notification, one of its appointment. */
export function isReached(
  { phase, type, channel, addressee, cancelRequestedAt }: Notification,
  { types, channels, addresseeId, messageIfTaken }: NotificationCancellation,
): boolean {
  const isToldOf = messageIfTaken !== undefined && cancelRequestedAt === undefined;
  return (
    (phase === 'READY' || phase === 'RETRY_WAIT' || phase === 'SENDING' || (isTaken(phase) && isToldOf)) &&
    (types?.includes(type) ?? true) &&
    (channels?.includes(channel) ?? true) &&
    (addresseeId === undefined || addresseeId === addressee.id)
  );
}

const isTaken = (phase: Notification['phase']): boolean => phase === 'SUBMITTED' || phase === 'POLLING';

/**
 * The notification taken back, and the event of that; one that is being sent is only marked, and one that a provider
 * has taken says so.
 */
export function takenBack(
  found: Notification,
  { message, messageIfTaken, at }: NotificationCancellation,
): { readonly next: Notification; readonly events: readonly DeliveryEvent[] } {
  const revision = found.revision + 1;
  if (found.phase === 'SENDING') return { next: sealedCopy({ ...found, revision, cancelRequestedAt: at }), events: [] };
  const { attempts, pollAttempts } = found;
  const number = found.eventCount + 1;
  if (isTaken(found.phase) && messageIfTaken !== undefined) {
    const told = { cancelRequestedAt: at, message: messageIfTaken, eventCount: number };
    const event = { number, timestamp: at, status: found.status, message: messageIfTaken, attempts, pollAttempts };
    return { next: sealedCopy({ ...found, revision, ...told }), events: [sealedCopy(event)] };
  }
  const next = sealedCopy<Notification>({
    ...found,
    revision,
    phase: 'DONE',
    status: 'CANCELLED',
    message,
    wakeAt: null,
    nextRetryAt: undefined,
    kept: undefined,
    updatedAt: attempts === 0 ? at : found.updatedAt,
    eventCount: number,
  });
  return {
    next,
    events: [sealedCopy({ number, timestamp: at, status: 'CANCELLED', message, attempts, pollAttempts })],
  };
}
