import type { LimitGuard } from '@calends/core/store';
import { holdClock } from '../queries/busy-times.js';
import { integer } from '../sql/rows.js';
import { concat, type Sql, sql } from '../sql/sql.js';
import { runSingle } from '../sql/steps.js';
import { holdTable } from '../tables/holds.js';
import { type CommitPart, type LookingDialect, refusing } from './part.js';
import { appointmentIdOf, type PreparedChange } from './prepared-change.js';

/** Holds: one that is used must be alive, and one that is made has a row for each actor. */
export const holdsPart: CommitPart = {
  refusal: refusing('holdLost', function* ({ sql: dialect, lockingProofs }, { change }) {
    const { organizationId, holds, holdsAt } = change;
    if (holds?.consume === undefined) return false;
    const { rows } = yield concat(
      sql('select hold_id from calends_holds where organization_id = ? and hold_id = ?', organizationId, holds.consume),
      sql(' and until_at > '),
      holdClock(dialect, holdsAt),
      sql(lockingProofs),
    );
    return rows.length === 0;
  }),

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
