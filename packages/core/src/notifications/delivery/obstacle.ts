import type { Instant } from '../../appointments/instant.js';
import { seconds } from '../../appointments/time-units.js';
import type { ClaimedNotification, StandingNotification } from '../../ports/notification-store.js';
import type { Notification } from '../notification.js';
import { settledSignal } from '../settled-signal.js';
import { reasonAgainstSending } from '../still-wanted.js';
import { givenWay, superseded, turnOf } from '../turn.js';
import type { Composable } from './delivery-channel.js';
import { type Delivered, type Delivery, returned } from './delivery.js';

/** How much later than it is due a message may be claimed that has given way. */
const longestClaim = seconds(1);

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
    const current = await context.store.findStanding(look);
    if (current === undefined || isOutdated(claimed, current)) return returned(claimed, now());
    const { waitsFor, superseded } = turnOf(notification, current.others, now());
    const end = waitsFor && delivery.endOf(waitsFor.id);
    if (end !== undefined && delivery.givesWay() === undefined && isInTime(now() + lease)) {
      await end;
      continue;
    }
    const step = waitsFor && givenWay(claimed, waitsFor, { at: now(), lease });
    if (step !== undefined && isInTime((step.update.next.wakeAt ?? 0) + longestClaim)) return { step, attempt: false };
    return (await supersede(delivery, superseded)) ? undefined : returned(claimed, now());
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
  const steps = older.map((notification) => superseded(notification, now()));
  const written = await context.store.settleNotifications(steps.map(({ update }) => update));
  for (const [index, each] of steps.entries()) {
    if (written[index] === true) context.observer.observe(settledSignal(each));
  }
  return written.every((isWritten) => isWritten);
}
