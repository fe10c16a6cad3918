import type { Instant } from '../appointments/instant.js';
import type { ClaimedNotification } from '../ports/notification-store.js';
import { cancelled, givenBack } from './delivery-lifecycle.js';
import { type DeliveryStep, step } from './delivery-step.js';
import { keptContentOf } from './kept-content.js';
import type { Notification } from './notification.js';
import { reasons } from './reasons.js';

/** What stands before a message to the same recipient (D71). */
export interface Turn {
  /** An older message that is being sent, or is due and has not begun; `undefined` = nothing is waited for. */
  readonly waitsFor: Notification | undefined;
  /** Older ones that wait for another attempt, and say what is no longer so once this one begins. */
  readonly superseded: readonly Notification[];
}

/** Whose turn it is among the messages of one appointment to one recipient over one channel (D71). */
export function turnOf(notification: Notification, others: readonly Notification[], now: Instant): Turn {
  const older = others.filter((other) => isOlder(other, notification));
  const waitsUntil = keptContentOf(notification).waitsUntil ?? Infinity;
  const waitsFor = now < waitsUntil ? older.find(({ phase }) => phase === 'SENDING' || phase === 'READY') : undefined;
  const isLater = notification.type === 'RESCHEDULE' || notification.type === 'CANCELLED';
  return { waitsFor, superseded: isLater ? older.filter(({ phase }) => phase === 'RETRY_WAIT') : [] };
}

/** By the schedule they tell of, which is the same for every clock, a cancellation last, and then by when they became due. */
function isOlder(one: Notification, other: Notification): boolean {
  if (one.scheduleVersion !== other.scheduleVersion) return one.scheduleVersion < other.scheduleVersion;
  if ((one.type === 'CANCELLED') !== (other.type === 'CANCELLED')) return other.type === 'CANCELLED';
  const [dueOne, dueOther] = [one.scheduledFor ?? one.createdAt, other.scheduledFor ?? other.createdAt];
  return dueOne === dueOther ? one.id < other.id : dueOne < dueOther;
}

/**
 * How soon what waits for its turn is looked at again; then after as long as it has waited by then. What is due and has not
 * begun begins with the next claim, and so the first look after it comes at once.
 */
const shortestPause = 50;

/** Gives the claim back until its turn comes, uncounted; all in all it waits for one lease (D71). */
export function givenWay(
  claimed: Pick<ClaimedNotification, 'notification' | 'found' | 'updatedBefore'>,
  waitsFor: Notification,
  { at, lease }: { readonly at: Instant; readonly lease: number },
): DeliveryStep {
  const content = keptContentOf(claimed.notification);
  const waitsUntil = content.waitsUntil ?? at + lease;
  const waited = at - (waitsUntil - lease);
  const beginsAtOnce = waitsFor.phase === 'READY' && content.waitsUntil === undefined;
  const next = Math.min(at + Math.max(waited, beginsAtOnce ? 0 : shortestPause), waitsUntil);
  return givenBack(claimed, next, JSON.stringify({ ...content, waitsUntil }));
}

/** The state of a message that waits for another attempt when a later one begins (D71). */
export function superseded(notification: Notification, at: Instant): DeliveryStep {
  return step('cancelled', notification, cancelled(reasons.supersededByLater), at);
}
