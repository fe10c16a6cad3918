import type {
  WebhookEndpoint,
  WebhookEndpointDetails,
  WebhookEndpointReplay,
  WebhookEndpoints,
  WebhookEndpointTest,
} from '@calends/http-contract';
import { webhookNotifier } from '@calends/notifier-webhook';
import { RefusedError } from '../exit-codes.js';
import { ask, type Question } from './ask.js';
import { textTable } from './text-table.js';

/** What can be done with web hook endpoints. */
export type EndpointStep = 'list' | 'show' | 'enable' | 'disable' | 'test' | 'replay';

/** What `calends notifications endpoints` was asked for. */
export interface EndpointsRequest {
  readonly action: 'endpoints';
  readonly organizationId?: string | undefined;
  readonly applicationId: string;
  readonly step: EndpointStep;
  /** Empty for a list. */
  readonly endpointId: string;
  /** ISO 8601; of a replay. */
  readonly since?: string | undefined;
}

/**
 * `calends notifications endpoints`: shows, enables, disables and tests web hook endpoints and replays what failed for them,
 * as an administrator of the organization (D78).
 *
 * A test call is made by this process; what is replayed is sent by a running server.
 *
 * @throws RefusedError when the interface answers a problem, when a test call did not arrive, and for a list of an application that
 *   nobody has heard of
 */
export async function endpoints(request: EndpointsRequest): Promise<void> {
  switch (request.step) {
    case 'list': {
      const { applicationId } = request;
      const { endpoints: all } = JSON.parse(
        await asked(request, 'GET', undefined, { applicationId }),
      ) as WebhookEndpoints;
      process.stdout.write(all.length === 0 ? 'The application has no web hook endpoints.\n' : table(all));
      return;
    }
    case 'show':
      show(JSON.parse(await asked(request, 'GET')) as WebhookEndpointDetails);
      return;
    case 'enable':
    case 'disable':
      process.stdout.write(table([JSON.parse(await asked(request, 'PUT', request.step)) as WebhookEndpoint]));
      return;
    case 'test':
      return test(request);
    case 'replay':
      return replay(request);
  }
}

async function test(request: EndpointsRequest): Promise<void> {
  const webhooks = webhookNotifier();
  try {
    const answer = await asked(request, 'POST', 'test', { notifiers: { webhooks } });
    const { id, outcome, providerStatus, errorMessage } = JSON.parse(answer) as WebhookEndpointTest;
    const words = [providerStatus === undefined ? undefined : `HTTP ${providerStatus}`, errorMessage];
    const text = [`${outcome} (webhook-id ${id})`, ...words].filter((word) => word !== undefined).join('\n');
    if (outcome !== 'DELIVERED') throw new RefusedError(text);
    process.stdout.write(`${text}\n`);
  } finally {
    await webhooks.close();
  }
}

async function replay(request: EndpointsRequest): Promise<void> {
  let [retried, skipped] = [0, 0];
  let after: string | undefined;
  do {
    const query = { since: request.since ?? '', ...(after === undefined ? {} : { after }) };
    const done = JSON.parse(await asked(request, 'POST', 'replay', {}, query)) as WebhookEndpointReplay;
    retried += done.retried;
    skipped += done.skipped;
    after = done.next;
  } while (after !== undefined);
  process.stdout.write(`${String(retried)} are being sent again, ${String(skipped)} may not be retried any more.\n`);
}

function asked(
  { organizationId, applicationId, endpointId }: EndpointsRequest,
  method: Question['method'],
  verb?: string,
  more: Pick<Question, 'notifiers' | 'applicationId'> = {},
  parameters: Readonly<Record<string, string>> = {},
): Promise<string> {
  const parts = ['/api/notifications/webhooks/endpoints', encodeURIComponent(endpointId), verb];
  const path = parts.filter((part) => part !== undefined && part !== '').join('/');
  const query = new URLSearchParams({ applicationId, ...parameters }).toString();
  return ask({ organizationId, role: 'ROLE_ADMIN', method, path, query, ...more });
}

function show({ lastFailures, ...endpoint }: WebhookEndpointDetails): void {
  process.stdout.write(table([endpoint]));
  if (lastFailures.length === 0) return;
  const rows = lastFailures.map(({ timestamp, statusId, type, status, errorMessage }) => [
    ...[timestamp, statusId, type, status],
    errorMessage,
  ]);
  process.stdout.write(`\n${textTable(['FAILED AT', 'ID', 'TYPE', 'STATUS', 'MESSAGE'], rows)}`);
}

function table(all: readonly WebhookEndpoint[]): string {
  const rows = all.map(({ id, label, enabled, failingSince = '', disabledAt = '', disabledReason = '' }) => [
    ...[id, label, enabled ? 'enabled' : 'disabled', failingSince, disabledAt],
    disabledReason,
  ]);
  return textTable(['ID', 'LABEL', 'STATE', 'FAILING SINCE', 'DISABLED AT', 'REASON'], rows);
}
