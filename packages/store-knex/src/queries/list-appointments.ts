import { limits, readPage } from './page.js';
import type { Appointment } from '@calends/core';
import type { AppointmentListQuery, AppointmentSortField, AppointmentVersion, Listed } from '@calends/core/store';
import { integer, text } from '../sql/rows.js';
import { listRows, type Steps } from '../sql/steps.js';
import { allOf, concat, skipping, type Sql, sql } from '../sql/sql.js';
import { appointmentColumns, readAppointment } from '../tables/appointments.js';
import { countedTotal, countedWindows } from './counted-total.js';
import { listByDay } from './list-by-day.js';
import { durationOf, isInOrder, listConditions, listSource, matchesNothing, mayRepeat } from './list-filters.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** What each field sorts by (D31): the only texts that reach `order by`. */
const sortColumns: Readonly<Record<AppointmentSortField, (alias: string, id: string) => string>> = {
  start: (alias) => `${alias}.start_at`,
  end: (alias) => `${alias}.end_at`,
  duration: durationOf,
  title: (alias) => `${alias}.title`,
  timezone: (alias) => `${alias}.timezone`,
  applicationId: (alias) => `${alias}.application_id`,
  id: (_alias, id) => id,
};

/** Fields that the index of actors does not hold. */
const inAppointmentsOnly: ReadonlySet<AppointmentSortField> = new Set(['title', 'timezone']);

function orderBy({ sortField, sortOrder }: AppointmentListQuery, alias: string, id: string): string {
  const direction = sortOrder === 'desc' ? 'desc' : 'asc';
  const column = sortColumns[sortField](alias, id);
  return column === id ? `${id} ${direction}` : `${column} ${direction}, ${id} ${direction}`;
}

/** Ids of the page, from an index as far as possible; the rows themselves are read only for these. */
function pageOf(dialect: SqlDialect, query: AppointmentListQuery, conditions: Sql): Sql {
  const { page } = isInOrder(query) ? dialect : { page: skipping };
  return page(sorted(query, conditions), ...limits(query));
}

function sorted(query: AppointmentListQuery, conditions: Sql): Sql {
  const { table, id } = listSource(query);
  const joined = id === 'x.appointment_id' && inAppointmentsOnly.has(query.sortField);
  const join = 'join calends_appointments s on s.organization_id = x.organization_id and s.id = x.appointment_id';
  const order = orderBy(query, joined ? 's' : 'x', id);
  if (!mayRepeat(query)) {
    const from = sql(`select ${id} as id from ${table} ${joined ? join : ''} where `);
    return concat(from, conditions, sql(` order by ${order}`));
  }
  const sortColumn = sortColumns[query.sortField](joined ? 's' : 'x', id);
  const direction = query.sortOrder === 'desc' ? 'desc' : 'asc';
  return concat(
    sql(
      `select m.id from (select distinct ${id} as id, ${sortColumn} as sorted from ${table} ${joined ? join : ''} where `,
    ),
    conditions,
    sql(`) m order by m.sorted ${direction}, m.id ${direction}`),
  );
}

function totalOf(dialect: SqlDialect, query: AppointmentListQuery, conditions: Sql, isCounted: boolean): Sql {
  const windows = isCounted ? countedWindows(query) : undefined;
  if (windows !== undefined) return concat(sql('select '), countedTotal(dialect, query, windows), sql(' as total'));
  const { table, id } = listSource(query);
  const counted = mayRepeat(query) ? `distinct ${id}` : '*';
  return concat(sql(`select count(${counted}) as total from ${table} where `), conditions);
}

/** Total and ids of the page, each as a table; `tables` are those that both are made of. */
interface ListParts {
  readonly tables?: Sql;
  readonly total: Sql;
  readonly page: Sql;
}

const conditionsOf = (dialect: SqlDialect, query: AppointmentListQuery): Sql =>
  allOf([sql('x.organization_id = ?', query.organizationId), ...listConditions(dialect, query)]);

function partsOf(dialect: SqlDialect, query: AppointmentListQuery, isCounted: boolean): ListParts {
  const byDay = isCounted ? listByDay(dialect, query) : undefined;
  if (byDay !== undefined) return byDay;
  const conditions = conditionsOf(dialect, query);
  return { total: totalOf(dialect, query, conditions, isCounted), page: pageOf(dialect, query, conditions) };
}

/**
 * The statement that answers page and total, from one state of the database; `isCounted` = what commits have counted may tell
 * the total, and where a page begins.
 */
export function listStatement(dialect: SqlDialect, query: AppointmentListQuery, isCounted: boolean): Sql {
  const { tables = sql(''), total, page } = partsOf(dialect, query, isCounted);
  return concat(
    tables,
    sql(`select t.total, ${appointmentColumns} from (`),
    total,
    sql(') t left join ('),
    page,
    // Outer joins: a page past the end still has the total.
    sql(') p on 1 = 1 left join calends_appointments a on a.organization_id = ? and a.id = p.id', query.organizationId),
    sql(` order by ${orderBy(query, 'a', 'a.id')}`),
  );
}

/** A page of appointments and the total. */
export function* listAppointments(
  dialect: SqlDialect,
  query: AppointmentListQuery,
  isCounted: boolean,
): Steps<Listed<Appointment>> {
  if (matchesNothing(query)) return { items: [], total: 0 };
  return readPage(yield listStatement(dialect, query, isCounted), 'id', readAppointment);
}

/** The same page, as what tells whether it has changed. */
export function* listVersions(dialect: SqlDialect, query: AppointmentListQuery): Steps<readonly AppointmentVersion[]> {
  if (matchesNothing(query)) return [];
  const versions = concat(
    sql('select a.id, a.version, a.updated_at, a.start_at from ('),
    pageOf(dialect, query, conditionsOf(dialect, query)),
    sql(') p join calends_appointments a on a.organization_id = ? and a.id = p.id', query.organizationId),
    sql(` order by ${orderBy(query, 'a', 'a.id')}`),
  );
  return yield* listRows(versions, (row) => ({
    id: text(row, 'id'),
    version: integer(row, 'version'),
    updatedAt: integer(row, 'updated_at'),
    start: integer(row, 'start_at'),
  }));
}
