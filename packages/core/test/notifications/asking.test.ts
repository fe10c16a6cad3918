import { describe, expect, it } from 'vitest';
import { days, hours, minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { DeliveryReport, SmsMessage } from '../../src/notifier.js';
import { agentOne, booked } from '../fixtures.js';
import { everything, type Notified, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const textsAlone: ConfiguredNotifications = { ...everything, email: undefined, webhooks: [], reminders: [] };
const withReach = { customers: [reachable], start: '2030-05-09T11:00:00Z' };

async function polled(
  reports: readonly (DeliveryReport | Error)[],
  settings: ConfiguredNotifications = textsAlone,
): Promise<Notified> {
  const base = notified(settings, { sms: new Provider<SmsMessage>().reports(...reports) });
  await booked(base, withReach);
  await base.work();
  return base;
}

/** Moves the clock to each poll until there is none any more; answers the waits. */
async function pollToTheEnd(base: Notified): Promise<readonly number[]> {
  const waits: number[] = [];
  for (;;) {
    const [status] = await base.statuses();
    if (status?.nextPollAt === undefined) return waits;
    waits.push(status.nextPollAt - base.clock.now());
    base.clock.set(status.nextPollAt);
    await base.work();
  }
}

const pending: DeliveryReport = { state: 'pending' };

describe('Polling (D58)', () => {
  it('polling ends after ten polls: FAILED, delivery not confirmed, no automatic resend', async () => {
    const base = await polled([pending]);
    const waits = await pollToTheEnd(base);
    expect(waits).toEqual([seconds(15), ...[1, 2, 4, 8, 15, 15, 15, 15, 15].map(minutes)]);
    expect(base.sms.polled).toHaveLength(10);
    const failed = { status: 'FAILED', message: 'delivery not confirmed', retryCount: 1, canRetry: true };
    expect(await base.statuses()).toMatchObject([failed]);
    expect((await base.history()).at(-1)).toMatchObject({ status: 'FAILED', pollAttempts: 10 });
    await base.after(hours(24));
    expect(base.sms.sent).toHaveLength(1);
    expect(await base.statuses()).toMatchObject([failed]);
  });

  it('polling is told in the history also where a retry by hand counts from 0 again', async () => {
    const base = await polled([pending]);
    await pollToTheEnd(base);
    const [status] = await base.statuses();
    await base.scheduling.notifications.retry(agentOne, status?.id ?? '');
    await base.work();
    const events = (await base.history()).slice(-3).map(({ message, pollAttempts }) => [message, pollAttempts]);
    expect(events).toEqual([
      ['delivery not confirmed', 10],
      ['manual retry by agent-1', 10],
      ['accepted by the provider', 1],
    ]);
  });

  it('polling ends after its time-out, however many polls are left', async () => {
    const poll = { maxAttempts: '9999', 'sms.timeout': 'PT1H' } as const;
    const base = await polled([pending], { ...textsAlone, poll });
    const waits = await pollToTheEnd(base);
    const sum = waits.reduce((total, wait) => total + wait, 0);
    expect(sum).toBeGreaterThanOrEqual(hours(1));
    expect(sum).toBeLessThan(hours(1) + minutes(15));
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', message: 'delivery not confirmed' }]);
  });

  it('polling goes on when the provider cannot be asked for once', async () => {
    const base = await polled([new Error('maria@example.org'), { state: 'delivered' }]);
    await base.after(seconds(15));
    expect(await base.statuses()).toMatchObject([
      { status: 'PENDING', errorMessage: 'the provider could not be asked', nextPollAt: base.clock.now() + minutes(1) },
    ]);
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'poll' }));
    await base.after(minutes(1));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', errorMessage: undefined }]);
  });

  it('polling moves no word back that a receipt has told', async () => {
    const base = await polled([{ state: 'pending', providerStatus: 'queued' }]);
    const [row] = await base.statuses();
    const receipt = {
      organizationId: 'org-1',
      notificationId: row?.id ?? '',
      report: { state: 'sent', providerStatus: 'sent' },
    } as const;
    await base.scheduling.notifications.receive(receipt);
    await base.after(seconds(15));
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', providerStatus: 'sent' }]);
    const events = (await base.history()).length;
    await base.scheduling.notifications.receive(receipt);
    expect(await base.history()).toHaveLength(events);
  });

  it('polling that is switched off asks nothing: the message waits for its receipt until the time-out', async () => {
    const base = await polled([{ state: 'delivered' }], { ...textsAlone, poll: { enabled: 'false' } });
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', nextPollAt: undefined }]);
    const [row] = await base.statuses();
    const report = { state: 'sent', providerStatus: 'sent' } as const;
    await base.scheduling.notifications.receive({ organizationId: 'org-1', notificationId: row?.id ?? '', report });
    await base.after(hours(23));
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', providerStatus: 'sent' }]);
    await base.after(hours(1));
    expect(base.sms.polled).toEqual([]);
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', message: 'delivery not confirmed' }]);
  });

  it.each([
    ['failed', 'undelivered', 'FAILED', 'the provider could not deliver it'],
    ['cancelled', 'canceled', 'CANCELLED', 'cancelled at the provider'],
  ] as const)('polling ends with %s when the provider says so', async (state, providerStatus, status, message) => {
    const base = await polled([{ state, providerStatus, error: '30003' }]);
    await base.after(seconds(15));
    expect(await base.statuses()).toMatchObject([{ status, message, providerStatus }]);
    await base.after(days(1));
    expect(base.sms.sent).toHaveLength(1);
  });

  it('polling of a provider that cannot be asked waits for a receipt, one day at most', async () => {
    const base = notified(textsAlone);
    base.sms.answers({ status: 'submitted', messageId: 'm-1' });
    await booked(base, withReach);
    await base.work();
    await base.after(days(1) - 1);
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING' }]);
    await base.after(1);
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', message: 'delivery not confirmed' }]);
  });
});

describe('A retry by hand of a message that the provider knows (D52)', () => {
  async function unconfirmed(report: DeliveryReport): Promise<Notified> {
    const base = await polled([pending, report], { ...textsAlone, poll: { maxAttempts: '1' } });
    await pollToTheEnd(base);
    return base;
  }

  it.each<[DeliveryReport['state'], string, number]>([
    ['delivered', 'DELIVERED', 1],
    ['sent', 'PENDING', 1],
    ['pending', 'PENDING', 1],
    ['cancelled', 'CANCELLED', 1],
    ['failed', 'PENDING', 2],
  ])('a retry by hand of a message that the provider knows asks first: %s', async (state, status, sent) => {
    const base = await unconfirmed({ state });
    const [before] = await base.statuses();
    expect(before).toMatchObject({ status: 'FAILED', canRetry: true });
    await base.scheduling.notifications.retry(agentOne, before?.id ?? '');
    await base.work();
    expect(base.sms.sent).toHaveLength(sent);
    expect(await base.statuses()).toMatchObject([{ status, retryCount: sent }]);
  });

  it('a retry by hand of a message that the provider knows tells of the retry once: what follows says that the provider has it', async () => {
    const base = await unconfirmed({ state: 'pending' });
    await base.scheduling.notifications.retry(agentOne, (await base.statuses())[0]?.id ?? '');
    await base.work();
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', message: 'accepted by the provider' }]);
    await pollToTheEnd(base);
    const told = (await base.history()).filter(({ message }) => message === 'manual retry by agent-1');
    expect(told).toHaveLength(1);
  });

  it.each([
    ['resend', 2, { status: 'PENDING', retryCount: 2 }],
    ['hold', 1, { status: 'FAILED', retryCount: 1, errorMessage: 'the provider could not be asked' }],
  ] as const)(
    'a retry by hand of a message that the provider knows asks three times and counts none of them, then does what is configured: %s',
    async (unknown, sent, end) => {
      const poll = { maxAttempts: '1' };
      const sms = { from: '+3021000000', unknownOutcome: unknown };
      const base = await polled([pending, new Error('404')], { ...textsAlone, sms, poll });
      await pollToTheEnd(base);
      await base.scheduling.notifications.retry(agentOne, (await base.statuses())[0]?.id ?? '');
      await base.work();
      await base.after(minutes(1));
      expect(await base.statuses()).toMatchObject([{ status: 'PENDING', retryCount: 1 }]);
      await base.after(minutes(1));
      expect(base.sms.polled).toHaveLength(4);
      expect(base.sms.sent).toHaveLength(sent);
      expect(await base.statuses()).toMatchObject([end]);
    },
  );
});
