import { StoreError } from '@calends/core/store';
import type { Driver } from '../../database/driver.js';
import type { Outcome } from '../../sql/rows.js';
import { sql, type SqlValue } from '../../sql/sql.js';
import { run } from '../../sql/steps.js';
import { asRows, isRows, isWithin, type MysqlCallback, type MysqlConnection } from './connection.js';
import { prepareWithin } from './prepared.js';

/** Connections to servers that are no node of a cluster. */
const aloneServers = new WeakSet();

/**
 * Numbers go as text: the driver would send them as floating point, and a bound number 0 compared with a text
 * column matches every row.
 */
const bound = (value: SqlValue): string | null => (value === null ? null : String(value));

const ignored = (): void => undefined;

/** Connections that carry every text. */
const carryTexts = new WeakSet();

/**
 * A connection of another character set loses letters without a word, or stores bytes that no other connection reads.
 *
 * @throws StoreError for such a one
 */
async function admit(connection: object): Promise<void> {
  if (carryTexts.has(connection)) return;
  const { rows } = await mysqlDriver.run(connection, sql('select @@character_set_client as name'));
  if (rows[0]?.['name'] !== 'utf8mb4') {
    throw new StoreError('unexpected', 'The connection must have the character set utf8mb4.', { outcome: 'none' });
  }
  carryTexts.add(connection);
}

/** Runs statements on `mysql2` connections; values go beside the statement, never inside its text. */
export const mysqlDriver: Driver = {
  // Repeatable reads would lock gaps, and deadlock commits that have nothing to do with each other.
  begin: ['set transaction isolation level read committed', 'start transaction'],
  async adopt(connection) {
    (connection as MysqlConnection).on('error', ignored);
    await admit(connection);
    // What is decided on, what is answered (1), and what a statement without a transaction changes (2) or adds (4), must be as new as what
    // any node of a cluster has acknowledged.
    const { rows } = await mysqlDriver.run(connection, sql(`show variables like 'wsrep_on'`));
    if (rows[0]?.['Value'] !== 'ON') {
      aloneServers.add(connection);
      return;
    }
    await mysqlDriver.run(connection, sql('set session wsrep_sync_wait = @@wsrep_sync_wait | 7'));
  },
  admit,
  socketOf: (connection) => (connection as MysqlConnection).stream,
  *withStatementTimeout(limit, work) {
    // MySQL takes what only MariaDB knows for a comment.
    yield* run(`set @calends_limit = 0
      /*M!100101 , @calends_limit = @@max_statement_time, max_statement_time = ${limit / 1000} */`);
    const takeBack = () =>
      run('set @calends_limit = @calends_limit /*M!100101 , max_statement_time = @calends_limit */');
    let result;
    try {
      result = yield* work();
    } catch (error) {
      try {
        // A rollback does not: whoever has the connection next, perhaps the host, would have this limit.
        yield* takeBack();
      } catch {
        // What failed first counts; on a connection that is gone, the rollback fails as well.
      }
      throw error;
    }
    yield* takeBack();
    return result;
  },
  ofHost(given) {
    // `mysql2/promise` wraps what takes callbacks. A pool hands out connections, and is none.
    const connection = (given as { readonly connection?: object }).connection ?? given;
    const isConnection = 'execute' in connection && !('getConnection' in connection);
    return isConnection ? { connection, driver: mysqlDriver } : undefined;
  },
  run(connection, { text, values }, isInTransaction) {
    return new Promise<Outcome>((resolve, reject) => {
      const done: MysqlCallback = (error, result) => {
        if (error !== null) reject(error);
        else if (isRows(result)) resolve({ rows: result, affected: 0 });
        // MySQL takes a savepoint outside of a transaction for nothing, and then each statement stands by itself and keeps no lock:
        // where a host has opened none, or a deadlock has ended it.
        else if (text.startsWith('savepoint ') && !isWithin(result)) {
          reject(new StoreError('unexpected', 'No transaction is open on the connection.', { outcome: 'none' }));
        } else resolve({ rows: [], affected: result.affectedRows });
      };
      const client = connection as MysqlConnection;
      const query = asRows(client, text);
      const execute = (): unknown => client.execute(query, values.map(bound), done);
      // Transaction commands are no prepared statements.
      if (values.length === 0) client.query(query, done);
      else if (isInTransaction !== true || aloneServers.has(connection)) execute();
      else prepareWithin(client, query, execute, reject);
    });
  },
};
