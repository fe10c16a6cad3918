import type { Row } from '../../sql/rows.js';

/** A row as the driver reads it when it is asked for lists. */
export type Cells = readonly unknown[];

/** Makes a row of its cells. */
export type RowMaker = (cells: Cells) => Row;

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
export function rowMaker(names: readonly string[]): RowMaker {
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
