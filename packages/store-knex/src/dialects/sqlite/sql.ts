import { inList, sql } from '../../sql/sql.js';
import type { SqlDialect } from '../../sql/sql-dialect.js';

/** Lists are bound as JSON: the text of a statement is the same for every number of values. */
export const sqliteSql: SqlDialect = {
  anyOf: (column, values) =>
    values.length === 1
      ? inList(column, values)
      : sql(`${column} in (select value from json_each(?))`, JSON.stringify(values)),

  joinedTexts: (text) => `group_concat(${text}, ',')`,

  inAnyRange: (column, ranges) =>
    sql(
      `exists (select 1 from json_each(?) r
         where ${column} >= r.value ->> 0 and ${column} < r.value ->> 1)`,
      JSON.stringify(ranges.map(({ from, to }) => [from, to])),
    ),

  givenRows(columns, rows) {
    const read = Object.keys(columns).map((name, index) => `value ->> ${index} as ${name}`);
    return sql(`(select key + 1 as n, ${read.join(', ')} from json_each(?))`, JSON.stringify(rows));
  },

  through: () => '',

  // The file is on this machine, and so are all who use it.
  clock: () => sql('?', Date.now()),

  // Of other letters it knows nothing.
  asciiLower: (column) => `lower(${column})`,

  upsert: ({ upsert }) => upsert,

  adding: ({ name, key }, column) =>
    ` on conflict (${key.join(', ')}) do update set ${column} = ${name}.${column} + excluded.${column}`,
};
