import { sealAudit } from '../audit/seal-audit.js';
import { days } from '../appointments/time-units.js';
import { purgeOtp } from '../customers/purge-otp.js';
import type { DeliveryLoop } from '../notifications/delivery/delivery-loop.js';
import { purgeKept } from '../notifications/delivery/purge-kept.js';
import type { WorkerOptions } from '../options.js';
import { relayEvents } from '../outbox/relay-events.js';
import type { Subscriptions } from '../outbox/subscriptions.js';
import type { UseCaseContext } from '../use-case/context.js';
import { DueAppointments } from './due-appointments.js';
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
  readonly #appointments: DueAppointments;
  /** The run that `start` began and `stop` has not ended; a run that was ended stays so. */
  #run: { ended: boolean } | undefined;
  #loops: Promise<unknown> = Promise.resolve();
  #pass: Promise<number> | undefined;
  /** When all but appointments and notifications last came through. */
  #passedAt: number | undefined;
  #purgedAt = -Infinity;
  /** End the present sleeps; called by `wake` and `stop`. */
  readonly #sleepers = new Set<() => void>();
  #wakes = 0;

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
    this.#appointments = new DueAppointments(context, this.#options);
  }

  start(): void {
    if (this.#run !== undefined) return;
    const run = { ended: false };
    this.#run = run;
    // A loop of its own: a room that is slow to open holds up neither events nor what else is due.
    const appointments = (): Promise<unknown> => this.#appointments.begin(() => !run.ended);
    const rest = (): Promise<unknown> => this.#onePass();
    this.#loops = this.#loops.then(() =>
      Promise.all([this.#repeat(run, 'dueAppointments', appointments), this.#repeat(run, 'pass', rest)]),
    );
    this.#delivery.start();
  }

  async stop(): Promise<void> {
    if (this.#run !== undefined) this.#run.ended = true;
    this.#run = undefined;
    this.wake();
    await Promise.all([this.#loops, this.#delivery.stop()]);
    await this.#pass?.catch(() => undefined);
    await this.#appointments.settled();
  }

  wake(): void {
    this.#wakes += 1;
    for (const interrupt of this.#sleepers) interrupt();
  }

  health(): WorkerHealth {
    const { lookedAt } = this.#appointments;
    const passedAt = this.#passedAt;
    const lastPassAt = lookedAt === undefined || passedAt === undefined ? undefined : Math.min(lookedAt, passedAt);
    return { running: this.#run !== undefined, lastPassAt, delivery: this.#delivery.health() };
  }

  /** What holds the keys that do not sign any more, by their ids (D67). */
  get keysHeldBy(): ReadonlyMap<string, string> {
    return this.#retirement.heldBy;
  }

  async runOnce(): Promise<WorkerPass> {
    const appointments = await this.#appointments.begin(() => true);
    await this.#appointments.settled();
    const events = await this.#onePass();
    return { appointments, events, notifications: await this.#delivery.runOnce() };
  }

  /**
   * What there is to do besides appointments and notifications; answers how many events were handed out. Passes never
   * overlap within a process: a second call waits for the first and then does its own.
   */
  async #onePass(): Promise<number> {
    while (this.#pass !== undefined) await this.#pass.catch(() => undefined);
    this.#pass = this.#doTheRest();
    try {
      return await this.#pass;
    } finally {
      this.#pass = undefined;
    }
  }

  async #doTheRest(): Promise<number> {
    const { batchSize, lease } = this.#options;
    let events = 0;
    if (this.#subscriptions.hasTakers) {
      const relay = (): Promise<number> => relayEvents(this.#context, this.#subscriptions, { batchSize, lease });
      for (let count = await relay(); count > 0; count = await relay()) events += count;
    }
    await sealAudit(this.#context);
    await this.#repairs.step();
    await this.#retirement.step();
    await this.#purge();
    this.#passedAt = this.#context.clock.now();
    return events;
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

  async #repeat(run: { readonly ended: boolean }, job: string, pass: () => Promise<unknown>): Promise<void> {
    while (!run.ended) {
      const wakes = this.#wakes;
      try {
        await pass();
      } catch (error) {
        this.#context.observer.observe({ type: 'workerFailed', job, error });
      }
      await this.#sleep(run, wakes);
    }
  }

  /** Until the interval is over, or somebody wakes or stops the loops; keeps no process alive. */
  #sleep(run: { readonly ended: boolean }, wakesBefore: number): Promise<void> {
    return new Promise((resolve) => {
      if (run.ended || this.#wakes !== wakesBefore) {
        resolve();
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(end);
        resolve();
      };
      const timer = setTimeout(end, this.#options.interval);
      timer.unref();
      this.#sleepers.add(end);
    });
  }
}
