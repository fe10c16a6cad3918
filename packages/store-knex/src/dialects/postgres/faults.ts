import type { StoreErrorCode, StoreErrorReason } from '@calends/core/store';
import { errorField, transportFault } from '../../faults/error-fields.js';
import type { Fault } from '../../faults/store-fault.js';

const bySqlState: Readonly<Record<string, StoreErrorCode>> = {
  '40001': 'contention', // serialization_failure
  '40P01': 'contention', // deadlock_detected
  '55P03': 'unavailable', // lock_not_available: it waited as long as it may, another try would wait again
  '42P01': 'schema', // undefined_table
  '42703': 'schema', // undefined_column
  '3F000': 'schema', // invalid_schema_name
  '3D000': 'unavailable', // invalid_catalog_name
  '42501': 'unavailable', // insufficient_privilege
  '58000': 'unavailable', // system_error
  '58030': 'unavailable', // io_error
  '55000': 'unavailable', // object_not_in_prerequisite_state: a database that takes no connections
  '25P03': 'unavailable', // idle_in_transaction_session_timeout
  '25006': 'unavailable', // read_only_sql_transaction: a standby, after a fail-over
};

const byClass: Readonly<Record<string, StoreErrorCode>> = {
  '08': 'unavailable', // connection exceptions
  '28': 'unavailable', // not let in
  '53': 'unavailable', // disk full, out of memory, too many connections
  '57': 'unavailable', // shut down, cancelled by the operator
};

/** Of `pg_hba.conf`, which lets users in by whether their connection is encrypted; the same SQLSTATE as a wrong password. */
const forWantOfTls = /, (no encryption|SSL off|SSL on|SSL encryption)$/;

/** What an operator must put right. */
const reasons: Readonly<Record<string, StoreErrorReason>> = {
  '25006': 'readOnly',
  '3D000': 'databaseUnknown',
  '42501': 'rightMissing',
  '53100': 'diskFull',
  '53300': 'connectionsUsedUp', // of the server, the database or the role
};

function reasonOf(state: string, error: unknown): StoreErrorReason | undefined {
  const reason = reasons[state];
  if (reason !== undefined) return reason;
  if (!state.startsWith('28')) return undefined;
  return forWantOfTls.test(errorField(error, 'message') ?? '') ? 'tlsRefused' : 'loginRefused';
}

/** Tells whether a row of the same key stands already. */
export const isDuplicateKey = (error: unknown): boolean => errorField(error, 'code') === '23505';

/** Reads an error of `pg` or PGlite by its SQLSTATE. */
export function postgresFault(error: unknown): Fault {
  const state = errorField(error, 'code');
  if (state === undefined || !/^[0-9A-Z]{5}$/.test(state) || !/\d/.test(state)) return transportFault(error);
  const code = bySqlState[state] ?? byClass[state.slice(0, 2)] ?? 'unexpected';
  return {
    code,
    sign: state,
    reason: reasonOf(state, error),
    constraint: errorField(error, 'constraint'),
    undone: !/^(08|57P|40003)/.test(state),
  };
}
