import { minutes } from '@calends/model';
import { describe, expect, it } from 'vitest';
import type { ConfiguredNotifications, CustomerLinks } from '../../src/index.js';
import type { EmailMessage } from '../../src/notifier.js';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import { booked } from '../fixtures.js';
import { everything, notified, reachable } from '../notifications/notified.js';
import { Provider } from '../notifications/provider.js';

const away = (): Promise<never> => Promise.reject(new Error('the provider is away'));
const mailsAlone: ConfiguredNotifications = { ...everything, reminders: [], sms: undefined, webhooks: [] };
const withReach = { customers: [reachable] };
const unreadable = 'the notifier answered nothing that can be read';

describe('A missing `await` of a notifier', () => {
  const throws = {
    get status(): never {
      throw new Error('the row is closed');
    },
  };

  it.each<[string, () => unknown, object]>([
    ['the status', () => ({ status: away() }), { status: 'PENDING', errorMessage: unreadable, retryCount: 1 }],
    ['the id of the message', () => ({ status: 'delivered', messageId: away() }), { status: 'DELIVERED' }],
    [
      'the error',
      () => ({ status: 'failed', error: away(), retryAfter: away() }),
      { status: 'PENDING', errorMessage: 'no reason given' },
    ],
    ['a field that no port has', () => ({ status: 'delivered', raw: { answer: away() } }), { status: 'DELIVERED' }],
    ['nothing: its status throws when it is read', () => throws, { status: 'PENDING', errorMessage: unreadable }],
  ])('a missing `await` of a notifier ends no process, where it is of %s', async (_field, answer, expected) => {
    const base = notified(mailsAlone);
    base.email.answers(() => answer() as never);
    await booked(base, withReach);
    expect(await unhandledIn(async () => void (await base.work()))).toEqual([]);
    expect(await base.statuses()).toMatchObject([expected]);
    expect(JSON.stringify(await base.history())).not.toContain('[object');
  });

  it('a missing `await` of a notifier ends no process, where it is of a report that it is asked for', async () => {
    const email = new Provider<EmailMessage>().reports({ state: 'delivered' });
    email.fetchStatus = async () => ({ state: away(), error: away() }) as never;
    const base = notified(mailsAlone, { email });
    await booked(base, withReach);
    const unhandled = await unhandledIn(async () => {
      await base.work();
      await base.after(minutes(5));
    });
    expect(unhandled).toEqual([]);
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'poll' }));
  });

  it('a missing `await` of a notifier ends no process, where it is of what it finds by the key of a message', async () => {
    const email = new Provider<EmailMessage>({ capability: 'lookup' }).answers({ status: 'unknown', error: 'cut off' });
    email.lookUp = async () => ({ status: away() }) as never;
    const base = notified(mailsAlone, { email });
    await booked(base, withReach);
    await base.work();
    expect(await unhandledIn(async () => void (await base.after(minutes(5))))).toEqual([]);
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'poll' }));
  });
});

describe('A source of links that answers none', () => {
  it.each<[string, () => unknown]>([
    ['a text', () => 'https://clinic.example/'],
    ['a list', () => ['https://clinic.example/']],
    ['a link that is a promise', () => ({ page: Promise.resolve('https://clinic.example/') })],
    ['a link that is a promise which rejects', () => ({ page: away() })],
    ['a link that is an object', () => ({ manage: { href: 'https://clinic.example/' } })],
    ['a link that is a number', () => ({ join: 5 })],
    ['an object with a URL', () => ({ page: new URL('https://clinic.example/') })],
  ])(
    'a source of links that answers none has no message written with it, and the host is told: %s',
    async (_what, links) => {
      let isBroken = true;
      const linksFor = (): CustomerLinks => (isBroken ? links() : {}) as CustomerLinks;
      const base = notified(mailsAlone, { linkSource: { linksFor } });
      await booked(base, withReach);
      expect(await unhandledIn(async () => void (await base.work()))).toEqual([]);
      expect(base.email.sent).toEqual([]);
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'compose' }));
      isBroken = false;
      await base.after(minutes(1));
      expect(base.email.sent).toHaveLength(1);
    },
  );
});
