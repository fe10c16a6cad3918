/**
 * What a column holds.
 *
 * `key`: short text that is part of keys and compares by code point; `text`: text of any length that is sorted or
 * only kept; `json`: JSON text; `integer`: 64 bits: instants (epoch milliseconds), versions, durations, flags; `serial`: a
 * number that the database gives, in about the order of writing, as the whole primary key.
 */
export type ColumnKind = 'key' | 'text' | 'json' | 'integer' | 'serial';

/** One column of a table. */
export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable?: true;
  /** Characters of a `key`; 128 unless told. */
  readonly length?: number;
}

/** A rule that every row must keep, in SQL that all databases understand. */
export interface Check {
  readonly name: string;
  readonly condition: string;
}

/** An index beside the primary key. */
export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  /** True when no two rows may have the same values. */
  readonly unique?: true;
  /** Only rows that fulfil this are indexed, where the database can do so. */
  readonly where?: string;
}

/** A table as migrations make it; each dialect writes it in its own words. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  /** True for small rows that are kept in the order of their primary key, where the database can do so. */
  readonly clustered?: true;
  readonly checks?: readonly Check[];
  readonly indices?: readonly Index[];
}

/** What a later migration adds to a table; the columns hold null in the rows that are there. */
export interface Addition {
  readonly table: string;
  readonly columns: readonly Column[];
  /** Rules of the new columns, with those that were there. */
  readonly checks?: readonly Check[];
  readonly indices?: readonly Index[];
}

/** How a dialect writes each kind of column. */
export type ColumnTypes = Readonly<Record<ColumnKind, (column: Column) => string>>;

/** Columns, primary key and checks, as they stand between the parentheses of `create table`. */
export function tableElements(table: Table, types: ColumnTypes): readonly string[] {
  return [
    ...table.columns.map((column) => columnElement(column, types)),
    `primary key (${table.primaryKey.join(', ')})`,
    ...(table.checks ?? []).map(checkElement),
  ];
}

/** A column, as it stands in `create table` and `add column`. */
export function columnElement(column: Column, types: ColumnTypes): string {
  const type = types[column.kind](column);
  return `${column.name} ${type}${column.nullable === true ? '' : ' not null'}`;
}

/** A rule, as it stands in `create table` and after `add`. */
export const checkElement = ({ name, condition }: Check): string => `constraint ${name} check (${condition})`;

/** The statement that makes an index, where it may be repeated and may hold a part of the rows; `way` is how it is built. */
export function indexStatement(table: string, { name, columns, unique, where }: Index, way = ''): string {
  const kind = unique === true ? 'unique index' : 'index';
  const part = where === undefined ? '' : ` where ${where}`;
  return `create ${kind}${way} if not exists ${name} on ${table} (${columns.join(', ')})${part}`;
}

/** The statements that make a table with its indices, where they may be repeated; `options` follow its elements. */
export const createStatements = (table: Table, types: ColumnTypes, options = ''): readonly string[] => [
  `create table if not exists ${table.name} (${tableElements(table, types).join(', ')})${options}`,
  ...(table.indices ?? []).map((index) => indexStatement(table.name, index)),
];

/**
 * The statements that add columns and indices, where a column is added by itself: the rules go with the last one, which is the
 * only way to add them where they are missing.
 */
export function additionStatements(
  { table, columns, checks = [], indices = [] }: Addition,
  types: ColumnTypes,
  addColumn: string,
): readonly { readonly column?: string; readonly text: string }[] {
  const rules = checks.map((rule) => ` ${checkElement(rule)}`).join('');
  return [
    ...columns.map((column, index) => ({
      column: column.name,
      text: `alter table ${table} ${addColumn} ${columnElement(column, types)}${index === columns.length - 1 ? rules : ''}`,
    })),
    ...indices.map((index) => ({ text: indexStatement(table, index) })),
  ];
}
