import { checkOptionNames } from '@calends/core/store';
import makeKnex, { type Knex } from 'knex';
import { type DatabaseAddress, mysqlTls, readDatabaseAddress } from './database-address.js';
import { poolerMark } from './pooler.js';
import { silentLog } from './silent-log.js';
import { sqliteKnex } from './sqlite-knex.js';
import { withDriver } from './with-driver.js';

/** How {@link openKnex} connects; time-outs are in milliseconds, and SQLite has none of them. */
export interface OpenKnexOptions {
  /**
   * What the database gives a statement before it ends it, on PostgreSQL and MariaDB. Default 5,000. A transaction that
   * somebody left without another statement is ended after a second more. MySQL has neither.
   */
  readonly statementTimeout?: number | undefined;
  /** What making a connection to a server may take, and waiting for one of the pool. Default 5,000. */
  readonly connectTimeout?: number | undefined;
  /**
   * `transaction`: a pooler stands before PostgreSQL that gives every transaction another connection, as PgBouncer does with
   * `pool_mode = transaction`. Then nothing is asked of a connection that would have to outlast a transaction: no time-outs are
   * sent (PgBouncer refuses to connect with them), so give them to the role, `alter role … set statement_timeout = '5s'`; `check()`
   * warns where they are missing. A store over it keeps no statements prepared, and {@link migrate} builds indices while writes wait. Default: none.
   */
  readonly pooler?: 'transaction' | undefined;
}

const defaultTimeout = 5000;
/** Milliseconds without a packet after which the operating system asks whether the other side is still there. */
const keepAliveDelay = 10_000;

/** In milliseconds; the database is told all but the first. */
interface Limits {
  readonly connect: number;
  readonly statement: number;
  /** For the lock of a row or a table: less than a statement, so that the fault tells what it waited for. */
  readonly lock: number;
  /** For a transaction in which nothing happens: its process is gone, and its locks hold up others. */
  readonly idle: number;
}

/** What a connection is made by. */
interface Connecting extends Limits {
  readonly pooler: OpenKnexOptions['pooler'] | undefined;
}

const poolOf = (connect: number): Knex.PoolConfig => ({ min: 0, max: 10, createTimeoutMillis: connect });

function openPostgres(url: string, { connect, statement, lock, idle, pooler }: Connecting): Knex {
  // Not written in place: the types of Knex do not know all of them, pg does.
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    ...(pooler === undefined && {
      statement_timeout: statement,
      lock_timeout: lock,
      idle_in_transaction_session_timeout: idle,
    }),
  };
  const knex = makeKnex({
    client: 'pg',
    connection,
    acquireConnectionTimeout: connect,
    log: silentLog,
    pool: poolOf(connect),
  });
  if (pooler !== undefined) Object.assign(knex.client as object, { [poolerMark]: true });
  return knex;
}

function openMysql(url: string, limits: Limits): Knex {
  const { hostname, port, username, password, pathname } = new URL(url);
  const { connect } = limits;
  const ssl = mysqlTls(url);
  return makeKnex({
    client: 'mysql2',
    connection: {
      // An address has brackets around one of IPv6, a connection has none.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 3306 : Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
      charset: 'utf8mb4',
      ...(ssl === undefined ? {} : { ssl }),
      connectTimeout: connect,
      enableKeepAlive: true,
      keepAliveInitialDelay: keepAliveDelay,
    },
    acquireConnectionTimeout: connect,
    log: silentLog,
    pool: { ...poolOf(connect), afterCreate: boundedBy(limits) },
  });
}

type AfterCreate = (connection: MysqlConnection, done: (error: unknown, connection: MysqlConnection) => void) => void;

/** The defaults are 50 seconds for a row and a day for a table; 1205 is retried, so a row gets a part of the time. */
function boundedBy({ connect, statement, lock, idle }: Limits): AfterCreate {
  const [row, table] = [lock / 4000, lock / 1000].map(Math.ceil);
  // What stands in the comment is for MariaDB; MySQL does not know it.
  const bounds = `set session innodb_lock_wait_timeout = ${row}, lock_wait_timeout = ${table}
    /*M!100300 , max_statement_time = ${statement / 1000}, idle_transaction_timeout = ${Math.ceil(idle / 1000)} */`;
  return (connection, done) => {
    connection.query({ sql: bounds, timeout: connect }, (error) => {
      done(error, connection);
    });
  };
}

/** The part of a `mysql2` connection that is used here. */
interface MysqlConnection {
  query(statement: { readonly sql: string; readonly timeout: number }, done: (error: unknown) => void): void;
}

function open(address: DatabaseAddress, connecting: Connecting): Knex {
  switch (address.kind) {
    case 'sqlite':
      return sqliteKnex({ filename: address.filename });
    case 'postgresql':
      return withDriver(() => openPostgres(address.url, connecting));
    case 'mysql':
      return withDriver(() => openMysql(address.url, connecting));
  }
}

/**
 * A Knex instance for the address of a database, set up as {@link knexStore} wants it; the caller ends it with
 * `destroy()`.
 *
 * `sqlite:./data/calends.db`, `sqlite::memory:`, `postgres://user:password@host:5432/name`,
 * `mysql://user:password@host:3306/name` (MariaDB too), each with a query as {@link readDatabaseAddress} says. The package of the driver must be installed: `libsql`, `pg`
 * or `mysql2`. Nothing is connected yet.
 *
 * Connections to a server wait for locks for four fifths of `statementTimeout`, and the operating system asks after 10
 * seconds of silence whether the other side is still there. A pool of your own needs time-outs like these.
 *
 * @throws TypeError for another kind of address, one of a server without the name of a database, or one of SQLite with a query,
 *   without repeating it; and for an option that is misspelt or unusable
 * @throws StoreError `unavailable` with the reason `driverUnusable` when the driver cannot be loaded
 */
export function openKnex(databaseUrl: string, options: OpenKnexOptions = {}): Knex {
  checkOptionNames('options', options, ['statementTimeout', 'connectTimeout', 'pooler']);
  const address = readDatabaseAddress(databaseUrl);
  const { statementTimeout = defaultTimeout, connectTimeout = defaultTimeout, pooler } = options;
  for (const [name, value] of Object.entries({ statementTimeout, connectTimeout })) {
    if (Number.isSafeInteger(value) && value > 0 && value < 2 ** 31) continue;
    throw new TypeError(`options.${name}: must be a number of milliseconds.`);
  }
  if (pooler !== undefined && ((pooler as unknown) !== 'transaction' || address.kind !== 'postgresql')) {
    throw new TypeError('options.pooler: must be transaction, and only PostgreSQL has one.');
  }
  return open(address, {
    connect: connectTimeout,
    statement: statementTimeout,
    lock: Math.ceil(statementTimeout * 0.8),
    idle: statementTimeout + 1000,
    pooler,
  });
}
