import type { Outcome } from '../sql/rows.js';
import type { Sql } from '../sql/sql.js';
import type { Steps } from '../sql/steps.js';

/** How a dialect talks to its driver. */
export interface Driver {
  /** Statements that open a transaction for writing. */
  readonly begin: readonly string[];
  /** Whether the library of the driver is the database: two of them on one file undo each other's locks (see `hostTransaction`). */
  readonly isDatabase?: true;
  /** Sees every connection before its first statement, once, and sets on it what all its statements need. */
  adopt(connection: object): Promise<void> | void;
  /** Refuses a connection of the host on which texts would not be what they are; absent where there is none such. */
  admit?(connection: object): Promise<void>;
  /** The socket of a connection; `undefined` where the database lives in this process and cannot be cut off. */
  socketOf(connection: object): { destroy(): unknown } | undefined;
  /** Work within a transaction whose statements may each take this long, in milliseconds. */
  withStatementTimeout<Result>(limit: number, work: () => Steps<Result>): Steps<Result>;
  /**
   * How to work on what a host gives in the place of a connection, on which it has a transaction open; `undefined` for
   * what is none, or has none open as far as can be seen.
   */
  ofHost(given: object): HostConnection | undefined;
  /** Runs one statement, of an open transaction or one that stands by itself; faults are the driver's. */
  run(connection: object, statement: Sql, isInTransaction?: boolean): Promise<Outcome> | Outcome;
}

/** A connection of the host with a transaction open on it. */
export interface HostConnection {
  readonly connection: object;
  readonly driver: Pick<Driver, 'admit' | 'run' | 'socketOf'>;
  /** Absent where only the database knows, and says it when the next change begins. */
  readonly isOver?: () => boolean;
}
