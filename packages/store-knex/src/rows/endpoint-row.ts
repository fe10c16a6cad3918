import type { EndpointKey, EndpointState } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, optionalInteger, optionalText } from './fields.js';

/** What is written of an endpoint. */
export const endpointFields = {
  organization_id: 'text',
  application_id: 'text',
  endpoint_id: 'text',
  address_hash: 'text',
  failing_since: 'integer',
  disabled_at: 'integer',
  reason: 'text',
} as const satisfies Fields;

/** Columns by which an endpoint is known. */
export const endpointKey = ['organization_id', 'application_id', 'endpoint_id', 'address_hash'] as const;

/** The values of {@link endpointKey}, in their order. */
export const endpointKeyValues = (endpoint: EndpointKey): readonly string[] => [
  endpoint.organizationId,
  endpoint.applicationId,
  endpoint.endpointId,
  endpoint.addressHash,
];

/** The values of an endpoint in the order of {@link endpointFields}. */
export const endpointValues = (endpoint: EndpointKey, state: EndpointState): readonly SqlValue[] => [
  ...endpointKeyValues(endpoint),
  state.failingSince,
  state.disabledAt,
  state.reason,
];

/** How deliveries to the endpoint of a row have gone. */
export const readEndpoint = (row: Row): EndpointState => ({
  failingSince: optionalInteger(row, 'failing_since') ?? null,
  disabledAt: optionalInteger(row, 'disabled_at') ?? null,
  reason: optionalText(row, 'reason') ?? null,
});
