import { type SchedulingStore, StoreError } from '@calends/core/store';
import {
  knexStore,
  migrate,
  type MigrationProgress,
  type MigrationReport,
  type OnShownRead,
  openKnex,
  type OpenKnexOptions,
  sqliteKnex,
} from '@calends/store-knex';
import { memoryStore } from '@calends/store-memory';
import type { Knex } from 'knex';
import type { DatabaseAddress } from '../configuration/database-address.js';
import { within } from '../process/within.js';
import { UnavailableError } from '../exit-codes.js';
import { inWords, isOlderTables } from './store-words.js';

/** Milliseconds. */
const maxClose = 1_000;

/** An open database with the store over it. */
export interface Database {
  readonly store: SchedulingStore;
  /**
   * Brings the tables up to date; answers the names of the migrations that this took, and of those that wait for older programs.
   *
   * @throws UnavailableError when the database does not answer, its file is missing, damaged or locked, this program is too old for it, or a table is gone
   */
  migrate(onProgress?: (progress: MigrationProgress) => void): Promise<MigrationReport>;
  /**
   * Only looks.
   *
   * @throws UnavailableError when the tables are not up to date, or this program is too old for them
   */
  requireMigrated(): Promise<void>;
  close(): Promise<void>;
}

/** How a database is used. */
export interface DatabaseOptions {
  readonly engine?: 'proven' | 'unproven';
  /** Addresses of standbys that answer what is only shown. */
  readonly readers?: readonly string[];
  /** `transaction`: all these addresses lead through a pooler that gives each transaction another connection. */
  readonly pooler?: OpenKnexOptions['pooler'] | undefined;
  readonly onShownRead?: OnShownRead;
}

/**
 * Opens what `DATABASE_URL` names; `create` makes a SQLite file that is missing.
 *
 * @throws UnavailableError when the file or its folder cannot be made, or the driver cannot be loaded
 */
export function openDatabase(
  address: DatabaseAddress,
  create: boolean,
  { engine = 'proven', readers: readerUrls = [], pooler, onShownRead = () => undefined }: DatabaseOptions = {},
): Database {
  if (address.kind === 'memory') {
    const nothing = (): Promise<void> => Promise.resolve();
    return {
      store: memoryStore(),
      migrate: () => Promise.resolve({ applied: [] }),
      requireMigrated: nothing,
      close: nothing,
    };
  }
  const pooled = pooler === undefined ? {} : { pooler };
  const knex = openKnexAt(address, create, pooled);
  const readers = readerUrls.map((url) => openKnex(url, pooled));
  const store = knexStore({ knex, engine, readers, onShownRead });
  return {
    store,
    migrate: (onProgress) => migrated(knex, onProgress),
    requireMigrated: () => requireMigrated(store),
    // A connection whose other side is gone says no goodbye, and the process is to end.
    close: () =>
      within(
        Promise.all([knex, ...readers].map((each) => each.destroy())).then(() => undefined),
        maxClose,
        undefined,
      ),
  };
}

function openKnexAt(
  address: Exclude<DatabaseAddress, { kind: 'memory' }>,
  create: boolean,
  pooled: Pick<OpenKnexOptions, 'pooler'>,
): Knex {
  try {
    return address.kind === 'sqlite'
      ? sqliteKnex({ filename: address.filename, create })
      : openKnex(address.url, pooled);
  } catch (fault) {
    if (address.kind !== 'sqlite' || fault instanceof StoreError) throw inWords(fault);
    throw new UnavailableError('the folder of the database cannot be made (DATABASE_URL)', { cause: fault });
  }
}

async function migrated(
  knex: Knex,
  onProgress: (progress: MigrationProgress) => void = () => undefined,
): Promise<MigrationReport> {
  try {
    return await migrate(knex, { onProgress });
  } catch (error) {
    if (!isOlderTables(error)) throw inWords(error);
    // The store's own words would send whoever runs the migrations to run them.
    const message =
      'a table is missing that migrations from before have made (DATABASE_URL): was it dropped, or a backup restored in part? No migration makes it again; restore a whole backup';
    throw new UnavailableError(message, { cause: error });
  }
}

async function requireMigrated(store: SchedulingStore): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    if (!isOlderTables(error)) throw inWords(error);
    throw new UnavailableError('the tables are not up to date and CALENDS_MIGRATE is off: run `calends migrate` first');
  }
}

/** What a migration is doing, as a sentence for an operator. */
export function progressText(progress: MigrationProgress): string {
  if (progress.type === 'step') return `Migrating: ${progress.name}`;
  if (progress.type === 'percent') return `Built: ${progress.percent} %`;
  if (progress.type === 'rows') {
    const { name, table, rows, writesWait } = progress;
    const waiting =
      writesWait === undefined ? 'writes go on' : `writes wait, for about ${Math.ceil(writesWait / 1000)} s`;
    return `${name} goes through about ${rows} rows of ${table}; ${waiting}.`;
  }
  const { attempt, holders } = progress;
  const who = holders.length === 0 ? 'somebody' : holders.join(', ');
  return `Waiting for ${who} to let go of tables (try ${attempt}); nobody is held up meanwhile.`;
}
