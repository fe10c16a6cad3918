import { days, hours, minutes, type NotificationChannel, notificationChannels } from '@calends/model';
import type { Duty } from './loop.js';
import type { UseCaseContext } from '../operations/context.js';
import { claimContext, deliverySignal, missed } from '../delivery/claim.js';
import { isPayloadExpired } from '../delivery/step.js';
import { channelFacts } from '../settings/channels.js';
import { next } from '../delivery/state.js';
import type { Ports } from '../ports/ports.js';

const roundEvery = minutes(1);

/**
 * Finds notifications that a program of before has written beside the queue of the present one (D76): round by round, a
 * portion in each pass, the first with the start and the next a minute after the end of the last.
 */
export class QueueRepairs implements Duty {
  readonly #context: Pick<UseCaseContext, 'store' | 'clock' | 'observer' | 'wakes'>;
  dueAt = -Infinity;
  #after: readonly string[] | undefined;

  constructor(context: Pick<UseCaseContext, 'store' | 'clock' | 'observer' | 'wakes'>) {
    this.#context = context;
  }

  async step(): Promise<void> {
    const { store, clock, observer, wakes } = this.#context;
    if (store.notifications.repairQueue === undefined) {
      this.dueAt = Infinity;
      return;
    }
    try {
      const { repaired, next } = await store.notifications.repairQueue(this.#after);
      this.#after = next;
      if (next === undefined) this.dueAt = clock.now() + roundEvery;
      if (repaired === 0) return;
      observer.observe({ type: 'queueRepaired', count: repaired });
      wakes.emit('delivery');
    } catch (error) {
      // Everything else goes on: this is about what another program has left.
      this.dueAt = clock.now() + roundEvery;
      observer.observe({ type: 'workerFailed', job: 'repair', error });
    }
  }
}

/** What has been due for so long nobody looks at: a worker of the channel would have. */
const maxUnseen = days(1);
/** As a message that is put back it is overdue again by so much, for health pages, and not the first in the next pass. */
const overdueAgain = hours(12);
const lease = minutes(1);
const expiryInterval = minutes(1);
/** Messages come whole, with their appointments. */
const expiryLimit = 250;

type ExpiryPorts = Pick<Ports, 'store' | 'clock' | 'observer' | 'notifiers'>;

/**
 * Ends what was kept of removed records for channels that this process has no notifier for (ADR 0022): where no
 * process has one, no worker ever would. Nothing else is ended: a worker that comes later sends it.
 */
export class PayloadExpiry implements Duty {
  readonly #ports: ExpiryPorts;
  dueAt = -Infinity;

  constructor(ports: ExpiryPorts) {
    this.#ports = ports;
  }

  async step(): Promise<void> {
    this.dueAt = this.#ports.clock.now() + expiryInterval;
    for (const channel of notificationChannels) {
      if (this.#ports.notifiers[channelFacts[channel].key] === undefined) await expireIn(channel, this.#ports);
    }
  }
}

async function expireIn(channel: NotificationChannel, { store, clock, observer }: ExpiryPorts): Promise<void> {
  const now = clock.now();
  const claim = { channel, limit: expiryLimit, leaseFor: maxUnseen + lease, now: now - maxUnseen };
  const { claimed } = await store.notifications.claim(claim);
  if (claimed.length === 0) return;
  const steps = claimed.map((each) => {
    const { notification } = each;
    return notification.phase === 'SENDING' && isPayloadExpired(notification, now)
      ? next('ended', notification, claimContext(each, now), missed)
      : next('released', notification, each, now - overdueAgain);
  });
  const written = await store.notifications.settle(steps.map(({ update }) => update));
  steps.forEach((step, index) => {
    if (written[index] === true && step.outcome !== 'returned') observer.observe(deliverySignal(step));
  });
}
