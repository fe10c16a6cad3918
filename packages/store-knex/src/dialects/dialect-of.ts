import type { Knex } from 'knex';
import type { Dialect, DialectOptions } from './dialect.js';
import { mysqlDialect } from './mysql.js';
import { postgresDialect } from './postgres.js';
import { sqliteDialect } from './sqlite.js';

const byDriver: Readonly<Record<string, (options: DialectOptions) => Dialect>> = {
  pg: postgresDialect,
  mysql2: mysqlDialect,
  libsql: sqliteDialect,
  'better-sqlite3': sqliteDialect,
};

/**
 * The dialect of a Knex instance, by its driver.
 *
 * @throws TypeError for a driver that the store does not know
 */
export function dialectOf(knex: Knex, options: DialectOptions = { preparedStatements: true }): Dialect {
  const { driverName } = knex.client as { readonly driverName?: unknown };
  const make = typeof driverName === 'string' ? byDriver[driverName] : undefined;
  if (make === undefined) {
    throw new TypeError(`The Knex instance must use one of the drivers ${Object.keys(byDriver).join(', ')}.`);
  }
  return make(options);
}
