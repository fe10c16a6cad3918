import type { Tracer } from '@calends/core';
import {
  checkOptionNames,
  copiesMayLack,
  guardedTracer,
  type JoinableStore,
  type JoinedStore,
  type StoreCapabilities,
} from '@calends/core/store';
import type { Knex } from 'knex';
import { changesConnections } from './connect/pooler.js';
import { sqliteAccessOf } from './connect/sqlite/access.js';
import { type Connections, connectionSource } from './database/connections.js';
import { hostTransaction } from './database/host-transaction.js';
import { JoinedConnections } from './database/joined-connections.js';
import { PooledConnections } from './database/pooled-connections.js';
import { SqliteConnections } from './database/sqlite-connections.js';
import type { Dialect } from './dialects/dialect.js';
import { dialectOf } from './dialects/dialect-of.js';
import { CountsLead } from './migrations/counts-lead.js';
import { EngineCheck } from './engine/engine-check.js';
import { countsLead, durationCountsLead, type Migration, migrations } from './migrations/migrations.js';
import { type Program, WriteGate } from './migrations/write-gate.js';
import { type OnShownRead, Readers } from './readers/readers.js';
import { sqlStore } from './sql-store.js';

/** What a store needs. */
export interface KnexStoreOptions {
  /**
   * A Knex instance over `pg`, `mysql2`, `better-sqlite3`, or one of {@link sqliteKnex}, whose database
   * {@link migrate} has prepared. The store takes connections from its pool and never ends it.
   */
  readonly knex: Knex;
  /**
   * Keep statements prepared on PostgreSQL connections. Default true, and false over {@link openKnex} with a `pooler`: set it to
   * false where a pool of your own is behind a pooler that gives every transaction another connection, and to true behind
   * one that knows prepared statements nevertheless (PgBouncer from 1.21, with `max_prepared_statements`).
   */
  readonly preparedStatements?: boolean | undefined;
  /**
   * `proven` (the default): a database that is known to promise less than PostgreSQL, MariaDB, MySQL or SQLite, or that
   * fails a probe of its locks, is written into by nobody (StoreError `engine`, D72). `unproven` lets it in, at your risk.
   */
  readonly engine?: 'proven' | 'unproven' | undefined;
  /**
   * Milliseconds that a database over a network may take to answer a statement, and the pool to give a connection; a
   * connection that takes longer is ended, and the call rejects with `unavailable`. Default 6,000: a little more than
   * the 5,000 after which {@link openKnex} has the database itself end a statement. Deleting what is kept no longer has
   * a minute.
   */
  readonly answerTimeout?: number | undefined;
  /**
   * Makes spans for finds and commits, which go out together when the database is busy: a statement of several requests
   * hangs under none of them, and has links to all. `trace.getTracer('calends')` of OpenTelemetry. Default: none; then it
   * hangs under none all the same.
   */
  readonly tracer?: Tracer | undefined;
  /**
   * Standbys of the database of `knex`, by streaming replication, in turns; PostgreSQL 14 and later only. They answer what is
   * only shown: `get`, lists, counts, free times, feeds. A caller never misses there what they have written themselves through
   * this process, or through another one where they bring its consistency token; of others' changes a standby may lack what is
   * younger than some ten seconds. Nothing that a change decides on is asked of them, and nothing fails because one is away:
   * then the primary answers. Default: none.
   */
  readonly readers?: readonly Knex[] | undefined;
  /**
   * Milliseconds that a reader may take for an answer; then the primary is asked, and the reader left alone for five seconds.
   * Default 1,000.
   */
  readonly readerTimeout?: number | undefined;
  /** Told of each read that a reader may answer, by whom it was answered; for metrics. What it throws is dropped. */
  readonly onShownRead?: OnShownRead | undefined;
}

/** A {@link JoinableStore} in a database of the host. */
export interface KnexStore extends JoinableStore {
  /**
   * The same store inside a transaction that the host opened: what it writes is committed or rolled back with
   * the host's own rows. For operations rather than the store, `scheduling.within(transaction)`.
   *
   * A transaction is one of Knex; or the connection on which one is open, of `pg` (`Client`, or what `pool.connect()`
   * gives), `mysql2`, `better-sqlite3` or `libsql`; or, on PostgreSQL, an object whose `query(text, values)` runs a statement with
   * `$1` in it and resolves with its `rows` and `rowCount`.
   *
   * Nothing is joined with other calls or tried again; a StoreError `contention` means that the host should run its
   * transaction again. A fault undoes what its call wrote, and no more.
   *
   * @throws TypeError for what is none of them: a pool for example, a SQLite database without a transaction, a transaction of Knex
   *   in a database of another kind, or one of another library of SQLite than that which opens the file of the store
   */
  joining(transaction: object): JoinedStore;
}

const defaultAnswerTimeout = 6000;
/** Milliseconds that one statement of the retention may take. */
const minuteLong = 60_000;

const defaultReaderTimeout = 1000;

const optionNames = [
  ...['knex', 'preparedStatements', 'engine', 'answerTimeout', 'tracer', 'readers', 'readerTimeout', 'onShownRead'],
];

const isKnex = (given: unknown): boolean =>
  typeof given === 'function' && typeof Reflect.get(given, 'client') === 'object';

/** @throws TypeError that names the option; hosts in plain JavaScript have no compiler that tells them */
function checkOptions(options: KnexStoreOptions): void {
  const demand = (name: keyof KnexStoreOptions, holds: boolean, rule: string): void => {
    if (!holds) throw new TypeError(`options.${name}: ${rule}.`);
  };
  demand('knex', isKnex((Object(options) as Partial<KnexStoreOptions>).knex), 'must be a Knex instance');
  checkOptionNames('options', options, optionNames);
  const { preparedStatements = true, engine = 'proven', tracer, readers = [], onShownRead } = options;
  demand('preparedStatements', typeof preparedStatements === 'boolean', 'must be a boolean');
  demand('engine', ['proven', 'unproven'].includes(engine), 'must be `proven` or `unproven`');
  const isTracer = typeof (Object(tracer) as Tracer).startActiveSpan === 'function';
  demand('tracer', tracer === undefined || isTracer, 'must have startActiveSpan');
  demand('readers', Array.isArray(readers) && readers.every(isKnex), 'must be a list of Knex instances');
  demand('onShownRead', onShownRead === undefined || typeof onShownRead === 'function', 'must be a function');
}

function checkedTimeout(name: 'answerTimeout' | 'readerTimeout', timeout: number): number {
  if (Number.isSafeInteger(timeout) && timeout > 0 && timeout < 2 ** 31) return timeout;
  throw new TypeError(`options.${name}: must be a number of milliseconds.`);
}

const isPostgres = (knex: Knex): boolean => (knex.client as { readonly driverName?: unknown }).driverName === 'pg';

/** @throws TypeError for readers of anything but PostgreSQL */
function readersOf(
  { knex, readers = [], readerTimeout = defaultReaderTimeout, onShownRead = () => undefined }: KnexStoreOptions,
  { driver, readFault }: Dialect,
  primary: Connections,
  monotonic?: () => number,
): Readers | undefined {
  const answerTimeout = checkedTimeout('readerTimeout', readerTimeout);
  if (readers.length === 0) return undefined;
  if (![knex, ...readers].every(isPostgres)) throw new TypeError('options.readers: only PostgreSQL has readers.');
  const limits = { answerTimeout, longAnswerTimeout: answerTimeout };
  return new Readers({
    primary,
    readers: readers.map((reader) => new PooledConnections(reader, { driver, readFault, ...limits })),
    readFault,
    onRead: onShownRead,
    monotonic,
  });
}

/** A SQLite database without a file ends with its connection, and nobody else sees it. */
const isInMemory = (knex: Knex): boolean => {
  const { connectionSettings } = knex.client as { readonly connectionSettings?: { readonly filename?: unknown } };
  return connectionSettings?.filename === ':memory:' || connectionSettings?.filename === '';
};

function connectionsOf(knex: Knex, dialect: Dialect, answerTimeout: number): Connections {
  const { driver, readFault } = dialect;
  const longAnswerTimeout = Math.max(answerTimeout, minuteLong);
  const pooled = new PooledConnections(knex, { driver, readFault, answerTimeout, longAnswerTimeout });
  const access = sqliteAccessOf(knex);
  if (access === undefined) return pooled;
  return new SqliteConnections({ writer: pooled, source: connectionSource(knex), driver, readFault, access });
}

/**
 * A store in SQLite, PostgreSQL, MariaDB or MySQL.
 *
 * @throws TypeError when the Knex instance has a driver that the store does not know, or an option is misspelt or unusable
 */
export const knexStore = (options: KnexStoreOptions): KnexStore => storeOf(options, { steps: migrations });

/** The program that a store works for. */
export interface ProgramOptions {
  readonly steps: readonly Migration[];
  /** Milliseconds by a clock that nobody sets; that of the process unless told. */
  readonly monotonic?: () => number;
}

/** The store of a program that knows these steps. */
export function storeOf(options: KnexStoreOptions, { steps, monotonic }: ProgramOptions): KnexStore {
  checkOptions(options);
  const { knex, readers: { length: readerCount } = [] } = options;
  const { preparedStatements = !changesConnections(knex) } = options;
  const marksCommits = readerCount > 0;
  const dialect = dialectOf(knex, { preparedStatements, marksCommits });
  const answerTimeout = checkedTimeout('answerTimeout', options.answerTimeout ?? defaultAnswerTimeout);
  const connections = connectionsOf(knex, dialect, answerTimeout);
  const readers = readersOf(options, dialect, connections, monotonic);
  const letsIn = options.engine === 'unproven';
  const engine = new EngineCheck({ knex, dialect, connections, letsIn });
  const gate = new WriteGate(steps, dialect.sql, monotonic);
  const leadOf = (step: string): CountsLead =>
    new CountsLead(step, readers === undefined ? 0 : copiesMayLack, monotonic);
  const [counts, durationCounts] = [leadOf(countsLead), leadOf(durationCountsLead)];
  const program: Program = { steps, gate, engine, counts, durationCounts };
  const lasting = !isInMemory(knex);
  const capabilities: StoreCapabilities = {
    durable: lasting,
    sharedBetweenProcesses: lasting,
    ...(marksCommits && { marksCommits }),
  };
  const store = sqlStore({
    dialect,
    capabilities,
    connections,
    standsAlone: true,
    program,
    tracer: options.tracer && guardedTracer(options.tracer),
    readers,
  });
  const joining = (given: object): JoinedStore => {
    const transaction = hostTransaction(given, knex, dialect.driver);
    const joined = sqlStore({
      dialect,
      capabilities,
      connections: new JoinedConnections(transaction, answerTimeout),
      standsAlone: false,
      program,
    });
    return Object.assign(joined, { ended: transaction.ended });
  };
  return Object.assign(store, { joining });
}
