/** What may be bound to a statement; lists only where a dialect's own SQL unnests them. */
export type SqlValue = string | number | null | readonly (string | number | null)[];

/** A piece of SQL with the values for its `?`, in their order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** True when it answers one row at most; some drivers are quicker when they know. */
  readonly single?: boolean;
}

/** SQL from a text of this package (never of a caller) and values to bind. */
export const sql = (text: string, ...values: readonly SqlValue[]): Sql => ({ text, values });

/** Pieces with a separator between them. */
export function joined(between: string, pieces: readonly Sql[]): Sql {
  const values: SqlValue[] = [];
  for (const piece of pieces) values.push(...piece.values);
  return { text: pieces.map(({ text }) => text).join(between), values };
}

/** Pieces one after another. */
export const concat = (...pieces: readonly Sql[]): Sql => joined('', pieces);

/** A bound of a range that the planner may look at. */
export const bound = (value: number): Sql => sql('?', value);

/** So many of these rows, after those that are skipped. */
export const skipping = (rows: Sql, limit: number, offset: number): Sql =>
  concat(rows, sql(' limit ? offset ?', limit, offset));

/** Conditions that must all hold. */
export const allOf = (conditions: readonly Sql[]): Sql => joined(' and ', conditions);

/** `?, ?, ?` for so many values. */
export const places = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

/** `column in (?, …)`; with one value `column = ?`, so that an index keeps its order. */
export function inList(column: string, values: readonly (string | number)[]): Sql {
  return values.length === 1
    ? { text: `${column} = ?`, values }
    : { text: `${column} in (${places(values.length)})`, values };
}

/** The column lies between the first and the last of the strings (at least one), as the columns of keys compare. */
export function withinSpan(column: string, texts: readonly string[]): Sql {
  // By code point, which is the order of the bytes of UTF-8 and not that of JavaScript.
  const sorted = texts.map((text) => Buffer.from(text)).sort((a, b) => Buffer.compare(a, b));
  return sql(`${column} >= ? and ${column} <= ?`, String(sorted[0]), String(sorted.at(-1)));
}
