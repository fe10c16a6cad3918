import { allOf, concat, inList, sql } from '../../sql/sql.js';
import { isOnDay } from '../../tables/counts.js';
import { columnLists, nameList } from './column-lists.js';
import type { SqlDialect } from '../../sql/sql-dialect.js';

/** Epoch milliseconds by the clock of the database. */
export const databaseClock = 'floor(extract(epoch from clock_timestamp()) * 1000)::int8';

/**
 * More rows than a table holds, and nothing that the planner knows beforehand: it expects that the first ones are wanted,
 * and reads in order where an index has it.
 */
export const noLimit = `(select ${Number.MAX_SAFE_INTEGER})`;

/**
 * Rows of a page, as the planner is told: where the text has no number it expects a tenth of all rows. One number for
 * all pages but long ones, so that there is one text to be kept prepared.
 */
const plannedRows = (limit: number): number => Math.max(limit, 100);

/** Lists are bound as arrays: the text of a statement is the same for every number of values. */
export const postgresSql: SqlDialect = {
  anyOf(column, values) {
    if (values.length === 1) return inList(column, values);
    const type = typeof values[0] === 'number' ? 'int8[]' : 'text[]';
    return { text: `${column} = any(?::${type})`, values: [values] };
  },

  given: (value) => sql('?::int8', value),

  bound: (value) => sql('(select ?::int8)', value),

  page: (rows, limit, offset) =>
    concat(
      sql('select p.* from ('),
      rows,
      sql(` limit ${plannedRows(limit)}`),
      ...(offset === 0 ? [] : [sql(' offset ?', offset)]),
      sql(') p limit ?', limit),
    ),

  joinedTexts: (text) => `string_agg(${text}, ',')`,

  inAnyRange: (column, ranges) =>
    concat(
      sql(
        'exists (select 1 from unnest(?::int8[], ?::int8[]) as r (lower_bound, upper_bound) where ',
        ...[ranges.map(({ from }) => from ?? null), ranges.map(({ to }) => to ?? null)],
      ),
      sql(`${column} >= r.lower_bound and ${column} < r.upper_bound)`),
    ),

  givenRows(columns, rows) {
    // In a `select` of its own the planner does not look how many there are: it takes a plan for all, and does not plan again each time.
    const lists = Object.values(columns).map((kind) => `(select ?::${kind === 'text' ? 'text' : 'int8'}[])`);
    return {
      text: `(select * from unnest(${lists.join(', ')}) with ordinality as given (${nameList(columns)}, n))`,
      values: columnLists(columns, rows),
    };
  },

  through: () => '',

  pageOfDays: ({ organizationId, conditions, direction, limit, offset }) =>
    concat(
      sql('select r.id from placed s cross join lateral (select * from ('),
      sql('select x.id, x.start_at from calends_appointments x where '),
      allOf([sql('x.organization_id = ?', organizationId), isOnDay, ...conditions]),
      sql(` order by x.start_at ${direction}, x.id ${direction}`),
      sql(` limit ${plannedRows(limit)} offset greatest(? - s.earlier, 0)::int8) o limit ?) r`, offset, limit),
      sql(' where s.earlier < ? and s.earlier + s.amount > ?', offset + limit, offset),
      sql(` order by r.start_at ${direction}, r.id ${direction} limit ?`, limit),
    ),

  clock: () => sql(databaseClock),

  asciiLower: (column) => `lower(${column} collate "C")`,

  upsert: ({ upsert }) => upsert,

  adding: ({ name, key }, column) =>
    ` on conflict (${key.join(', ')}) do update set ${column} = ${name}.${column} + excluded.${column}`,
};
