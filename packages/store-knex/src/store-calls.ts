import type { Tracer } from '@calends/core';
import type { ShownRead, StoreCapabilities } from '@calends/core/store';
import type { Connections } from './database/connections.js';
import type { Steps } from './sql/steps.js';
import type { Dialect } from './dialects/dialect.js';
import { storeError } from './faults/store-fault.js';
import type { Program } from './migrations/write-gate.js';
import type { Purge } from './queries/purges.js';
import type { Readers } from './readers/readers.js';

/** Attempts at a whole piece of work, the first one included. */
const maxAttempts = 4;
/** Attempts while their rivals are told at once, as deadlocks are: each takes some milliseconds, and one of the rivals goes on. */
const maxQuickAttempts = 10;
/** Milliseconds since the first attempt in which they count as quick. */
const quickFor = 1000;
/** Milliseconds to wait before the second attempt, at most; doubled for each further one. */
const firstPause = 20;
const maxPause = 160;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Runs a piece of work again, whole, when it fell to contention: a deadlock, a serialization failure, a busy
 * database. After a pause of random length, so that rivals do not meet again; at most three times where the database was
 * waited for, and nine times within a second.
 */
export async function retrying<Result>(
  isContention: (error: unknown) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const max = performance.now() - began < quickFor ? maxQuickAttempts : maxAttempts;
      if (attempt >= max || !isContention(error)) throw error;
      await pause(Math.random() * Math.min(maxPause, firstPause * 2 ** (attempt - 1)));
    }
  }
}

/** What the store is made of. */
export interface SqlStoreParts {
  readonly dialect: Dialect;
  readonly connections: Connections;
  readonly capabilities: StoreCapabilities;
  /** True when calls may be joined with others and tried again: outside a transaction of the host. */
  readonly standsAlone: boolean;
  readonly program: Program;
  /** Makes spans; absent = none. */
  readonly tracer?: Tracer | undefined;
  /** Standbys that answer what is only shown; absent = none. */
  readonly readers?: Readers | undefined;
}

/** How calls of the store reach the database: what may be tried again, what must ask before it writes, and what faults become. */
export class StoreCalls {
  readonly #dialect: Dialect;
  readonly #connections: Connections;
  readonly #standsAlone: boolean;
  readonly #program: Program;
  readonly #readers: Readers | undefined;

  constructor({ dialect, connections, standsAlone, program, readers }: Omit<SqlStoreParts, 'capabilities'>) {
    this.#dialect = dialect;
    this.#connections = connections;
    this.#standsAlone = standsAlone;
    this.#program = program;
    this.#readers = readers;
  }

  purge(purge: Purge): Promise<number> {
    return this.tidy(() => this.#dialect.purge(purge));
  }

  /** Deletes what is kept no longer. */
  tidy<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.write(() => this.#connections.patiently(work));
  }

  change<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.write(() => this.#connections.use(work));
  }

  /** Whatever writes: only while the schema is for programs of this version. */
  write<Result>(work: () => Promise<Result>): Promise<Result> {
    const { gate, engine } = this.#program;
    return this.attempt(async () => {
      if (!gate.holds) await engine.admit();
      await gate.enter(this.#connections, this.#standsAlone);
      return work();
    });
  }

  read<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.attempt(() => this.#connections.read(work));
  }

  scan<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.attempt(() => this.#connections.scan(work));
  }

  /** Like `read`, of what is only shown: from a reader that has what it must have, else from the primary. */
  readShown<Result>(shown: ShownRead | undefined, work: () => Steps<Result>): Promise<Result> {
    return this.#show(shown, work, () => this.read(work));
  }

  /** Like `scan`, of what is only shown. */
  scanShown<Result>(shown: ShownRead | undefined, work: () => Steps<Result>): Promise<Result> {
    return this.#show(shown, work, () => this.scan(work));
  }

  async #show<Result>(
    shown: ShownRead | undefined,
    work: () => Steps<Result>,
    askPrimary: () => Promise<Result>,
  ): Promise<Result> {
    if (shown === undefined || this.#readers === undefined) return askPrimary();
    const read = await this.#readers.read(shown.after, work);
    if (typeof read === 'object') {
      this.#readers.count('reader');
      return read.result;
    }
    this.#readers.count('primary', read);
    return askPrimary();
  }

  /** Faults become those of the port; contention is tried again. */
  async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const { readFault } = this.#dialect;
    try {
      return this.#standsAlone ? await retrying((error) => readFault(error).code === 'contention', work) : await work();
    } catch (error) {
      throw storeError(error, readFault);
    }
  }
}
