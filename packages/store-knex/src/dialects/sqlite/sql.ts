import { inList, sql } from '../../database/sql.js';
import { upsertOnConflict } from '../../rows/upsert.js';
import type { SqlDialect } from '../dialect.js';

/** Lists are bound as JSON: the text of a statement is the same for every number of values. */
export const sqliteSql: SqlDialect = {
  anyOf: (column, values) =>
    values.length === 1
      ? inList(column, values)
      : sql(`${column} in (select value from json_each(?))`, JSON.stringify(values)),

  inAnyRange: (column, ranges) =>
    sql(
      `exists (select 1 from json_each(?) r
         where ${column} >= r.value ->> 0 and ${column} < r.value ->> 1)`,
      JSON.stringify(ranges.map(({ from, to }) => [from, to])),
    ),

  windows: (windows) =>
    sql(
      `(select key as n, value ->> 0 as lower_bound, value ->> 1 as upper_bound from json_each(?)) as w`,
      JSON.stringify(windows.map(({ from, to }) => [from, to])),
    ),

  // The file is on this machine, and so are all who use it.
  clock: () => sql('?', Date.now()),

  // Of other letters it knows nothing.
  asciiLower: (column) => `lower(${column})`,

  upsert: upsertOnConflict(),
};
