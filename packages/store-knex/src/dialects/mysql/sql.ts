import { concat, inList, places, sql } from '../../database/sql.js';
import { fieldNames } from '../../rows/fields.js';
import type { SqlDialect } from '../dialect.js';

export const mysqlSql: SqlDialect = {
  anyOf: inList,

  inAnyRange: (column, ranges) =>
    concat(
      ...ranges.map(({ from = null, to = null }, index) =>
        sql(`${index === 0 ? '(' : ' or '}(${column} >= ? and ${column} < ?)`, from, to),
      ),
      sql(')'),
    ),

  windows: (windows) =>
    sql(
      `json_table(?, '$[*]' columns (n for ordinality, lower_bound bigint path '$[0]', upper_bound bigint path '$[1]')) as w`,
      JSON.stringify(windows.map(({ from, to }) => [from, to])),
    ),

  clock: () => sql(`timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000`),

  // Its own `lower` changes letters of every language.
  asciiLower: (column) =>
    Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ').reduce(
      (written, letter) => `replace(${written}, '${letter}', '${letter.toLowerCase()}')`,
      column,
    ),

  upsert(table, fields, key) {
    const names = fieldNames(fields);
    const replaced = names.filter((name) => !key.includes(name)).map((name) => `${name} = values(${name})`);
    return `insert into ${table} (${names.join(', ')}) values (${places(names.length)})
      on duplicate key update ${replaced.join(', ')}`;
  },
};
