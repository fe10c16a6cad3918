import type { Knex } from 'knex';
import { type ConnectionSource, type Connections, connectionSource, performOn } from './connections.js';
import type { Driver } from './driver.js';
import { drive, run, type Steps } from './steps.js';

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

/** Connections from the pool of a Knex instance, with its own error listeners and time-outs. */
export class PooledConnections implements Connections {
  readonly #source: ConnectionSource;
  readonly #driver: Driver;
  readonly #isLost: (error: unknown) => boolean;
  readonly #known = new WeakSet();

  /** `isLost` tells whether an error means that the connection is gone. */
  constructor(knex: Knex, driver: Driver, isLost: (error: unknown) => boolean) {
    this.#source = connectionSource(knex);
    this.#driver = driver;
    this.#isLost = isLost;
  }

  use<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#onConnection(work);
  }

  single<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#onConnection(work);
  }

  transact<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#onConnection((connection) =>
      inTransaction(this.#driver.begin, work, () => {
        discard(connection);
      }),
    );
  }

  async #onConnection<Result>(work: (connection: object) => Steps<Result>): Promise<Result> {
    const connection = await this.#source.acquireConnection();
    try {
      if (!this.#known.has(connection)) {
        this.#driver.adopt(connection);
        this.#known.add(connection);
      }
      return await drive(work(connection), performOn(this.#source, this.#driver, connection));
    } catch (error) {
      // Its end may not have been noticed yet, and the next call would get it again.
      if (this.#isLost(error)) discard(connection);
      throw error;
    } finally {
      await this.#source.releaseConnection(connection);
    }
  }
}
