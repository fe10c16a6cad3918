import type { Check, Column, ColumnKind, Index } from './table.js';

type Columns = readonly Column[];

const ofKind =
  (kind: ColumnKind) =>
  (...names: readonly string[]): Columns =>
    names.map((name) => ({ name, kind }));

/** Short texts that are part of keys. */
export const key = ofKind('key');

/** The same of so many characters. */
export const keyOf = (length: number, ...names: readonly string[]): Columns =>
  key(...names).map((column) => ({ ...column, length }));

/** Texts of any length. */
export const text = ofKind('text');

/** JSON texts. */
export const json = ofKind('json');

/** 64-bit integers. */
export const integer = ofKind('integer');

/** A number that the database gives, in about the order of writing; nothing is written there. */
export const serial = ofKind('serial');

/** The same columns, but null where there is nothing. */
export const optional = (...parts: readonly Columns[]): Columns =>
  parts.flat().map((column) => ({ ...column, nullable: true }));

/** The columns of a table, in order. */
export const columns = (...parts: readonly Columns[]): Columns => parts.flat();

/** A rule under a name of this package. */
export const check = (name: string, condition: string): Check => ({ name: `calends_${name}`, condition });

/** An index under a name of this package. */
export const index = (name: string, on: readonly string[], more: Pick<Index, 'unique' | 'where'> = {}): Index => ({
  name: `calends_${name}`,
  columns: on,
  ...more,
});
