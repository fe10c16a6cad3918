import { allOf, bound, concat, inList, skipping, type Sql, sql } from '../../sql/sql.js';
import { dayLength, isOnDay } from '../../tables/counts.js';
import type { SqlDialect } from '../../sql/sql-dialect.js';

/** Lists are bound as JSON: the text of a statement is the same for every number of values. */
export const sqliteSql: SqlDialect = {
  anyOf: (column, values) =>
    values.length === 1
      ? inList(column, values)
      : sql(`${column} in (select value from json_each(?))`, JSON.stringify(values)),

  given: (value) => sql('?', value),

  bound,

  page: skipping,

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

  pageOfDays({ organizationId, conditions, index, leavesOut, direction, limit, offset }) {
    const isAsked = sql('x.organization_id = ?', organizationId);
    const isTouched = sql('s.earlier < ? and s.earlier + s.amount > ?', offset + limit, offset);
    const ofTouched = (what: string): Sql => concat(sql(`(select ${what} from placed s where `), isTouched, sql(')'));
    const bound = (sign: string, what: string): Sql => concat(sql(`x.start_at ${sign} `), ofTouched(what));
    return concat(
      sql(
        `select x.id from ${leavesOut ? 'placed s cross join ' : ''}calends_appointments x indexed by ${index} where `,
      ),
      // Days one by one are sorted; all between two are read in order, and not to their end.
      allOf(
        leavesOut
          ? [isTouched, isAsked, isOnDay, ...conditions]
          : [isAsked, ...conditions, bound('>=', 'min(s.day)'), bound('<', `max(s.day) + ${dayLength}`)],
      ),
      sql(` order by x.start_at ${direction}, x.id ${direction} limit ?`, limit),
      concat(sql(' offset ? - ', offset), ofTouched('coalesce(min(s.earlier), 0)')),
    );
  },

  // The file is on this machine, and so are all who use it.
  clock: () => sql('?', Date.now()),

  // Of other letters it knows nothing.
  asciiLower: (column) => `lower(${column})`,

  upsert: ({ upsert }) => upsert,

  adding: ({ name, key }, column) =>
    ` on conflict (${key.join(', ')}) do update set ${column} = ${name}.${column} + excluded.${column}`,
};
