import { StoreError } from '@calends/core';
import type { Knex } from 'knex';
import { type Connections, connectionSource, performOn } from './connections.js';
import type { Driver } from './driver.js';
import { drive, run, type Steps } from './steps.js';

function* withSavepoint<Result>(work: () => Steps<Result>): Steps<Result> {
  yield* run('savepoint calends');
  try {
    const result = yield* work();
    yield* run('release savepoint calends');
    return result;
  } catch (error) {
    try {
      yield* run('rollback to savepoint calends');
    } catch {
      // A deadlock has ended the whole transaction and the savepoint with it: what failed first counts.
    }
    throw error;
  }
}

/**
 * The one connection of a transaction that the host opened, and that the host ends.
 *
 * Pieces of work run one after the other, so that steps of two calls do not mix. A piece that must be whole is
 * kept so by a savepoint: the host may go on with its transaction after a fault.
 */
export class JoinedConnections implements Connections {
  readonly #transaction: Knex.Transaction;
  readonly #driver: Driver;
  #last: Promise<unknown> = Promise.resolve();

  constructor(transaction: Knex.Transaction, driver: Driver) {
    this.#transaction = transaction;
    this.#driver = driver;
  }

  use<Result>(work: () => Steps<Result>): Promise<Result> {
    const mine = this.#last.then(() => this.#run(work));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  single<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.transact(work);
  }

  transact<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.use(() => withSavepoint(work));
  }

  async #run<Result>(work: () => Steps<Result>): Promise<Result> {
    // Its connection is back in the pool by now, and may be somebody else's.
    if (this.#transaction.isCompleted()) {
      throw new StoreError('unexpected', 'The transaction that the store has joined is over.');
    }
    const source = connectionSource(this.#transaction);
    const connection = await source.acquireConnection();
    return drive(work(), performOn(source, this.#driver, connection));
  }
}
