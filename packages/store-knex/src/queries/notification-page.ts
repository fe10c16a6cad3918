import { limits, readPage } from './page.js';
import type { Listed, NotificationQuery } from '@calends/core/store';
import { type Row } from '../sql/rows.js';
import type { Steps } from '../sql/steps.js';
import { allOf, concat, type Sql, sql } from '../sql/sql.js';
import { matchesNothing, notificationConditions, type NotificationSource } from './notification-filters.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** A column that a list is sorted by. */
export interface SortColumn {
  readonly name: string;
  readonly nullable?: true;
}

/** What a list is made of: the rows that are counted and sorted, and what is read for those on the page. */
export interface PageSource<Field extends string, Item> extends NotificationSource {
  /** What each field sorts by (D31): the only texts that reach `order by`. */
  readonly sortColumns: Readonly<Record<Field, SortColumn>>;
  /** Columns of the rows on the page; `alias` is the table's own name in `joins`. */
  readonly columns: string;
  readonly alias: string;
  /** Columns of `x` by which `joins` finds the rows themselves. */
  readonly key: string;
  /** Joins the rows themselves to the keys `p`, with what belongs to them. */
  readonly joins: string;
  /** A column that is null only where a page has no row. */
  readonly filled: string;
  readonly read: (row: Row) => Item;
}

/** Absent values come last in both directions, in words that all databases know. */
function orderBy(
  { name, nullable }: SortColumn,
  sortOrder: NotificationQuery<string>['sortOrder'],
  alias: string,
): string {
  const direction = sortOrder === 'desc' ? 'desc' : 'asc';
  const column = `${alias}.${name}`;
  const absentLast = nullable === true ? `case when ${column} is null then 1 else 0 end, ` : '';
  const tie = name === 'id' ? '' : `, ${alias}.id ${direction}`;
  return `${absentLast}${column} ${direction}${tie}`;
}

/** The statement that answers page and total, from one state of the database. */
export function pageStatement<Field extends string, Item>(
  dialect: SqlDialect,
  source: PageSource<Field, Item>,
  query: NotificationQuery<Field>,
): Sql {
  const conditions = allOf(notificationConditions(dialect, source, query));
  const sortColumn = source.sortColumns[query.sortField];
  return concat(
    sql(`select t.total, ${source.columns} from (select count(*) as total from ${source.table} where `),
    conditions,
    sql(`) t left join (select ${source.key} from ${source.table} where `),
    conditions,
    sql(` order by ${orderBy(sortColumn, query.sortOrder, 'x')} limit ? offset ?`, ...limits(query)),
    // Outer joins: a page past the end still has the total.
    sql(
      `) p on 1 = 1 ${source.joins} order by ${orderBy(sortColumn, query.sortOrder, source.alias)}`,
      query.organizationId,
    ),
  );
}

/** A page and the total. */
export function* listPage<Field extends string, Item>(
  dialect: SqlDialect,
  source: PageSource<Field, Item>,
  query: NotificationQuery<Field>,
): Steps<Listed<Item>> {
  if (matchesNothing(query)) return { items: [], total: 0 };
  return readPage(yield pageStatement(dialect, source, query), source.filled, source.read);
}
