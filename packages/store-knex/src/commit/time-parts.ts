import { type LimitGuard, maxDuration, type OverlapGuard } from '@calends/core/store';
import { holdClock, maxBuffer, meetsBusyTime } from '../queries/busy-times.js';
import { integer, text } from '../sql/rows.js';
import { allOf, concat, type Sql, sql } from '../sql/sql.js';
import { runSingle, type Steps } from '../sql/steps.js';
import type { CommitPart, LookingDialect } from './part.js';
import type { PreparedChange } from './prepared-change.js';
import { appointmentIdOf } from './rivals.js';
import { holdTable } from '../tables/holds.js';

/**
 * Appointments stand in the way that meet the window (D26), and where buffers differ also those that keep time around them free
 * which meets the span.
 *
 * No appointment is longer than {@link maxDuration}: what began earlier than that before the window has ended.
 */
function conditionsOf({ window: { from, to }, span }: OverlapGuard): readonly Sql[] {
  if (span === undefined) {
    return [sql('x.blocks = 1 and x.start_at < ? and x.start_at > ? and x.end_at > ?', to, from - maxDuration, from)];
  }
  const first = Math.min(from, span.from - maxBuffer) - maxDuration;
  const last = Math.max(to, span.to + maxBuffer);
  return [sql('x.blocks = 1 and x.start_at < ? and x.start_at > ?', last, first), inTheWay('x', from, to, span)];
}

const inTheWay = (alias: string, from: number, to: number, span: NonNullable<OverlapGuard['span']>): Sql =>
  concat(sql(`((${alias}.start_at < ? and ${alias}.end_at > ?) or `, to, from), meetsBusyTime(alias, span), sql(')'));

/** Ids of the appointments that stand in the way, by start, then id. */
function* appointmentsInTheWay(
  dialect: LookingDialect,
  { organizationId, guard, own }: { organizationId: string; guard: OverlapGuard; own: string | undefined },
): Steps<readonly string[]> {
  const { rows } = yield concat(
    sql('select x.appointment_id, x.start_at from calends_actors x where '),
    allOf([
      sql('x.organization_id = ?', organizationId),
      dialect.sql.anyOf('x.actor_id', guard.actorIds),
      ...conditionsOf(guard),
      ...(own === undefined ? [] : [sql('x.appointment_id <> ?', own)]),
    ]),
    sql(` order by x.start_at, x.appointment_id${dialect.locking}`),
  );
  return [...new Set(rows.map((row) => text(row, 'appointment_id')))];
}

/** Tells whether a living hold stands in the way; only a guard that knows of buffers asks for holds. */
function* isHeld(dialect: LookingDialect, { change }: PreparedChange, guard: OverlapGuard): Steps<boolean> {
  const { window, span, exceptHoldIds = [] } = guard;
  if (span === undefined) return false;
  const { rows } = yield concat(
    sql('select h.hold_id from calends_holds h where h.organization_id = ? and ', change.organizationId),
    dialect.sql.anyOf('h.actor_id', guard.actorIds),
    sql(' and h.blocks = 1 and h.until_at > '),
    holdClock(dialect.sql, change.holdsAt),
    sql(' and '),
    inTheWay('h', window.from, window.to, span),
    ...(exceptHoldIds.length === 0 ? [] : [sql(' and not '), dialect.sql.anyOf('h.hold_id', exceptHoldIds)]),
    sql(` limit 1${dialect.locking}`),
  );
  return rows.length > 0;
}

/** The times of the actors: nothing else may stand in them. */
export const overlapPart: CommitPart = {
  refusal: {
    status: 'slotConflict',
    *look(dialect, prepared) {
      const { organizationId, guard } = prepared.change;
      if (guard === undefined || guard.actorIds.length === 0) return undefined;
      const own = appointmentIdOf(prepared.change);
      const appointmentIds = yield* appointmentsInTheWay(dialect, { organizationId, guard, own });
      if (yield* isHeld(dialect, prepared, guard)) return { status: 'slotConflict', appointmentIds, isHeld: true };
      return appointmentIds.length > 0 ? { status: 'slotConflict', appointmentIds } : undefined;
    },
  },
};

/** Holds: one that is used must be alive, and one that is made has a row for each actor. */
export const holdsPart: CommitPart = {
  refusal: {
    status: 'holdLost',
    *isRefused({ sql: dialect, lockingProofs }, { change }) {
      const { organizationId, holds, holdsAt } = change;
      if (holds?.consume === undefined) return false;
      const { rows } = yield concat(
        sql(
          'select hold_id from calends_holds where organization_id = ? and hold_id = ?',
          organizationId,
          holds.consume,
        ),
        sql(' and until_at > '),
        holdClock(dialect, holdsAt),
        sql(lockingProofs),
      );
      return rows.length === 0;
    },
  },

  *write({ dialect, prepared: { holds, endedHolds }, organizationId }) {
    if (endedHolds.length > 0) {
      yield concat(
        sql('delete from calends_holds where organization_id = ? and ', organizationId),
        dialect.sql.anyOf('hold_id', endedHolds),
      );
    }
    if (holds.length > 0) yield* dialect.insertRows(holdTable, holds);
  },
};

/** How many appointments and living holds a limit counts, as a number; without what the change itself writes or ends. */
function counted(
  { sql: dialect, locking }: LookingDialect,
  { change, endedHolds }: PreparedChange,
  { actorId, serviceActorId, window: { from, to } }: LimitGuard,
): Sql {
  const own = appointmentIdOf(change);
  const starting = (alias: string): Sql =>
    sql(
      `${alias}.organization_id = ? and ${alias}.actor_id = ? and ${alias}.start_at >= ? and ${alias}.start_at < ?${
        serviceActorId === undefined ? '' : ` and ${alias}.service_actor = ?`
      }`,
      ...[change.organizationId, actorId, from, to],
      ...(serviceActorId === undefined ? [] : [serviceActorId]),
    );
  return concat(
    sql('(select count(*) from calends_actors x where '),
    starting('x'),
    sql(` and x.state in ('SCHEDULED', 'ACTIVATED')`),
    own === undefined ? sql('') : sql(' and x.appointment_id <> ?', own),
    sql(`${locking}) + (select count(*) from calends_holds h where h.until_at > `),
    holdClock(dialect, change.holdsAt),
    sql(' and '),
    starting('h'),
    ...(endedHolds.length === 0 ? [] : [sql(' and not '), dialect.anyOf('h.hold_id', endedHolds)]),
    sql(`${locking})`),
  );
}

/** Limits, all counted by one statement; the first that is reached is told. */
export const limitsPart: CommitPart = {
  refusal: {
    status: 'limitReached',
    *look(dialect, prepared) {
      const { limits = [] } = prepared.change;
      if (limits.length === 0) return undefined;
      const columns = limits.map((limit, place) =>
        concat(sql(place === 0 ? 'select ' : ', '), counted(dialect, prepared, limit), sql(` as counted_${place}`)),
      );
      const { text, values } = concat(...columns);
      const row = yield* runSingle(text, values);
      const reached = limits.findIndex(({ max }, place) => row && integer(row, `counted_${place}`) >= max);
      return reached === -1 ? undefined : { status: 'limitReached', limit: reached };
    },
  },
};
