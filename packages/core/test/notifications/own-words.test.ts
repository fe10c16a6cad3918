import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { DeliveryReport, SendResult, SmsMessage } from '../../src/notifier.js';
import { agentOne, booked } from '../fixtures.js';
import { held } from './held.js';
import { everything, type Notified, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const textsAlone: ConfiguredNotifications = { ...everything, email: undefined, webhooks: [], reminders: [] };
const withReach = { customers: [reachable], start: '2030-05-07T11:00:00Z' };

/** A text message, handed to a provider that answers so. */
async function handedOver(answer: SendResult, sms = new Provider<SmsMessage>()): Promise<Notified> {
  const base = notified(textsAlone, { sms: sms.answers(answer) });
  await booked(base, withReach);
  await base.work();
  return base;
}

/** The id of the only notification. */
async function idOf(base: Notified): Promise<string> {
  const [status] = await base.statuses();
  return status?.id ?? '';
}

const receive = async (base: Notified, report: DeliveryReport): Promise<boolean> =>
  base.scheduling.notifications.receive({ organizationId: 'org-1', notificationId: await idOf(base), report });

const enRoute = { status: 'submitted', messageId: 'm-1', providerStatus: 'ENROUTE' } as const;
const atCarrier = { state: 'sent', messageId: 'm-1', providerStatus: 'ACCEPTED_BY_CARRIER' } as const;
const expired = { state: 'failed', messageId: 'm-1', providerStatus: 'EXPIRED' } as const;

describe('A provider with words of its own', () => {
  it('a provider with words of its own is followed upwards only, by the states that are told with them', async () => {
    const base = await handedOver(enRoute);
    const late = { state: 'pending', messageId: 'm-1', providerStatus: 'ENROUTE' } as const;
    for (const report of [atCarrier, atCarrier, late, atCarrier]) await receive(base, report);
    expect((await base.history()).map(({ providerStatus }) => providerStatus)).toEqual([
      undefined,
      'ENROUTE',
      'ACCEPTED_BY_CARRIER',
    ]);
  });

  it('a provider without any words is followed upwards only, too', async () => {
    const base = await handedOver({ status: 'submitted', messageId: 'm-1' });
    for (const state of ['sent', 'sent', 'pending', 'sent'] as const) await receive(base, { state, messageId: 'm-1' });
    expect(await base.history()).toHaveLength(3);
  });

  it('a provider with words of its own that is asked does not go back behind what it reported', async () => {
    const base = await handedOver(
      enRoute,
      new Provider<SmsMessage>().reports({ state: 'pending', providerStatus: 'ENROUTE' }),
    );
    await receive(base, atCarrier);
    await base.after(minutes(1));
    expect(base.sms.polled).toHaveLength(1);
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', providerStatus: 'ACCEPTED_BY_CARRIER' }]);
  });

  it.each([
    ['words', expired, atCarrier],
    ['none', { ...expired, providerStatus: undefined }, { ...atCarrier, providerStatus: undefined }],
  ])('a provider with %s of its own ends no retry by hand with what it says late', async (_what, failed, late) => {
    const base = await handedOver({ status: 'submitted', messageId: 'm-1' });
    await receive(base, failed);
    await base.scheduling.notifications.retry(agentOne, await idOf(base));
    await receive(base, late);
    await base.after(seconds(1));
    expect(base.sms.sent).toHaveLength(2);
    expect(await base.statuses()).toMatchObject([{ status: 'PENDING', retryCount: 2 }]);
  });

  it('a provider with words of its own is followed from the start again once the message is sent again', async () => {
    const base = await handedOver(enRoute);
    await receive(base, expired);
    await base.scheduling.notifications.retry(agentOne, await idOf(base));
    base.sms.answers({ ...enRoute, messageId: 'm-2' });
    await base.after(seconds(1));
    await receive(base, { ...atCarrier, messageId: 'm-2' });
    await receive(base, { ...expired, messageId: 'm-2' });
    expect((await base.history()).slice(-3).map((event) => [event.messageId, event.providerStatus])).toEqual([
      ['m-2', 'ENROUTE'],
      ['m-2', 'ACCEPTED_BY_CARRIER'],
      ['m-2', 'EXPIRED'],
    ]);
  });
});

describe('The id of a message', () => {
  it('an id of a message that is empty is none, so that receipts with the true one count', async () => {
    const base = await handedOver({ status: 'submitted', messageId: '', conversationId: ' ', providerStatus: '' });
    await receive(base, { state: 'delivered', messageId: 'm-1' });
    const [status] = await base.statuses();
    expect([status?.status, status?.providerStatus]).toEqual(['DELIVERED', undefined]);
  });

  it.each([
    ['too long to be kept whole', 'x'.repeat(300)],
    ['of two lines', 'm\r\n1'],
  ])('an id of a message that is %s is known again in its receipt', async (_what, messageId) => {
    const base = await handedOver({ status: 'submitted', messageId });
    await receive(base, { state: 'delivered', messageId });
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
  });

  it.each(['sent', 'delivered', 'failed'] as const)(
    'an attempt whose receipt was faster than its answer is told as one, and its message is not told as over by it: %s',
    async (state) => {
      const base = notified(textsAlone, { sms: new Provider<SmsMessage>() });
      const provider = held(base.sms);
      await booked(base, withReach);
      const pass = base.work();
      await provider.called(1);
      await receive(base, { state });
      provider.answer({ status: 'submitted', messageId: 'm-1' });
      await pass;
      const told = base.signals.flatMap((signal) => (signal.type === 'notificationSettled' ? [signal] : []));
      expect(told.map(({ attempt, outcome, phase }) => [attempt, outcome, phase])).toEqual([
        [false, expect.any(String), state === 'sent' ? 'SUBMITTED' : 'DONE'],
        [true, 'submitted', 'SENDING'],
      ]);
    },
  );

  it.each(['sent', 'failed'] as const)(
    'an id of a message comes with the answer of its attempt, also where a receipt without it was faster: %s',
    async (state) => {
      const sms = new Provider<SmsMessage>().reports({ state: 'delivered' });
      const base = notified(textsAlone, { sms });
      const provider = held(sms);
      await booked(base, withReach);
      const pass = base.work();
      await provider.called(1);
      await receive(base, { state });
      const [early] = await base.statuses();
      // Until the answer has come there is nothing to ask about.
      if (state === 'sent') expect(early?.nextPollAt).toBeGreaterThan(base.clock.now());
      provider.answer({ status: 'submitted', messageId: 'm-1', conversationId: 'c-1', providerStatus: 'queued' });
      await pass;
      expect(await base.statuses()).toMatchObject([
        { status: state === 'sent' ? 'PENDING' : 'FAILED', canRetry: true },
      ]);
      if (state === 'failed') await base.scheduling.notifications.retry(agentOne, await idOf(base));
      await base.after(minutes(1));
      expect(sms.polled).toMatchObject([{ messageId: 'm-1', conversationId: 'c-1' }]);
      expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
    },
  );
});

describe('A receipt that a message is on its way', () => {
  it('a receipt that a message is on its way takes the error of the attempt before away', async () => {
    const base = await handedOver({ status: 'unknown', error: 'hung up', messageId: 'm-1' });
    await receive(base, { state: 'sent', messageId: 'm-1', providerStatus: 'sent' });
    const [status] = await base.statuses();
    expect([status?.message, status?.errorMessage]).toEqual(['accepted by the provider', undefined]);
  });
});
