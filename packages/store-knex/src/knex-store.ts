import type { SchedulingStore, StoreCapabilities } from '@calends/core';
import type { Knex } from 'knex';
import { JoinedConnections } from './database/joined-connections.js';
import { PooledConnections } from './database/pooled-connections.js';
import { dialectOf } from './dialects/dialect-of.js';
import { SqlStore } from './sql-store.js';

/** What a store needs. */
export interface KnexStoreOptions {
  /**
   * A Knex instance over `pg`, `mysql2`, `better-sqlite3`, or one of {@link sqliteKnex}, whose database
   * {@link migrate} has prepared. The store takes connections from its pool and never ends it.
   */
  readonly knex: Knex;
  /**
   * Keep statements prepared on PostgreSQL connections. Default true; false behind a pooler that gives every
   * transaction another connection (PgBouncer before 1.21).
   */
  readonly preparedStatements?: boolean;
}

/** A {@link SchedulingStore} in a database of the host. */
export interface KnexStore extends SchedulingStore {
  /**
   * The same store inside a transaction that the host opened: what it writes is committed or rolled back with
   * the host's own rows.
   *
   * Nothing is joined with other calls or tried again; a StoreError `contention` means that the host should run its
   * transaction anew. A fault undoes what its call wrote, and no more.
   */
  joining(transaction: Knex.Transaction): SchedulingStore;
}

/** A SQLite database without a file ends with its connection, and nobody else sees it. */
const isInMemory = (knex: Knex): boolean => {
  const { connectionSettings } = knex.client as { readonly connectionSettings?: { readonly filename?: unknown } };
  return connectionSettings?.filename === ':memory:' || connectionSettings?.filename === '';
};

/**
 * A store in SQLite, PostgreSQL, MariaDB or MySQL.
 *
 * @throws TypeError when the Knex instance has a driver that the store does not know
 */
export function knexStore({ knex, preparedStatements = true }: KnexStoreOptions): KnexStore {
  const dialect = dialectOf(knex, { preparedStatements });
  const lasting = !isInMemory(knex);
  const capabilities: StoreCapabilities = { durable: lasting, sharedBetweenProcesses: lasting };
  const store = new SqlStore({
    dialect,
    capabilities,
    connections: new PooledConnections(
      knex,
      dialect.driver,
      (error) => dialect.readFault(error).code === 'unavailable',
    ),
    standsAlone: true,
  });
  const joining = (transaction: Knex.Transaction): SchedulingStore =>
    new SqlStore({
      dialect,
      capabilities,
      connections: new JoinedConnections(transaction, dialect.driver),
      standsAlone: false,
    });
  return Object.assign(store, { joining });
}
