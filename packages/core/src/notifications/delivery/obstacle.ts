import type { ClaimedNotification, StandingNotification } from '../../ports/notification-store.js';
import type { Notification } from '../notification.js';
import { settledSignal } from '../settled-signal.js';
import { givenWay, superseded, turnOf } from '../turn.js';
import { type Delivered, type Delivery, returned } from './delivery.js';

/**
 * What stands in the way of telling a customer, looked at right before it: what the message says of time and recipient
 * has changed since it was claimed, or an older message to the same recipient is not out yet (D71). Whoever changes
 * that afterwards waits for the send.
 */
export async function obstacleTo(delivery: Delivery): Promise<Delivered | undefined> {
  const { context, claimed, now, lease } = delivery;
  const { notification } = claimed;
  const { organizationId, id, appointmentId, channel, addressee } = notification;
  for (;;) {
    const look = { organizationId, id, appointmentId, channel, addresseeId: addressee.id, now: now() };
    const current = await context.store.findStanding(look);
    if (current === undefined || isOutdated(claimed, current)) return returned(claimed, now());
    const { waitsFor, superseded } = turnOf(notification, current.others, now());
    if (waitsFor === undefined) {
      return (await supersede(delivery, superseded)) ? undefined : returned(claimed, now());
    }
    const end = delivery.endOf(waitsFor.id);
    if (end === undefined || delivery.givesWay() !== undefined) {
      return { step: givenWay(claimed, waitsFor, { at: now(), lease }), attempt: false };
    }
    await end;
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
