import type { AvailabilityRecord, AvailabilityRecordQuery } from '@calends/core/store';
import { text } from '../sql/rows.js';
import { allOf, concat, sql } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { findRow, listRows, run, type Steps } from '../sql/steps.js';
import { availabilityTable, readRecord } from '../tables/availability.js';
import { holdTable, readHold } from '../tables/holds.js';

/** Records of services and hours, by kind, scope and id. */
export function* listRecords(
  dialect: SqlDialect,
  { organizationId, kinds, scopeIds, fromId, untilId }: AvailabilityRecordQuery,
): Steps<readonly AvailabilityRecord[]> {
  if (kinds.length === 0 || scopeIds?.length === 0) return [];
  const conditions = allOf([
    sql('r.organization_id = ?', organizationId),
    dialect.anyOf('r.kind', kinds),
    ...(scopeIds === undefined ? [] : [dialect.anyOf('r.scope_id', scopeIds)]),
    ...(fromId === undefined ? [] : [sql('r.id >= ?', fromId)]),
    ...(untilId === undefined ? [] : [sql('r.id <= ?', untilId)]),
  ]);
  const query = concat(
    sql(`select ${availabilityTable.as('r')} from calends_availability r where `),
    conditions,
    sql(' order by r.kind, r.scope_id, r.id'),
  );
  return yield* listRows(query, readRecord);
}

/** A hold, alive or not, or `undefined`. */
export const findHold = (organizationId: string, holdId: string) =>
  findRow(
    `select ${holdTable.list} from calends_holds where organization_id = ? and hold_id = ? limit 1`,
    [organizationId, holdId],
    readHold,
  );

/** Deletes holds that ended before, so many at most, of one organization after the other: ids are unique in theirs only. */
export function* purgeHolds(dialect: SqlDialect, before: number, limit: number): Steps<number> {
  const { rows } = yield* run(
    `select distinct until_at, organization_id, hold_id from calends_holds where until_at < ?
     order by until_at, organization_id, hold_id limit ?`,
    [before, limit],
  );
  for (const organizationId of new Set(rows.map((row) => text(row, 'organization_id')))) {
    const ofIt = rows.filter((row) => text(row, 'organization_id') === organizationId);
    yield concat(
      sql('delete from calends_holds where organization_id = ? and until_at < ? and ', organizationId, before),
      dialect.anyOf(
        'hold_id',
        ofIt.map((row) => text(row, 'hold_id')),
      ),
    );
  }
  return rows.length;
}
