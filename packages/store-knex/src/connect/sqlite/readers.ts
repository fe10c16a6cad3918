import { StoreError } from '@calends/core/store';
import type { Outcome } from '../../sql/rows.js';
import type { Sql } from '../../sql/sql.js';
import type { SqliteConnection } from './connection.js';
import type { SqliteFile } from './file.js';
import { Reader } from './reader.js';
import type { ReaderData } from './reader-thread.js';

/** Threads that read at once. A second one, so that a short list does not wait for a long one. */
const maxThreads = 2;

interface Waiting {
  readonly statement: Sql;
  readonly since: number;
  readonly resolve: (outcome: Promise<Outcome>) => void;
  readonly reject: (error: unknown) => void;
}

/** What the readers of a file are made of. */
export interface ReadersParts {
  readonly file: SqliteFile;
  readonly openReader: () => SqliteConnection;
  readonly thread: ReaderData;
  /** Milliseconds that a long read waits for a thread. */
  readonly maxWait: number;
}

/**
 * Connections that read a file beside the one that writes: under WAL they wait for no writer.
 *
 * One is in this thread, for what is read by key and takes microseconds; whatever may go through many rows is read in
 * threads of their own, so that this one goes on. All are opened when they are needed first.
 */
export class Readers {
  readonly #parts: ReadersParts;
  #near: SqliteConnection | undefined;
  #threads: Reader[] = [];
  #idle: Reader[] = [];
  #waiting: Waiting[] = [];

  constructor(parts: ReadersParts) {
    this.#parts = parts;
  }

  /** The connection in this thread. */
  near(): SqliteConnection {
    return (this.#near ??= this.#openNear());
  }

  /** Reads in a thread; in the order in which they came where all threads are at work. */
  far(statement: Sql): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement, since: performance.now(), resolve, reject });
      this.#serve();
    });
  }

  /** Closes what is open; the next read opens again. */
  async close(): Promise<void> {
    this.#near?.close();
    this.#near = undefined;
    const threads = this.#threads;
    this.#threads = [];
    this.#idle = [];
    await Promise.all(threads.map((reader) => reader.close()));
  }

  #openNear(): SqliteConnection {
    const { file, openReader } = this.#parts;
    file.assertInPlace();
    const opened = openReader();
    try {
      file.assertInPlace();
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const reader = this.#takeReader();
      if (reader === undefined) return;
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (performance.now() - next.since > this.#parts.maxWait) {
        this.#idle.push(reader);
        next.reject(new StoreError('unavailable', 'Too many long reads wait already.'));
        continue;
      }
      const outcome = reader.read(next.statement);
      next.resolve(outcome);
      const giveBack = (): void => {
        this.#giveBack(reader);
      };
      outcome.then(giveBack, giveBack);
    }
  }

  #takeReader(): Reader | undefined {
    const idle = this.#idle.pop();
    if (idle !== undefined || this.#threads.length >= maxThreads) return idle;
    const reader = new Reader(this.#parts.thread);
    this.#threads.push(reader);
    return reader;
  }

  /** One that has ended is not used again. */
  #giveBack(reader: Reader): void {
    if (reader.isOver) this.#threads = this.#threads.filter((other) => other !== reader);
    else this.#idle.push(reader);
    this.#serve();
  }
}
