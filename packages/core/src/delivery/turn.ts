import type { ClaimedNotification, Notification } from '../domain/notifications/notification.js';
import { type Instant, seconds } from '@calends/model';
import type { StandingNotification } from '../ports/store/notifications.js';
import { type Delivered, type Delivery, deliverySignal, released } from './claim.js';
import type { Composable } from './channels/channel.js';
import { payloadOf } from './step.js';
import { next } from './state.js';
import { reasonAgainstSending } from './wanted.js';

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
  const waitsUntil = payloadOf(notification).waitsUntil ?? Infinity;
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
const minPause = 50;

/** Gives the claim back until its turn comes, uncounted; all in all it waits for one lease (D71). */
export function waitForTurn(
  claimed: ClaimedNotification,
  waitsFor: Notification,
  { at, lease }: { readonly at: Instant; readonly lease: number },
): Delivered {
  const payload = payloadOf(claimed.notification);
  // No more than a lease from now, also where it was said by a clock that was ahead and is right again.
  const waitsUntil = Math.min(payload.waitsUntil ?? Infinity, at + lease);
  const waited = at - (waitsUntil - lease);
  const beginsAtOnce = waitsFor.phase === 'READY' && payload.waitsUntil === undefined;
  const wakeAt = Math.min(at + Math.max(waited, beginsAtOnce ? 0 : minPause), waitsUntil);
  return released(claimed, wakeAt, JSON.stringify({ ...payload, waitsUntil }));
}

/** How much later than it is due a message may be claimed that has given way. */
const maxClaim = seconds(1);

/**
 * What stands in the way of telling a customer, looked at right before it: what the message says of time and recipient
 * has changed since it was claimed, or an older message to the same recipient is not out yet (D71). Whoever changes
 * that afterwards waits for the send. No message waits until it would be too late for it (D55).
 */
export async function obstacleTo(delivery: Delivery, subject: Composable): Promise<Delivered | undefined> {
  const { context, claimed, now, lease } = delivery;
  const { notification } = claimed;
  const { organizationId, id, appointmentId, channel, addressee } = notification;
  const { appointment } = subject;
  const settings = subject.settings.notifications;
  const isInTime = (at: Instant): boolean =>
    reasonAgainstSending({ notification, appointment, settings, now: at }) === undefined;
  for (;;) {
    const look = { organizationId, id, appointmentId, channel, addresseeId: addressee.id, now: now() };
    const current = await context.store.notifications.findStanding(look);
    if (current === undefined || isOutdated(claimed, current)) return released(claimed, now());
    const { waitsFor, superseded } = turnOf(notification, current.others, now());
    const end = waitsFor && delivery.endOf(waitsFor.id);
    if (end !== undefined && delivery.yieldUntil() === undefined && isInTime(now() + lease)) {
      await end;
      continue;
    }
    const wait = waitsFor && waitForTurn(claimed, waitsFor, { at: now(), lease });
    if (wait !== undefined && isInTime((wait.step.update.next.wakeAt ?? 0) + maxClaim)) return wait;
    return (await supersede(delivery, superseded)) ? undefined : released(claimed, now());
  }
}

function isOutdated(
  { notification, appointment, customer }: ClaimedNotification,
  current: StandingNotification,
): boolean {
  return (
    current.revision !== notification.revision ||
    current.scheduleVersion !== appointment?.scheduleVersion ||
    current.primaryEmail !== customer?.primaryEmail ||
    current.primaryPhone !== customer?.primaryPhone
  );
}

/** Ends what waits for another attempt; false when one has begun it meanwhile. */
async function supersede({ context, now }: Delivery, older: readonly Notification[]): Promise<boolean> {
  if (older.length === 0) return true;
  const steps = older.map((notification) => next('superseded', notification, { at: now() }));
  const written = await context.store.notifications.settle(steps.map(({ update }) => update));
  for (const [index, each] of steps.entries()) {
    if (written[index] === true) context.observer.observe(deliverySignal(each));
  }
  return written.every((isWritten) => isWritten);
}
