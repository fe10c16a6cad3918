import { type BusyEntry, type BusyQuery, type Instant, maxDuration, type OverlapGuard } from '@calends/core/store';
import { integer, optionalInteger, optionalText, type Row, text } from '../sql/rows.js';
import { concat, type Sql, sql } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { listRows, type Steps } from '../sql/steps.js';

/** No buffer is longer: settings allow as much as for an appointment. */
export const maxBuffer = maxDuration;

/** The time by which holds live: that of the host where it has a clock of its own, else that of the database when it is asked. */
export function holdClock(dialect: SqlDialect, now: Instant | undefined): Sql {
  if (now !== undefined) return sql('?', now);
  const { text: clock, values } = dialect.clock();
  // Asked once, and not for each row: an index can be searched for it then.
  return { text: `(select ${clock})`, values };
}

/** The busy time of a row meets the window. */
export const meetsBusyTime = (alias: string, { from, to }: OverlapGuard['window']): Sql =>
  sql(
    `(coalesce(${alias}.busy_from, ${alias}.start_at) < ? and coalesce(${alias}.busy_to, ${alias}.end_at) > ?)`,
    to,
    from,
  );

/** Between which starts appointments may be busy in a window. */
export const busyReach = ({ from, to }: BusyQuery['window']): { readonly first: Instant; readonly last: Instant } => ({
  first: from - maxBuffer - maxDuration,
  last: to + maxBuffer,
});

/** What actors have in a window: appointments from the index of actors alone, and living holds, from one state of the database. */
export function busyStatement(
  dialect: SqlDialect,
  { organizationId, actorIds, window, exceptAppointmentId, now }: BusyQuery,
): Sql {
  const columns = (alias: string): string =>
    `${alias}.actor_id, ${alias}.start_at, ${alias}.end_at, ${alias}.busy_from, ${alias}.busy_to, ${alias}.blocks, ${alias}.service_actor`;
  const ofActors = (alias: string): Sql =>
    concat(sql(`${alias}.organization_id = ? and `, organizationId), dialect.anyOf(`${alias}.actor_id`, actorIds));
  const { first, last } = busyReach(window);
  return concat(
    sql(`select ${columns('x')}, x.appointment_id as id, 0 as held from calends_actors x where `),
    ofActors('x'),
    // Not `in`: PostgreSQL would go through the index once for each state.
    sql(` and x.start_at < ? and x.start_at > ? and x.state not in ('CANCELLED', 'ABORTED') and `, last, first),
    meetsBusyTime('x', window),
    exceptAppointmentId === undefined ? sql('') : sql(' and x.appointment_id <> ?', exceptAppointmentId),
    sql(` union all select ${columns('h')}, h.hold_id as id, 1 as held from calends_holds h where `),
    ofActors('h'),
    sql(' and h.until_at > '),
    holdClock(dialect, now),
    sql(' and '),
    meetsBusyTime('h', window),
    sql(' order by actor_id, start_at, id'),
  );
}

type Draft = { -readonly [Field in keyof BusyEntry]: BusyEntry[Field] };

function readEntry(row: Row): BusyEntry {
  const [start, end] = [integer(row, 'start_at'), integer(row, 'end_at')];
  const busy = { from: optionalInteger(row, 'busy_from') ?? start, to: optionalInteger(row, 'busy_to') ?? end };
  const entry: Draft = { actorId: text(row, 'actor_id'), start, end, busy, blocks: integer(row, 'blocks') === 1 };
  entry[integer(row, 'held') === 1 ? 'holdId' : 'appointmentId'] = text(row, 'id');
  const serviceActor = optionalText(row, 'service_actor');
  if (serviceActor !== undefined) entry.serviceActorId = serviceActor;
  return entry;
}

/** What actors have in a window, by actor, then start, then id. */
export function* listBusy(dialect: SqlDialect, query: BusyQuery): Steps<readonly BusyEntry[]> {
  if (query.actorIds.length === 0) return [];
  return yield* listRows(busyStatement(dialect, query), readEntry);
}
