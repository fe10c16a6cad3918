import type { EndpointKey, EndpointState } from '@calends/core/store';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { findRow, type InsertNew, run, type Steps } from '../sql/steps.js';
import { endpointTable, readEndpoint } from '../tables/endpoints.js';

/** How deliveries to an endpoint have gone, or `undefined`. */
export const findEndpoint = (key: EndpointKey) =>
  findRow(
    `select failing_since, disabled_at, reason from calends_endpoints where ${endpointTable.isKey}`,
    endpointTable.keyValues(key),
    readEndpoint,
  );

/** Records how deliveries to an endpoint go, with an expected state only in its place; tells whether it was written. */
export function* putEndpoint(
  { sql, insertNew }: { readonly sql: SqlDialect; readonly insertNew: InsertNew },
  key: EndpointKey,
  state: EndpointState,
  expected: EndpointState | undefined,
): Steps<boolean> {
  const next = { ...key, ...state };
  if (expected === undefined) {
    yield* run(sql.upsert(endpointTable), endpointTable.values(next));
    return true;
  }
  const found = endpointTable.otherValues({ ...key, ...expected });
  const isExpected = endpointTable.others.map((column, at) => `${column} ${found[at] === null ? 'is null' : '= ?'}`);
  const { affected } = yield* run(`${endpointTable.replace} ${[endpointTable.isKey, ...isExpected].join(' and ')}`, [
    ...endpointTable.otherValues(next),
    ...endpointTable.keyValues(key),
    ...found.filter((value) => value !== null),
  ]);
  if (affected > 0) return true;
  // One without a record is well.
  const isWell = found.every((value) => value === null);
  return isWell ? yield* insertNew(endpointTable, endpointTable.values(next)) : false;
}
