import type { Knex } from 'knex';
import type { SqliteFile } from './file.js';
import type { Readers } from './readers.js';

/** What the store uses of a Knex instance that `sqliteKnex` has made for a file. */
export interface SqliteAccess {
  readonly file: SqliteFile;
  readonly readers: Readers;
  /** Milliseconds that a write waits, by timer, for the lock of the file. */
  readonly lockTimeout: number;
}

/** Where the client of such an instance has it; the same in both builds of this package. */
export const sqliteAccess = Symbol.for('calends.sqliteAccess');

/** Absent for every other Knex instance. */
export const sqliteAccessOf = (knex: Knex): SqliteAccess | undefined =>
  (knex.client as { readonly [sqliteAccess]?: SqliteAccess })[sqliteAccess];
