import { afterEach, describe, expect, it, vi } from 'vitest';
import { days, hours, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { SchedulingStore } from '../../src/store.js';
import type { SendResult, WebhookMessage } from '../../src/notifier.js';
import { answerOrCode } from '../error-of.js';
import { agentOne, booked, supervisor } from '../fixtures.js';
import { caller } from '../sample-appointments.js';
import { endpointKeyOf } from '../../src/delivery/channels/endpoint-states.js';
import { endpoint, everything, type Notified, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const hooksAlone: ConfiguredNotifications = { ...everything, email: undefined, sms: undefined, reminders: [] };
const later = { customers: [reachable], start: '2030-06-06T11:00:00Z' };
const gone: SendResult = { status: 'failed', permanent: true, error: 'HTTP 410', endpointGone: true };
const refused: SendResult = { status: 'failed', permanent: true, error: 'HTTP 500' };
afterEach(() => void vi.useRealTimers());

const crm = { applicationId: 'app-1', endpointId: 'crm' };

/** The same data under other settings. */
const over = (base: Notified, settings: ConfiguredNotifications): Notified =>
  notified(settings, { store: base.store, clock: base.clock, ids: base.ids });

async function disabled(): Promise<{ base: Notified; id: string }> {
  const base = notified(hooksAlone);
  base.webhooks.answers(gone);
  const { id } = await booked(base, later);
  await base.work();
  base.webhooks.answers({ status: 'delivered' });
  return { base, id };
}

const update = async (base: Notified, id: string, title: string): Promise<void> => {
  await base.appointments.update(agentOne, { id, title });
  await base.work();
};

const disabledSignals = ({ signals }: Notified) => signals.filter(({ type }) => type === 'endpointDisabled');

describe('An endpoint', () => {
  it('an endpoint that answers 410 gets nothing more: what is planned for it fails without an attempt', async () => {
    const { base, id } = await disabled();
    await update(base, id, 'a');
    expect(base.webhooks.types).toEqual(['CREATE']);
    expect(await base.statuses({ types: ['UPDATE'] })).toMatchObject([
      { status: 'FAILED', message: 'the endpoint is disabled', retryCount: 0 },
    ]);
  });

  it('an endpoint that is disabled is told of once, also when several deliveries find it out together', async () => {
    const base = notified(hooksAlone);
    const { id } = await booked(base, later);
    await base.appointments.update(agentOne, { id, title: 'a' });
    base.webhooks.answers(gone);
    await base.work();
    expect(base.webhooks.sent).toHaveLength(2);
    await update(base, id, 'b');
    expect(disabledSignals(base)).toEqual([
      {
        type: 'endpointDisabled',
        organizationId: 'org-1',
        applicationId: 'app-1',
        endpointId: 'crm',
        reason: 'it answered 410',
      },
    ]);
  });

  it('an endpoint that another process has disabled is not told of again', async () => {
    const base = notified(hooksAlone);
    const other = over(base, hooksAlone);
    for (const each of [base, other]) each.webhooks.answers(refused);
    const { id } = await booked(base, later);
    await base.work();
    base.clock.advance(days(5) - 1);
    await update(other, id, 'a');
    base.clock.advance(1);
    await update(base, id, 'b');
    await update(other, id, 'c');
    expect(other.webhooks.sent).toHaveLength(2);
    expect(disabledSignals(base)).toMatchObject([{ reason: 'every delivery failed for five days' }]);
    expect(disabledSignals(other)).toEqual([]);
  });

  it('an endpoint is enabled again by an administrator (D78)', async () => {
    const { base, id } = await disabled();
    const { enableEndpoint } = base.scheduling.notifications;
    expect(await answerOrCode(() => enableEndpoint(agentOne, crm))).toBe('forbidden');
    const unknown = { ...crm, endpointId: 'x' };
    expect(await answerOrCode(() => enableEndpoint(caller('ROLE_ADMIN'), unknown))).toBe('not_found');
    await update(base, id, 'a');
    await enableEndpoint(caller('ROLE_ADMIN'), crm);
    await update(base, id, 'b');
    expect(base.webhooks.types).toEqual(['CREATE', 'UPDATE']);
    const [failed] = await base.statuses({ types: ['UPDATE'], statuses: ['FAILED'] });
    await base.scheduling.notifications.retry(supervisor, failed?.id ?? '');
    await base.work();
    expect(base.webhooks.types).toEqual(['CREATE', 'UPDATE', 'UPDATE']);
  });

  it('an endpoint that is disabled lets nothing be retried that its provider took, whatever stands beside it (D68)', async () => {
    const webhooks = new Provider<WebhookMessage>().reports({ state: 'pending' });
    const base = notified(hooksAlone, { webhooks });
    await booked(base, later);
    await base.work();
    const { retry, disableEndpoint } = base.scheduling.notifications;
    const [taken] = await base.statuses();
    expect(taken).toMatchObject({ status: 'PENDING', canRetry: true });
    await disableEndpoint(caller('ROLE_ADMIN'), crm);
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', canRetry: false }]);
    expect(await answerOrCode(() => retry(supervisor, taken?.id ?? ''))).toBe('retry_not_allowed');
  });

  it('an endpoint that is disabled lets nothing be retried, and takes no retry by hand away (D68)', async () => {
    const { base, id } = await disabled();
    const { retry, enableEndpoint } = base.scheduling.notifications;
    await update(base, id, 'a');
    const failed = await base.statuses({ sortField: 'id', sortOrder: 'asc' });
    expect(failed.map(({ status, canRetry }) => [status, canRetry])).toEqual([
      ['FAILED', false],
      ['FAILED', false],
    ]);
    const [first] = failed;
    expect(await answerOrCode(() => retry(supervisor, first?.id ?? ''))).toBe('retry_not_allowed');
    await enableEndpoint(caller('ROLE_ADMIN'), crm);
    expect((await base.statuses()).map(({ canRetry }) => canRetry)).toEqual([true, true]);
    expect(await retry(supervisor, first?.id ?? '')).toMatchObject({ status: 'PENDING' });
    // Disabled again between the retry and its attempt.
    const disabledAt = base.clock.now();
    const key = endpointKeyOf({ organizationId: 'org-1', applicationId: 'app-1' }, endpoint);
    await base.store.notifications.putEndpoint(key, {
      failingSince: disabledAt,
      disabledAt,
      reason: 'it answered 410',
    });
    await over(base, hooksAlone).work();
    const row = await base.store.notifications.find('org-1', first?.id ?? '');
    expect(row?.notification).toMatchObject({
      status: 'FAILED',
      message: 'the endpoint is disabled',
      manualRetries: 0,
    });
  });

  it('an endpoint starts again under another address', async () => {
    const { base, id } = await disabled();
    const moved = over(base, { ...hooksAlone, webhooks: [{ ...endpoint, url: 'https://crm.example/new' }] });
    await update(moved, id, 'a');
    expect(moved.webhooks.types).toEqual(['UPDATE']);
    const back = over(base, hooksAlone);
    await update(back, id, 'b');
    expect(back.webhooks.sent).toEqual([]);
  });

  it('an endpoint that is disabled disables no other', async () => {
    const { base, id } = await disabled();
    const both = over(base, { ...hooksAlone, webhooks: [endpoint, { ...endpoint, id: 'erp', label: 'ERP' }] });
    await update(both, id, 'a');
    expect(both.webhooks.sent.map(({ message }) => message.endpoint.id)).toEqual(['erp']);
  });

  it('an endpoint is disabled after five days of failures only, and not before', async () => {
    const base = notified(hooksAlone);
    base.webhooks.answers(refused);
    const { id } = await booked(base, later);
    await base.work();
    base.clock.advance(days(5) - 1);
    await update(base, id, 'a');
    await update(base, id, 'b');
    expect(base.webhooks.sent).toHaveLength(3);
    base.clock.advance(1);
    await update(base, id, 'c');
    expect(base.webhooks.sent).toHaveLength(4);
    base.clock.advance(seconds(31));
    await update(base, id, 'd');
    expect(base.webhooks.sent).toHaveLength(4);
  });

  it('an endpoint is disabled too when it is the notifier that throws for five days', async () => {
    const base = notified(hooksAlone);
    base.webhooks.answers(() => Promise.reject(new TypeError('a bug')));
    const { id } = await booked(base, later);
    await base.work();
    base.clock.advance(days(5));
    await update(base, id, 'a');
    expect(disabledSignals(base)).toHaveLength(1);
    expect(await base.statuses({ types: ['UPDATE'] })).toMatchObject([{ errorMessage: expect.stringMatching(/Type/) }]);
  });

  it('an endpoint that answers well once in between is not disabled', async () => {
    const base = notified(hooksAlone);
    base.webhooks.answers(refused);
    const { id } = await booked(base, later);
    await base.work();
    for (let day = 1; day < 12; day += 1) {
      base.clock.advance(days(1));
      base.webhooks.answers(day === 4 || day === 8 ? { status: 'delivered' } : refused);
      await update(base, id, String(day));
    }
    expect(base.webhooks.sent).toHaveLength(12);
  });

  it.each([1, 5, 31])(
    'an endpoint that fails once and answers another process well %i s later is not disabled',
    async (wait) => {
      const base = notified(hooksAlone);
      const other = over(base, hooksAlone);
      const { id } = await booked(base, later);
      await other.work();
      base.webhooks.answers(refused);
      await update(base, id, 'a');
      base.clock.advance(seconds(wait));
      await update(other, id, 'b');
      expect(other.webhooks.types).toEqual(['CREATE', 'UPDATE']);
      base.clock.advance(days(6));
      await update(base, id, 'c');
      expect(disabledSignals(base)).toEqual([]);
    },
  );

  it('an endpoint whose state cannot be kept gets its message all the same, once', async () => {
    const inner = notified(hooksAlone);
    const putEndpoint = (): Promise<never> => Promise.reject(new Error('down'));
    const base = notified(hooksAlone, {
      store: { ...inner.store, notifications: { ...inner.store.notifications, putEndpoint } },
      clock: inner.clock,
      ids: inner.ids,
    });
    base.webhooks.answers(() =>
      base.webhooks.sent.length === 1 ? { ...refused, permanent: false } : { status: 'delivered' },
    );
    await booked(base, later);
    await base.work();
    await base.after(seconds(10));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 2 }]);
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'endpoint' }));
  });
});

describe('An endpoint whose state is kept without an end', () => {
  it.each<[string, SendResult, object]>([
    ['was delivered', { status: 'delivered' }, { status: 'DELIVERED', retryCount: 2 }],
    ['was refused for good', refused, { status: 'FAILED', errorMessage: 'HTTP 500', retryCount: 2 }],
  ])(
    'an endpoint whose state is kept without an end takes nothing from a message that %s',
    async (_what, result, expected) => {
      const inner = notified(hooksAlone);
      let hangs = false;
      const putEndpoint: SchedulingStore['notifications']['putEndpoint'] = (...of) =>
        hangs ? new Promise(() => undefined) : inner.store.notifications.putEndpoint(...of);
      const store = { ...inner.store, notifications: { ...inner.store.notifications, putEndpoint } };
      const base = notified(hooksAlone, { store, clock: inner.clock, ids: inner.ids });
      base.webhooks.answers({ ...refused, permanent: false });
      await booked(base, later);
      await base.work();
      base.webhooks.answers(result);
      hangs = true;
      // A delivery changes what is known of the endpoint, and a failure does after five days.
      base.clock.advance(days(5));
      vi.useFakeTimers();
      const pass = base.work();
      await vi.advanceTimersByTimeAsync(seconds(3));
      await pass;
      expect(await base.statuses()).toMatchObject([expected]);
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'endpoint' }));
    },
  );
});

describe('The body of a web hook (D59)', () => {
  it('the body of a web hook has the same bytes for every attempt, by hand too, although the appointment changes', async () => {
    const base = notified(hooksAlone);
    base.webhooks.answers({ status: 'failed', permanent: false, error: 'HTTP 503' });
    const { id } = await booked(base, later);
    await base.work();
    await base.appointments.update(agentOne, { id, title: 'Another' });
    await base.appointments.reassign(supervisor, { id, userId: 'agent-2' });
    for (let attempt = 0; attempt < 12; attempt += 1) await base.after(hours(13));
    const created = base.webhooks.sent.filter(({ message }) => message.type === 'CREATE');
    expect(created).toHaveLength(8);
    const [status] = await base.statuses({ types: ['CREATE'] });
    await base.scheduling.notifications.enableEndpoint(caller('ROLE_ADMIN'), crm);
    await base.scheduling.notifications.retry(supervisor, status?.id ?? '');
    await base.work();
    const bodies = base.webhooks.sent.flatMap(({ message }) => (message.type === 'CREATE' ? [message.body] : []));
    expect(bodies).toHaveLength(9);
    expect(new Set(bodies).size).toBe(1);
    const times = base.webhooks.sent
      .filter(({ message }) => message.type === 'CREATE')
      .map(({ message }) => message.timestamp);
    expect(new Set(times).size).toBe(9);
  });

  it('the body of a web hook holds nothing personal', async () => {
    const base = notified(hooksAlone);
    const { id } = await booked(base, { ...later, title: 'A secret title', notes: 'A secret note' });
    await base.appointments.cancel(agentOne, { id, cancelReason: 'A secret reason' });
    await base.work();
    for (const { message } of base.webhooks.sent) expect(message.body).not.toMatch(/secret|Maria|example\.org|\+30/);
  });
});
