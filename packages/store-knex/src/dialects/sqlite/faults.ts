import type { StoreErrorCode, StoreErrorReason } from '@calends/core/store';
import { errorField, transportFault } from '../../faults/error-fields.js';
import { sqliteCode } from '../../faults/sqlite-code.js';
import type { Fault } from '../../faults/store-fault.js';

const byResult: readonly (readonly [begin: string, code: StoreErrorCode, reason?: StoreErrorReason])[] = [
  ['SQLITE_BUSY', 'contention', 'fileLocked'],
  ['SQLITE_LOCKED', 'contention'],
  ['SQLITE_FULL', 'unavailable', 'diskFull'],
  ['SQLITE_IOERR', 'unavailable'], // a disk that fails, or is too full for the file of the shared memory
  ['SQLITE_READONLY', 'unavailable', 'fileRefused'], // by its rights or those of its folder, or on a disk that became read-only
  ['SQLITE_CANTOPEN', 'unavailable', 'fileRefused'],
  ['SQLITE_CORRUPT', 'unavailable', 'fileDamaged'],
  ['SQLITE_NOTADB', 'unavailable', 'fileDamaged'],
  ['SQLITE_PERM', 'unavailable', 'fileRefused'],
  ['SQLITE_AUTH', 'unavailable'],
];

/** What the file system says before SQLite is asked; to a server `ENOENT` would be a socket that is not there. */
const refusals: ReadonlyMap<string | undefined, StoreErrorReason> = new Map([
  ...['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR'].map((code) => [code, 'fileRefused'] as const),
  ...['ENOENT', 'ELOOP', 'ENAMETOOLONG', 'EMFILE', 'ENFILE'].map((code) => [code, 'fileRefused'] as const),
  ...['ENOSPC', 'EDQUOT'].map((code) => [code, 'diskFull'] as const),
]);

/** What Node, and what finds the binary of `better-sqlite3`, say of a driver that cannot be loaded: it is loaded when the first file is opened. */
function isUnloaded(error: unknown): boolean {
  const code = errorField(error, 'code');
  return (
    code === 'ERR_DLOPEN_FAILED' ||
    code === 'MODULE_NOT_FOUND' ||
    Array.isArray((error as { readonly tries?: unknown } | undefined)?.tries)
  );
}

/** Reads an error of `better-sqlite3` or `libsql` by its result code. */
export function sqliteFault(error: unknown): Fault {
  const sign = sqliteCode(error);
  if (sign === undefined) {
    if (isUnloaded(error)) {
      return { code: 'unavailable', sign: errorField(error, 'code') ?? 'driver', reason: 'driverUnusable' };
    }
    // What libsql says of a file that it cannot open, without a code.
    const isUnopened = errorField(error, 'message')?.startsWith('ConnectionFailed(') === true;
    const refusal = isUnopened ? 'SQLITE_CANTOPEN' : errorField(error, 'code');
    const reason = isUnopened ? 'fileRefused' : refusals.get(refusal);
    if (refusal === undefined || reason === undefined) return transportFault(error);
    return { code: 'unavailable', sign: refusal, reason };
  }
  const found = byResult.find(([begin]) => sign.startsWith(begin));
  const undone = !sign.startsWith('SQLITE_IOERR');
  if (found !== undefined) return { code: found[1], sign, reason: found[2], undone };
  // SQLite has one code for every fault in a statement; only its text tells that a table is missing.
  const missing = /^no such (table|column)|has no column named/.test(errorField(error, 'message') ?? '');
  return { code: missing ? 'schema' : 'unexpected', sign, undone };
}
