/** A row as the driver answers it. */
export type Row = Readonly<Record<string, unknown>>;

/** What a statement did. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** Rows inserted, updated or deleted. */
  readonly affected: number;
}

/** Whether a column holds text or a 64-bit integer, as far as binding and reading go. */
export type FieldKind = 'text' | 'integer';

/** Columns of a table that are written, in the order in which their values stand. */
export type Fields = Readonly<Record<string, FieldKind>>;

/** The text of a column. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`Column ${column} holds no text.`);
  return value;
}

/** The text of a column; null is absent. */
export const optionalText = (row: Row, column: string): string | undefined =>
  row[column] === null ? undefined : text(row, column);

/** The integer of a column; drivers answer 64 bits as a number, a string or a bigint. */
export const integer = (row: Row, column: string): number => Number(row[column]);

/** The integer of a column; null is absent. */
export const optionalInteger = (row: Row, column: string): number | undefined =>
  row[column] === null ? undefined : Number(row[column]);

/** The JSON of a column. */
export const json = (row: Row, column: string): unknown => JSON.parse(text(row, column));

/** A row with other values in some columns. Rows may look their columns up, so a copy of one has none. */
export const withColumns = (row: Row, columns: Row): Row =>
  Object.create(row, Object.getOwnPropertyDescriptors(columns)) as Row;

/** A row as the driver reads it when it is asked for lists: quicker to get across from the native side than an object. */
export type Cells = readonly unknown[];

/** Makes a row of its cells. */
type RowMaker = (cells: Cells) => Row;

/** Gives cells names. */
interface NamedCells {
  readonly cells: Cells;
}

/**
 * Makes rows that look their columns up in the list of cells. A claim has dozens of columns, and an object with as many
 * fields costs more than reading them.
 *
 * Columns of one name are told by the last of them, as drivers do it.
 */
function rowMaker(names: readonly string[]): RowMaker {
  const columns: object = Object.create(null) as object;
  for (const [index, name] of names.entries()) {
    Object.defineProperty(columns, name, {
      get(this: NamedCells) {
        return this.cells[index];
      },
      configurable: true,
    });
  }
  function NamedRow(this: { cells: Cells }, cells: Cells): void {
    this.cells = cells;
  }
  NamedRow.prototype = columns;
  const Constructor = NamedRow as unknown as new (cells: Cells) => Row;
  return (cells) => new Constructor(cells);
}

/** Gives the rows of one statement names. */
export class NamedRows {
  #known: { readonly columns: number; readonly make: RowMaker } | undefined;

  /** `columns` are looked at when they are as many as never before: one more is what a migration makes of `select *`. */
  of(columns: readonly { readonly name: string }[], rows: readonly Cells[]): readonly Row[] {
    if (rows.length === 0) return [];
    if (this.#known?.columns !== columns.length) {
      this.#known = { columns: columns.length, make: rowMaker(columns.map(({ name }) => name)) };
    }
    return rows.map(this.#known.make);
  }
}

/** A table by its names. */
export interface TableNames {
  readonly name: string;
  readonly fields: Fields;
  /** Names of the columns, the key first. */
  readonly names: readonly string[];
  readonly key: readonly string[];
  /** Names of the columns that are no part of the key. */
  readonly others: readonly string[];
  /** The names with a comma between them. */
  readonly list: string;
  /** The columns with an alias, under the names that its reader wants. */
  readonly as: (alias: string) => string;
  /** The key as a condition; values by {@link Table.keyValues}. */
  readonly isKey: string;
  /** Inserts a row; values by {@link Table.values}. */
  readonly insert: string;
  /** The same where its key may be taken, for databases with `on conflict`: it replaces that row. */
  readonly upsert: string;
  /** Replaces a row, a condition follows; values by {@link Table.otherValues}. */
  readonly replace: string;
}
