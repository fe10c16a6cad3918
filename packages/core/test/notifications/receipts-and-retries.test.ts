import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import type { Caller, ConfiguredNotifications } from '../../src/index.js';
import type { DeliveryReport, SmsMessage } from '../../src/notifier.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, agentTwo, booked, fixture, foreignSupervisor, supervisor } from '../fixtures.js';
import { held } from './held.js';
import { everything, type Notified, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const textsAlone: ConfiguredNotifications = { ...everything, email: undefined, webhooks: [], reminders: [] };
const mailsAlone: ConfiguredNotifications = { ...everything, sms: undefined, webhooks: [], reminders: [] };
const withReach = { customers: [reachable], start: '2030-05-07T11:00:00Z' };

/** A receipt for the only notification. */
async function receive(base: Notified, report: DeliveryReport, organizationId = 'org-1'): Promise<boolean> {
  const [status] = await base.statuses();
  return base.scheduling.notifications.receive({ organizationId, notificationId: status?.id ?? '', report });
}

describe('Receipts', () => {
  const sms = () =>
    new Provider<SmsMessage>().answers({ status: 'submitted', messageId: 'm-1', providerStatus: 'queued' });

  it('receipts that come before the answer of their attempt win over it', async () => {
    const base = notified(textsAlone);
    const provider = held(base.sms);
    await booked(base, withReach);
    const pass = base.work();
    await provider.called(1);
    expect(await receive(base, { state: 'delivered', messageId: 'm-1', providerStatus: 'delivered' })).toBe(true);
    provider.answer({ status: 'submitted', messageId: 'm-1', providerStatus: 'queued' });
    await pass;
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', providerStatus: 'delivered', retryCount: 1 }]);
    expect((await base.history()).map(({ status }) => status)).toEqual(['INITIALIZED', 'DELIVERED']);
  });

  it.each([
    ['delivered', 'delivered', 'DELIVERED'],
    ['failed', 'undelivered', 'FAILED'],
    ['cancelled', 'canceled', 'CANCELLED'],
  ] as const)(
    'receipts that come before the answer of their attempt count where nobody polls: %s',
    async (state, providerStatus, status) => {
      const base = notified({ ...textsAlone, poll: { enabled: 'false' } });
      const provider = held(base.sms);
      await booked(base, withReach);
      const pass = base.work();
      await provider.called(1);
      const early = { state, messageId: 'm-1', providerStatus, error: state === 'failed' ? '30003' : undefined };
      expect(await receive(base, early)).toBe(true);
      provider.answer({ status: 'submitted', messageId: 'm-1', providerStatus: 'queued' });
      await pass;
      const expected = { status, providerStatus, retryCount: 1, nextRetryAt: undefined };
      expect(await base.statuses()).toMatchObject([expected]);
      await receive(base, early);
      await receive(base, { state: 'sent', messageId: 'm-1', providerStatus: 'sent' });
      await base.after(minutes(60));
      expect(await base.statuses()).toMatchObject([expected]);
      expect((await base.history()).map((event) => [event.status, event.messageId])).toEqual([
        ['INITIALIZED', undefined],
        [status, 'm-1'],
      ]);
      expect(base.sms.sent).toHaveLength(1);
    },
  );

  it('receipts of a failure that come before the answer of a retry by hand count for its message only', async () => {
    const base = notified({ ...textsAlone, poll: { enabled: 'false' } }, { sms: sms() });
    await booked(base, withReach);
    await base.work();
    const ended = { state: 'failed', messageId: 'm-1', providerStatus: 'undelivered' } as const;
    await receive(base, ended);
    const [status] = await base.statuses();
    await base.scheduling.notifications.retry(agentOne, status?.id ?? '');
    const provider = held(base.sms);
    const pass = base.work();
    await provider.called(2);
    await receive(base, ended);
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING' }]);
    await receive(base, { ...ended, messageId: 'm-2' });
    provider.answer({ status: 'submitted', messageId: 'm-2', providerStatus: 'queued' });
    await pass;
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', retryCount: 2 }]);
    expect((await base.history()).at(-1)).toMatchObject({ status: 'FAILED', messageId: 'm-2' });
  });

  it('receipts that come twice and out of order are followed upwards only', async () => {
    const base = notified(textsAlone, { sms: sms() });
    await booked(base, withReach);
    await base.work();
    for (const state of ['sent', 'delivered', 'sent', 'pending', 'delivered', 'failed'] as const) {
      expect(await receive(base, { state, messageId: 'm-1', providerStatus: state })).toBe(true);
    }
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', providerStatus: 'delivered' }]);
    expect((await base.history()).map(({ providerStatus }) => providerStatus)).toEqual([
      undefined,
      'queued',
      'sent',
      'delivered',
    ]);
  });

  it('receipts of fifty at once, one counts', async () => {
    const base = notified(textsAlone, { sms: sms() });
    await booked(base, withReach);
    await base.work();
    const report = { state: 'delivered', messageId: 'm-1', providerStatus: 'delivered' } as const;
    await Promise.all(Array.from({ length: 50 }, () => receive(base, report)));
    expect(await base.history()).toHaveLength(3);
  });

  it.each([['bogus'], ['toString'], [''], [undefined]])(
    'receipts whose state nobody knows are refused, and nothing is written: %s',
    async (state) => {
      const base = notified(textsAlone, { sms: sms() });
      await booked(base, withReach);
      await base.work();
      const before = await base.history();
      expect(await answerOrCode(() => receive(base, { state: state as 'sent' }))).toBe('validation_failed');
      expect(await base.history()).toEqual(before);
    },
  );

  it.each([
    ['an id that is a number', { state: 'delivered', messageId: 42 }, 'DELIVERED'],
    ['null for what is not there', { state: 'delivered', messageId: null, providerStatus: null }, 'DELIVERED'],
    ['an error that is no text', { state: 'failed', messageId: '42', error: new Error('30003') }, 'FAILED'],
    ['a word that is no text', { state: 'delivered', messageId: '42', providerStatus: 7 }, 'DELIVERED'],
  ])('receipts are read as what a notifier answers is: %s', async (_what, report, status) => {
    const base = notified(textsAlone, {
      sms: new Provider<SmsMessage>().answers({ status: 'submitted', messageId: 42 as unknown as string }),
    });
    await booked(base, withReach);
    await base.work();
    expect(await receive(base, report as unknown as DeliveryReport)).toBe(true);
    expect(await base.statuses()).toMatchObject([{ status }]);
  });

  it.each([undefined, null, 'delivered'])('receipts that are no report are refused: %s', async (report) => {
    const base = notified(textsAlone, { sms: sms() });
    await booked(base, withReach);
    await base.work();
    expect(await answerOrCode(() => receive(base, report as unknown as DeliveryReport))).toBe('validation_failed');
  });

  it('receipts of what is not known, or of another organization, are not known', async () => {
    const base = notified(textsAlone, { sms: sms() });
    await booked(base, withReach);
    await base.work();
    expect(await receive(base, { state: 'delivered' }, 'org-2')).toBe(false);
    for (const notificationId of ['x', '019a3f5c-0000-7000-8000-00000000ffff']) {
      const receipt = { organizationId: 'org-1', notificationId, report: { state: 'delivered' } } as const;
      expect(await base.scheduling.notifications.receive(receipt)).toBe(false);
    }
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING' }]);
  });
});

/** A mail that has failed for good. */
async function failed(settings = mailsAlone): Promise<{ base: Notified; id: string; appointmentId: string }> {
  const base = notified(settings);
  base.email.answers({ status: 'failed', permanent: true, error: 'SMTP 550' });
  const appointment = await booked(base, withReach);
  await base.work();
  const [status] = await base.statuses();
  base.email.answers({ status: 'delivered' });
  return { base, id: status?.id ?? '', appointmentId: appointment.id };
}

describe('A retry by hand (D52)', () => {
  it('a retry by hand is answered PENDING, nextRetryAt = now, canRetry false; the worker makes the attempt', async () => {
    const { base, id } = await failed();
    const answer = await base.scheduling.notifications.retry(agentOne, id);
    expect(answer).toMatchObject({
      status: 'PENDING',
      nextRetryAt: base.clock.now(),
      canRetry: false,
      retryCount: 1,
      recipient: { displayName: 'Maria Papadaki' },
    });
    expect(base.email.sent).toHaveLength(1);
    await base.work();
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 2, canRetry: false }]);
    expect((await base.history()).map(({ status, message }) => `${status} ${String(message)}`)).toEqual([
      'INITIALIZED planned',
      'FAILED not deliverable',
      'PENDING manual retry by agent-1',
      'DELIVERED delivered',
    ]);
  });

  it('a retry by hand is allowed five times (D53)', async () => {
    const { base, id } = await failed();
    base.email.answers({ status: 'failed', permanent: true, error: 'SMTP 550' });
    for (let times = 0; times < 5; times += 1) {
      await base.scheduling.notifications.retry(agentOne, id);
      await base.work();
    }
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', retryCount: 6, canRetry: false }]);
    expect(await answerOrCode(() => base.scheduling.notifications.retry(agentOne, id))).toBe('retry_not_allowed');
  });

  it('a retry by hand of what is to be tried again anyway makes the attempt now', async () => {
    const base = notified(mailsAlone);
    base.email.answers({ status: 'failed', permanent: false, error: 'SMTP 451', retryAfter: minutes(60) });
    await booked(base, withReach);
    await base.work();
    const [status] = await base.statuses();
    expect(status).toMatchObject({ canRetry: true, nextRetryAt: base.clock.now() + minutes(60) });
    await base.scheduling.notifications.retry(agentOne, status?.id ?? '');
    await base.work();
    expect(await base.statuses()).toMatchObject([{ retryCount: 2 }]);
  });

  it('a retry by hand fifty times at once makes one event', async () => {
    const { base, id } = await failed();
    const calls = Array.from({ length: 50 }, () =>
      answerOrCode(() => base.scheduling.notifications.retry(agentOne, id)),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => answer === 'retry_not_allowed')).toHaveLength(49);
    expect(await base.history()).toHaveLength(3);
  });
});

describe('A retry by hand of a message that its provider has taken (D68)', () => {
  /** One that its provider has, and that reports as the test says when it is asked. */
  async function atProvider(...reports: readonly (DeliveryReport | Error)[]) {
    const base = notified(textsAlone, { sms: new Provider<SmsMessage>().reports(...reports) });
    await booked(base, withReach);
    await base.work();
    const [status] = await base.statuses();
    expect(status).toMatchObject({ status: 'PENDING', canRetry: true });
    const id = status?.id ?? '';
    return { base, id, retry: () => base.scheduling.notifications.retry(agentOne, id) };
  }

  it('a retry of a message that its provider has taken asks the provider at once, and sends nothing while it does not say that it failed', async () => {
    const { base, retry } = await atProvider({ state: 'pending', providerStatus: 'sending' }, { state: 'delivered' });
    const answer = { status: 'PENDING', canRetry: false, nextRetryAt: undefined, nextPollAt: base.clock.now() };
    expect(await retry()).toMatchObject({ ...answer, message: 'manual retry by agent-1', retryCount: 1 });
    await base.work();
    expect([base.sms.polled.length, base.sms.sent.length]).toEqual([1, 1]);
    const [status] = await base.statuses();
    expect(status).toMatchObject({ status: 'PENDING', providerStatus: 'sending', canRetry: false, retryCount: 1 });
    await base.after(minutes(1));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
    expect(base.sms.sent).toHaveLength(1);
  });

  it('a retry of a message that its provider has taken sends again what the provider says has failed; that is a retry by hand', async () => {
    const { base, id, retry } = await atProvider({ state: 'failed', providerStatus: 'undelivered', error: '30003' });
    await retry();
    await base.work();
    expect(base.sms.sent).toHaveLength(2);
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', retryCount: 2, providerStatus: 'queued' }]);
    const row = await base.store.notifications.find('org-1', id);
    expect(row?.notification).toMatchObject({ phase: 'SUBMITTED', manualRetries: 1 });
    expect((await base.history()).map(({ status, message }) => `${status} ${message}`)).toEqual([
      'INITIALIZED planned',
      'PENDING accepted by the provider',
      'PENDING manual retry by agent-1',
      'PENDING another attempt follows',
      'PENDING accepted by the provider',
    ]);
  });

  it('a retry of a message that its provider has taken is allowed once in 15 s, and fifty times in all', async () => {
    const { base, retry } = await atProvider({ state: 'pending' });
    for (let times = 0; times < 50; times += 1) {
      await retry();
      await base.work();
      expect(await answerOrCode(retry)).toBe('retry_not_allowed');
      base.clock.advance(seconds(15) - 1);
      expect(await answerOrCode(retry)).toBe('retry_not_allowed');
      base.clock.advance(1);
    }
    expect(base.sms.polled).toHaveLength(50);
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', canRetry: false }]);
    expect(await answerOrCode(retry)).toBe('retry_not_allowed');
  });

  it('a retry of a message that its provider has taken is answered 200 while the provider is asked, and nothing is new; under a key the answer is kept', async () => {
    const { base, id, retry } = await atProvider({ state: 'delivered' });
    const { fetchStatus } = base.sms;
    let during: unknown;
    base.sms.fetchStatus = async (...asked) => {
      const before = await base.store.notifications.find('org-1', id);
      const options = { idempotency: { key: 'k', operation: 'retry' } };
      during = [await retry(), await base.scheduling.notifications.retry(agentOne, id, options)];
      expect(await base.store.notifications.find('org-1', id)).toEqual(before);
      return fetchStatus?.(...asked) ?? { state: 'pending' };
    };
    const again = notified(textsAlone, { store: base.store, clock: base.clock, ids: base.ids, sms: base.sms });
    await again.after(seconds(15));
    const answer = { status: 'PENDING', canRetry: true, message: 'accepted by the provider' };
    expect(during).toMatchObject([answer, answer]);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', canRetry: false }]);
    const options = { idempotency: { key: 'k', operation: 'retry' } };
    expect(await base.scheduling.notifications.retry(agentOne, id, options)).toMatchObject(answer);
  });

  it('a retry of a message that its provider has taken is not allowed where nobody can ask: the provider cannot be asked, or this process has none', async () => {
    const { base, id } = await atProvider({ state: 'pending' });
    for (const notifiers of [{ sms: new Provider<SmsMessage>() }, {}]) {
      const { store, clock, ids } = base;
      const other = fixture({ store, clock, ids, notifiers, applications: { 'app-1': { notifications: textsAlone } } });
      const { notifications } = other.scheduling;
      expect(await answerOrCode(() => notifications.retry(agentOne, id))).toBe('retry_not_allowed');
      const { items } = await notifications.listStatuses(agentOne, { applicationId: 'app-1' });
      expect(items).toMatchObject([{ canRetry: false }]);
    }
  });
});

describe('A retry with an Idempotency-Key', () => {
  const options = (key = 'k', onReplay?: () => void) => ({ idempotency: { key, operation: 'retry', onReplay } });

  it('a retry with an Idempotency-Key is repeated with the stored answer, and makes one event', async () => {
    const { base, id } = await failed();
    const { retry } = base.scheduling.notifications;
    const first = await retry(agentOne, id, options());
    await base.work();
    let replayed = 0;
    const second = await retry(
      agentOne,
      id,
      options('k', () => (replayed += 1)),
    );
    expect(second).toEqual(first);
    expect(replayed).toBe(1);
    expect(await base.history()).toHaveLength(4);
  });

  it('a retry with an Idempotency-Key names nobody to an agent who may not see the appointment any more (D57, D60)', async () => {
    const { base, id } = await failed();
    const { retry } = base.scheduling.notifications;
    const first = await retry(agentOne, id, options());
    expect(first.recipient).toMatchObject({ displayName: 'Maria Papadaki', reasonCode: null });
    await base.appointments.reassign(supervisor, { id: first.appointmentId, userId: 'agent-2' });
    const second = await retry(agentOne, id, options());
    expect(second.recipient).toEqual({ displayName: '-', reasonCode: 'ACCESS_DENIED', type: 'CUSTOMER' });
  });

  it('a retry with an Idempotency-Key is refused for another notification under the same key', async () => {
    const { base, id } = await failed();
    const { retry } = base.scheduling.notifications;
    await retry(agentOne, id, options());
    const other = '019a3f5c-0000-7000-8000-00000000ffff';
    expect(await answerOrCode(() => retry(agentOne, other, options()))).toBe('idempotency_mismatch');
  });

  it('a retry with an Idempotency-Key fifty times at once makes one event', async () => {
    const { base, id } = await failed();
    const calls = Array.from({ length: 50 }, () =>
      answerOrCode(() => base.scheduling.notifications.retry(agentOne, id, options())),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter((answer) => typeof answer === 'object').length).toBeGreaterThanOrEqual(1);
    for (const answer of answers) if (typeof answer === 'string') expect(answer).toBe('idempotency_in_progress');
    expect((await base.history()).filter(({ message }) => message?.startsWith('manual'))).toHaveLength(1);
  });

  it('a retry with an Idempotency-Key that was refused gives its key back, and keeps no name', async () => {
    const { base, id } = await failed();
    const { retry } = base.scheduling.notifications;
    expect(await answerOrCode(() => retry(agentTwo, id, options()))).toBe('not_assigned');
    const kept: unknown[] = [];
    const { store } = base;
    const { commit } = store;
    const watching = notified(mailsAlone, {
      store: { ...store, commit: (change) => (kept.push(change.request), commit(change)) },
      clock: base.clock,
      ids: base.ids,
    });
    await watching.scheduling.notifications.retry(agentOne, id, options());
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain('Maria');
  });
});

describe('Who may retry (D60)', () => {
  const cases: readonly [string, Caller, boolean, string][] = [
    ['a supervisor', supervisor, true, 'PENDING'],
    ['the organizer', agentOne, true, 'PENDING'],
    ['another agent', agentTwo, true, 'not_assigned'],
    ['another agent, own-only off', agentTwo, false, 'PENDING'],
    ['a supervisor of another organization', foreignSupervisor, true, 'not_found'],
    [
      'a supervisor whose token does not cover the application',
      { ...supervisor, applicationIds: ['app-2'] },
      true,
      'forbidden',
    ],
  ];

  it.each(cases)(
    'a message may be retried, or may not, by %s',
    async (_who, caller, agentsSeeOnlyOwnAppointments, expected) => {
      const { base, id } = await failed();
      const settings = { notifications: mailsAlone, agentsSeeOnlyOwnAppointments };
      const again = notified(mailsAlone, { store: base.store, clock: base.clock, applications: { 'app-1': settings } });
      const answer = await answerOrCode(() => again.scheduling.notifications.retry(caller, id));
      expect(typeof answer === 'string' ? answer : answer.status).toBe(expected);
    },
  );

  it.each([true, false])(
    'a message of a removed record is retried by supervisors only (own-only %s)',
    async (agentsSeeOnlyOwnAppointments) => {
      const { base, id, appointmentId } = await failed();
      await base.appointments.remove(supervisor, appointmentId);
      const settings = { notifications: mailsAlone, agentsSeeOnlyOwnAppointments };
      const again = notified(mailsAlone, { store: base.store, clock: base.clock, applications: { 'app-1': settings } });
      const { retry } = again.scheduling.notifications;
      const message = 'The appointment was removed: its messages are for supervisors.';
      expect(await errorOf(() => retry(agentOne, id))).toMatchObject({ code: 'not_assigned', message });
      expect(await answerOrCode(() => retry(supervisor, id))).toBe('retry_not_allowed');
      expect(await again.statuses({}, agentOne)).toEqual([]);
      expect((await again.statuses()).length).toBeGreaterThan(0);
    },
  );
});

describe('The removal of a record', () => {
  it('the removal of a record is told to a subscriber that answers at the second try', async () => {
    const hooksAlone: ConfiguredNotifications = { ...everything, email: undefined, sms: undefined, reminders: [] };
    const base = notified(hooksAlone);
    const { id } = await booked(base, withReach);
    await base.work();
    base.webhooks.answers(() =>
      base.webhooks.sent.length === 2
        ? { status: 'failed', permanent: false, error: 'HTTP 503' }
        : { status: 'delivered' },
    );
    await base.appointments.remove(supervisor, id);
    await base.work();
    await base.after(seconds(10));
    expect(base.webhooks.types).toEqual(['CREATE', 'CANCELLED', 'CANCELLED']);
    expect(base.webhooks.sent[2]?.message.body).toBe(base.webhooks.sent[1]?.message.body);
    expect(await base.statuses({ types: ['CANCELLED'] })).toMatchObject([{ status: 'DELIVERED', retryCount: 2 }]);
  });
});
