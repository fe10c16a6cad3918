import {
  AnswerOverdue,
  type ConnectionSource,
  connectionSource,
  inTime,
  performOn,
  PlainConnections,
} from './connections.js';
import type { Knex } from 'knex';
import { type Fault, noteUnconnected, noteUndone } from '../faults/store-fault.js';
import type { Driver } from './driver.js';
import type { Outcome } from '../sql/rows.js';
import { drive, type Perform, run, type Steps } from '../sql/steps.js';
import { lastAnswers } from './last-answers.js';

/** What a pool is used with. */
export interface PooledConnectionsParts {
  readonly driver: Driver;
  readonly readFault: (error: unknown) => Fault;
  /** Milliseconds that the database may take to answer a statement, and the pool to give a connection. */
  readonly answerTimeout: number;
  /** The same for a statement of `patiently`, which the database is told too. */
  readonly longAnswerTimeout: number;
}

/** How a piece of work stands. */
interface Progress {
  /** Milliseconds that each of its answers is waited for. */
  limit: number;
  /** True when only its commit makes anything last. */
  readonly inTransaction: boolean;
  /** True when something of it may last after a fault. */
  mayLast: boolean;
}

/** Changes no row; a database that takes no changes refuses it all the same. */
function* changeNothing(): Steps<void> {
  yield* run(`update calends_processes set seen_at = seen_at where id = ''`);
}

/** Connections that are set up: once, however many stores there are over one Knex instance. */
const adopted = new WeakSet();

/** Knex looks at this mark when a connection is taken again, and throws marked ones away. */
function discard(connection: object): void {
  Reflect.set(connection, '__knex__disposed', new Error('It cannot be used any more.'));
}

function* inTransaction<Result>(
  begin: readonly string[],
  work: () => Steps<Result>,
  giveUp: () => void,
): Steps<Result> {
  for (const statement of begin) yield* run(statement);
  try {
    const result = yield* work();
    yield* run('commit');
    return result;
  } catch (error) {
    try {
      yield* run('rollback');
    } catch {
      // What failed first is what counts; a connection in an unknown state must not be used again.
      giveUp();
    }
    throw error;
  }
}

/**
 * Connections from the pool of a Knex instance, with its own error listeners and time-outs.
 *
 * No answer is waited for without an end: a connection whose answer is overdue is cut and thrown away, and so are
 * those that were silent for half as long: whatever took one answer away, a firewall that forgot its connections for
 * example, has taken them too. Some had answered while the lost one was on its way.
 */
export class PooledConnections extends PlainConnections {
  readonly #source: ConnectionSource;
  readonly #parts: PooledConnectionsParts;
  readonly #lastAnswers: WeakMap<object, number>;
  /** The middle of the latest wait for an answer that never came. */
  #lastLoss = -Infinity;

  constructor(knex: Knex, parts: PooledConnectionsParts) {
    super();
    this.#source = connectionSource(knex);
    this.#lastAnswers = lastAnswers(this.#source);
    this.#parts = parts;
  }

  override use<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#onConnection(false, work);
  }

  override single<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#onConnection(false, work);
  }

  override transact<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#onConnection(true, (connection) => this.#transaction(connection, work));
  }

  override patiently<Result>(work: () => Steps<Result>): Promise<Result> {
    const { driver, longAnswerTimeout } = this.#parts;
    return this.#onConnection(true, (connection, progress) =>
      this.#transaction(connection, () => {
        progress.limit = longAnswerTimeout;
        return driver.withStatementTimeout(longAnswerTimeout, work);
      }),
    );
  }

  override assertWritable(): Promise<void> {
    return this.#onConnection(false, changeNothing);
  }

  #transaction<Result>(connection: object, work: () => Steps<Result>): Steps<Result> {
    return inTransaction(this.#parts.driver.begin, work, () => {
      discard(connection);
    });
  }

  async #onConnection<Result>(
    isTransaction: boolean,
    work: (connection: object, progress: Progress) => Steps<Result>,
  ): Promise<Result> {
    const progress = { limit: this.#parts.answerTimeout, inTransaction: isTransaction, mayLast: false };
    try {
      const connection = await this.#acquire();
      try {
        return await drive(work(connection, progress), this.#performOn(connection, progress));
      } catch (error) {
        // Its end may not have been noticed yet, and the next call would get it again.
        if (this.#parts.readFault(error).code === 'unavailable') discard(connection);
        throw error;
      } finally {
        await this.#source.releaseConnection(connection);
      }
    } catch (error) {
      if (!progress.mayLast) noteUndone(error);
      throw error;
    }
  }

  async #take(): Promise<object> {
    try {
      return await inTime(this.#source.acquireConnection(), this.#parts.answerTimeout, (late) => {
        void this.#source.releaseConnection(late);
      });
    } catch (error) {
      noteUnconnected(error);
      throw error;
    }
  }

  /** A connection that has answered since answers were lost. */
  async #acquire(): Promise<object> {
    for (;;) {
      const connection = await this.#take();
      if ((this.#lastAnswers.get(connection) ?? 0) > this.#lastLoss) {
        if (adopted.has(connection)) return connection;
        await this.#adopt(connection);
        return connection;
      }
      this.#cut(connection);
      await this.#source.releaseConnection(connection);
    }
  }

  async #adopt(connection: object): Promise<void> {
    const sentAt = performance.now();
    try {
      const adopting = this.#parts.driver.adopt(connection);
      if (adopting !== undefined) await inTime(adopting, this.#parts.answerTimeout);
      adopted.add(connection);
    } catch (error) {
      if (error instanceof AnswerOverdue) this.#noteLoss(sentAt);
      this.#cut(connection);
      await this.#source.releaseConnection(connection);
      throw error;
    }
  }

  #performOn(connection: object, progress: Progress): Perform {
    const perform = performOn(this.#source, this.#parts.driver, connection, progress.inTransaction);
    return (statement) => {
      const lasts = !progress.inTransaction || statement.text === 'commit';
      try {
        const answer = perform(statement);
        if (answer instanceof Promise) return this.#awaited(connection, answer, lasts, progress);
        progress.mayLast ||= lasts;
        return answer;
      } catch (error) {
        if (lasts) this.#doubt(error, progress);
        throw error;
      }
    };
  }

  async #awaited(connection: object, answer: Promise<Outcome>, lasts: boolean, progress: Progress): Promise<Outcome> {
    const sentAt = performance.now();
    const isRemote = this.#parts.driver.socketOf(connection) !== undefined;
    try {
      const outcome = await (isRemote ? inTime(answer, progress.limit) : answer);
      this.#lastAnswers.set(connection, performance.now());
      progress.mayLast ||= lasts;
      return outcome;
    } catch (error) {
      if (error instanceof AnswerOverdue) {
        this.#noteLoss(sentAt);
        this.#cut(connection);
      }
      if (lasts) this.#doubt(error, progress);
      throw error;
    }
  }

  #noteLoss(sentAt: number): void {
    this.#lastLoss = Math.max(this.#lastLoss, (sentAt + performance.now()) / 2);
  }

  #doubt(error: unknown, progress: Progress): void {
    progress.mayLast ||= this.#parts.readFault(error).undone !== true;
  }

  /** Without a word to the other side, which may not hear it. */
  #cut(connection: object): void {
    discard(connection);
    this.#parts.driver.socketOf(connection)?.destroy();
  }
}
