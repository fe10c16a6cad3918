import type { StoreErrorCode } from '@calends/core';
import { errorField, transportFault } from '../../faults/error-fields.js';
import type { Fault } from '../../faults/store-fault.js';

const byNumber: Readonly<Record<string, StoreErrorCode>> = {
  1213: 'contention', // deadlock
  1205: 'contention', // lock wait timeout: only the statement was rolled back
  1020: 'contention', // record has changed since last read
  1146: 'schema', // no such table
  1054: 'schema', // unknown column
  3: 'unavailable', // a file cannot be written: disk full
  1021: 'unavailable', // disk full
  1026: 'unavailable', // a file cannot be written
  1030: 'unavailable', // the storage engine failed: disk full, or broken
  1114: 'unavailable', // table full
  1040: 'unavailable', // too many connections
  1044: 'unavailable', // access denied to the database
  1045: 'unavailable', // access denied
  1049: 'unavailable', // unknown database
  1053: 'unavailable', // shut-down in progress
  1203: 'unavailable', // too many connections of the user
  1290: 'unavailable', // read-only
  1317: 'unavailable', // interrupted
  1969: 'unavailable', // took longer than max_statement_time
  3024: 'unavailable', // took longer than max_execution_time
  1836: 'unavailable', // read-only
  1927: 'unavailable', // connection was killed
  4031: 'unavailable', // disconnected for inactivity
};

/** Of a server or a connection that ends: its last statement may still have been done. */
const unfinished = new Set(['1053', '1180', '1927', '4031']);

const lost = new Set(['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT', 'ECONNRESET']);

/** Reads an error of `mysql2` by its errno. */
export function mysqlFault(error: unknown): Fault {
  const code = errorField(error, 'code');
  if (code !== undefined && lost.has(code)) return { code: 'unavailable', sign: code };
  const number = errorField(error, 'errno');
  if (number === undefined || errorField(error, 'sqlState') === undefined) return transportFault(error);
  return { code: byNumber[number] ?? 'unexpected', sign: `errno ${number}`, undone: !unfinished.has(number) };
}

/** Tells whether a row of the same key stands already. */
export const isDuplicateKey = (error: unknown): boolean => errorField(error, 'errno') === '1062';
