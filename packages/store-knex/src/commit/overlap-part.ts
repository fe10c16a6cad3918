import { maxDuration, type OverlapGuard } from '@calends/core/store';
import { holdClock, longestBuffer, meetsBusyTime } from '../queries/busy-times.js';
import { text } from '../sql/rows.js';
import { allOf, concat, type Sql, sql } from '../sql/sql.js';
import type { Steps } from '../sql/steps.js';
import type { CommitPart, LookingDialect } from './part.js';
import { appointmentIdOf, type PreparedChange } from './prepared-change.js';

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
  const first = Math.min(from, span.from - longestBuffer) - maxDuration;
  const last = Math.max(to, span.to + longestBuffer);
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
