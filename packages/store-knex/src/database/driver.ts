import type { Sql } from './sql.js';

/** A row as the driver answers it. */
export type Row = Readonly<Record<string, unknown>>;

/** What a statement did. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** Rows inserted, updated or deleted. */
  readonly affected: number;
}

/** How a dialect talks to its driver. */
export interface Driver {
  /** Statements that open a transaction for writing. */
  readonly begin: readonly string[];
  /** Sees every connection before its first statement, once. */
  adopt(connection: object): void;
  /** Runs one statement; faults are the driver's. */
  run(connection: object, statement: Sql): Promise<Outcome> | Outcome;
}
