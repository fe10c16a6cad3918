import type { Driver, Outcome, Row } from '../../database/driver.js';
import type { SqlValue } from '../../database/sql.js';

/** What is used of a `mysql2` connection. */
interface MysqlConnection {
  on(event: 'error', listener: () => void): unknown;
  query(text: string, callback: MysqlCallback): unknown;
  execute(text: string, values: readonly (string | null)[], callback: MysqlCallback): unknown;
}

type MysqlCallback = (error: Error | null, result: readonly Row[] | { readonly affectedRows: number }) => void;

/**
 * Numbers go as text: the driver would send them as floating point, and a bound number 0 compared with a text
 * column matches every row.
 */
const bound = (value: SqlValue): string | null => (value === null ? null : String(value));

const isRows = (result: readonly Row[] | { readonly affectedRows: number }): result is readonly Row[] =>
  Array.isArray(result);

const ignored = (): void => undefined;

/** Runs statements on `mysql2` connections; values go beside the statement, never inside its text. */
export const mysqlDriver: Driver = {
  // Repeatable reads would lock gaps, and deadlock commits that have nothing to do with each other.
  begin: ['set transaction isolation level read committed', 'start transaction'],
  adopt(connection) {
    (connection as MysqlConnection).on('error', ignored);
  },
  run(connection, { text, values }) {
    return new Promise<Outcome>((resolve, reject) => {
      const done: MysqlCallback = (error, result) => {
        if (error !== null) reject(error);
        else if (isRows(result)) resolve({ rows: result, affected: 0 });
        else resolve({ rows: [], affected: result.affectedRows });
      };
      const client = connection as MysqlConnection;
      // Transaction commands are no prepared statements.
      if (values.length === 0) client.query(text, done);
      else client.execute(text, values.map(bound), done);
    });
  },
};
