import makeKnex, { type Knex } from 'knex';
import { silentLog } from './silent-log.js';
import { sqliteKnex } from './sqlite-knex.js';

/** Milliseconds to wait for a connection, new or from the pool. */
const connectTimeout = 5000;
const pool = { min: 0, max: 10 };
/** Milliseconds that a statement may take, and that it may wait for a lock: a stuck table must not hold requests for ever. */
const statementTimeout = 30_000;
const lockTimeout = 10_000;

function openPostgres(url: string): Knex {
  // Not written in place: the types of Knex do not know lock_timeout, pg does.
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
  };
  return makeKnex({ client: 'pg', connection, acquireConnectionTimeout: connectTimeout, log: silentLog, pool });
}

function openMysql(url: string): Knex {
  const { hostname, port, username, password, pathname } = new URL(url);
  return makeKnex({
    client: 'mysql2',
    connection: {
      host: hostname,
      port: port === '' ? 3306 : Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: decodeURIComponent(pathname.slice(1)),
      charset: 'utf8mb4',
      connectTimeout,
      enableKeepAlive: true,
    },
    acquireConnectionTimeout: connectTimeout,
    log: silentLog,
    pool: { ...pool, afterCreate: boundLockWaits },
  });
}

/** The defaults are 50 seconds for a row and a day for a table; 1205 is retried, so a row gets a part of the time. */
function boundLockWaits(
  connection: MysqlConnection,
  done: (error: unknown, connection: MysqlConnection) => void,
): void {
  const [row, table] = [lockTimeout / 4000, lockTimeout / 1000].map(Math.ceil);
  connection.query(`set session innodb_lock_wait_timeout = ${row}, lock_wait_timeout = ${table}`, (error) => {
    done(error, connection);
  });
}

/** The part of a `mysql2` connection that is used here. */
interface MysqlConnection {
  query(statement: string, done: (error: unknown) => void): void;
}

const openSqlite = (url: string): Knex => sqliteKnex({ filename: url.replace(/^sqlite:(\/\/)?/, '') });

const bySchema: Readonly<Record<string, (url: string) => Knex>> = {
  sqlite: openSqlite,
  postgres: openPostgres,
  postgresql: openPostgres,
  mysql: openMysql,
  mariadb: openMysql,
};

/**
 * A Knex instance for the address of a database, set up as {@link knexStore} wants it; the caller ends it with
 * `destroy()`.
 *
 * `sqlite:./data/calends.db`, `sqlite::memory:`, `postgres://user:password@host:5432/name`,
 * `mysql://user:password@host:3306/name` (MariaDB too). The package of the driver must be installed: `libsql`, `pg`
 * or `mysql2`. Nothing is connected yet.
 *
 * @throws TypeError for another kind of address, without repeating it
 */
export function openKnex(databaseUrl: string): Knex {
  const open = bySchema[databaseUrl.slice(0, databaseUrl.indexOf(':'))];
  if (open === undefined) {
    throw new TypeError('The address of the database must begin with sqlite:, postgres:// or mysql://.');
  }
  return open(databaseUrl);
}
