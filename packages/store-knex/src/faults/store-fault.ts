import { StoreError, type StoreErrorCode } from '@calends/core';

/** What a dialect reads from an error of its driver. */
export interface Fault {
  readonly code: StoreErrorCode;
  /** SQLSTATE, errno or result code; never text that may hold values. */
  readonly sign: string;
  readonly constraint?: string | undefined;
}

const messages: Record<StoreErrorCode, string> = {
  unavailable: 'The database is out of reach.',
  contention: 'The database is too busy with rival changes.',
  schema: 'The tables of the database are missing or of another version.',
  unexpected: 'The database refused what it was asked to do.',
};

/** What is left of a driver's error for logs: its code and the constraint, no SQL and no values. */
class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
  readonly sign: string;
  readonly constraint: string | undefined;

  constructor({ sign, constraint }: Fault) {
    super(constraint === undefined ? sign : `${sign} (${constraint})`);
    this.sign = sign;
    this.constraint = constraint;
  }
}

/** The closed error of the port for an error of a driver. */
export function storeError(error: unknown, readFault: (error: unknown) => Fault): StoreError {
  if (error instanceof StoreError) return error;
  const fault = readFault(error);
  return new StoreError(fault.code, messages[fault.code], { cause: new DatabaseFault(fault) });
}
