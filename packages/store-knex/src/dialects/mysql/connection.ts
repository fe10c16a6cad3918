import type { Row } from '../../sql/rows.js';

/** Makes a value of a field; `next` makes what it is by default. */
type TypeCast = (field: unknown, next: () => unknown) => unknown;

/** A statement, and how its rows are read: whatever the host has set for statements of its own. */
export interface MysqlQuery {
  readonly sql: string;
  readonly typeCast: true | TypeCast;
  readonly rowsAsArray: false;
  readonly nestTables: false;
}

/** What is used of a `mysql2` connection. */
export interface MysqlConnection {
  readonly stream: { destroy(): unknown };
  readonly config: { readonly typeCast?: unknown };
  on(event: 'error', listener: () => void): unknown;
  query(query: MysqlQuery, callback: MysqlCallback): unknown;
  execute(query: MysqlQuery, values: readonly (string | null)[], callback: MysqlCallback): unknown;
  /** Answers with the same statement as before while the connection keeps it. */
  prepare(query: MysqlQuery, callback: (error: Error | null, statement: MysqlStatement) => void): unknown;
}

export type MysqlCallback = (error: Error | null, result: MysqlResult) => void;
export type MysqlResult = readonly Row[] | MysqlState;
export type MysqlStatement = object;

/** How the server stands after a statement that answers no rows. */
interface MysqlState {
  readonly affectedRows: number;
  readonly serverStatus: number;
}

/** Of `serverStatus`: a transaction is open, and whether every statement is one of its own where none is. */
const transactionOpen = 1;
const autocommit = 2;

const asItIs: TypeCast = (_field, next) => next();

/**
 * A statement whose rows are read as if the host had set nothing. Only a function stands before one of the host's.
 *
 * Prepared and executed under the same settings, or the connection prepares it twice.
 */
export const asRows = ({ config }: MysqlConnection, text: string): MysqlQuery => ({
  sql: text,
  typeCast: typeof config.typeCast === 'function' ? asItIs : true,
  rowsAsArray: false,
  nestTables: false,
});

export const isRows = (result: MysqlResult): result is readonly Row[] => Array.isArray(result);

/** Whether a statement belonged to a transaction that goes on. */
export const isWithin = ({ serverStatus }: MysqlState): boolean =>
  (serverStatus & (transactionOpen | autocommit)) !== autocommit;
