import { StoreError, type StoreErrorCode, type StoreErrorOutcome, type StoreErrorReason } from '@calends/core/store';

/** What a dialect reads from an error of its driver. */
export interface Fault {
  readonly code: StoreErrorCode;
  /** SQLSTATE, errno or result code; never text that may hold values. */
  readonly sign: string;
  readonly constraint?: string | undefined;
  /** What an operator can put right. */
  readonly reason?: StoreErrorReason | undefined;
  /** True when the database has undone the statement; what it does not answer, it may have done. */
  readonly undone?: boolean | undefined;
}

const messages: Record<StoreErrorCode, string> = {
  unavailable: 'The database is out of reach.',
  contention: 'The database is too busy with rival changes.',
  schema: 'The tables of the database are missing or of another version: run the migrations.',
  engine: 'The database is not of a kind that is proven.',
  unexpected: 'The database refused what it was asked to do.',
};

/** More than the code says. */
const reasons: Record<StoreErrorReason, string> = {
  fileMissing: 'There is no database file, and none is made unless asked for.',
  fileRefused:
    'The database file cannot be opened, or not for writing: see whether the user of this process may write to it and its folder.',
  fileReplaced: 'The database file was removed or replaced: put it back, or restart.',
  fileDamaged:
    'The database file is damaged: look with pragma integrity_check, and restore a backup in the place of the file, its -wal and its -shm.',
  fileLocked: 'Another process keeps the database file locked.',
  diskFull: 'The disk of the database is full.',
  readOnly: 'The database takes no changes: it is a standby, or was set to be read only.',
  databaseUnknown: 'The server has no database of this name.',
  loginRefused: 'The database refuses the login.',
  rightMissing: 'The user of the database has not the rights that are needed.',
  tlsRefused: 'The database and its client do not agree on TLS.',
  noConnection: 'No connection to the database comes about.',
  connectionsUsedUp: 'The database lets no more connections in.',
  driverUnusable:
    'The driver of the database cannot be loaded: it is not installed, or not for this machine or this version of Node.',
  programTooOld: 'The tables of the database are for newer versions of this program only.',
};

const messageOf = ({ code, reason }: Fault): string => (reason === undefined ? messages[code] : reasons[reason]);

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
  const read = readFault(error);
  const isBeforeAll = read.code === 'unexpected' && isUnconnected(error);
  const fault: Fault = isBeforeAll ? { ...read, code: 'unavailable', reason: 'noConnection' } : read;
  return new StoreError(fault.code, messageOf(fault), {
    reason: fault.reason,
    cause: new DatabaseFault(fault),
    ...(isUndone(error) ? { outcome: 'none' } : {}),
  });
}

/** A fault that only the reason tells, before or after the database was asked. */
export const knownFault = (
  reason: StoreErrorReason,
  outcome: StoreErrorOutcome,
  { code = 'unavailable', cause }: { readonly code?: StoreErrorCode; readonly cause?: unknown } = {},
): StoreError => new StoreError(code, reasons[reason], { reason, outcome, cause });

const unconnected = new WeakSet();

/** Notes that no connection came about: whatever the database said to that, it is out of reach. */
export function noteUnconnected(error: unknown): void {
  if (typeof error === 'object' && error !== null) unconnected.add(error);
}

/** Tells whether that is known of an error. */
export const isUnconnected = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && unconnected.has(error);

const undone = new WeakSet();

/** Notes that the work which ended with this error has left nothing behind, and will not. */
export function noteUndone(error: unknown): void {
  if (typeof error === 'object' && error !== null) undone.add(error);
}

/** Tells whether that is known of an error. */
export const isUndone = (error: unknown): boolean => typeof error === 'object' && error !== null && undone.has(error);
