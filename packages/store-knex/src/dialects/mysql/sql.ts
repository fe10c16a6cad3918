import { concat, inList, sql } from '../../database/sql.js';
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
};
