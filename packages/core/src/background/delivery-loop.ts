import type { UseCaseContext } from '../operations/context.js';
import { type ChannelHealth, ChannelWorker } from '../delivery/channel-worker.js';
import { notificationChannels, seconds } from '@calends/model';
import { channelFacts } from '../settings/channels.js';
import type { ChannelMeans } from '../delivery/channels/channel.js';
import { channels } from '../delivery/channels/channels.js';
import { OutcomeWriter } from '../delivery/outcome-writer.js';
import { type Job, Loop } from './loop.js';
import type { WorkerOptions } from './workers.js';

/** How much longer a claim lasts than a call of the provider; shorter than the second is refused at start. */
export const leaseMargins = { default: seconds(15), min: seconds(5) } as const;

/** Longest sleep between two looks. */
const defaultInterval = seconds(1);
/** Bounds how often the store is asked while something due is held by somebody else. */
const minSleep = 20;

/**
 * Runs the workers of all channels, each in a loop of its own; several processes may do so on one store.
 *
 * After a full claim a loop looks again at once; else it sleeps until the next notification is due, somebody wakes
 * it, or `interval` is over.
 */
export class DeliveryLoop {
  readonly #context: UseCaseContext;
  readonly #workers: readonly ChannelWorker[];
  readonly #interval: number;
  readonly #loop: Loop;

  constructor(context: UseCaseContext, means: ChannelMeans, options: WorkerOptions) {
    const interval = options.interval ?? defaultInterval;
    this.#context = context;
    this.#workers = workersFor(context, means, options);
    this.#interval = interval;
    this.#loop = new Loop(context.observer, interval, { from: context.wakes, name: 'delivery' });
  }

  start(): void {
    if (this.#loop.isRunning) return;
    for (const worker of this.#workers) worker.begin({ slowly: true });
    this.#loop.start(this.#workers.map((worker) => this.#jobOf(worker)));
  }

  /** Claims nothing more, gives back what has not begun, and waits for the sends under way, up to their time-out. */
  async stop(): Promise<void> {
    for (const worker of this.#workers) worker.halt();
    await this.#loop.stop();
    await Promise.all(this.#workers.map((worker) => worker.idle()));
  }

  /** Does everything that is due now, as long as it is wanted; answers how many notifications were claimed. */
  async runOnce(isWanted: () => boolean): Promise<number> {
    for (const worker of this.#workers) worker.begin();
    const drained = this.#workers.map((worker) => drain(worker, isWanted));
    // Where the store fails for one channel, what the others have begun is waited for all the same.
    await Promise.allSettled(drained);
    const counts = await Promise.all(drained);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  health(): readonly ChannelHealth[] {
    return this.#workers.map((worker) => worker.health());
  }

  #jobOf(worker: ChannelWorker): Job {
    const pass = async (): Promise<number> => ((await worker.look()).isFull ? 0 : this.#untilNext(worker));
    return { name: `delivery ${worker.channel}`, pass };
  }

  async #untilNext(worker: ChannelWorker): Promise<number> {
    const interests = { appointments: false, events: false, channels: [worker.channel] };
    const next = await this.#context.store.nextWakeAt(interests);
    const wait = next === null ? this.#interval : next - worker.now();
    return Math.min(Math.max(wait, minSleep), this.#interval);
  }
}

/** A worker for each channel that this process has a notifier for. */
function workersFor(
  context: UseCaseContext,
  means: ChannelMeans,
  { slots, deliveryLease }: WorkerOptions,
): readonly ChannelWorker[] {
  return notificationChannels.flatMap((name) => {
    const channel = channels[name].open(context.notifiers, means);
    if (channel === undefined) return [];
    const { key, slots: defaultSlots } = channelFacts[name];
    return new ChannelWorker(context, channel, new OutcomeWriter(context.store.notifications), {
      slots: slots?.[key] ?? defaultSlots,
      lease: deliveryLease ?? channel.timeout + leaseMargins.default,
    });
  });
}

async function drain(worker: ChannelWorker, isWanted: () => boolean): Promise<number> {
  let sum = 0;
  for (;;) {
    const { claimed, isFull } = await worker.look();
    sum += claimed;
    // Asked again, for who stops the workers may have started them at once: they are not halted then.
    if (isFull && isWanted()) continue;
    await worker.idle();
    if (claimed === 0 || worker.isFailing || !isWanted()) return sum;
  }
}
