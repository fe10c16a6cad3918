import { run, type Steps } from '../sql/steps.js';
import { concat, sql } from '../sql/sql.js';
import { integer } from '../sql/rows.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { countTable, durationCountTable } from '../tables/counts.js';

/** A row of no organization: whoever adds up or repairs changes it first, and keeps others that do so waiting. */
export function* lockCounts(dialect: SqlDialect): Steps<void> {
  yield* run(`${countTable.insert}${dialect.adding(countTable, 'amount')}`, ['', '', 0, '', 1]);
}

/**
 * Adds up to `limit` of what commits have counted to the sums, within a transaction; answers how much that was.
 *
 * Rows are taken by their ids, not up to one: a commit that got a lower one may end later.
 */
export function* foldCounts(dialect: SqlDialect, limit: number): Steps<number> {
  const changes = sql('select id from calends_count_changes order by id limit ?', limit);
  if ((yield changes).rows.length === 0) return 0;
  yield* lockCounts(dialect);
  const ids = (yield changes).rows.map((row) => integer(row, 'id'));
  if (ids.length === 0) return 0;
  const taken = dialect.anyOf('id', ids);
  // What a program of before has counted says no duration.
  const sums = [
    { table: countTable, counted: taken },
    { table: durationCountTable, counted: concat(taken, sql(' and duration is not null')) },
  ];
  for (const { table, counted } of sums) {
    const place = table.key.join(', ');
    yield concat(
      sql(`insert into ${table.name} (${table.list}) select ${place}, sum(amount) from calends_count_changes where `),
      counted,
      sql(` group by ${place}${dialect.adding(table, 'amount')}`),
    );
  }
  yield concat(sql('delete from calends_count_changes where '), taken);
  return ids.length;
}
