import { errorField } from './error-fields.js';

/** Primary result codes of SQLite that tell more than that a statement is wrong. */
const primaryCodes: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
};

/**
 * The result code of an error of `better-sqlite3` or `libsql`; `undefined` for what has none.
 *
 * libsql has no names for extended codes that are younger than its list: `UNKNOWN_SQLITE_ERROR_779`. The lower eight bits
 * of one are its primary code, which decides what to do.
 */
export function sqliteCode(error: unknown): string | undefined {
  const code = errorField(error, 'code');
  const extended = /^UNKNOWN_SQLITE_ERROR_(\d+)$/.exec(code ?? '')?.[1];
  if (extended !== undefined) return `${primaryCodes[Number(extended) & 0xff] ?? 'SQLITE_ERROR'} (${extended})`;
  return code?.startsWith('SQLITE_') === true ? code : undefined;
}
