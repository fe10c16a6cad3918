import makeKnex, { type Knex } from 'knex';
import { silentLog } from './silent-log.js';
import { sqliteKnex } from './sqlite-knex.js';

/** Milliseconds to wait for a connection, new or from the pool. */
const connectTimeout = 5000;
const pool = { min: 0, max: 10 };

const openPostgres = (url: string): Knex =>
  makeKnex({
    client: 'pg',
    connection: { connectionString: url, connectionTimeoutMillis: connectTimeout, keepAlive: true },
    acquireConnectionTimeout: connectTimeout,
    log: silentLog,
    pool,
  });

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
    pool,
  });
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
