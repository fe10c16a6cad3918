import { type FieldKind, type Row, type TableNames, text } from '../sql/rows.js';
import { places, type SqlValue } from '../sql/sql.js';

/** A column: what is written there, and which field of the record is read from it. */
export interface Column<Given, Field extends string = never, Extra = unknown> {
  readonly holds: FieldKind | 'json' | 'flag';
  /** The field that it holds; else `write` tells what is written, and only what completes the record reads it. */
  readonly field?: Field;
  readonly write?: (given: Given, extra: Extra) => Value;
  /** What null is in the record; `never` where the table keeps it out. */
  readonly none: 'never' | 'null' | 'absent';
}

type Columns<Given, Extra> = Readonly<Record<string, Column<Given, string, Extra>>>;
type FieldsWith<Given, Value> = {
  [Field in keyof Given]-?: Given[Field] extends Value ? Field : never;
}[keyof Given] &
  string;
type Value = SqlValue | undefined;

const fieldColumn = <Given, Field extends string>(
  field: Field,
  holds: Column<Given>['holds'],
  none: Column<Given>['none'] = 'never',
): Column<Given, Field> => ({ field, holds, none });

/** Makes the columns of records; `Extra` is what is written that the record does not say. */

export const columnsOf = <Given extends object, Extra = unknown>() => ({
  text: <Field extends FieldsWith<Given, string>>(field: Field) => fieldColumn<Given, Field>(field, 'text'),
  integer: <Field extends FieldsWith<Given, number>>(field: Field) => fieldColumn<Given, Field>(field, 'integer'),
  flag: <Field extends FieldsWith<Given, boolean>>(field: Field) => fieldColumn<Given, Field>(field, 'flag'),
  json: <Field extends keyof Given & string>(field: Field) => fieldColumn<Given, Field>(field, 'json'),
  optionalText: <Field extends FieldsWith<Given, string | undefined>>(field: Field) =>
    fieldColumn<Given, Field>(field, 'text', 'absent'),
  optionalInteger: <Field extends FieldsWith<Given, number | undefined>>(field: Field) =>
    fieldColumn<Given, Field>(field, 'integer', 'absent'),
  optionalJson: <Field extends keyof Given & string>(field: Field) =>
    fieldColumn<Given, Field>(field, 'json', 'absent'),
  nullableText: <Field extends FieldsWith<Given, string | null>>(field: Field) =>
    fieldColumn<Given, Field>(field, 'text', 'null'),
  nullableInteger: <Field extends FieldsWith<Given, number | null>>(field: Field) =>
    fieldColumn<Given, Field>(field, 'integer', 'null'),
  /** Nothing is read from it. */
  written: (holds: FieldKind, write: (given: Given, extra: Extra) => Value): Column<Given, never, Extra> => ({
    holds,
    none: 'never',
    write,
  }),
});

/** A table and how records lie in it. */
export interface Table<Given, Key, Field extends string, Extra> extends TableNames {
  readonly columns: Columns<Given, Extra>;
  /** Begins the names of its columns in {@link TableNames.as}. */
  readonly prefix: string;
  readonly values: (given: Given, ...extra: Extras<Extra>) => readonly SqlValue[];
  readonly keyValues: (key: Key) => readonly SqlValue[];
  readonly otherValues: (given: Given, ...extra: Extras<Extra>) => readonly SqlValue[];
  /** Only for the compiler: the fields of the record that are read. */
  readonly read?: Field;
}

type Extras<Extra> = unknown extends Extra ? [] : [extra: Extra];

/** What each column of a key can be written of. */
type KeyOf<Key extends Columns<never, never>> = Parameters<NonNullable<Key[keyof Key]['write']>>[0];

const kindOf = ({ holds }: Pick<Column<never>, 'holds'>): FieldKind =>
  holds === 'integer' || holds === 'flag' ? 'integer' : 'text';

function writer<Given extends object, Extra>(columns: readonly Column<Given, string, Extra>[]) {
  return (given: Given, extra?: Extra): readonly SqlValue[] => {
    const values: SqlValue[] = [];
    for (const column of columns) values.push(written(given, extra as Extra, column));
    return values;
  };
}

function written<Given extends object, Extra>(
  given: Given,
  extra: Extra,
  { field = '', holds, write }: Column<Given, string, Extra>,
): SqlValue {
  if (write !== undefined) return write(given, extra) ?? null;
  const value = (given as Readonly<Record<string, unknown>>)[field] ?? null;
  if (holds === 'flag') return value === true ? 1 : 0;
  return holds === 'json' && value !== null ? JSON.stringify(value) : (value as SqlValue);
}

/** Makes a table: first the columns of its key, then the others. */
export const tableOf =
  <Given extends object, Extra = unknown>(name: string, prefix = '') =>
  <Key extends Columns<never, Extra>, Others extends Columns<Given, Extra>>(
    keyColumns: Key & Columns<Given, Extra>,
    otherColumns: Others,
  ): Table<Given, KeyOf<Key>, NonNullable<(Key[keyof Key] | Others[keyof Others])['field']>, Extra> => {
    const columns: Columns<Given, Extra> = { ...keyColumns, ...otherColumns };
    const [names, key, others] = [columns, keyColumns, otherColumns].map(Object.keys) as [string[], string[], string[]];
    const insert = `insert into ${name} (${names.join(', ')}) values (${places(names.length)})`;
    const keyWriter = writer(Object.values<Column<Given, string, Extra>>(keyColumns));
    return {
      name,
      prefix,
      columns,
      names,
      key,
      others,
      fields: Object.fromEntries(Object.entries(columns).map(([column, each]) => [column, kindOf(each)])),
      list: names.join(', '),
      as: (alias) => names.map((column) => `${alias}.${column} as ${prefix}${column}`).join(', '),
      isKey: key.map((column) => `${column} = ?`).join(' and '),
      insert,
      upsert: `${insert} on conflict (${key.join(', ')})
        do update set ${others.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      replace: `update ${name} set ${others.map((column) => `${column} = ?`).join(', ')} where`,
      values: writer(Object.values(columns)),
      keyValues: keyWriter,
      otherValues: writer(Object.values(otherColumns)),
    };
  };

/** What a row gives by its columns, to be completed in place. */
export type Part<Given, Field> = { -readonly [Name in keyof Given & Field]: Given[Name] };

/**
 * Reads rows, exactly as they were written: what was absent stays absent. What columns do not say, `complete` adds.
 *
 * For records of a dozen fields: wider ones are slow to put together field by field, and read by a literal.
 */
export function readerOf<Given, Key, Field extends string, Extra>(
  { columns, prefix }: Table<Given, Key, Field, Extra>,
  ...[complete]: Exclude<keyof Given, Field> extends never
    ? []
    : [complete: (part: Part<Given, Field>, row: Row) => Given]
): (row: Row) => Given {
  const read = Object.entries(columns).flatMap(([name, { field, holds, none }]) =>
    field === undefined ? [] : [{ column: prefix + name, field, holds, none }],
  );
  return (row) => {
    const record: Record<string, unknown> = {};
    for (const { column, field, holds, none } of read) {
      const value = row[column];
      if (value === null && none !== 'never') {
        if (none === 'null') record[field] = null;
      } else if (holds === 'integer') record[field] = Number(value);
      else record[field] = holds === 'json' ? JSON.parse(text(row, column)) : text(row, column);
    }
    const part = record as Part<Given, Field>;
    return complete === undefined ? (part as Given) : complete(part, row);
  };
}
