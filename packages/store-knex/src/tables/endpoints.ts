import type { EndpointKey, EndpointState } from '@calends/core/store';
import { columnsOf, readerOf, tableOf } from './table.js';

const key = columnsOf<EndpointKey>();
const is = columnsOf<EndpointState>();

const keyColumns = {
  organization_id: key.text('organizationId'),
  application_id: key.text('applicationId'),
  endpoint_id: key.text('endpointId'),
  address_hash: key.text('addressHash'),
};
const stateColumns = {
  failing_since: is.nullableInteger('failingSince'),
  disabled_at: is.nullableInteger('disabledAt'),
  reason: is.nullableText('reason'),
};

export const endpointTable = tableOf<EndpointKey & EndpointState>('calends_endpoints')(keyColumns, stateColumns);

/** How deliveries to the endpoint of a row have gone. */
export const readEndpoint = readerOf(tableOf<EndpointState>('calends_endpoints')({}, stateColumns));
