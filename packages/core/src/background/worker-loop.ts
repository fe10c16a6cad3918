import { sealAudit } from './seal-audit.js';
import type { DeliveryLoop } from './delivery-loop.js';
import { CountFolds } from './count-folds.js';
import { PayloadExpiry, QueueRepairs } from './queue-upkeep.js';
import { EventRelay } from './relay-events.js';
import type { UseCaseContext } from '../operations/context.js';
import { monotonicTime } from '../ports/clock.js';
import { withDefaults } from '../ports/settings-source.js';
import { OneAtATime } from '../support/one-at-a-time.js';
import type { RetentionOptions } from '../settings/retention-options.js';
import { DueAppointments } from './due-appointments.js';
import { KeyRetirement } from './key-retirement.js';
import { Retention } from './retention.js';
import { type Duty, type Job, Loop } from './loop.js';
import type { WorkerHealth, WorkerOptions, WorkerPass, Workers } from './workers.js';

const defaults = {
  interval: 1000,
  batchSize: 50,
  lease: 30_000,
} as const satisfies WorkerOptions;

type LoopOptions = Readonly<Record<keyof typeof defaults, number>>;

/** Steps of retention without rests between them that one call of `runOnce` does at most. */
const maxStepsAtOnce = 50;

/** Runs the background work in a loop of its own; several processes may do so on one store. */
export class WorkerLoop implements Workers {
  readonly #context: UseCaseContext;
  readonly #delivery: DeliveryLoop;
  readonly #options: LoopOptions;
  readonly #retirement: KeyRetirement;
  readonly #duties: readonly Duty[];
  readonly #appointments: DueAppointments;
  readonly #events: EventRelay;
  readonly #loop: Loop;
  readonly #retention: Retention;
  /** Of its own: nothing that happens shortens a rest. */
  readonly #retentionLoop: Loop;
  readonly #turns = new OneAtATime();
  /** Calls of `runOnce` under way. */
  readonly #runs = new Set<Promise<WorkerPass>>();
  /** How often it was stopped: what began before the last time begins nothing more. */
  #stops = 0;
  /** The organization that the audit record was sealed up to, where there were too many for one pass. */
  #sealedUpTo: string | undefined;
  /** When all but appointments and notifications last came through. */
  #passedAt: number | undefined;
  /** The same by a clock that nobody sets. */
  #keptUpAt = -Infinity;

  constructor(
    context: UseCaseContext,
    delivery: DeliveryLoop,
    options: WorkerOptions = {},
    retention: RetentionOptions = {},
  ) {
    this.#context = context;
    this.#retirement = new KeyRetirement(context);
    this.#duties = [new QueueRepairs(context), new CountFolds(context), this.#retirement, new PayloadExpiry(context)];
    this.#delivery = delivery;
    this.#options = withDefaults<LoopOptions>(defaults, options);
    this.#loop = new Loop(context.observer, this.#options.interval, { from: context.wakes, name: 'workers' });
    this.#appointments = new DueAppointments(context, this.#options);
    this.#events = new EventRelay(context, this.#options);
    this.#retention = new Retention(context, retention);
    this.#retentionLoop = new Loop(context.observer, this.#options.interval);
  }

  start(): void {
    const { interval } = this.#options;
    // Jobs of their own: a room that is slow to open, or a slow subscriber, holds up nothing else that is due.
    const job = (name: string, work: (isWanted: () => boolean) => Promise<unknown>): Job => ({
      name,
      pass: (isWanted) => work(isWanted).then(() => interval),
    });
    this.#loop.start([
      job('dueAppointments', (isWanted) => this.#appointments.begin(isWanted)),
      job('events', (isWanted) => this.#events.begin(isWanted)),
      job('pass', () => this.#onePass()),
    ]);
    this.#retentionLoop.start([{ name: 'retention', pass: () => this.#retention.step().then(({ rest }) => rest) }]);
    this.#delivery.start();
  }

  async stop(): Promise<void> {
    this.#stops += 1;
    const runs = [...this.#runs];
    await Promise.all([this.#loop.stop(), this.#retentionLoop.stop(), this.#delivery.stop()]);
    await Promise.allSettled(runs);
    await this.#appointments.settled();
    await this.#events.settled().catch((error: unknown) => {
      this.#context.observer.observe({ type: 'workerFailed', job: 'events', error });
    });
  }

  wake(): void {
    this.#loop.wake();
  }

  health(): WorkerHealth {
    const jobs = [this.#appointments.lookedAt, this.#events.lookedAt, this.#passedAt];
    const times = jobs.filter((at) => at !== undefined);
    const lastPassAt = times.length < jobs.length ? undefined : Math.min(...times);
    return { running: this.#loop.isRunning, lastPassAt, delivery: this.#delivery.health() };
  }

  /** What holds the keys that do not sign any more, by their ids (D67). */
  get keysHeldBy(): ReadonlyMap<string, string> {
    return this.#retirement.heldBy;
  }

  async runOnce(): Promise<WorkerPass> {
    const run = this.#doAllOnce();
    this.#runs.add(run);
    try {
      return await run;
    } finally {
      this.#runs.delete(run);
    }
  }

  async #doAllOnce(): Promise<WorkerPass> {
    const stops = this.#stops;
    const isWanted = (): boolean => stops === this.#stops;
    const appointments = await this.#appointments.begin(isWanted);
    await this.#appointments.settled();
    const began = monotonicTime();
    const between = async (): Promise<void> => {
      if (monotonicTime() - Math.max(began, this.#keptUpAt) >= this.#options.interval) await this.#onePass();
    };
    const events = await this.#events.runOnce(isWanted, between);
    if (isWanted()) await this.#onePass();
    for (let steps = 0; steps < maxStepsAtOnce && isWanted(); steps += 1) {
      if (!(await this.#retention.step()).didWork) break;
    }
    return { appointments, events, notifications: isWanted() ? await this.#delivery.runOnce(isWanted) : 0 };
  }

  /** Passes never overlap within a process: a second call waits for the first and then does its own. */
  #onePass(): Promise<void> {
    return this.#turns.run('pass', () => this.#keepUp());
  }

  /** What there is to do besides appointments, events and notifications. */
  async #keepUp(): Promise<void> {
    this.#sealedUpTo = await sealAudit(this.#context, this.#sealedUpTo);
    const { clock } = this.#context;
    // By a clock that was ahead and is right again, duties would wait for as long as it was ahead.
    const hasGoneBack = clock.now() < (this.#passedAt ?? -Infinity);
    for (const duty of this.#duties) {
      if (hasGoneBack && duty.dueAt < Infinity) duty.dueAt = -Infinity;
      if (duty.dueAt <= clock.now()) await duty.step();
    }
    this.#passedAt = clock.now();
    this.#keptUpAt = monotonicTime();
  }
}
