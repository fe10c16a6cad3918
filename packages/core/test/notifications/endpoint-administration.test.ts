import { afterEach, describe, expect, it, vi } from 'vitest';
import { hours, minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { SendResult } from '../../src/notifier.js';
import { answerOrCode } from '../error-of.js';
import { agentOne, booked, clientService, supervisor } from '../fixtures.js';
import { caller } from '../sample-appointments.js';
import { endpoint, everything, type Notified, notified, reachable } from './notified.js';

const admin = caller('ROLE_ADMIN', { id: 'admin-1' });
const customer = caller('ROLE_CUSTOMER', { conferenceId: 'x' });
const hooksAlone: ConfiguredNotifications = { ...everything, email: undefined, sms: undefined, reminders: [] };
const crm = { applicationId: 'app-1', endpointId: 'crm' };
const later = { customers: [reachable], start: '2030-06-06T11:00:00Z' };
const refused: SendResult = { status: 'failed', permanent: true, error: 'The endpoint answered 500.' };
const gone: SendResult = { ...refused, error: 'The endpoint answered 410.', endpointGone: true };
const begin = (base: Notified): string => new Date(base.clock.now()).toISOString();

afterEach(() => void vi.useRealTimers());

/** Bookings whose web hooks have failed for good; answers when that began. */
async function failures(base: Notified, count: number): Promise<string> {
  const since = begin(base);
  base.webhooks.answers(refused);
  for (let made = 0; made < count; made += 1) await booked(base, later);
  while ((await base.work()) > 0);
  base.webhooks.answers({ status: 'delivered' });
  return since;
}

describe('Web hook endpoints (D78)', () => {
  it('web hook endpoints are for administrators whose credentials cover the application', async () => {
    const { notifications } = notified(hooksAlone).scheduling;
    const calls = [
      (by = admin) => notifications.listEndpoints(by, 'app-1'),
      (by = admin) => notifications.getEndpoint(by, crm),
      (by = admin) => notifications.enableEndpoint(by, crm),
      (by = admin) => notifications.disableEndpoint(by, crm),
      (by = admin) => notifications.testEndpoint(by, crm),
      (by = admin) => notifications.replayEndpoint(by, { ...crm, since: '2030-01-01T00:00:00Z' }),
    ];
    for (const call of calls) {
      for (const by of [agentOne, supervisor, clientService, customer, { ...admin, applicationIds: ['app-2'] }]) {
        expect(await answerOrCode<unknown>(() => call(by))).toBe('forbidden');
      }
    }
  });

  it('web hook endpoints of another organization are as unknown as those that nobody has', async () => {
    const theirs = { 'app-1': { organizationId: 'org-2', notifications: hooksAlone } };
    const { notifications } = notified(hooksAlone, { applications: theirs }).scheduling;
    expect(await notifications.listEndpoints(admin, 'app-1')).toEqual([]);
    expect(await notifications.listEndpoints(admin, 'nowhere')).toEqual([]);
    for (const reference of [crm, { ...crm, applicationId: 'nowhere' }]) {
      for (const call of ['getEndpoint', 'enableEndpoint', 'disableEndpoint', 'testEndpoint'] as const) {
        expect(await answerOrCode<unknown>(() => notifications[call](admin, reference))).toBe('not_found');
      }
    }
  });

  it('web hook endpoints are shown with what failed last, and without address, headers and secrets', async () => {
    const secretive = { ...endpoint, headers: { 'x-key': 'confidential' } };
    const base = notified({ ...hooksAlone, webhooks: [secretive, { ...endpoint, id: 'erp', types: ['CREATE'] }] });
    const { notifications } = base.scheduling;
    const failedAt = base.clock.now();
    await failures(base, 1);
    const [shown, ...others] = await notifications.listEndpoints(admin, 'app-1');
    expect(shown).toMatchObject({ id: 'crm', label: endpoint.label, enabled: true, failingSince: failedAt });
    expect(shown?.types).toHaveLength(16);
    expect(others).toMatchObject([{ id: 'erp', types: ['CREATE'] }]);
    const one = await notifications.getEndpoint(admin, crm);
    const failure = { type: 'CREATE', at: failedAt, status: 'FAILED', errorMessage: 'The endpoint answered 500.' };
    expect(one.lastFailures).toEqual([{ ...failure, notificationId: expect.any(String) as string }]);
    expect(JSON.stringify([shown, one])).not.toMatch(/crm\.example|whsec|confidential/);
  });

  it('web hook endpoints show the ten latest failures, those before another attempt included', async () => {
    const base = notified(hooksAlone);
    base.webhooks.answers({ ...refused, permanent: false });
    await booked(base, later);
    await base.work();
    const { lastFailures } = await base.scheduling.notifications.getEndpoint(admin, crm);
    expect(lastFailures).toMatchObject([{ status: 'PENDING', errorMessage: 'The endpoint answered 500.' }]);
    base.clock.advance(1000);
    await failures(base, 12);
    const { lastFailures: ten } = await base.scheduling.notifications.getEndpoint(admin, crm);
    expect(ten.map(({ status }) => status)).toEqual(Array<string>(10).fill('FAILED'));
  });

  it('web hook endpoints are disabled by hand with the name of who did it, and enabled again', async () => {
    const base = notified(hooksAlone);
    const { notifications } = base.scheduling;
    const disabled = await notifications.disableEndpoint(admin, crm);
    const disabledAt = base.clock.now();
    expect(disabled).toMatchObject({ enabled: false, disabledAt, disabledReason: 'disabled by admin-1' });
    base.clock.advance(1000);
    expect(await notifications.disableEndpoint({ ...admin, id: 'admin-2' }, crm)).toEqual(disabled);
    await booked(base, later);
    await base.work();
    expect(base.webhooks.sent).toEqual([]);
    const { lastFailures } = await notifications.getEndpoint(admin, crm);
    expect(lastFailures).toMatchObject([{ errorMessage: 'the endpoint is disabled' }]);
    const enabled = await notifications.enableEndpoint(admin, crm);
    expect(enabled).toMatchObject({ enabled: true, disabledAt: undefined, disabledReason: undefined });
    await booked(base, later);
    await base.work();
    expect(base.webhooks.sent).toHaveLength(1);
  });

  it('web hook endpoints that another process has enabled get messages again a second later', async () => {
    const base = notified(hooksAlone);
    const { store, clock, ids } = base;
    const other = notified(hooksAlone, { store, clock, ids });
    await base.scheduling.notifications.disableEndpoint(admin, crm);
    await booked(other, later);
    await other.work();
    await base.scheduling.notifications.enableEndpoint(admin, crm);
    clock.advance(seconds(1));
    await base.scheduling.notifications.replayEndpoint(admin, {
      ...crm,
      since: begin(base).replace(/T.*/, 'T00:00:00Z'),
    });
    await other.work();
    expect(other.webhooks.types).toEqual(['CREATE']);
  });

  it('web hook endpoints show why they were disabled by themselves', async () => {
    const base = notified(hooksAlone);
    base.webhooks.answers(gone);
    await booked(base, later);
    await base.work();
    const shown = await base.scheduling.notifications.getEndpoint(admin, crm);
    expect(shown).toMatchObject({ enabled: false, disabledReason: 'it answered 410' });
  });

  it('web hook endpoints leave a line in the audit record for each thing that was done, and none for what was refused', async () => {
    const base = notified(hooksAlone);
    const { notifications, audit } = base.scheduling;
    const since = await failures(base, 1);
    await notifications.disableEndpoint(admin, crm, { correlationId: 'request-1' });
    await answerOrCode(() => notifications.replayEndpoint(admin, { ...crm, since }));
    await notifications.enableEndpoint(admin, crm);
    await notifications.testEndpoint(admin, crm);
    await notifications.replayEndpoint(admin, { ...crm, since });
    await notifications.getEndpoint(admin, crm);
    const { items } = await audit.list(supervisor, { pageSize: 100 });
    const done = items.filter(({ operation }) => operation.endsWith('Endpoint'));
    expect(done.map(({ operation }) => operation).sort()).toEqual(
      ['disableEndpoint', 'enableEndpoint', 'replayEndpoint', 'testEndpoint'].sort(),
    );
    const line = { applicationId: 'app-1', actor: { id: 'admin-1', role: 'ROLE_ADMIN' }, outcome: 'done' };
    for (const each of done) expect(each).toMatchObject(line);
    expect(done.find(({ operation }) => operation === 'disableEndpoint')?.requestId).toBe('request-1');
  });
});

describe('A test call', () => {
  it('a test call is of the type TEST, names nobody, and keeps nothing', async () => {
    const base = notified(hooksAlone);
    const { id, outcome } = await base.scheduling.notifications.testEndpoint(admin, crm);
    expect(outcome).toBe('DELIVERED');
    const [sent] = base.webhooks.sent;
    expect(sent?.message).toMatchObject({ type: 'TEST', notificationId: id, endpoint, headers: {} });
    expect(JSON.parse(sent?.message.body ?? '')).toEqual({
      id,
      type: 'TEST',
      timestamp: begin(base).replace('.000Z', 'Z'),
      payload: { organizationId: 'org-1', applicationId: 'app-1', endpointId: 'crm' },
    });
    expect(await base.statuses()).toEqual([]);
  });

  it('a test call goes to a disabled endpoint too, and changes nothing of it', async () => {
    const base = notified(hooksAlone);
    const { notifications } = base.scheduling;
    const before = await notifications.disableEndpoint(admin, crm);
    for (const answer of [{ status: 'delivered' } as const, gone]) {
      base.webhooks.answers(answer);
      await notifications.testEndpoint(admin, crm);
      expect(await notifications.getEndpoint(admin, crm)).toEqual({ ...before, lastFailures: [] });
    }
    expect(base.webhooks.sent).toHaveLength(2);
  });

  it.each<[string, SendResult | Error, object]>([
    ['delivered', { status: 'delivered', providerStatus: '204' }, { outcome: 'DELIVERED', providerStatus: '204' }],
    ['refused', { ...refused, providerStatus: '500' }, { outcome: 'FAILED', errorMessage: refused.error }],
    [
      'without an answer',
      { status: 'unknown', error: 'No answer.' },
      { outcome: 'UNKNOWN', errorMessage: 'No answer.' },
    ],
    ['broken', new Error('10.0.0.7 refused'), { outcome: 'FAILED', errorMessage: 'The notifier failed.' }],
  ])('a test call that is %s says so, and what a notifier throws stays inside', async (_what, answer, expected) => {
    const base = notified(hooksAlone);
    base.webhooks.answers(answer instanceof Error ? () => Promise.reject(answer) : answer);
    expect(await base.scheduling.notifications.testEndpoint(admin, crm)).toMatchObject(expected);
  });

  it('a test call waits eight seconds at most, and no second one begins meanwhile', async () => {
    const base = notified(hooksAlone);
    const { notifications } = base.scheduling;
    vi.useFakeTimers();
    let aborted = false;
    const began = new Promise<void>((begun) => {
      base.webhooks.answers((_message, { signal }) => {
        signal.addEventListener('abort', () => (aborted = true));
        begun();
        return new Promise(() => undefined);
      });
    });
    const waiting = notifications.testEndpoint(admin, crm);
    await began;
    expect(await answerOrCode(() => notifications.testEndpoint(admin, crm))).toBe('rate_limited');
    await vi.advanceTimersByTimeAsync(seconds(8));
    expect(await waiting).toMatchObject({ outcome: 'UNKNOWN', errorMessage: 'No answer came within 8000 ms.' });
    expect(aborted).toBe(true);
    base.webhooks.answers({ status: 'delivered' });
    expect(await notifications.testEndpoint(admin, crm)).toMatchObject({ outcome: 'DELIVERED' });
  });
});

describe('A replay', () => {
  const replay = (base: Notified, since: string, after?: string) =>
    base.scheduling.notifications.replayEndpoint(admin, { ...crm, since, after });

  it('a replay sends again what has failed since a time, and nothing of before', async () => {
    const base = notified(hooksAlone);
    await failures(base, 2);
    base.clock.advance(hours(1));
    const since = await failures(base, 3);
    base.clock.advance(minutes(1));
    const before = base.webhooks.sent.length;
    expect(await replay(base, since)).toEqual({ retried: 3, skipped: 0, next: undefined });
    expect(await replay(base, since)).toEqual({ retried: 0, skipped: 0, next: undefined });
    while ((await base.work()) > 0);
    expect(base.webhooks.sent).toHaveLength(before + 3);
    expect(await base.statuses({ statuses: ['FAILED'] })).toHaveLength(2);
    const delivered = await base.statuses({ statuses: ['DELIVERED'] });
    expect(delivered.map(({ retryCount }) => retryCount)).toEqual([2, 2, 2]);
  });

  it('a replay finds by when it failed, not by when it was planned', async () => {
    const base = notified({ ...hooksAlone, reminders: [hours(1)] });
    await booked(base, { ...later, start: begin(base).replace(/T\d\d/, 'T23') });
    await base.work();
    base.clock.advance(hours(6));
    const since = begin(base);
    base.clock.advance(1);
    base.webhooks.answers(refused);
    while ((await base.statuses({ statuses: ['FAILED'] })).length === 0) await base.after(minutes(5));
    expect(await replay(base, since)).toMatchObject({ retried: 1 });
  });

  it('a replay sends nothing twice that fails again, goes on page by page, and skips what may not be retried', async () => {
    const base = notified(hooksAlone);
    const since = await failures(base, 130);
    const [{ appointmentId } = { appointmentId: '' }] = await base.statuses();
    await base.appointments.remove(supervisor, appointmentId);
    base.webhooks.answers(refused);
    const first = await replay(base, since);
    expect(first.retried + first.skipped).toBe(100);
    base.clock.advance(1);
    while ((await base.work()) > 0);
    const second = await replay(base, since, first.next);
    expect(second.next).toBeUndefined();
    expect(first.retried + second.retried).toBe(129);
    expect(first.skipped + second.skipped).toBe(1);
  });

  it('a replay is refused while the endpoint is disabled, and counts nothing', async () => {
    const base = notified(hooksAlone);
    const since = await failures(base, 1);
    await base.scheduling.notifications.disableEndpoint(admin, crm);
    expect(await answerOrCode(() => replay(base, since))).toBe('retry_not_allowed');
    await base.scheduling.notifications.enableEndpoint(admin, crm);
    expect(await replay(base, since)).toMatchObject({ retried: 1 });
  });

  it('a replay leaves alone what failed for another endpoint', async () => {
    const base = notified({ ...hooksAlone, webhooks: [endpoint, { ...endpoint, id: 'erp' }] });
    const since = await failures(base, 2);
    expect(await replay(base, since)).toMatchObject({ retried: 2, skipped: 0 });
    expect(await base.statuses({ statuses: ['FAILED'] })).toHaveLength(2);
  });

  it.each([
    [{ since: 'yesterday' }, '/since'],
    [{ since: '' }, '/since'],
    [{ since: '2030-01-01T00:00:00Z', after: 'x' }, '/after'],
    [{ since: '2030-01-01T00:00:00Z', after: '1.2.' }, '/after'],
  ])('a replay of %j is not valid', async (query, pointer) => {
    const { notifications } = notified(hooksAlone).scheduling;
    const replayed = notifications.replayEndpoint(admin, { ...crm, ...query });
    await expect(replayed).rejects.toMatchObject({ code: 'validation_failed', issues: [{ pointer }] });
  });

  it('a replay happens once for a key, and answers the same again', async () => {
    const base = notified(hooksAlone);
    const { notifications } = base.scheduling;
    const since = await failures(base, 2);
    const idempotency = { key: 'k-1', operation: 'replay' };
    const first = await notifications.replayEndpoint(admin, { ...crm, since }, { idempotency });
    const again = await notifications.replayEndpoint(admin, { ...crm, since }, { idempotency });
    expect([first, again]).toMatchObject([{ retried: 2 }, { retried: 2 }]);
    const other = { ...crm, since: '2030-01-01T00:00:00Z' };
    const mismatched = () => notifications.replayEndpoint(admin, other, { idempotency });
    expect(await answerOrCode(mismatched)).toBe('idempotency_mismatch');
  });
});
