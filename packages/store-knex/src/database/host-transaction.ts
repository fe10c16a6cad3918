import type { Knex } from 'knex';
import { connectionSource, type ConnectionSource } from './connections.js';
import type { Driver, HostConnection } from './driver.js';

/** A transaction that the host has opened, and that the host ends. */
export interface HostTransaction {
  /** What the host gave for it. */
  readonly given: object;
  /** What the statements run on; each appears among the `query` events of `source`. */
  readonly source: Pick<ConnectionSource, 'emit' | 'listenerCount'>;
  readonly connection: () => Promise<HostConnection>;
  readonly isOver: () => boolean;
  /** Resolves when it was committed, rejects when it was rolled back; absent where only the host knows. */
  readonly ended?: Promise<unknown> | undefined;
}

/** The part of a transaction of Knex that says how it stands; its own types know no parent. */
type KnexTransaction = Knex.Transaction & { readonly parentTransaction?: KnexTransaction | undefined };

const isKnexTransaction = (given: object): given is KnexTransaction =>
  (given as Partial<KnexTransaction>).isTransaction === true;

/** Hosts in plain JavaScript have no compiler that tells them; a transaction of Knex is a function. */
const isHandle = (given: unknown): boolean =>
  typeof given === 'function' || (typeof given === 'object' && given !== null);

/** What Knex calls it: the same for all drivers of a kind of database. */
const dialectNameOf = (knex: Knex): unknown => (knex.client as { readonly dialect?: unknown }).dialect;

/** The module of the driver; that of SQLite is the class of its connections. */
const libraryOf = (knex: Knex): unknown => (knex.client as { readonly driver?: unknown }).driver;

/**
 * SQLite locks its file for the process. Where a second library of it (`libsql`, `better-sqlite3`, or another copy of one of them) closes
 * the file, all these locks are gone: it takes the other one for ended and removes the WAL file, with what was committed.
 */
function requireLibraryOf(knex: Knex, isOfIt: (library: unknown) => boolean): void {
  if (isOfIt(libraryOf(knex))) return;
  throw new TypeError(
    'The transaction must be one of the library by which the store opens its file: commits are lost where two of SQLite share one in a process.',
  );
}

const outermost = (transaction: KnexTransaction): KnexTransaction =>
  transaction.parentTransaction === undefined ? transaction : outermost(transaction.parentTransaction);

/**
 * What a host gives for a transaction of its own: one of Knex, or what its driver has open.
 *
 * @throws TypeError for everything else
 */
export function hostTransaction(given: object, knex: Knex, driver: Driver): HostTransaction {
  if (isHandle(given) && isKnexTransaction(given)) {
    if (dialectNameOf(given) !== dialectNameOf(knex)) {
      throw new TypeError('The transaction must be one in the database of the store.');
    }
    if (driver.isDatabase) requireLibraryOf(knex, (library) => libraryOf(given) === library);
    const source = connectionSource(given);
    return {
      given,
      source,
      connection: async () => ({ connection: await source.acquireConnection(), driver }),
      isOver: () => given.isCompleted(),
      // A savepoint that is released stands only with the transaction around it.
      ended: outermost(given).executionPromise,
    };
  }
  const opened = isHandle(given) ? driver.ofHost(given) : undefined;
  if (opened === undefined) {
    throw new TypeError('Must be a transaction of Knex, or a connection of the driver with a transaction open on it.');
  }
  if (driver.isDatabase) {
    requireLibraryOf(knex, (library) => typeof library === 'function' && opened.connection instanceof library);
  }
  const { isOver = () => false } = opened;
  return { given, source: connectionSource(knex), connection: () => Promise.resolve(opened), isOver };
}
