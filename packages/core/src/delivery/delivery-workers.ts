import { seconds } from '@calends/model';
import type { WorkerOptions } from '../background/workers.js';
import type { DeliveryContext } from './claim.js';
import { ChannelWorker } from './channel-worker.js';
import { type CustomerTexts, emailChannel, smsChannel } from './customer-channels.js';
import type { DeliveryChannel } from './delivery-channel.js';
import type { EndpointStates } from './endpoint-states.js';
import { OutcomeWriter } from './outcome-writer.js';
import { webhookChannel } from './webhook-channel.js';

const defaultSlots = { email: 10, sms: 10, webhooks: 20 } as const;

/** How much longer a claim lasts than a call of the provider; shorter than the second is refused at start. */
export const leaseMargins = { default: seconds(15), min: seconds(5) } as const;

/** A worker for each channel that this process has a notifier for. */
export function deliveryWorkers(
  context: DeliveryContext,
  endpoints: EndpointStates,
  texts: CustomerTexts,
  options: WorkerOptions,
): readonly ChannelWorker[] {
  const { email, sms, webhooks } = context.notifiers;
  const slots = { ...defaultSlots, ...options.slots };
  const worker = (channel: DeliveryChannel, count: number): ChannelWorker =>
    new ChannelWorker(context, channel, new OutcomeWriter(context.store.notifications), {
      slots: count,
      lease: options.deliveryLease ?? channel.timeout + leaseMargins.default,
    });
  return [
    email && worker(emailChannel(email, texts), slots.email),
    sms && worker(smsChannel(sms, texts), slots.sms),
    webhooks && worker(webhookChannel(webhooks, endpoints), slots.webhooks),
  ].filter((each) => each !== undefined);
}
