import { allOf, bound, concat, inList, skipping, sql } from '../../sql/sql.js';
import { isOnDay } from '../../tables/counts.js';
import type { SqlDialect } from '../../sql/sql-dialect.js';

/** Of values that are given; a text is as long as a key may be. */
const types = { text: 'varchar(128) character set utf8mb4', integer: 'bigint' };

/** Of an hour, in milliseconds: pages at depth are looked for by it. */
const quarter = 15 * 60 * 1000;

export const mysqlSql: SqlDialect = {
  anyOf: inList,

  given: (value) => sql('cast(? as signed)', value),

  bound,

  page: skipping,

  inAnyRange: (column, ranges) =>
    concat(
      ...ranges.map(({ from = null, to = null }, index) =>
        sql(`${index === 0 ? '(' : ' or '}(${column} >= ? and ${column} < ?)`, from, to),
      ),
      sql(')'),
    ),

  givenRows(columns, rows) {
    const read = Object.entries(columns).map(([name, kind], index) => `${name} ${types[kind]} path '$[${index}]'`);
    return sql(`json_table(?, '$[*]' columns (n for ordinality, ${read.join(', ')}))`, JSON.stringify(rows));
  },

  // Beside a list that it knows nothing of it takes any key that begins with the organization, and reads all of it.
  through: (index) => ` force index (${index})`,

  // Its windows sort wide rows, and it skips only by fixed numbers: the quarters of the days are counted first, and only rows of those
  // that the page lies on are numbered. A group has one number for its key: with more columns each row took three times as long.
  pageOfDays({ organizationId, conditions, direction, limit, offset }) {
    // Not by `=`: it would read all of the organization by the one value, instead of a range of an index for each day or quarter.
    const isOfOrganization = sql('x.organization_id >= s.organization_id and x.organization_id <= s.organization_id');
    const isTouched = sql('s.earlier < ? and s.earlier + s.amount > ?', offset + limit, offset);
    return concat(
      sql(
        `select r.id from (select x.id, x.start_at,
        s.earlier + row_number() over (partition by s.quarter order by x.start_at ${direction}, x.id ${direction}) as place
        from (select ? as organization_id, c.quarter, c.amount,
            c.before_day + sum(c.amount) over (partition by c.before_day order by c.quarter ${direction}) - c.amount as earlier
          from (select x.start_at div ${quarter} * ${quarter} as quarter, count(*) as amount, min(s.earlier) as before_day
            from placed s straight_join calends_appointments x where `,
        organizationId,
      ),
      allOf([isTouched, isOfOrganization, isOnDay, ...conditions]),
      sql(' group by quarter) c) s straight_join calends_appointments x where '),
      allOf([
        ...[isTouched, isOfOrganization],
        sql(`x.start_at >= s.quarter and x.start_at < s.quarter + ${quarter}`),
        ...conditions,
      ]),
      sql(') r where r.place > ? and r.place <= ?', offset, offset + limit),
    );
  },

  clock: () => sql(`timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000`),

  // Its own `lower` changes letters of every language.
  asciiLower: (column) =>
    Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ').reduce(
      (written, letter) => `replace(${written}, '${letter}', '${letter.toLowerCase()}')`,
      column,
    ),

  upsert: ({ insert, others }) =>
    `${insert} on duplicate key update ${others.map((name) => `${name} = values(${name})`).join(', ')}`,

  adding: ({ name }, column) => ` on duplicate key update ${column} = ${name}.${column} + values(${column})`,
};
