import { CalendsError } from '@calends/core';

/** What may be logged of a fault. */
export interface FaultFields {
  readonly name: string;
  readonly code?: string;
  /** SQLSTATE or error number of a database, as the Knex store passes it on. */
  readonly sign?: string;
  /** Only of errors whose text never holds a value. */
  readonly message?: string;
  /** Where it happened; the first line of a stack, which repeats the message, is left out. */
  readonly at?: string;
  readonly cause?: FaultFields;
}

const maxCauses = 3;

/** Describes a fault by name, code and place: the text of a driver's error holds SQL and values (security model). */
export function faultFields(fault: unknown, depth = 0): FaultFields {
  if (!(fault instanceof Error)) return { name: typeof fault };
  const { name, stack = '', cause } = fault;
  const code = 'code' in fault && (typeof fault.code === 'string' || typeof fault.code === 'number');
  const frames = stack.split('\n').filter((line) => /^ {4}at .+:\d+:\d+\)?$/.test(line));
  return {
    name,
    ...(code ? { code: String(fault.code) } : {}),
    ...('sign' in fault && typeof fault.sign === 'string' ? { sign: fault.sign } : {}),
    ...(isOurs(fault) ? { message: fault.message } : {}),
    ...(depth === 0 && frames.length > 0 ? { at: frames.map((line) => line.trim()).join('\n') } : {}),
    ...(cause === undefined || depth === maxCauses ? {} : { cause: faultFields(cause, depth + 1) }),
  };
}

/** By name: two copies of the core may be loaded. */
function isOurs(fault: Error): boolean {
  return CalendsError.is(fault) || fault.name === 'StoreError';
}
