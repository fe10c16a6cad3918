import { formatInstant, seconds } from '@calends/model';
import { CalendsError } from '../../domain/calls/errors.js';
import type { EndpointKey } from '../../ports/store/notifications.js';
import type { SendResult } from '../../domain/notifications/provider-answers.js';
import { endpointChannel } from '../../settings/channels.js';
import type { WebhookEndpoint } from '../../settings/notification-settings.js';
import type { UseCaseContext } from '../context.js';
import { attemptOf, callProvider, ProviderTimeout } from '../../delivery/call-provider.js';
import { readSendResult, UnreadableAnswer } from '../../delivery/read-answer.js';
import type { EndpointTest } from './endpoint-operations.js';
import type { WebhookMessage } from '../../ports/notifier.js';

/** Somebody waits for the answer, and a request is answered within ten seconds. */
const maxTimeout = seconds(8);

/** Makes test calls to endpoints: one at a time to each (D78). */
export function endpointTester(
  context: UseCaseContext,
): (endpoint: WebhookEndpoint, key: EndpointKey) => Promise<EndpointTest> {
  const underWay = new Set<string>();
  return async (endpoint, key) => {
    const name = JSON.stringify([key.organizationId, key.applicationId, key.endpointId]);
    if (underWay.has(name)) throw new CalendsError('rate_limited', 'A test of this endpoint is under way.');
    underWay.add(name);
    try {
      return await test(context, endpoint, key);
    } finally {
      underWay.delete(name);
    }
  };
}

async function test(
  { notifiers: { webhooks }, ids, clock }: UseCaseContext,
  endpoint: WebhookEndpoint,
  { organizationId, applicationId }: EndpointKey,
): Promise<EndpointTest> {
  if (webhooks === undefined) {
    throw new CalendsError('unavailable', 'This process sends no web hooks.', { temporary: false });
  }
  const id = ids.next();
  const now = clock.now();
  const payload = { organizationId, applicationId, endpointId: endpoint.id };
  const message: WebhookMessage = {
    channel: endpointChannel,
    notificationId: id,
    organizationId,
    applicationId,
    type: 'TEST',
    endpoint,
    body: JSON.stringify({ id, type: 'TEST', timestamp: formatInstant(now), payload }),
    headers: {},
    timestamp: Math.floor(now / 1000),
  };
  const timeout = Math.min(webhooks.timeout, maxTimeout);
  try {
    const answer = await callProvider(timeout, (deadline) => webhooks.send(message, attemptOf(id, 1, deadline)));
    return { id, ...outcomeOf(readSendResult(answer)) };
  } catch (error) {
    if (error instanceof UnreadableAnswer) return { id, outcome: 'UNKNOWN', errorMessage: error.message };
    // What a notifier throws may name addresses.
    if (!(error instanceof ProviderTimeout)) return { id, outcome: 'FAILED', errorMessage: 'The notifier failed.' };
    return { id, outcome: 'UNKNOWN', errorMessage: `No answer came within ${String(timeout)} ms.` };
  }
}

function outcomeOf(result: SendResult): Omit<EndpointTest, 'id'> {
  const { providerStatus } = result;
  if (result.status === 'delivered' || result.status === 'submitted') return { outcome: 'DELIVERED', providerStatus };
  const outcome = result.status === 'failed' ? 'FAILED' : 'UNKNOWN';
  return { outcome, providerStatus, errorMessage: result.error };
}
