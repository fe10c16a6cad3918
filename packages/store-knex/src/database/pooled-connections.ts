import type { Knex } from 'knex';
import type { Connections, Driver, Outcome, Session, SqlValue } from './session.js';

/** The part of a Knex client that hands out connections; its types say `any`. */
export interface ConnectionSource {
  acquireConnection(): Promise<object>;
  releaseConnection(connection: object): Promise<void>;
  listenerCount(event: string): number;
  emit(event: string, ...details: readonly unknown[]): boolean;
}

/** The client of a Knex instance or transaction. */
export const connectionSource = (knex: Knex): ConnectionSource => knex.client as ConnectionSource;

/** A session on a connection; statements appear among the `query` events of the Knex instance. */
export function sessionOn(source: ConnectionSource, driver: Driver, connection: object): Session {
  return {
    run(text: string, values: readonly SqlValue[]): Promise<Outcome> | Outcome {
      if (source.listenerCount('query') > 0) source.emit('query', { sql: text, bindings: values, method: 'raw' });
      return driver.run(connection, text, values);
    },
  };
}

/** Knex looks at this mark when a connection comes back, and throws marked ones away. */
function discard(connection: object): void {
  Reflect.set(connection, '__knex__disposed', new Error('A transaction could not be rolled back.'));
}

/** Connections from the pool of a Knex instance, with its own error listeners and time-outs. */
export class PooledConnections implements Connections {
  readonly #source: ConnectionSource;
  readonly #driver: Driver;
  readonly #known = new WeakSet();

  constructor(knex: Knex, driver: Driver) {
    this.#source = connectionSource(knex);
    this.#driver = driver;
  }

  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#onConnection((connection) => work(sessionOn(this.#source, this.#driver, connection)));
  }

  async transact<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.#onConnection(async (connection) => {
      const session = sessionOn(this.#source, this.#driver, connection);
      for (const begin of this.#driver.begin) await session.run(begin, []);
      try {
        const result = await work(session);
        await session.run('commit', []);
        return result;
      } catch (error) {
        try {
          await session.run('rollback', []);
        } catch {
          // What failed first is what counts; a connection in an unknown state must not be used again.
          discard(connection);
        }
        throw error;
      }
    });
  }

  async #onConnection<Result>(work: (connection: object) => Promise<Result>): Promise<Result> {
    const connection = await this.#source.acquireConnection();
    try {
      if (!this.#known.has(connection)) {
        this.#driver.adopt(connection);
        this.#known.add(connection);
      }
      return await work(connection);
    } finally {
      await this.#source.releaseConnection(connection);
    }
  }
}
