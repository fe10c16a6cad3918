import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import makeKnex, { type Knex } from 'knex';
import { silentLog } from './silent-log.js';

/** Where the database is and what reads it. */
export interface SqliteKnexOptions {
  /** Path of the file, made with its folder when missing; `:memory:` for one that ends with the Knex instance. */
  readonly filename: string;
  /** Package that must be installed. Default `libsql`, which needs no compiler. */
  readonly driver?: 'libsql' | 'better-sqlite3';
}

/** Milliseconds that SQLite itself waits for another process; longer waits are for the retries of the store. */
const busyTimeout = 2000;
/** Milliseconds to wait for the one connection. */
const acquireTimeout = 5000;

const begin = 'begin immediate';

interface SqliteConnection {
  exec(sql: string): unknown;
  pragma(source: string): unknown;
  close(): void;
}

interface SqliteClientInstance {
  readonly driver: new (filename: string) => SqliteConnection;
  readonly connectionSettings: { readonly filename: string };
}

/** What Knex's client has beyond its published type. */
interface SqliteClientBase extends Knex.Client {
  _query(connection: object, query: { readonly sql: string }): Promise<unknown>;
}

interface TransactionInstance {
  query(connection: object, sql: string): Promise<unknown>;
}

const require = createRequire(import.meta.url);

/**
 * Opens with what makes commits durable and shared files usable. The time-out comes first: changing the journal
 * mode needs a lock that another process may hold.
 */
function openConnection({ driver, connectionSettings }: SqliteClientInstance): SqliteConnection {
  const connection = new driver(connectionSettings.filename);
  connection.pragma(`busy_timeout = ${busyTimeout}`);
  connection.pragma('journal_mode = wal');
  connection.pragma('synchronous = full');
  return connection;
}

/** Knex's own client, with its transactions writing from the start and its connections set up. */
function sqliteClient(driver: 'libsql' | 'better-sqlite3'): typeof Knex.Client {
  const Client = require('knex/lib/dialects/better-sqlite3/index.js') as new (config: Knex.Config) => SqliteClientBase;
  const Transaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js') as new (
    ...details: readonly unknown[]
  ) => TransactionInstance;

  class ImmediateTransaction extends Transaction {
    /** A deferred transaction that reads first fails when another process writes before it does. */
    begin(connection: object): Promise<unknown> {
      return this.query(connection, begin);
    }
  }

  class SqliteClient extends Client {
    _driver(): unknown {
      return require(driver);
    }

    override acquireRawConnection(): Promise<SqliteConnection> {
      return new Promise((resolve) => {
        resolve(openConnection(this as unknown as SqliteClientInstance));
      });
    }

    /**
     * The close of libsql leaves everything since the last checkpoint in the WAL file, and a copy of the database
     * file alone would lack it.
     */
    override destroyRawConnection(connection: SqliteConnection): Promise<void> {
      return new Promise((resolve) => {
        try {
          // Passive: waits for no other process, and where one is in the way the WAL file still has it all.
          connection.pragma('wal_checkpoint(passive)');
        } finally {
          connection.close();
        }
        resolve();
      });
    }

    /** Knex would prepare it: after SQLITE_BUSY, libsql leaves that under way, and no savepoint can be set. */
    override async _query(connection: SqliteConnection, query: { readonly sql: string }): Promise<unknown> {
      if (query.sql !== begin) return super._query(connection, query);
      connection.exec(begin);
      return Object.assign(query, { response: [] });
    }

    override transaction(...details: readonly unknown[]): Knex.Transaction {
      return new ImmediateTransaction(this, ...details) as unknown as Knex.Transaction;
    }
  }
  Object.assign(SqliteClient.prototype, { driverName: driver });
  return SqliteClient as unknown as typeof Knex.Client;
}

/**
 * A Knex instance for SQLite that keeps what it commits: WAL, `synchronous=FULL` on every connection, transactions
 * that begin IMMEDIATE. Its pool is one connection.
 *
 * @throws Error when the driver's package is not installed
 */
export function sqliteKnex({ filename, driver = 'libsql' }: SqliteKnexOptions): Knex {
  if (filename !== ':memory:') mkdirSync(dirname(filename), { recursive: true });
  return makeKnex({
    client: sqliteClient(driver),
    connection: { filename },
    useNullAsDefault: true,
    acquireConnectionTimeout: acquireTimeout,
    log: silentLog,
    pool: { min: 1, max: 1 },
  });
}
