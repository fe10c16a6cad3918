import { createScheduling } from '@calends/core';
import { schedulingHttp, wholeBody } from '@calends/http';
import { webhookNotifier } from '@calends/notifier-webhook';
import { memoryStore } from '@calends/store-memory';
import { afterAll, describe, expect, it } from 'vitest';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const asked: string[] = [];
const webhooks = webhookNotifier({
  resolve: (name) => {
    asked.push(name);
    return Promise.resolve(['10.0.0.7']);
  },
});
afterAll(() => webhooks.close());

describe('a test call of a web hook endpoint', () => {
  it('a test call of a web hook endpoint keeps the rules of real deliveries: a name that leads inside is not called, and no address is told', async () => {
    const endpoint = { id: 'crm', label: 'CRM', url: 'https://hooks.example/in?token=confidential', secret };
    const scheduling = createScheduling({
      store: memoryStore(),
      secret: 'a secret of the tests that has more than 32 bytes',
      applications: { 'app-1': { notifications: { webhooks: [endpoint] } } },
      notifiers: { webhooks },
    });
    const service = schedulingHttp(scheduling, {
      authentication: { verify: () => ({ id: 'admin-1', organizationId: 'org-1', roles: ['ROLE_ADMIN'] }) },
      webhookEndpoints: true,
    });
    const response = await service.handle({
      method: 'POST',
      path: '/api/notifications/webhooks/endpoints/crm/test',
      query: 'applicationId=app-1',
      header: (name) => (name === 'authorization' ? 'Bearer x' : undefined),
      body: () => ({ kind: 'none' }),
    });
    const body = response === undefined ? '' : await wholeBody(response);
    expect(asked).toEqual(['hooks.example']);
    expect(JSON.parse(body)).toMatchObject({
      outcome: 'FAILED',
      errorMessage:
        'The endpoint cannot be used: url leads to an address that is not public; allowPrivateNetwork is off.',
    });
    expect(body).not.toMatch(/10\.0\.0\.7|hooks\.example|confidential|whsec_/);
    await scheduling.close();
  });
});
