import type { SendAttempt, WebhookEndpoint, WebhookMessage } from '@calends/core/notifier';
import { onTestFinished } from 'vitest';
import { webhookNotifier, type WebhookNotifierOptions } from '../../src/index.js';

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A notifier that is closed with the test. */
export function notifier(options: WebhookNotifierOptions = {}) {
  const made = webhookNotifier(options);
  onTestFinished(() => made.close());
  return made;
}

/** An endpoint on loopback, allowed to be there. */
export function localEndpoint(url: string, changes: Partial<WebhookEndpoint> = {}): WebhookEndpoint {
  return { id: 'hook', label: 'Hook', url, secret, allowHttp: true, allowPrivateNetwork: true, ...changes };
}

export function messageFor(endpoint: WebhookEndpoint, changes: Partial<WebhookMessage> = {}): WebhookMessage {
  return {
    channel: 'WEBHOOKS',
    notificationId: '01994a5e-7c00-7000-8000-000000000001',
    organizationId: 'org-1',
    applicationId: 'app-1',
    appointmentId: '01994a5e-7c00-7000-8000-000000000002',
    type: 'CREATE',
    endpoint,
    body: '{"id":"1","type":"CREATE","timestamp":"2026-05-04T09:00:00Z","payload":{"title":"Grüße"}}',
    headers: {},
    timestamp: 1_777_885_200,
    ...changes,
  };
}

export function attempt(signal: AbortSignal = new AbortController().signal): SendAttempt {
  return { idempotencyKey: '01994a5e-7c00-7000-8000-000000000001', attempt: 1, signal };
}
