import { createRequire } from 'node:module';
import type { Knex } from 'knex';
import { type SqliteAccess, sqliteAccess } from './access.js';
import { type OpenDatabase, openWriter, type SqliteConnection } from './connection.js';
import { untilFree } from './file.js';

const begin = 'begin immediate';

/** What Knex's client has beyond its published type. */
interface SqliteClientBase extends Knex.Client {
  readonly driver: OpenDatabase;
  readonly connectionSettings: { readonly filename: string };
  _query(connection: object, query: { readonly sql: string }): Promise<unknown>;
}

interface TransactionInstance {
  query(connection: object, sql: string): Promise<unknown>;
}

/** Where a client gets what it is made of. */
export interface SqliteClientParts {
  readonly driver: 'libsql' | 'better-sqlite3';
  /** Milliseconds that a statement waits, by timer, for the lock of the file. */
  readonly lockTimeout: number;
  /** Absent for a database without a file. */
  readonly access: SqliteAccess | undefined;
}

const require = createRequire(import.meta.url);

/** The path of a driver's module, for a thread that loads it itself. */
export const driverPath = (driver: SqliteClientParts['driver']): string => require.resolve(driver);

/** Loads a driver. */
export const loadDriver = (driver: SqliteClientParts['driver']): OpenDatabase => require(driver) as OpenDatabase;

/**
 * Knex's own client, with its transactions writing from the start, its connections set up, its waiting done by timer,
 * and nothing committed to a file that is gone.
 */
export function sqliteClient({ driver, lockTimeout, access }: SqliteClientParts): typeof Knex.Client {
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
      return loadDriver(driver);
    }

    override acquireRawConnection(): Promise<SqliteConnection> {
      const { filename } = this.connectionSettings;
      const open = (): Promise<SqliteConnection> => untilFree(lockTimeout, () => openWriter(this.driver, filename));
      return access === undefined ? open() : access.file.openWriter(open);
    }

    /**
     * The close of libsql leaves everything since the last checkpoint in the WAL file, and a copy of the database
     * file alone would lack it. Emptied, that file holds nothing any more of what was erased.
     */
    override destroyRawConnection(connection: SqliteConnection): Promise<void> {
      return new Promise((resolve) => {
        try {
          // Waits for no other process; where one is in the way, the WAL file still has it all.
          connection.pragma('wal_checkpoint(truncate)');
        } finally {
          connection.close();
        }
        resolve();
      });
    }

    override async _query(connection: SqliteConnection, query: { readonly sql: string }): Promise<unknown> {
      // In a transaction the lock is held already, and a part of one cannot be tried again.
      if (connection.inTransaction) return this.answerOnce(connection, query);
      return untilFree(lockTimeout, () => this.answerOnce(connection, query));
    }

    /** Readers first: the last connection that closes takes the WAL file away. */
    override async destroy(...details: readonly unknown[]): Promise<void> {
      await access?.readers.close();
      await (super.destroy as (...details: readonly unknown[]) => Promise<void>)(...details);
      access?.file.forget();
    }

    override transaction(...details: readonly unknown[]): Knex.Transaction {
      return new ImmediateTransaction(this, ...details) as unknown as Knex.Transaction;
    }

    /** Not private in the language: the client of a transaction has only the prototype of this one. */
    private async answerOnce(connection: SqliteConnection, query: { readonly sql: string }): Promise<unknown> {
      if (query.sql === begin) {
        // Knex would prepare it: after SQLITE_BUSY, libsql leaves that under way, and no savepoint can be set.
        connection.exec(begin);
        return Object.assign(query, { response: [] });
      }
      const before = connection.inTransaction;
      const answer = await super._query(connection, query);
      if (before !== connection.inTransaction) access?.file.assertInPlace('unknown');
      return answer;
    }
  }
  Object.assign(SqliteClient.prototype, { driverName: driver, [sqliteAccess]: access });
  return SqliteClient as unknown as typeof Knex.Client;
}
