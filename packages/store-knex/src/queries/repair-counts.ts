import type { CountRepair } from '@calends/core/store';
import { integer, optionalText, type TableNames } from '../sql/rows.js';
import { run, runSingle, type Steps } from '../sql/steps.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { countChangeTable, countTable, dayLength, dayOf, durationCountTable } from '../tables/counts.js';
import { lockCounts } from './fold-counts.js';

/** Appointments that are counted at a time: some tens of milliseconds. */
const portion = 20_000;
/** Organizations that one step looks at: most are small. */
const organizationsOfStep = 20;

const inDays = 'organization_id = ? and day >= ? and day < ?';

/** Writes what is missing in a table of sums, in one state of the database: counted from the appointments, less what is written of them. */
function mendOf({ name, key }: TableNames, unless = ''): string {
  const place = key.join(', ');
  return `insert into ${countChangeTable.name} (${place}, amount) select ${place}, sum(amount) as amount from (
    select ${place}, count(*) as amount from (
      select organization_id, application_id, start_at - start_at % ${dayLength} as day, state, end_at - start_at as duration
      from calends_appointments where organization_id = ? and start_at >= ? and start_at < ?) a
    group by ${place}
    union all select ${place}, -amount from ${name} where ${inDays}
    union all select ${place}, -amount from ${countChangeTable.name} where ${inDays}${unless}
  ) c group by ${place} having sum(amount) <> 0`;
}

const mendSums = mendOf(countTable);
const mendDurations = mendOf(durationCountTable, ' and duration is not null');

const lastOfPortion = `select start_at from calends_appointments where organization_id = ? and start_at >= ?
  order by start_at, id limit 1 offset ${portion - 1}`;

const nextOrganization = `select min(organization_id) as organization_id from (${[
  'calends_appointments',
  countTable.name,
  countChangeTable.name,
]
  .map((table) => `select min(organization_id) as organization_id from ${table} where organization_id > ?`)
  .join(' union all ')}) o`;

/** Counts the next days of an organization. */
function* repairDays(
  mends: readonly string[],
  organizationId: string,
  from: number,
): Steps<{ readonly repaired: number; readonly until?: number }> {
  const last = yield* runSingle(lastOfPortion, [organizationId, from]);
  const until = last === undefined ? undefined : dayOf(integer(last, 'start_at')) + dayLength;
  const span = [organizationId, from, until ?? Number.MAX_SAFE_INTEGER];
  let repaired = 0;
  for (const mend of mends) repaired += (yield* run(mend, [...span, ...span, ...span])).affected;
  return until === undefined ? { repaired } : { repaired, until };
}

function* repairPortion(
  mends: readonly string[],
  dialect: SqlDialect,
  after: readonly string[] = [],
): Steps<CountRepair> {
  yield* lockCounts(dialect);
  let [organizationId, from] = [after[0] ?? '', Number(after[1] ?? 0)];
  let repaired = 0;
  for (let count = 0; count < organizationsOfStep; count += 1) {
    if (organizationId !== '') {
      const done = yield* repairDays(mends, organizationId, from);
      repaired += done.repaired;
      if (done.until !== undefined) return { repaired, next: [organizationId, String(done.until)] };
    }
    const row = yield* runSingle(nextOrganization, [organizationId, organizationId, organizationId]);
    const next = row && optionalText(row, 'organization_id');
    if (next === undefined) return { repaired };
    [organizationId, from] = [next, 0];
  }
  return { repaired, next: [organizationId, '0'] };
}

/**
 * Compares a portion of the counts with the appointments, within a transaction, and adds what is missing.
 *
 * What is added is a difference of one state of the database: whatever is committed or added up meanwhile, it comes to the same.
 */
export const repairCounts = (dialect: SqlDialect, after?: readonly string[]): Steps<CountRepair> =>
  // In this order: what is added to a duration is part of the sum as well.
  repairPortion([mendDurations, mendSums], dialect, after);

/** The same where durations are not counted yet. */
export const repairSums = (dialect: SqlDialect, after?: readonly string[]): Steps<CountRepair> =>
  repairPortion([mendSums], dialect, after);
