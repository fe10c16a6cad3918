import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { type ConfiguredNotifications, type EmailMessage, type SchedulingStore, StoreError } from '../../src/index.js';
import { days, hours, seconds } from '../../src/appointments/time-units.js';
import { agentOne, booked } from '../fixtures.js';
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

describe('Code of the host that throws', () => {
  const secretText = 'maria@example.org is not welcome';
  const forNow = { status: 'PENDING', errorMessage: 'the message could not be composed', retryCount: 1 };

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
    'while links are made, counts as a failure for now, also when it is %s; the others are sent',
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
        { status: 'DELIVERED', retryCount: 2 },
        { status: 'DELIVERED', retryCount: 2 },
      ]);
    },
  );

  it('while links are made, every time, uses up the attempts and no more', async () => {
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
      { ...forNow, status: 'FAILED', message: 'every attempt failed', retryCount: 5, canRetry: true },
    ]);
  });

  it('while the state of an endpoint is read, counts as a failure for now too', async () => {
    const inner = memoryStore();
    let isDown = true;
    const store: SchedulingStore = {
      ...inner,
      findEndpoint: (key) =>
        isDown ? Promise.reject(new StoreError('unavailable', 'It does not answer.')) : inner.findEndpoint(key),
    };
    const base = notified({ ...noReminders, email: undefined, sms: undefined }, { store });
    await booked(base, withReach);
    await base.work();
    expect(await base.statuses()).toMatchObject([forNow]);
    isDown = false;
    await base.after(seconds(5));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 2 }]);
  });

  it('while it sends, counts as a failure for now; its text stays out of the record', async () => {
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

  it('while it reads settings, costs no claim: the message is sent as soon as they can be read', async () => {
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

  it('while links are made, is given up after the time-out of the channel, and counts as a failure for now', async () => {
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
      { status: 'PENDING', errorMessage: 'the message could not be composed', retryCount: 1 },
    ]);
    expect(email.sent).toEqual([]);
  });

  it('while it reads settings, is given up after the time-out of the channel; nothing counts', async () => {
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

  it('lets the channel stand still for health pages once its claims are over', async () => {
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
