import { sealAudit } from '../audit/seal-audit.js';
import { days } from '../appointments/time-units.js';
import { purgeOtp } from '../customers/purge-otp.js';
import type { DeliveryLoop } from '../notifications/delivery/delivery-loop.js';
import { purgeKept } from '../notifications/delivery/purge-kept.js';
import type { WorkerOptions } from '../options.js';
import { relayEvents } from '../outbox/relay-events.js';
import type { Subscriptions } from '../outbox/subscriptions.js';
import type { UseCaseContext } from '../use-case/context.js';
import { workOffDueAppointments } from './due-appointments.js';
import { KeyRetirement } from '../keys/key-retirement.js';
import { QueueRepairs } from './queue-repairs.js';
import type { WorkerHealth, WorkerPass, Workers } from './workers.js';

const defaults = {
  interval: 1000,
  batchSize: 50,
  lease: 30_000,
  eventRetention: days(30),
} as const satisfies WorkerOptions;

type LoopOptions = Required<Pick<WorkerOptions, keyof typeof defaults>>;

/** What a pass does besides notifications, which are delivered in loops of their own. */
type Pass = Omit<WorkerPass, 'notifications'>;

/** Rows that one clean-up deletes at most, so that it never holds a database for long. */
const purgeLimit = 1000;
/** Messages come whole, with their appointments. */
const purgeKeptLimit = 250;
const purgeInterval = 60_000;

/** Runs the background work in a loop of its own; several processes may do so on one store. */
export class WorkerLoop implements Workers {
  readonly #context: UseCaseContext;
  readonly #subscriptions: Subscriptions;
  readonly #delivery: DeliveryLoop;
  readonly #options: LoopOptions;
  readonly #repairs: QueueRepairs;
  readonly #retirement: KeyRetirement;
  /** The run that `start` began and `stop` has not ended; a run that was ended stays so. */
  #run: { ended: boolean } | undefined;
  #loop: Promise<void> = Promise.resolve();
  #pass: Promise<Pass> | undefined;
  #lastPassAt: number | undefined;
  #purgedAt = -Infinity;
  /** Ends the present sleep; called by `wake` and `stop`. */
  #interruptSleep: () => void = () => undefined;
  #wakeWanted = false;

  constructor(
    context: UseCaseContext,
    subscriptions: Subscriptions,
    delivery: DeliveryLoop,
    options: WorkerOptions = {},
  ) {
    this.#context = context;
    this.#repairs = new QueueRepairs(context);
    this.#retirement = new KeyRetirement(context);
    this.#subscriptions = subscriptions;
    this.#delivery = delivery;
    this.#options = { ...defaults, ...options };
  }

  start(): void {
    if (this.#run !== undefined) return;
    const run = { ended: false };
    this.#run = run;
    this.#loop = this.#loop.then(() => this.#repeat(run));
    this.#delivery.start();
  }

  async stop(): Promise<void> {
    if (this.#run !== undefined) this.#run.ended = true;
    this.#run = undefined;
    this.#interruptSleep();
    await Promise.all([this.#loop, this.#delivery.stop()]);
    await this.#pass?.catch(() => undefined);
  }

  wake(): void {
    this.#wakeWanted = true;
    this.#interruptSleep();
  }

  health(): WorkerHealth {
    return { running: this.#run !== undefined, lastPassAt: this.#lastPassAt, delivery: this.#delivery.health() };
  }

  /** What holds the keys that do not sign any more, by their ids (D67). */
  get keysHeldBy(): ReadonlyMap<string, string> {
    return this.#retirement.heldBy;
  }

  async runOnce(): Promise<WorkerPass> {
    const pass = await this.#onePass();
    return { ...pass, notifications: await this.#delivery.runOnce() };
  }

  /** Passes never overlap within a process: a second call waits for the first and then does its own. */
  async #onePass(): Promise<Pass> {
    while (this.#pass !== undefined) await this.#pass.catch(() => undefined);
    this.#pass = this.#doAllThatIsDue();
    try {
      return await this.#pass;
    } finally {
      this.#pass = undefined;
    }
  }

  async #doAllThatIsDue(): Promise<Pass> {
    const { batchSize, lease } = this.#options;
    const round = { batchSize, lease };
    const appointments = await drain(batchSize, () => workOffDueAppointments(this.#context, round));
    const events = this.#subscriptions.hasTakers
      ? await drain(1, () => relayEvents(this.#context, this.#subscriptions, round))
      : 0;
    await sealAudit(this.#context);
    await this.#repairs.step();
    await this.#retirement.step();
    await this.#purge();
    this.#lastPassAt = this.#context.clock.now();
    return { appointments, events };
  }

  async #purge(): Promise<void> {
    const { store, clock } = this.#context;
    const now = clock.now();
    if (now - this.#purgedAt < purgeInterval) return;
    this.#purgedAt = now;
    await store.purgeRequests(now, purgeLimit);
    await store.purgeEvents(now - this.#options.eventRetention, purgeLimit);
    await purgeOtp(this.#context, purgeLimit);
    await purgeKept(this.#context, purgeKeptLimit);
  }

  async #repeat(run: { readonly ended: boolean }): Promise<void> {
    while (!run.ended) {
      this.#wakeWanted = false;
      try {
        await this.#onePass();
      } catch (error) {
        this.#context.observer.observe({ type: 'workerFailed', job: 'pass', error });
      }
      await this.#sleep(run);
    }
  }

  /** Until the interval is over, or somebody wakes or stops the loop; keeps no process alive. */
  #sleep(run: { readonly ended: boolean }): Promise<void> {
    return new Promise((resolve) => {
      if (run.ended || this.#wakeWanted) {
        resolve();
        return;
      }
      const timer = setTimeout(resolve, this.#options.interval);
      timer.unref();
      this.#interruptSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Repeats rounds while they are full, and sums up. */
async function drain(full: number, round: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let count = await round(); count > 0; count = await round()) {
    sum += count;
    if (count < full) break;
  }
  return sum;
}
