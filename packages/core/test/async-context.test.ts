import { AsyncLocalStorage } from 'node:async_hooks';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { type Caller, createScheduling } from '../src/index.js';
import type { SendResult } from '../src/notifier.js';

const request = new AsyncLocalStorage<string>();
const secret = 'a secret of at least thirty-two bytes';
const notifications = { active: true, reminders: [], email: { from: 'desk@example.org' } };
const agentOf = (id: string): Caller => ({ id, organizationId: 'org-1', roles: ['ROLE_AGENT'] });
const booking = {
  applicationId: 'app-1',
  start: '2999-05-06T09:00:00Z',
  duration: 'PT30M',
  timezone: 'Europe/Athens',
  customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
};

describe('In the async context of requests, as traces follow it', () => {
  it('what is written for many belongs to none', async () => {
    const seen: (readonly [string, string | undefined])[] = [];
    let tellRecorded: () => void = () => undefined;
    const recorded = new Promise<void>((resolve) => (tellRecorded = resolve));
    const store = memoryStore();
    const watched = {
      ...store,
      audit: {
        ...store.audit,
        recordRefusals: (...given: Parameters<typeof store.audit.recordRefusals>) => {
          seen.push(['refusals', request.getStore()]);
          tellRecorded();
          return store.audit.recordRefusals(...given);
        },
      },
      notifications: {
        ...store.notifications,
        settle: (...given: Parameters<typeof store.notifications.settle>) => {
          seen.push(['outcomes', request.getStore()]);
          return store.notifications.settle(...given);
        },
      },
    };
    const scheduling = createScheduling({
      store: watched,
      secret,
      applications: { 'app-1': { notifications } },
      notifiers: {
        email: { capability: 'none', timeout: 10_000, send: () => Promise.resolve({ status: 'delivered' }) },
      },
    });
    const { id } = await scheduling.appointments.schedule(agentOf('agent-1'), booking);
    await request.run('a worker’s start', () => scheduling.workers.runOnce());
    await Promise.all(
      ['agent-2', 'agent-3'].map((agent) =>
        request.run(`request of ${agent}`, () =>
          expect(scheduling.appointments.cancel(agentOf(agent), { id })).rejects.toMatchObject({
            code: 'not_assigned',
          }),
        ),
      ),
    );
    await recorded;
    await scheduling.close();
    expect(seen).toEqual([
      ['outcomes', undefined],
      ['refusals', undefined],
    ]);
  });

  it('a one-time password is sent as the work of the request that asked for it, also when it had to wait', async () => {
    const sentIn = new Map<string, string | undefined>();
    const waiting: (() => void)[] = [];
    const send = (message: { readonly to: { readonly address: string } }): Promise<SendResult> => {
      sentIn.set(message.to.address, request.getStore());
      return new Promise((resolve) => waiting.push(() => resolve({ status: 'delivered' })));
    };
    const scheduling = createScheduling({
      store: memoryStore(),
      secret,
      applications: { 'app-1': { notifications } },
      notifiers: { email: { capability: 'none', timeout: 10_000, send } },
    });
    const addresses = Array.from({ length: 120 }, (_, index) => `customer-${String(index)}@example.org`);
    await Promise.all(
      addresses.map((username) =>
        request.run(`request of ${username}`, () =>
          scheduling.customers.requestOtp({ applicationId: 'app-1', username }),
        ),
      ),
    );
    while (sentIn.size < addresses.length) {
      for (const end of waiting.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const end of waiting) end();
    await scheduling.close();
    expect([...sentIn]).toEqual(addresses.map((address) => [address, `request of ${address}`]));
  });
});
