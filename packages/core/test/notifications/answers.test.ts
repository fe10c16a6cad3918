import { minutes, seconds } from '@calends/model';
import { describe, expect, it } from 'vitest';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { DeliveryReport, EmailMessage, SendResult } from '../../src/notifier.js';
import { booked } from '../fixtures.js';
import { everything, notified, reachable } from './notified.js';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import { Provider } from './provider.js';

const mailsAlone: ConfiguredNotifications = { ...everything, reminders: [], sms: undefined, webhooks: [] };
const withReach = { customers: [reachable] };
/** What a host may give that does not compile against the types. */
const asResult = (answer: unknown): SendResult => answer as SendResult;
const asReport = (answer: unknown): DeliveryReport => answer as DeliveryReport;
const reporting = (report: DeliveryReport) => new Provider<EmailMessage>().reports(report);

describe('An answer of a notifier', () => {
  const unreadable = {
    status: 'PENDING',
    retryCount: 1,
    errorMessage: 'the notifier answered nothing that can be read',
  };

  it.each([[undefined], [null], [true], ['delivered'], [{}], [{ status: 'sent' }]])(
    'an answer of a notifier that is %j tells nobody how the attempt ended: its outcome is unknown, the attempt counts, and the host is told',
    async (answer) => {
      const base = notified(mailsAlone);
      base.email.answers(asResult(answer));
      await booked(base, withReach);
      await base.work();
      expect(await base.statuses()).toMatchObject([unreadable]);
      expect(base.signals).toContainEqual(
        expect.objectContaining({ type: 'deliveryFailed', step: 'send', error: expect.any(Error) as Error }),
      );
    },
  );

  it.each([
    ['failed for good', { status: 'failed', permanent: true }, { status: 'FAILED', errorMessage: 'no reason given' }],
    ['failed for now', { status: 'failed', error: 5 }, { status: 'PENDING', errorMessage: 'no reason given' }],
    ['unknown', { status: 'unknown' }, { status: 'PENDING', errorMessage: 'no reason given' }],
  ])('an answer of a notifier that is %s without a reason counts as what it says', async (_what, answer, expected) => {
    const base = notified(mailsAlone);
    base.email.answers(asResult(answer));
    await booked(base, withReach);
    await base.work();
    expect(await base.statuses()).toMatchObject([{ ...expected, retryCount: 1 }]);
  });

  it('an answer of a notifier may name the message by a number', async () => {
    const email = reporting({ state: 'delivered' }).answers(asResult({ status: 'submitted', messageId: 5 }));
    const base = notified(mailsAlone, { email });
    await booked(base, withReach);
    await base.work();
    await base.after(minutes(5));
    expect(base.email.polled).toMatchObject([{ messageId: '5' }]);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
  });

  it.each([[NaN], ['120'], [null], [-5]])(
    'an answer of a notifier whose retryAfter is %j asks for no longer pause, and the messages after it are sent',
    async (retryAfter) => {
      const base = notified(mailsAlone);
      base.email.answers(asResult({ status: 'failed', permanent: false, error: '429', retryAfter }));
      await booked(base, withReach);
      await base.work();
      expect(await base.statuses()).toMatchObject([{ status: 'PENDING' }]);
      base.email.answers({ status: 'delivered' });
      await base.after(seconds(40));
      expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 2 }]);
    },
  );

  it.each([['delivered'], [{}], [{ state: 'opened' }]])(
    'an answer of a notifier to a question that is %j says nothing new, and is asked for no more often than there are attempts',
    async (answer) => {
      const base = notified(mailsAlone, { email: reporting(asReport(answer)) });
      await booked(base, withReach);
      await base.work();
      for (let times = 0; times < 40; times += 1) await base.after(minutes(30));
      expect(await base.statuses()).toMatchObject([
        { status: 'FAILED', message: 'delivery not confirmed', errorMessage: 'the provider could not be asked' },
      ]);
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'poll' }));
    },
  );

  it('an answer of a notifier to a question may have an error and a word that are no strings: they are left out', async () => {
    const email = reporting(asReport({ state: 'failed', error: 5, providerStatus: 5 }));
    const base = notified(mailsAlone, { email });
    await booked(base, withReach);
    await base.work();
    await base.after(minutes(5));
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', message: 'the provider could not deliver it' }]);
  });

  it('an answer of a notifier that failed is followed by another attempt, also where the source of chance gives no number', async () => {
    const base = notified(mailsAlone, { random: { next: () => NaN } });
    base.email.answers({ status: 'failed', permanent: false, error: 'SMTP 451' });
    await booked(base, withReach);
    await base.work();
    base.email.answers({ status: 'delivered' });
    await base.after(seconds(30));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => raise()],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['gives what cannot be compared', () => Symbol('chance')],
  ])(
    'an answer of a notifier that delivered is kept, and nothing sent again, also where the source of chance %s',
    async (_what, next) => {
      const base = notified(mailsAlone, { random: { next: next as () => number } });
      const unhandled = await unhandledIn(async () => {
        await booked(base, withReach);
        await base.work();
        await base.after(minutes(10));
      });
      expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
      expect(base.email.sent).toHaveLength(1);
      expect(unhandled).toEqual([]);
    },
  );
});

function raise(): never {
  throw new Error('no');
}
