import {
  type ActorTimes,
  actorTimes,
  type AvailabilityKind,
  type AvailabilityMark,
  type AvailabilityRecord,
  recordsOfTimes,
  type TimesQuery,
} from '@calends/core/store';
import { optionalText, type Row, text } from '../sql/rows.js';
import { concat, type Sql, sql } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import type { Steps } from '../sql/steps.js';
import { listRecords } from './availability.js';
import { dayLength } from '../tables/counts.js';
import { takesLong } from '../tables/people.js';
import { busyReach, holdClock, listBusy, meetsBusyTime } from './busy-times.js';

/** Begin and end of the time that a booking must not meet, with a comma: `keptFrom` of the core. No buffers, null, are never the farther. */
const spanOf = (alias: string, { before, after }: TimesQuery['buffers']): Sql =>
  sql(
    `case when ${alias}.busy_from < ${alias}.start_at - ? then ${alias}.busy_from else ${alias}.start_at - ? end || ',' ||
     case when ${alias}.busy_to > ${alias}.end_at + ? then ${alias}.busy_to else ${alias}.end_at + ? end`,
    ...[after, after, before, before],
  );

/** The hours of an actor, and their exceptions as the inside of an object by date. */
function documents(
  joinedTexts: NonNullable<SqlDialect['joinedTexts']>,
  organizationId: string,
  { from, until }: NonNullable<TimesQuery['days']>,
): readonly Sql[] {
  const ofActor = (kind: AvailabilityKind): string =>
    `from calends_availability r where r.organization_id = ? and r.kind = '${kind}' and r.scope_id = a.actor_id`;
  return [
    sql(`, (select r.document ${ofActor('hours')} and r.id = '') as hours`, organizationId),
    sql(`, (select ${joinedTexts(`'"' || r.id || '":' || r.document`)} ${ofActor('exception')}`, organizationId),
    sql(' and r.id >= ? and r.id <= ?) as exceptions', from, until),
  ];
}

/** Whether the record of a service is still in that state. */
const unchanged = (organizationId: string, { scopeId, id, version, updatedAt }: AvailabilityMark): Sql =>
  sql(
    `, (select 1 from calends_availability s where s.organization_id = ? and s.kind = 'service' and s.scope_id = ? and s.id = ?
      and s.version = ? and s.updated_at = ?) as unchanged`,
    ...[organizationId, scopeId, id, version, updatedAt],
  );

/** A row for each actor, with all their times in one text for each table: a row for each time costs more than finding it. */
export function timesStatement(
  dialect: SqlDialect,
  joinedTexts: NonNullable<SqlDialect['joinedTexts']>,
  { organizationId, actorIds, window, exceptAppointmentId, now, buffers, days, service }: TimesQuery,
): Sql {
  const timesIn = (table: string, alias: string, conditions: readonly Sql[]): Sql => {
    const span = spanOf(alias, buffers);
    return concat(
      { text: `(select ${joinedTexts(span.text)}`, values: span.values },
      sql(
        ` from ${table} ${alias} where ${alias}.organization_id = ? and ${alias}.actor_id = a.actor_id`,
        organizationId,
      ),
      sql(` and ${alias}.blocks = 1 and `),
      meetsBusyTime(alias, window),
      ...conditions,
      sql(')'),
    );
  };
  const { first, last } = busyReach(window);
  // Whatever meets the window and does not take long starts within a day of it.
  const [nearFrom, nearTo] = [window.from - dayLength, window.to + dayLength];
  const except = exceptAppointmentId === undefined ? sql('') : sql(' and x.appointment_id <> ?', exceptAppointmentId);
  const actors = dialect.givenRows(
    { actor_id: 'text' },
    Array.from(new Set(actorIds), (id) => [id]),
  );
  return concat(
    sql('select a.actor_id, '),
    timesIn('calends_actors', 'x', [sql(' and x.start_at < ? and x.start_at > ?', nearTo, nearFrom), except]),
    sql(' as booked, '),
    timesIn('calends_actors', 'x', [
      sql(` and ${takesLong('x.')} and x.start_at < ? and x.start_at > ?`, last, first),
      sql(' and (x.start_at >= ? or x.start_at <= ?)', nearTo, nearFrom),
      except,
    ]),
    sql(' as booked_long, '),
    timesIn('calends_holds', 'h', [sql(' and h.until_at > '), holdClock(dialect, now)]),
    sql(' as held'),
    ...(days === undefined ? [] : documents(joinedTexts, organizationId, days)),
    ...(service === undefined ? [] : [unchanged(organizationId, service)]),
    sql(' from '),
    actors,
    sql(' as a'),
  );
}

type Document = AvailabilityRecord['document'];

function readTimes(row: Row): ActorTimes {
  const [hours, exceptions] = ['hours', 'exceptions'].map((name) =>
    name in row ? optionalText(row, name) : undefined,
  );
  const lists = ['booked', 'booked_long', 'held']
    .map((name) => optionalText(row, name))
    .filter((list) => list !== undefined);
  return {
    actorId: text(row, 'actor_id'),
    spans: JSON.parse(`[${lists.join(',')}]`) as number[],
    ...(hours !== undefined && { hours: JSON.parse(hours) as Document }),
    ...(exceptions !== undefined && { exceptions: JSON.parse(`{${exceptions}}`) as Record<string, Document> }),
  };
}

/** When actors work and are taken. */
export function* listTimes(dialect: SqlDialect, query: TimesQuery): Steps<readonly ActorTimes[] | undefined> {
  if (query.actorIds.length === 0) return [];
  if (dialect.joinedTexts === undefined) {
    const entries = yield* listBusy(dialect, query);
    const records: AvailabilityRecord[] = [];
    for (const each of recordsOfTimes(query)) records.push(...(yield* listRecords(dialect, each)));
    return actorTimes(query, entries, records);
  }
  const { rows } = yield timesStatement(dialect, dialect.joinedTexts, query);
  if (query.service !== undefined && rows[0]?.['unchanged'] === null) return undefined;
  return rows
    .map(readTimes)
    .filter(({ spans, hours, exceptions }) => spans.length > 0 || (hours ?? exceptions) !== undefined);
}
