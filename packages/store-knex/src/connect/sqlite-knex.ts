import { checkOptionNames } from '@calends/core/store';
import makeKnex, { type Knex } from 'knex';
import { silentLog } from './silent-log.js';
import type { SqliteAccess } from './sqlite/access.js';
import { driverPath, loadDriver, sqliteClient } from './sqlite/client.js';
import { openReader } from './sqlite/connection.js';
import { SqliteFile } from './sqlite/file.js';
import { makeFolderOf } from './sqlite/private-files.js';
import { Readers } from './sqlite/readers.js';
import { withDriver } from './with-driver.js';

/** Where the database is and what reads it. */
export interface SqliteKnexOptions {
  /** Path of the file; `:memory:` for a database that ends with the Knex instance. */
  readonly filename: string;
  /** Package that must be installed. Default `libsql`, which needs no compiler. */
  readonly driver?: 'libsql' | 'better-sqlite3';
  /**
   * Makes a file that is missing, with its folder, for their owner only (0600, 0700); what is there keeps its mode.
   * Default true. With false a file that is missing or empty is a fault of everything that needs the database.
   */
  readonly create?: boolean;
  /**
   * Milliseconds that a write waits while another process keeps the file locked, then it is a fault. It waits by
   * timer: nothing else in the process stands still. Default 9000.
   */
  readonly lockTimeout?: number;
}

/** Milliseconds to wait for the one connection that writes, where the lock of the file is not waited for longer. */
const acquireTimeout = 5000;
const inMemory = ':memory:';

const drivers: readonly unknown[] = ['libsql', 'better-sqlite3'];

/** @throws TypeError that names the option; hosts in plain JavaScript have no compiler that tells them */
function checkOptions(options: SqliteKnexOptions): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null) throw new TypeError('options: must be an object with filename.');
  checkOptionNames('options', given, ['filename', 'driver', 'create', 'lockTimeout']);
  const demand = (name: keyof SqliteKnexOptions, holds: boolean, rule: string): void => {
    if (!holds) throw new TypeError(`options.${name}: ${rule}.`);
  };
  const { filename, driver = 'libsql', create = true, lockTimeout = 0 } = options;
  demand('filename', typeof filename === 'string', 'must be the path of a file, or :memory:');
  demand('driver', drivers.includes(driver), 'must be libsql or better-sqlite3');
  demand('create', typeof create === 'boolean', 'must be a boolean');
  const isTimeout = Number.isSafeInteger(lockTimeout) && lockTimeout >= 0 && lockTimeout < 2 ** 31;
  demand('lockTimeout', isTimeout, 'must be a number of milliseconds');
}

/**
 * A Knex instance for SQLite that keeps what it commits: WAL, `synchronous=FULL` on every connection, transactions
 * that begin IMMEDIATE, and no commit that counts after its file was removed or replaced.
 *
 * Its pool is one connection, which writes. A store over it reads a file on connections of its own, the long lists in
 * up to two threads; `destroy()` closes them too.
 *
 * @throws TypeError for options that are missing, misspelt or unusable: no file is made then
 * @throws StoreError `unavailable` with the reason `driverUnusable` when the driver cannot be loaded
 * @throws Error of the file system when the folder cannot be made
 */
export function sqliteKnex(options: SqliteKnexOptions): Knex {
  checkOptions(options);
  const { filename, driver = 'libsql', create = true, lockTimeout = 9000 } = options;
  const isFile = filename !== inMemory && filename !== '';
  if (isFile && create) makeFolderOf(filename);
  return withDriver(() => {
    const access = isFile ? accessTo(filename, { driver, create, lockTimeout }) : undefined;
    return makeKnex({
      client: sqliteClient({ driver, lockTimeout, access }),
      connection: { filename },
      useNullAsDefault: true,
      acquireConnectionTimeout: Math.max(acquireTimeout, lockTimeout),
      log: silentLog,
      pool: { min: 1, max: 1 },
    });
  });
}

function accessTo(
  filename: string,
  { driver, create, lockTimeout }: Required<Omit<SqliteKnexOptions, 'filename'>>,
): SqliteAccess {
  const file = new SqliteFile(filename, create);
  const readers = new Readers({
    file,
    openReader: () => openReader(loadDriver(driver), filename),
    thread: { driver: driverPath(driver), filename },
    maxWait: lockTimeout,
  });
  return { file, readers, lockTimeout };
}
