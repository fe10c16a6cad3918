import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { days, hours, minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications, CustomerLinks } from '../../src/index.js';
import { type SchedulingStore, StoreError } from '../../src/store.js';
import type { EmailMessage } from '../../src/notifier.js';
import { agentOne, booked } from '../fixtures.js';
import { held } from './held.js';
import { everything, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const noReminders: ConfiguredNotifications = { ...everything, reminders: [] };
const mailsAlone: ConfiguredNotifications = { ...noReminders, sms: undefined, webhooks: [] };
const withReach = { customers: [reachable] };
/** Lets everything run that waits for no timer; immediates of immediates take a millisecond. */
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

/** Lets time pass until something is done. */
async function through(doing: Promise<unknown>): Promise<void> {
  const progress = { isDone: false };
  void doing.finally(() => (progress.isDone = true));
  while (!progress.isDone) await settled();
}

afterEach(() => void vi.useRealTimers());

it('a pass ends once the messages under way have ended, also where the store fails for another channel', async () => {
  const inner = memoryStore();
  const fault = new StoreError('unexpected', 'The database refused what it was asked to do.');
  const claim: SchedulingStore['notifications']['claim'] = (wanted) =>
    wanted.channel === 'SMS' ? Promise.reject(fault) : inner.notifications.claim(wanted);
  const base = notified(noReminders, { store: { ...inner, notifications: { ...inner.notifications, claim } } });
  const provider = held(base.email);
  await booked(base, withReach);
  const order: string[] = [];
  const pass = base.work().catch((error: unknown) => {
    order.push('ended');
    return error;
  });
  await provider.called(1);
  await new Promise(setImmediate);
  order.push('answered');
  provider.answer();
  expect(await pass).toBe(fault);
  expect(order).toEqual(['answered', 'ended']);
  expect(await base.statuses({ channels: ['EMAIL'] })).toMatchObject([{ status: 'DELIVERED' }]);
});

it.each([[undefined], [null], [{ page: null, join: null, manage: null }]])(
  'A source of links may say %j where there are none: the message goes without a sentence about them',
  async (links) => {
    const linkSource = { linksFor: () => links as unknown as CustomerLinks };
    const base = notified(mailsAlone, { linkSource });
    await booked(base, withReach);
    await base.work();
    expect(base.email.sent.map(({ message }) => message.text.includes('http'))).toEqual([false]);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
  },
);

describe('Code of the host that throws', () => {
  const secretText = 'maria@example.org is not welcome';
  const forNow = { status: 'PENDING', errorMessage: 'the message could not be composed', retryCount: 0 };

  it.each<[string, () => never]>([
    [
      'the host',
      () => {
        throw new Error(secretText);
      },
    ],
    [
      'the store',
      () => {
        throw new StoreError('unavailable', secretText);
      },
    ],
  ])(
    'code of the host that throws while links are made is a failure for now and no attempt, also when it is %s; the others are sent',
    async (_whose, fault) => {
      let isBroken = true;
      const base = notified(noReminders, { linkSource: { linksFor: () => (isBroken ? fault() : {}) } });
      await booked(base, withReach);
      await base.work();
      expect(base.webhooks.sent).toHaveLength(1);
      const statuses = await base.statuses({ channels: ['EMAIL', 'SMS'] });
      expect(statuses).toMatchObject([forNow, forNow]);
      expect(JSON.stringify(statuses)).not.toContain('maria@example.org');
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'compose' }));
      isBroken = false;
      await base.after(seconds(30));
      expect(await base.statuses({ channels: ['EMAIL', 'SMS'] })).toMatchObject([
        { status: 'DELIVERED', retryCount: 1 },
        { status: 'DELIVERED', retryCount: 1 },
      ]);
    },
  );

  it('code of the host that throws every time while links are made ends the message after as many tries as there are attempts (D51)', async () => {
    let asked = 0;
    const linksFor = (): never => {
      asked += 1;
      throw new Error(secretText);
    };
    const base = notified(mailsAlone, { linkSource: { linksFor } });
    await booked(base, { ...withReach, start: '2030-05-09T11:00:00Z' });
    for (let times = 0; times < 8; times += 1) await base.after(hours(1));
    expect(asked).toBe(5);
    expect(await base.statuses()).toMatchObject([
      { ...forNow, status: 'FAILED', message: 'not deliverable', canRetry: true },
    ]);
  });

  it('code of the host that throws while links are made uses up no attempt and makes no wait between attempts longer (D54)', async () => {
    let made = 0;
    const linksFor = (): object => {
      made += 1;
      if (made % 2 === 1) throw new Error(secretText);
      return {};
    };
    const base = notified(mailsAlone, { linkSource: { linksFor } });
    base.email.answers({ status: 'failed', permanent: false, error: 'SMTP 451' });
    await booked(base, { ...withReach, start: '2030-05-09T11:00:00Z' });
    await base.work();
    const waits: Record<string, number>[] = [];
    for (;;) {
      const [status] = await base.statuses();
      if (status?.nextRetryAt === undefined) break;
      const { errorMessage = '', nextRetryAt } = status;
      waits.push({ [errorMessage]: nextRetryAt - base.clock.now() });
      await base.after(nextRetryAt - base.clock.now());
    }
    const [unmade, refused] = ['the message could not be composed', 'SMTP 451'];
    expect(waits).toEqual([
      { [unmade]: seconds(30) },
      { [refused]: seconds(30) },
      { [unmade]: minutes(2) },
      { [refused]: minutes(2) },
      { [unmade]: minutes(10) },
      { [refused]: minutes(10) },
      { [unmade]: minutes(30) },
      { [refused]: minutes(30) },
    ]);
    expect(base.email.sent.map(({ attempt }) => attempt.attempt)).toEqual([1, 2, 3, 4]);
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', message: 'not deliverable', retryCount: 4 }]);
  });

  it('code of the host that throws while links are made for a reminder ends it when it is too late to begin (D55)', async () => {
    const linksFor = (): never => {
      throw new Error(secretText);
    };
    const settings = { ...mailsAlone, reminders: [hours(24)] };
    const base = notified(settings, { linkSource: { linksFor } });
    const { schedule } = await booked(base, { ...withReach, start: '2030-05-09T11:00:00Z' });
    base.clock.set(schedule.start - hours(24));
    await base.work();
    for (const wait of [seconds(30), minutes(2), minutes(10)]) await base.after(wait);
    expect(await base.statuses({ types: ['REMINDER'] })).toMatchObject([
      { status: 'CANCELLED', message: 'missed delivery window', retryCount: 0 },
    ]);
  });

  it('code of the host that throws while the state of an endpoint is read is a failure for now and no attempt too', async () => {
    const inner = memoryStore();
    let isDown = true;
    const store: SchedulingStore = {
      ...inner,
      notifications: {
        ...inner.notifications,
        findEndpoint: (key) =>
          isDown
            ? Promise.reject(new StoreError('unavailable', 'It does not answer.'))
            : inner.notifications.findEndpoint(key),
      },
    };
    const base = notified({ ...noReminders, email: undefined, sms: undefined }, { store });
    await booked(base, withReach);
    await base.work();
    isDown = false;
    expect(await base.statuses()).toMatchObject([forNow]);
    await base.after(seconds(5));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
  });

  it('code of the host that throws while it sends counts as a failure for now; its text stays out of the record', async () => {
    const base = notified(mailsAlone);
    base.email.answers(() => {
      throw new TypeError(secretText);
    });
    await booked(base, withReach);
    await base.work();
    const statuses = await base.statuses();
    expect(statuses).toMatchObject([
      { status: 'PENDING', retryCount: 1, errorMessage: 'the notifier failed: TypeError' },
    ]);
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'deliveryFailed', step: 'send' }));
  });

  it('code of the host that throws while it reads settings costs no claim: the message is sent as soon as they can be read', async () => {
    let isDown = false;
    const find = (): object => {
      if (isDown) throw new Error(secretText);
      return { notifications: mailsAlone };
    };
    const base = notified(mailsAlone, { applications: { find } });
    await booked(base, withReach);
    for (let times = 0; times < 5; times += 1) {
      isDown = true;
      await base.work();
      isDown = false;
      expect(await base.statuses()).toMatchObject([{ status: 'INITIALIZED', retryCount: 0 }]);
      base.clock.advance(seconds(30));
    }
    await base.work();
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
    expect(base.email.sent).toHaveLength(1);
    expect(await base.appointments.list(agentOne, {})).toMatchObject({ total: 1 });
  });
});

describe('Code of the host that never answers', () => {
  const never = new Promise<never>(() => undefined);

  it('code of the host that never answers while links are made is given up after the time-out of the channel: a failure for now and no attempt', async () => {
    vi.useFakeTimers();
    const email = new Provider<EmailMessage>({ timeout: 3000 });
    const base = notified(mailsAlone, { email, linkSource: { linksFor: () => never } });
    await booked(base, withReach);
    base.scheduling.workers.start();
    await settled();
    const closing = base.scheduling.close();
    await vi.advanceTimersByTimeAsync(3010);
    await through(closing);
    expect(await base.statuses()).toMatchObject([
      { status: 'PENDING', errorMessage: 'the message could not be composed', retryCount: 0 },
    ]);
    expect(email.sent).toEqual([]);
  });

  it('code of the host that never answers while it reads settings is given up after the time-out of the channel; nothing counts', async () => {
    vi.useFakeTimers();
    let hangs = false;
    const find = (): object | Promise<never> => (hangs ? never : { notifications: mailsAlone });
    const email = new Provider<EmailMessage>({ timeout: 3000 });
    const base = notified(mailsAlone, { email, applications: { find } });
    await booked(base, withReach);
    hangs = true;
    const pass = base.work();
    await vi.advanceTimersByTimeAsync(3010);
    await through(pass);
    hangs = false;
    expect(await base.statuses()).toMatchObject([{ status: 'INITIALIZED', retryCount: 0 }]);
  });

  it('code of the host that never answers lets the channel stand still for health pages once its claims are over', async () => {
    vi.useFakeTimers();
    const base = notified(mailsAlone, { worker: { slots: { email: 1 } }, linkSource: { linksFor: () => never } });
    await booked(base, withReach);
    const begun = base.clock.now();
    base.scheduling.workers.start();
    await settled();
    const lastLook = (): number | undefined => base.scheduling.workers.health().delivery[0]?.lastLookAt;
    base.clock.advance(seconds(20));
    expect(lastLook()).toBe(base.clock.now());
    base.clock.advance(days(1));
    expect(lastLook()).toBe(begun);
    const closing = base.scheduling.close();
    await vi.advanceTimersByTimeAsync(seconds(11));
    await through(closing);
  });
});
