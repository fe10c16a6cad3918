import type { Row } from '../../sql/rows.js';

/** What is used of a `mysql2` connection. */
export interface MysqlConnection {
  readonly stream: { destroy(): unknown };
  on(event: 'error', listener: () => void): unknown;
  query(text: string, callback: MysqlCallback): unknown;
  execute(text: string, values: readonly (string | null)[], callback: MysqlCallback): unknown;
  /** Answers with the same statement as before while the connection keeps it. */
  prepare(text: string, callback: (error: Error | null, statement: MysqlStatement) => void): unknown;
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

export const isRows = (result: MysqlResult): result is readonly Row[] => Array.isArray(result);

/** Whether a statement belonged to a transaction that goes on. */
export const isWithin = ({ serverStatus }: MysqlState): boolean =>
  (serverStatus & (transactionOpen | autocommit)) !== autocommit;
