/** What may be bound to a statement; lists only where a dialect's own SQL unnests them. */
export type SqlValue = string | number | null | readonly (string | number | null)[];

/** A row as the driver answers it. */
export type Row = Readonly<Record<string, unknown>>;

/** What a statement did. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** Rows inserted, updated or deleted. */
  readonly affected: number;
}

/**
 * One connection for as long as a piece of work takes.
 *
 * Statements have `?` for each value and no value in their text.
 */
export interface Session {
  run(text: string, values: readonly SqlValue[]): Promise<Outcome> | Outcome;
}

/** Gives sessions; the only way in which queries reach the database. */
export interface Connections {
  /** Runs work whose statements each stand for themselves. */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Runs work in a transaction, committed when it resolves and rolled back when it rejects. */
  transact<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
}

/** How a dialect talks to its driver. */
export interface Driver {
  /** Statements that open a transaction for writing. */
  readonly begin: readonly string[];
  /** Sees every connection before its first statement, once. */
  adopt(connection: object): void;
  /** Runs one statement; faults are the driver's. */
  run(connection: object, text: string, values: readonly SqlValue[]): Promise<Outcome> | Outcome;
}
