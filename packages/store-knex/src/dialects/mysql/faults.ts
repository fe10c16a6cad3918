import type { StoreErrorCode, StoreErrorReason } from '@calends/core/store';
import { errorField, transportFault } from '../../faults/error-fields.js';
import type { Fault } from '../../faults/store-fault.js';

const byNumber: Readonly<Record<string, StoreErrorCode>> = {
  1213: 'contention', // deadlock
  1205: 'contention', // lock wait timeout: only the statement was rolled back
  1020: 'contention', // record has changed since last read
  1146: 'schema', // no such table
  1054: 'schema', // unknown column
  3: 'unavailable', // a file cannot be written: disk full
  1026: 'unavailable', // a file cannot be written
  1030: 'unavailable', // the storage engine failed: disk full, or broken
  1114: 'unavailable', // table full
  1047: 'unavailable', // a node of a cluster that has lost the others
  1053: 'unavailable', // shut-down in progress
  1180: 'unavailable', // a commit failed: a full disk, or a node of a cluster that lost the others meanwhile
  1226: 'unavailable', // more connections or statements than the account may have
  1317: 'unavailable', // interrupted
  1969: 'unavailable', // took longer than max_statement_time
  3024: 'unavailable', // took longer than max_execution_time
  1927: 'unavailable', // connection was killed
  4031: 'unavailable', // disconnected for inactivity
};

/** What an operator must put right; all of them are `unavailable`. */
const reasons: Readonly<Record<string, StoreErrorReason>> = {
  1021: 'diskFull',
  1040: 'connectionsUsedUp', // of the server
  1044: 'rightMissing', // access denied to the database, which may also not exist
  1045: 'loginRefused', // access denied
  1049: 'databaseUnknown',
  1129: 'loginRefused', // not from this host any more: too many of its connections failed
  1130: 'loginRefused', // not from this host
  1142: 'rightMissing', // to a table
  1143: 'rightMissing', // to a column
  1203: 'connectionsUsedUp', // of the user
  1227: 'rightMissing', // one of the whole server
  1290: 'readOnly', // the server
  1698: 'loginRefused', // access denied without a password
  1792: 'readOnly', // the session
  1836: 'readOnly', // the server, by another variable
  3159: 'tlsRefused', // the server asks for it
  4151: 'loginRefused', // the account is locked
};

/** Of an account that has as many connections as it may; the same number as for its statements of an hour. */
const forConnections = /'max_user_connections'/;

function reasonOf(number: string, error: unknown): StoreErrorReason | undefined {
  if (number !== '1226') return reasons[number];
  return forConnections.test(errorField(error, 'message') ?? '') ? 'connectionsUsedUp' : undefined;
}

/** Of a server or a connection that ends: its last statement may still have been done. */
const unfinished = new Set(['1053', '1180', '1927', '4031']);

const lost = new Set(['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_SEQUENCE_TIMEOUT', 'ECONNRESET']);

/** Reads an error of `mysql2` by its errno. */
export function mysqlFault(error: unknown): Fault {
  const text = errorField(error, 'code');
  if (text !== undefined && lost.has(text)) return { code: 'unavailable', sign: text };
  const number = errorField(error, 'errno');
  if (number === undefined || errorField(error, 'sqlState') === undefined) return transportFault(error);
  const reason = reasonOf(number, error);
  const code = reason === undefined ? (byNumber[number] ?? 'unexpected') : 'unavailable';
  return { code, sign: `errno ${number}`, reason, undone: !unfinished.has(number) };
}

/** Tells whether a row of the same key stands already. */
export const isDuplicateKey = (error: unknown): boolean => errorField(error, 'errno') === '1062';
