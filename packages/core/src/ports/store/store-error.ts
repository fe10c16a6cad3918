/** Why a store could not do what it was asked to. */
export type StoreErrorCode =
  /** The database does not answer, its disk is full, or the pool is exhausted; the same call may succeed later. */
  | 'unavailable'
  /** Contention did not end after the bounded retries; the same call may succeed later. */
  | 'contention'
  /** Tables are missing or of another version: run the migrations, or a newer program where the reason is `programTooOld`. */
  | 'schema'
  /** The database is of a kind that does not keep what the library needs, or is not known to: use another, or let it in. */
  | 'engine'
  /** Anything else: a defect. */
  | 'unexpected';

/** Whether what a call should have written may stand after its fault. */
export type StoreErrorOutcome =
  /** Nothing of it was written, and nothing of it will be. */
  | 'none'
  /** It may have been written: the connection was lost, or the answer did not come in time. */
  | 'unknown';

/** What an operator can put right, where the store knows what it is. */
export type StoreErrorReason =
  /** The file of the database is not there, and none is made unless asked for. */
  | 'fileMissing'
  /** The file of the database cannot be opened, or not for writing: its rights or those of its folder, a read-only disk, or it is a folder. */
  | 'fileRefused'
  /** The file of the database was removed, or another lies in its place. */
  | 'fileReplaced'
  /** What the file of the database holds is damaged, or is no database. */
  | 'fileDamaged'
  /** Another process keeps the file of the database locked. */
  | 'fileLocked'
  /** The disk of the database is full. */
  | 'diskFull'
  /** The database answers questions and takes no changes: it is a standby, or was set so. */
  | 'readOnly'
  /** The server has no database of that name. */
  | 'databaseUnknown'
  /** The server does not let this user in: name, password, or where it comes from. */
  | 'loginRefused'
  /** The user is let in and may not do what is needed: make tables, for example. */
  | 'rightMissing'
  /** One side asks for TLS and the other has none, or a certificate is not trusted. */
  | 'tlsRefused'
  /** No connection comes about: nobody listens there, or the name has no address. */
  | 'noConnection'
  /** The package that talks to the database cannot be loaded: it is not installed, or not for this machine or this version of Node. */
  | 'driverUnusable'
  /** The server runs, and lets no more connections in: as many are open as it, or this user, may have. */
  | 'connectionsUsedUp'
  /** The tables are for newer versions of the program only (D76). */
  | 'programTooOld';

/** What a {@link StoreError} may carry beyond its code. */
export interface StoreErrorOptions {
  /** Default: `none` for `contention` and `schema`, else `unknown`. */
  readonly outcome?: StoreErrorOutcome;
  readonly reason?: StoreErrorReason | undefined;
  readonly cause?: unknown;
}

/** A fault of a store; its message holds neither SQL nor values. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  readonly outcome: StoreErrorOutcome;
  /** Absent where the store knows nothing more than the code. */
  readonly reason: StoreErrorReason | undefined;

  constructor(code: StoreErrorCode, message: string, { outcome, reason, cause }: StoreErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
    this.outcome = outcome ?? (code === 'contention' || code === 'schema' || code === 'engine' ? 'none' : 'unknown');
  }
}
