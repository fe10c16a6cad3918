import type { EndpointKey, EndpointState } from '@calends/core/store';
import { findRow, run, type Steps } from '../sql/steps.js';
import { endpointTable, readEndpoint } from '../tables/endpoints.js';
import type { SqlDialect } from '../sql/sql-dialect.js';

/** How deliveries to an endpoint have gone, or `undefined`. */
export const findEndpoint = (key: EndpointKey) =>
  findRow(
    `select failing_since, disabled_at, reason from calends_endpoints where ${endpointTable.isKey}`,
    endpointTable.keyValues(key),
    readEndpoint,
  );

/** Records how deliveries to an endpoint go. */
export function* putEndpoint(dialect: SqlDialect, key: EndpointKey, state: EndpointState): Steps<void> {
  yield* run(dialect.upsert(endpointTable), endpointTable.values({ ...key, ...state }));
}
