import type { Check, Column } from './table.js';

/** Short text that is part of keys. */
export const key = (name: string, length?: number): Column =>
  length === undefined ? { name, kind: 'key' } : { name, kind: 'key', length };

/** Text of any length. */
export const text = (name: string): Column => ({ name, kind: 'text' });

/** JSON text. */
export const json = (name: string): Column => ({ name, kind: 'json' });

/** A 64-bit integer. */
export const integer = (name: string): Column => ({ name, kind: 'integer' });

/** The same column, but null where there is nothing. */
export const optional = (column: Column): Column => ({ ...column, nullable: true });

/** A rule under a name of this package. */
export const check = (name: string, condition: string): Check => ({ name: `calends_${name}`, condition });
