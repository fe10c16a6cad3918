import type { Listed } from '@calends/core/store';
import { integer, type Outcome, type Row } from '../sql/rows.js';

/** How many rows, and how many to skip: never more than databases can count. */
export const limits = ({
  pageNumber,
  pageSize,
}: Readonly<Record<'pageNumber' | 'pageSize', number>>): readonly [limit: number, offset: number] => [
  pageSize,
  Math.min((pageNumber - 1) * pageSize, Number.MAX_SAFE_INTEGER),
];

/** A page of rows that have a `filled` column, and the total, which a page past the end has too. */
export function readPage<Item>({ rows }: Outcome, filled: string, read: (row: Row) => Item): Listed<Item> {
  const [first] = rows;
  return {
    items: rows.filter((row) => row[filled] !== null).map(read),
    total: first === undefined ? 0 : integer(first, 'total'),
  };
}
