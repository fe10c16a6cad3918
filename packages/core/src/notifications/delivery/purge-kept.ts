import { days, hours, minutes } from '../../appointments/time-units.js';
import type { UseCaseContext } from '../../use-case/context.js';
import { givenBack, unsent } from '../delivery-lifecycle.js';
import { keepsTooLong } from '../kept-content.js';
import { type NotificationChannel, notificationChannels } from '../notification.js';
import { settledSignal } from '../settled-signal.js';
import { missed, unsentContext } from './deliver.js';

/** What has been due for so long nobody looks at: a worker of the channel would have. */
const longestUnseen = days(1);
/** As a message that is put back it is overdue again by so much, for health pages, and not the first in the next pass. */
const overdueAgain = hours(12);
const lease = minutes(1);

/**
 * Ends what was kept of removed records for channels that this process has no notifier for (ADR 0022): where no
 * process has one, no worker ever would. Nothing else is ended: a worker that comes later sends it.
 */
export async function purgeKept(context: UseCaseContext, limit: number): Promise<void> {
  const { email, sms, webhooks } = context.notifiers;
  const notifiers = { EMAIL: email, SMS: sms, WEBHOOKS: webhooks };
  for (const channel of notificationChannels) {
    if (notifiers[channel] === undefined) await purgeChannel(context, channel, limit);
  }
}

async function purgeChannel(
  { store, clock, observer }: UseCaseContext,
  channel: NotificationChannel,
  limit: number,
): Promise<void> {
  const now = clock.now();
  const unseenSince = now - longestUnseen;
  const claim = { channel, limit, leaseFor: longestUnseen + lease, now: unseenSince };
  const { claimed } = await store.claimNotifications(claim);
  if (claimed.length === 0) return;
  const steps = claimed.map((claim) => {
    const { notification } = claim;
    return notification.phase === 'SENDING' && keepsTooLong(notification, now)
      ? unsent(notification, missed, unsentContext(claim, now))
      : givenBack(claim, now - overdueAgain);
  });
  const written = await store.settleNotifications(steps.map(({ update }) => update));
  steps.forEach((step, index) => {
    if (written[index] === true && step.outcome !== 'returned') observer.observe(settledSignal(step));
  });
}
