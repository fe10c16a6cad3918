import { StoreError } from '@calends/core';
import type { Knex } from 'knex';
import { connectionSource, sessionOn } from './pooled-connections.js';
import type { Connections, Driver, Session } from './session.js';

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

  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const mine = this.#last.then(() => this.#run(work));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  transact<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.use(async (session) => {
      await session.run('savepoint calends', []);
      try {
        const result = await work(session);
        await session.run('release savepoint calends', []);
        return result;
      } catch (error) {
        // A deadlock has ended the whole transaction and the savepoint with it: what failed first counts.
        await Promise.resolve(session.run('rollback to savepoint calends', [])).catch(() => undefined);
        throw error;
      }
    });
  }

  async #run<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    // Its connection is back in the pool by now, and may be somebody else's.
    if (this.#transaction.isCompleted()) {
      throw new StoreError('unexpected', 'The transaction that the store has joined is over.');
    }
    const source = connectionSource(this.#transaction);
    const connection = await source.acquireConnection();
    this.#driver.adopt(connection);
    return work(sessionOn(source, this.#driver, connection));
  }
}
