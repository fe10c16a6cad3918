import type { Connections } from './connections.js';
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Tracer } from '@calends/core';
import type { SpanName, TracedSpan } from '@calends/core/store';

/** Under how much pressure calls are joined, and how many go together. */
export interface Pressure {
  /** Batches under way at once. */
  readonly lanes: number;
  /** Calls in one batch, at most. */
  readonly limit: number;
  /** Calls that wait for each lane that is busy before another one opens; 0 = a free lane is used at once. */
  readonly patience: number;
  /**
   * Also joins the calls of one turn of the event loop. For work that keeps the thread: nothing that arrives
   * meanwhile is seen before it ends, so that no call would ever have to wait.
   */
  readonly gathersTurn?: boolean;
}

/** How calls are joined. */
export interface Coalescing<Job, Answer> extends Pressure {
  /** Two jobs of the same key never share a batch; absent = they may. */
  readonly keysOf?: (job: Job) => readonly string[];
  /** Spans of the calls and of what they were joined to, in the traces of the host; absent = none. */
  readonly traced?: { readonly tracer: Tracer; readonly name: string } | undefined;
  /** Answers every job, in order; one whose answer comes later, or fails by itself, gets a promise. */
  readonly perform: (jobs: readonly Job[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
}

/** What a queue of calls runs on. */
export interface QueueParts<Dialect> {
  readonly dialect: Dialect;
  readonly connections: Connections;
  readonly attempt: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Makes spans; absent = none. */
  readonly tracer?: Tracer | undefined;
}

interface Waiting<Job, Answer> {
  readonly job: Job;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
  /** Has work run as what the call does, whoever it is that gets to it. A tenth of a microsecond; a snapshot costs some thirty. */
  readonly context: AsyncResource;
  readonly span: TracedSpan | undefined;
}

/** Milliseconds after which a batch counts as stuck, on a lock perhaps, and nobody waits for its lane any more. */
const stuckAfter = 25;

/**
 * Runs work in no request's async context: what is done for many must not look like the doing of the one that came first,
 * in traces for example.
 */
const outside: <Result>(work: () => Result) => Result = AsyncLocalStorage.snapshot();

const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Joins calls under pressure: a call that finds nothing under way goes out at once, alone; what had to wait goes
 * out together. Never by a timer, so that a single caller waits for nobody.
 */
export class Coalescer<Job, Answer> {
  readonly #coalescing: Coalescing<Job, Answer>;
  #waiting: Waiting<Job, Answer>[] = [];
  /** When the batch of each busy lane began. */
  readonly #busy = new Set<{ since: number }>();

  constructor(coalescing: Coalescing<Job, Answer>) {
    this.#coalescing = coalescing;
  }

  submit(job: Job): Promise<Answer> {
    const { traced } = this.#coalescing;
    if (traced === undefined) return this.#enqueue(job, undefined);
    return traced.tracer.startActiveSpan(`calends.store.${traced.name}`, {}, (span) =>
      this.#enqueue(job, span).finally(() => span.end()),
    );
  }

  #enqueue(job: Job, span: TracedSpan | undefined): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject, context: new AsyncResource('calends'), span });
      if (this.#opensLane()) void this.#work();
    });
  }

  #opensLane(): boolean {
    const { lanes, patience } = this.#coalescing;
    if (this.#busy.size === 0) return true;
    if (this.#busy.size >= lanes) return false;
    if (this.#waiting.length > patience * this.#busy.size) return true;
    const now = performance.now();
    return [...this.#busy].every(({ since }) => now - since > stuckAfter);
  }

  /** One lane: sends batches until nobody waits. */
  async #work(): Promise<void> {
    const lane = { since: performance.now() };
    this.#busy.add(lane);
    while (this.#waiting.length > 0) {
      if (this.#coalescing.gathersTurn === true) await endOfTurn();
      // Another lane may have taken them in the same turn.
      if (this.#waiting.length === 0) break;
      lane.since = performance.now();
      await this.#send(this.#take());
    }
    this.#busy.delete(lane);
  }

  async #send(batch: readonly Waiting<Job, Answer>[]): Promise<void> {
    try {
      const answers = await this.#perform(batch);
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  /** Alone as what the call does; joined as what no single one of them does, with links to all. */
  #perform(batch: readonly Waiting<Job, Answer>[]): Promise<readonly (Answer | Promise<Answer>)[]> {
    const { perform, traced } = this.#coalescing;
    const jobs = batch.map(({ job }) => job);
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) return first.context.runInAsyncScope(() => perform(jobs));
    if (traced === undefined) return outside(() => perform(jobs));
    const links = batch.flatMap(({ span }): { context: SpanName }[] =>
      span === undefined ? [] : [{ context: span.spanContext() }],
    );
    const settings = { root: true, links, attributes: { 'calends.joined': batch.length } };
    return outside(() =>
      traced.tracer.startActiveSpan(`calends.store.${traced.name}.joined`, settings, (span) => {
        // From the trace of a request one finds what it was joined to.
        for (const waiting of batch) waiting.span?.setAttribute('calends.joined_trace_id', span.spanContext().traceId);
        return perform(jobs).finally(() => span.end());
      }),
    );
  }

  #take(): readonly Waiting<Job, Answer>[] {
    const { limit, keysOf } = this.#coalescing;
    if (this.#waiting.length === 1 || keysOf === undefined) return this.#waiting.splice(0, limit);
    const taken: Waiting<Job, Answer>[] = [];
    const left: Waiting<Job, Answer>[] = [];
    const keys = new Set<string>();
    for (const waiting of this.#waiting) {
      const own = keysOf(waiting.job);
      if (taken.length < limit && !own.some((key) => keys.has(key))) taken.push(waiting);
      else left.push(waiting);
      // Those left behind keep their place before later ones of the same key.
      for (const key of own) keys.add(key);
    }
    this.#waiting = left;
    return taken;
  }
}
