import type { EndpointKey, EndpointState } from '@calends/core';
import { run, runSingle, type Steps } from '../database/steps.js';
import type { SqlDialect } from '../dialects/dialect.js';
import { endpointFields, endpointKey, endpointKeyValues, endpointValues, readEndpoint } from '../rows/endpoint-row.js';

/** How deliveries to an endpoint have gone, or `undefined`. */
export function* findEndpoint(key: EndpointKey): Steps<EndpointState | undefined> {
  const row = yield* runSingle(
    `select failing_since, disabled_at, reason from calends_endpoints
     where ${endpointKey.map((column) => `${column} = ?`).join(' and ')}`,
    endpointKeyValues(key),
  );
  return row === undefined ? undefined : readEndpoint(row);
}

/** Records how deliveries to an endpoint go. */
export function* putEndpoint(dialect: SqlDialect, key: EndpointKey, state: EndpointState): Steps<void> {
  yield* run(dialect.upsert('calends_endpoints', endpointFields, endpointKey), endpointValues(key, state));
}
