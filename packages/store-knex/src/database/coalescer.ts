/** How calls are joined. */
export interface Coalescing<Job, Answer> {
  /** Batches under way at once; only when all are busy do calls wait, and only waiting calls are joined. */
  readonly lanes: number;
  /** Calls in one batch, at most. */
  readonly limit: number;
  /**
   * Also joins the calls of one turn of the event loop. For work that keeps the thread: nothing that arrives
   * meanwhile is seen before it ends, so that no call would ever have to wait.
   */
  readonly gathersTurn?: boolean;
  /** Two jobs of the same key never share a batch; absent = they may. */
  readonly keysOf?: (job: Job) => readonly string[];
  /** Answers every job, in order; one whose answer comes later, or fails by itself, gets a promise. */
  readonly perform: (jobs: readonly Job[]) => Promise<readonly (Answer | Promise<Answer>)[]>;
}

interface Waiting<Job, Answer> {
  readonly job: Job;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
}

const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Joins calls under pressure: as long as a lane is free a call goes out at once, alone; what had to wait goes
 * out together. Never by a timer, so that a single caller waits for nobody.
 */
export class Coalescer<Job, Answer> {
  readonly #coalescing: Coalescing<Job, Answer>;
  #waiting: Waiting<Job, Answer>[] = [];
  #busy = 0;

  constructor(coalescing: Coalescing<Job, Answer>) {
    this.#coalescing = coalescing;
  }

  submit(job: Job): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      if (this.#busy < this.#coalescing.lanes) void this.#work();
    });
  }

  /** One lane: sends batches until nobody waits. */
  async #work(): Promise<void> {
    this.#busy += 1;
    while (this.#waiting.length > 0) {
      if (this.#coalescing.gathersTurn === true) await endOfTurn();
      await this.#send(this.#take());
    }
    this.#busy -= 1;
  }

  async #send(batch: readonly Waiting<Job, Answer>[]): Promise<void> {
    try {
      const answers = await this.#coalescing.perform(batch.map(({ job }) => job));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
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
