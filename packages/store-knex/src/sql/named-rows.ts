import type { Row } from './rows.js';

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
