import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minutes, seconds } from '@calends/model';
import { StoreError } from '../src/store.js';
import { CountingRooms } from './counting-rooms.js';
import { agentOne, booked, type Fixture, fixture } from './fixtures.js';
import { start } from './sample-appointments.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets the loop come to its next sleep. */
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** Counts the passes by what each asks of the store first. */
function counting(options = {}): Fixture & { passes: () => number; failWith: (error: Error | undefined) => void } {
  const inner = fixture();
  let passes = 0;
  let failure: Error | undefined;
  const claimDueAppointments: typeof inner.store.appointments.claimDue = (claim) => {
    passes += 1;
    return failure === undefined ? inner.store.appointments.claimDue(claim) : Promise.reject(failure);
  };
  const { clock, ids } = inner;
  const base = fixture({
    store: { ...inner.store, appointments: { ...inner.store.appointments, claimDue: claimDueAppointments } },
    clock,
    ids,
    ...options,
  });
  return { ...base, passes: () => passes, failWith: (error) => void (failure = error) };
}

describe('The worker loop', () => {
  it('the worker loop does not run before it is started', async () => {
    const base = counting();
    await vi.advanceTimersByTimeAsync(minutes(1));
    expect(base.passes()).toBe(0);
    expect(base.scheduling.workers.health()).toEqual({ running: false, lastPassAt: undefined, delivery: [] });
  });

  it('the worker loop passes at once, then every second, until it is stopped', async () => {
    const base = counting();
    const { workers } = base.scheduling;
    workers.start();
    await settled();
    expect(base.passes()).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(base.passes()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(base.passes()).toBe(2);
    expect(workers.health()).toEqual({ running: true, lastPassAt: base.clock.now(), delivery: [] });
    await workers.stop();
    await vi.advanceTimersByTimeAsync(minutes(1));
    expect(base.passes()).toBe(2);
    expect(workers.health().running).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the worker loop sleeps as long as the host says', async () => {
    const base = counting({ worker: { interval: 5000 } });
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(4999);
    expect(base.passes()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(base.passes()).toBe(2);
    await base.scheduling.close();
  });

  it('a worker whose settings are set to undefined has the defaults', async () => {
    const base = counting({ worker: { interval: undefined, batchSize: undefined } });
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(999);
    expect(base.passes()).toBe(1);
    await base.scheduling.close();
  });

  it('the worker loop started twice runs once, and can be started again after a stop', async () => {
    const base = counting();
    const { workers } = base.scheduling;
    workers.start();
    workers.start();
    await vi.advanceTimersByTimeAsync(3000);
    expect(base.passes()).toBe(4);
    await workers.stop();
    await workers.stop();
    workers.start();
    await settled();
    expect(base.passes()).toBe(5);
    await base.scheduling.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the worker loop stopped and started in one go keeps running once', async () => {
    const base = counting();
    const { workers } = base.scheduling;
    workers.start();
    await settled();
    const stopping = workers.stop();
    workers.start();
    await stopping;
    await settled();
    const before = base.passes();
    await vi.advanceTimersByTimeAsync(2000);
    expect(base.passes()).toBe(before + 2);
    await base.scheduling.close();
  });

  it('the worker loop is woken by a commit when somebody follows events', async () => {
    const base = counting({ worker: { interval: 60_000 } });
    const seen: string[] = [];
    base.scheduling.events.subscribe(({ type }) => void seen.push(type));
    base.scheduling.workers.start();
    await settled();
    const { id } = await booked(base);
    await settled();
    expect(seen).toEqual(['APCreatedEvent']);
    await base.appointments.cancel(agentOne, { id });
    await settled();
    expect(seen).toEqual(['APCreatedEvent', 'APCancelledEvent']);
    await base.scheduling.close();
  });

  it('the worker loop that is woken during a pass makes another one', async () => {
    const base = counting({ worker: { interval: 60_000 } });
    const { workers } = base.scheduling;
    let woken = false;
    base.scheduling.events.subscribe(() => {
      if (!woken) workers.wake();
      woken = true;
    });
    await booked(base);
    workers.start();
    await settled();
    expect(base.passes()).toBe(2);
    await base.scheduling.close();
  });

  it('the worker loop does what is due when its time has come', async () => {
    const base = counting();
    const { id } = await booked(base);
    base.scheduling.workers.start();
    await settled();
    base.clock.set(start - minutes(30));
    await vi.advanceTimersByTimeAsync(1000);
    expect((await base.appointments.get(agentOne, id)).state).toBe('ACTIVATED');
    await base.scheduling.close();
  });

  it('the worker loop hands events out and stays well while rooms that do not open take every slot', async () => {
    const rooms = new CountingRooms();
    rooms.openRoom = () => new Promise<never>(() => undefined);
    const base = counting({ accessProvider: rooms });
    const seen: string[] = [];
    base.scheduling.events.subscribe(({ type }) => void seen.push(type));
    for (let count = 0; count < 12; count += 1) await booked(base);
    base.clock.set(start - minutes(30));
    base.scheduling.workers.start();
    await settled();
    expect(base.passes()).toBe(1);
    expect(seen).toHaveLength(12);
    expect(base.scheduling.workers.health().lastPassAt).toBe(base.clock.now());
    const closed = base.scheduling.close();
    await vi.advanceTimersByTimeAsync(minutes(1));
    await closed;
    expect(base.passes()).toBe(1);
  });

  it('the worker loop hands out events of other appointments while a handler does not settle, and stays well', async () => {
    const base = counting();
    const seen: string[] = [];
    let finish: () => void = () => undefined;
    let stuck = '';
    base.scheduling.events.subscribe(async ({ appointmentId, version }) => {
      if (appointmentId === stuck && version === 1) await new Promise<void>((resolve) => (finish = resolve));
      seen.push(`${appointmentId} ${String(version)}`);
    });
    stuck = (await booked(base)).id;
    await base.appointments.update(agentOne, { id: stuck, title: 'later' });
    const other = (await booked(base)).id;
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(1000);
    await base.appointments.update(agentOne, { id: other, title: 'two' });
    await settled();
    await base.appointments.update(agentOne, { id: other, title: 'three' });
    await settled();
    base.clock.advance(seconds(5));
    await vi.advanceTimersByTimeAsync(1000);
    expect(seen).toEqual([`${other} 1`, `${other} 2`, `${other} 3`]);
    expect(base.scheduling.workers.health().lastPassAt).toBe(base.clock.now());
    finish();
    await settled();
    expect(seen.slice(3)).toEqual([`${stuck} 1`, `${stuck} 2`]);
    await base.scheduling.close();
  });

  it('the worker loop claims no more events than it may hand out at a time, however many handlers do not settle', async () => {
    const base = counting({ worker: { batchSize: 3 } });
    let begun = 0;
    base.scheduling.events.subscribe(() => {
      begun += 1;
      return new Promise<never>(() => undefined);
    });
    for (let count = 0; count < 5; count += 1) await booked(base);
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(seconds(29));
    expect(begun).toBe(3);
    await vi.advanceTimersByTimeAsync(seconds(2));
    expect(begun).toBe(5);
    const closed = base.scheduling.close();
    await vi.advanceTimersByTimeAsync(minutes(1));
    await closed;
  });

  it('the worker loop goes on after a fault of the store, and reports it', async () => {
    const base = counting();
    base.failWith(new StoreError('unavailable', 'The database does not answer.'));
    base.scheduling.workers.start();
    await vi.advanceTimersByTimeAsync(2000);
    expect(base.signals.filter(({ type }) => type === 'workerFailed')).toHaveLength(3);
    expect(base.scheduling.workers.health().lastPassAt).toBeUndefined();
    base.failWith(undefined);
    await vi.advanceTimersByTimeAsync(1000);
    expect(base.scheduling.workers.health().lastPassAt).toBe(base.clock.now());
    await base.scheduling.close();
  });
});

describe('Stopping', () => {
  it('Stopping waits for the pass that is under way, and claims nothing more', async () => {
    const base = counting();
    const log: string[] = [];
    let finish: () => void = () => undefined;
    base.scheduling.events.subscribe(async () => {
      log.push('handling');
      await new Promise<void>((resolve) => (finish = resolve));
      log.push('handled');
    });
    await booked(base);
    base.scheduling.workers.start();
    await settled();
    const closed = base.scheduling.close().then(() => log.push('closed'));
    await settled();
    expect(log).toEqual(['handling']);
    finish();
    await closed;
    expect(log).toEqual(['handling', 'handled', 'closed']);
    expect(base.passes()).toBe(1);
  });

  it('Stopping waits for a pass that the host began itself', async () => {
    const base = counting();
    let finish: () => void = () => undefined;
    base.scheduling.events.subscribe(() => new Promise<void>((resolve) => (finish = resolve)));
    await booked(base);
    const pass = base.scheduling.workers.runOnce();
    await settled();
    let stopped = false;
    const stopping = base.scheduling.workers.stop().then(() => (stopped = true));
    await settled();
    expect(stopped).toBe(false);
    finish();
    await stopping;
    expect(await pass).toEqual({ appointments: 0, events: 1, notifications: 0 });
  });

  it('Stopping passes never overlap: a second call waits for the first and then does its own', async () => {
    const base = counting();
    let running = 0;
    let most = 0;
    base.scheduling.events.subscribe(async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    });
    await booked(base);
    const passes = await Promise.all([1, 2, 3].map(() => base.scheduling.workers.runOnce()));
    expect(passes.map(({ events }) => events)).toEqual([1, 0, 0]);
    expect(most).toBe(1);
  });

  it('Stopping of a library that was never started is done at once', async () => {
    await expect(fixture().scheduling.close()).resolves.toBeUndefined();
  });
});
