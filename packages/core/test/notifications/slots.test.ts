import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import { type SchedulingStore, StoreError } from '../../src/store.js';
import type { EmailMessage, WebhookMessage } from '../../src/notifier.js';
import { booked } from '../fixtures.js';
import { held } from './held.js';
import { everything, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const noReminders: ConfiguredNotifications = { ...everything, reminders: [] };
const mailsAlone: ConfiguredNotifications = { ...noReminders, sms: undefined, webhooks: [] };
const withReach = { customers: [reachable] };
const at = (hour: number) => ({ ...withReach, start: `2030-05-06T${String(hour)}:00:00Z` });
/** Lets everything run that waits for no timer; immediates of immediates take a millisecond. */
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

/** Lets time pass until something is done. */
async function through(doing: Promise<unknown>): Promise<void> {
  const progress = { isDone: false };
  void doing.finally(() => (progress.isDone = true));
  while (!progress.isDone) await settled();
}

afterEach(() => void vi.useRealTimers());

type Claim = SchedulingStore['notifications']['claim'];

/** A memory store whose claims of notifications are done in another way. */
function claiming(change: (claim: Claim) => Claim): SchedulingStore {
  const inner = memoryStore();
  return { ...inner, notifications: { ...inner.notifications, claim: change(inner.notifications.claim) } };
}

describe('A provider that never answers', () => {
  it('a provider that never answers does not hold back the other channels', async () => {
    vi.useFakeTimers();
    const base = notified(noReminders, { worker: { slots: { webhooks: 1 } } });
    base.webhooks.answers(() => new Promise(() => undefined));
    base.scheduling.workers.start();
    for (const hour of [11, 12, 13]) await booked(base, at(hour));
    await settled();
    await vi.advanceTimersByTimeAsync(seconds(2));
    expect([base.email, base.sms, base.webhooks].map(({ sent }) => sent.length)).toEqual([3, 3, 1]);
    expect(base.scheduling.workers.health().delivery).toMatchObject([
      { channel: 'EMAIL', inFlight: 0 },
      { channel: 'SMS', inFlight: 0 },
      { channel: 'WEBHOOKS', inFlight: 1, slots: 1 },
    ]);
    base.webhooks.answers({ status: 'delivered' });
    await vi.advanceTimersByTimeAsync(seconds(10));
    await through(base.scheduling.close());
  });

  it('a provider that never answers has an unknown outcome after its time-out, and its slot is free for others', async () => {
    vi.useFakeTimers();
    const email = new Provider<EmailMessage>({ timeout: 3000 });
    const base = notified(mailsAlone, { email, worker: { slots: { email: 1 } } });
    let aborted = 0;
    email.answers((_message, { signal }) => {
      signal.addEventListener('abort', () => (aborted += 1));
      return email.sent.length === 1 ? new Promise(() => undefined) : { status: 'delivered' };
    });
    await booked(base, at(11));
    await booked(base, at(12));
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(2990);
    expect([email.sent.length, aborted]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(20);
    expect([email.sent.length, aborted]).toEqual([2, 1]);
    expect(await base.statuses({ sortOrder: 'asc', sortField: 'id' })).toMatchObject([
      { status: 'PENDING', errorMessage: 'no answer within 3000 ms', nextRetryAt: base.clock.now() + seconds(30) },
      { status: 'DELIVERED' },
    ]);
    await through(base.scheduling.close());
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a provider that never answers may have been given a copy of the attempt: its signal aborts too', async () => {
    vi.useFakeTimers();
    const base = notified(mailsAlone);
    const signals: AbortSignal[] = [];
    base.email.answers((_message, attempt) => {
      signals.push({ ...attempt }.signal, Object.assign({}, attempt).signal);
      return new Promise(() => undefined);
    });
    await booked(base, at(11));
    const pass = base.work();
    await vi.advanceTimersByTimeAsync(base.email.timeout);
    await through(pass);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(signals[0]).toBe(base.email.sent[0]?.attempt.signal);
  });

  it('a provider that never answers is called as often at a time as there are slots, and no more is claimed than that', async () => {
    const webhooks = new Provider<WebhookMessage>();
    const provider = held(webhooks, 5);
    const base = notified(
      { ...noReminders, email: undefined, sms: undefined },
      { webhooks, worker: { slots: { webhooks: 2 } } },
    );
    for (const hour of [11, 12, 13, 14, 15]) await booked(base, at(hour));
    const pass = base.work();
    for (let answered = 0; answered < 5; answered += 1) {
      await provider.called(Math.min(5, answered + 2));
      const phases = await base.store.notifications.backlog();
      const sending = phases.find(({ phase }) => phase === 'SENDING')?.count ?? 0;
      expect(sending).toBeLessThanOrEqual(2);
      expect(webhooks.sent.length - answered).toBeLessThanOrEqual(2);
      provider.answer();
    }
    expect(await pass).toBe(5);
    expect(webhooks.sent).toHaveLength(5);
  });

  it('a provider is called no more often at a time where passes run beside each other and the store takes its time', async () => {
    const store = claiming((claim) => async (asked) => {
      await new Promise((resolve) => setImmediate(resolve));
      return claim(asked);
    });
    let [atOnce, max] = [0, 0];
    const base = notified(mailsAlone, { store, worker: { slots: { email: 2 } } });
    base.email.answers(async () => {
      max = Math.max(max, (atOnce += 1));
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return { status: 'delivered' };
    });
    for (const hour of [11, 12, 13, 14, 15]) await booked(base, at(hour));
    await Promise.all([base.work(), base.work(), base.work()]);
    expect([base.email.sent.length, max]).toEqual([5, 2]);
  });
});

describe('A worker that has just started', () => {
  const sending = async (base: ReturnType<typeof notified>) =>
    (await base.store.notifications.backlog()).find(({ phase }) => phase === 'SENDING')?.count ?? 0;

  it('a worker that has just started claims one message, and twice as many with each outcome', async () => {
    const base = notified(mailsAlone, { worker: { slots: { email: 6 } } });
    const provider = held(base.email, 20);
    for (let count = 0; count < 20; count += 1) await booked(base, withReach);
    base.scheduling.workers.start();
    for (const [answered, atOnce] of [1, 2, 4, 6, 6].entries()) {
      await provider.called(answered + atOnce);
      expect(await sending(base)).toBe(atOnce);
      provider.answer();
    }
    for (let answered = 5; answered < 20; answered += 1) {
      await provider.called(answered + 1);
      provider.answer();
    }
    await base.scheduling.close();
    expect(base.email.sent).toHaveLength(20);
  });

  it('a worker that has just started claims twice as many also with each second in which none ends: one message holds the others up no longer', async () => {
    vi.useFakeTimers();
    const base = notified(mailsAlone, { worker: { slots: { email: 4 } } });
    const provider = held(base.email, 9);
    for (let count = 0; count < 9; count += 1) await booked(base, withReach);
    base.scheduling.workers.start();
    for (const atOnce of [1, 2, 4, 4]) {
      await settled();
      expect(await sending(base)).toBe(atOnce);
      await vi.advanceTimersByTimeAsync(seconds(1));
    }
    const closing = base.scheduling.close();
    for (let count = 0; count < 4; count += 1) provider.answer();
    await through(closing);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('A worker that is stopped', () => {
  it('a worker that is stopped waits for what is being sent, and claims nothing more', async () => {
    vi.useFakeTimers();
    const base = notified(mailsAlone, { worker: { slots: { email: 1 } } });
    const provider = held(base.email);
    await booked(base, at(11));
    await booked(base, at(12));
    base.scheduling.workers.start();
    await settled();
    let stopped = false;
    const closing = base.scheduling.close().then(() => (stopped = true));
    await settled();
    expect(stopped).toBe(false);
    provider.answer();
    await through(closing);
    expect(base.email.sent).toHaveLength(1);
    const statuses = await base.statuses({ sortField: 'id', sortOrder: 'asc' });
    expect(statuses.map(({ status, retryCount }) => [status, retryCount])).toEqual([
      ['DELIVERED', 1],
      ['INITIALIZED', 0],
    ]);
    base.scheduling.workers.start();
    await settled();
    expect(base.email.sent).toHaveLength(2);
    await through(base.scheduling.close());
  });

  it('a worker that is stopped waits for a pass of runOnce, which begins nothing more: a host may close notifiers and store after that', async () => {
    const base = notified(mailsAlone);
    let [take, isTaking] = [(): void => undefined, (): void => undefined];
    const taking = new Promise<void>((resolve) => (isTaking = resolve));
    base.scheduling.events.subscribe(() => {
      isTaking();
      return new Promise((resolve) => (take = resolve));
    });
    await booked(base, withReach);
    const ended: string[] = [];
    const pass = base.scheduling.workers.runOnce().finally(() => ended.push('pass'));
    await taking;
    const closing = base.scheduling.close().finally(() => ended.push('close'));
    take();
    expect(await pass).toEqual({ appointments: 0, events: 1, notifications: 0 });
    await closing;
    expect(ended).toEqual(['pass', 'close']);
    expect(base.email.sent).toEqual([]);
    expect(await base.work()).toBe(1);
  });

  it('a worker that is stopped and started in one go has stopped once what was under way has ended, however much more is due', async () => {
    const base = notified(mailsAlone);
    const { workers, close } = base.scheduling;
    let isFirst: () => void = () => undefined;
    const first = new Promise<void>((resolve) => (isFirst = resolve));
    const enough = 200;
    base.email.answers(async () => {
      isFirst();
      // More is due than is sent.
      for (const hour of base.email.sent.length < enough ? [11, 12] : []) await booked(base, at(hour));
      return { status: 'delivered' };
    });
    await booked(base, withReach);
    const pass = workers.runOnce();
    await first;
    const stopping = workers.stop();
    workers.start();
    await Promise.all([pass, stopping]);
    expect(workers.health().running).toBe(true);
    expect(base.email.sent.length).toBeLessThan(enough);
    await close();
  });

  it('a worker that is stopped gives back what it has claimed and not begun: nothing counts, and the next worker sends it at once', async () => {
    let stop = (): Promise<void> => Promise.resolve();
    const store = claiming((claim) => async (asked) => {
      const claims = await claim(asked);
      if (claims.claimed.length > 0) void stop();
      return claims;
    });
    const base = notified(mailsAlone, { store });
    stop = () => base.scheduling.workers.stop();
    await booked(base, withReach);
    await base.work();
    expect(base.email.sent).toEqual([]);
    expect(await base.statuses()).toMatchObject([{ status: 'INITIALIZED', retryCount: 0 }]);
    expect(await base.history()).toHaveLength(1);
    const other = notified(mailsAlone, { store: store, clock: base.clock, ids: base.ids });
    await other.work();
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
  });
});

describe('A claim of which more than half is gone', () => {
  it('a claim of which more than half is gone is given back instead of begun, and claimed again after a pause', async () => {
    const base = notified(mailsAlone, {
      linkSource: {
        linksFor: () => {
          if (base.email.sent.length === 0 && !waited) base.clock.advance(seconds(13));
          waited = true;
          return {};
        },
      },
    });
    let waited = false;
    await booked(base, withReach);
    await base.work();
    expect(base.email.sent).toEqual([]);
    await base.after(seconds(5));
    const outcomes = base.signals.flatMap((signal) => (signal.type === 'notificationSettled' ? [signal.outcome] : []));
    expect(outcomes).toEqual(['returned', 'delivered']);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
    expect(await base.history()).toHaveLength(2);
  });
});

describe('A store with faults', () => {
  const down = (): Promise<never> => Promise.reject(new StoreError('unavailable', 'The database does not answer.'));

  it('a store that lets nothing be claimed is asked again, and the loop goes on', async () => {
    vi.useFakeTimers();
    const inner = memoryStore();
    let isDown = true;
    const store = {
      ...inner,
      notifications: {
        ...inner.notifications,
        claim: (claim: Parameters<typeof inner.notifications.claim>[0]) =>
          isDown ? down() : inner.notifications.claim(claim),
      },
    };
    const base = notified(mailsAlone, { store });
    await booked(base, withReach);
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(seconds(2));
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'workerFailed', job: 'delivery EMAIL' }));
    expect(base.email.sent).toEqual([]);
    isDown = false;
    await vi.advanceTimersByTimeAsync(seconds(1) + 1);
    expect(base.email.types).toEqual(['CREATE']);
    await through(base.scheduling.close());
  });

  it('a store that does not take an outcome at once gets it again', async () => {
    const inner = memoryStore();
    let left = 2;
    const store = {
      ...inner,
      notifications: {
        ...inner.notifications,
        settle: (updates: Parameters<typeof inner.notifications.settle>[0]) =>
          (left -= 1) >= 0 ? down() : inner.notifications.settle(updates),
      },
    };
    const base = notified(mailsAlone, { store });
    await booked(base, withReach);
    await base.work();
    expect(left).toBe(-1);
    expect(base.email.sent).toHaveLength(1);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
  });

  it('a store that takes no outcomes for long gets little more to send, and all of it once it is well', async () => {
    vi.useFakeTimers();
    const inner = memoryStore();
    let isFull = true;
    const store = {
      ...inner,
      notifications: {
        ...inner.notifications,
        settle: (updates: Parameters<typeof inner.notifications.settle>[0]) =>
          isFull ? down() : inner.notifications.settle(updates),
      },
    };
    const base = notified(mailsAlone, { store, worker: { slots: { email: 5 } } });
    for (let index = 0; index < 40; index += 1) await booked(base, withReach);
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(seconds(60));
    // What was under way when the first outcome was refused, and one for each time that no outcome was waited for.
    expect(base.email.sent.length).toBeGreaterThan(5);
    expect(base.email.sent.length).toBeLessThan(20);
    isFull = false;
    await vi.advanceTimersByTimeAsync(seconds(30));
    base.clock.advance(seconds(60));
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect((await base.statuses({ pageSize: 100 })).map(({ status }) => status)).toEqual(Array(40).fill('DELIVERED'));
    await through(base.scheduling.close());
  });

  it('a store that refuses one outcome of a batch takes the others', async () => {
    const inner = memoryStore();
    const refused = new Set<string>();
    const store = {
      ...inner,
      notifications: {
        ...inner.notifications,
        settle: (updates: Parameters<typeof inner.notifications.settle>[0]) =>
          updates.some(({ next }) => refused.has(next.id))
            ? Promise.reject(new StoreError('unexpected', 'too long'))
            : inner.notifications.settle(updates),
      },
    };
    const base = notified(mailsAlone, { store });
    for (const hour of [11, 12, 13]) await booked(base, at(hour));
    const ids = (await base.statuses({ sortField: 'id', sortOrder: 'asc' })).map(({ id }) => id);
    refused.add(ids[1] ?? '');
    await base.work();
    const statuses = await base.statuses({ sortField: 'id', sortOrder: 'asc' });
    expect(statuses.map(({ status }) => status)).toEqual(['DELIVERED', 'PENDING', 'DELIVERED']);
    const faults = base.signals.filter(({ type }) => type === 'deliveryFailed');
    expect(faults).toMatchObject([{ notificationId: ids[1], step: 'settle' }]);
  });
});
