import type { StoreErrorCode } from '@calends/core';
import { errorField, transportFault } from '../../faults/error-fields.js';
import type { Fault } from '../../faults/store-fault.js';

const byResult: readonly (readonly [begin: string, code: StoreErrorCode])[] = [
  ['SQLITE_BUSY', 'contention'],
  ['SQLITE_LOCKED', 'contention'],
  ['SQLITE_FULL', 'unavailable'],
  ['SQLITE_IOERR', 'unavailable'], // a disk that fails, or is too full for the file of the shared memory
  ['SQLITE_READONLY', 'unavailable'], // a disk that became read-only
  ['SQLITE_CANTOPEN', 'unavailable'],
  ['SQLITE_NOTADB', 'unavailable'],
  ['SQLITE_PERM', 'unavailable'],
  ['SQLITE_AUTH', 'unavailable'],
];

/** Reads an error of `better-sqlite3` or `libsql` by its result code. */
export function sqliteFault(error: unknown): Fault {
  const sign = errorField(error, 'code');
  if (sign?.startsWith('SQLITE_') !== true) return transportFault(error);
  const found = byResult.find(([begin]) => sign.startsWith(begin));
  if (found !== undefined) return { code: found[1], sign };
  // SQLite has one code for every fault in a statement; only its text tells that a table is missing.
  const missing = /^no such (table|column)|has no column named/.test(errorField(error, 'message') ?? '');
  return { code: missing ? 'schema' : 'unexpected', sign };
}
