import { StoreError, type StoreErrorReason } from '@calends/core/store';
import { UnavailableError } from '../exit-codes.js';

/** What is wrong, for `/readyz`: closed words without names of files. */
export const shortWords = {
  fileMissing: 'file missing',
  fileRefused: 'file cannot be opened or written',
  fileReplaced: 'file removed or replaced',
  fileDamaged: 'file damaged',
  fileLocked: 'file locked',
  diskFull: 'disk full',
  readOnly: 'read only',
  databaseUnknown: 'unknown database',
  loginRefused: 'login refused',
  rightMissing: 'right missing',
  tlsRefused: 'TLS refused',
  noConnection: 'unreachable',
  connectionsUsedUp: 'connections used up',
  driverUnusable: 'driver cannot be loaded',
  programTooOld: 'program too old',
} as const satisfies Readonly<Record<StoreErrorReason, string>>;

/** What is wrong and what to do, for anyone who has started the program. */
const longWords: Readonly<Record<StoreErrorReason, string>> = {
  fileMissing:
    'there is no database file, or it is empty (DATABASE_URL): is its folder mounted? Set CALENDS_CREATE_DATABASE=on to begin a new database',
  fileRefused:
    'the database file cannot be opened, or not for writing (DATABASE_URL): is it a folder, may the user of this process read and write the file and write to its folder, is the disk read-only?',
  fileReplaced: 'the database file was removed or replaced while it was being opened (DATABASE_URL): start again',
  fileDamaged:
    'the database file is damaged, or is no database (DATABASE_URL): stop every process that uses it, copy it with its -wal file, see what `pragma integrity_check` says in the sqlite3 shell, and restore a backup in the place of the file, its -wal and its -shm',
  fileLocked: 'another process keeps the database file locked (DATABASE_URL): a backup, a shell?',
  diskFull: 'the disk of the database is full (DATABASE_URL)',
  readOnly:
    'the database takes no changes (DATABASE_URL): is it a standby? Else set default_transaction_read_only to off on PostgreSQL, read_only on MariaDB and MySQL',
  databaseUnknown:
    'the server of the database has no database of that name (DATABASE_URL): is it misspelt? Else make it, with `create database`',
  loginRefused:
    'the database refuses the login (DATABASE_URL): are user and password right, and may this user log in from this machine?',
  rightMissing:
    'the user of the database may not do what is needed (DATABASE_URL): to make and change its tables it needs `grant create on schema public to <user>` on PostgreSQL, `grant all on <database>.* to <user>` on MariaDB and MySQL',
  tlsRefused:
    'the database and this process do not agree on TLS (DATABASE_URL): either one side asks for it and the other has none (sslmode), or the certificate is not trusted (NODE_EXTRA_CA_CERTS)',
  noConnection:
    'the database does not answer, no connection comes about (DATABASE_URL): does it run, are host and port right, does a firewall stand between?',
  connectionsUsedUp:
    'the server of the database runs and lets no more connections in (DATABASE_URL): as many are open as it, or this user, may have; end some, let fewer processes open them, or allow more with max_connections',
  driverUnusable:
    'the driver of the database cannot be loaded (DATABASE_URL): libsql, pg or mysql2 is not installed, or not for this machine; install again here, and leave no optional dependency out',
  programTooOld:
    'this program is too old for the tables of the database (DATABASE_URL): a newer one has taken away what this one needs, and no migration leads back; start a newer version, or restore the backup from before',
};

/** A database that cannot be used as it is, in words for a terminal; other faults come back as they are. */
export function inWords(fault: unknown): unknown {
  if (!(fault instanceof StoreError)) return fault;
  const { reason } = fault;
  if (reason !== undefined) return new UnavailableError(longWords[reason], { cause: fault });
  if (fault.code === 'contention') return new UnavailableError(fault.message, { cause: fault });
  if (fault.code !== 'unavailable') return fault;
  return new UnavailableError('the database does not answer (DATABASE_URL)', { cause: fault });
}

/** That steps of the tables wait for older programs to end, one sentence or none: nobody takes them who is not told. */
export const adviceOnSteps = (waiting: readonly string[] = []): readonly string[] =>
  waiting.length === 0
    ? []
    : [
        `${waiting.join(', ')} not taken yet, for a program of an older version may still write: run calends migrate a minute after the last one has ended`,
      ];

/** Tables that a migration brings up to date: a program that is too old for them has the same code, and no migration helps it. */
export const isOlderTables = (fault: unknown): boolean =>
  fault instanceof StoreError && fault.code === 'schema' && fault.reason === undefined;
