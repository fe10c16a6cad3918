import { describe, expect, it } from 'vitest';
import { minutes } from '@calends/model';
import { type SchedulingStore, StoreError } from '../src/store.js';
import { agentOne, booked, booking, type Fixture, fixture, supervisor } from './fixtures.js';
import { answerOrCode, errorOf } from './error-of.js';
import { start } from './sample-appointments.js';

const down = (): Promise<never> => Promise.reject(new StoreError('unavailable', 'The database does not answer.'));

/** A second library over the same data, some methods of whose store do something else. */
function over(base: Fixture, methods: (store: SchedulingStore) => Partial<SchedulingStore>): Fixture {
  return fixture({ store: { ...base.store, ...methods(base.store) }, clock: base.clock, ids: base.ids });
}

const idempotency = { key: 'k', operation: 'create' };

describe('A store that does not answer', () => {
  it('a store that does not answer fails the call with its StoreError, and nothing is told to subscribers', async () => {
    const base = fixture();
    const broken = over(base, () => ({ commit: down }));
    await expect(broken.appointments.schedule(agentOne, booking())).rejects.toMatchObject({ code: 'unavailable' });
    const { id } = await booked(base);
    await expect(broken.appointments.cancel(agentOne, { id })).rejects.toBeInstanceOf(StoreError);
    expect(broken.newEvents()).toEqual([]);
    expect((await base.appointments.get(agentOne, id)).state).toBe('SCHEDULED');
    await expect(over(base, () => ({ check: down })).scheduling.check()).rejects.toBeInstanceOf(StoreError);
  });

  it('a store that does not answer lets later calls on the same appointment through', async () => {
    const base = fixture();
    const { id } = await booked(base);
    let calls = 0;
    const flaky = over(base, ({ commit }) => ({ commit: (change) => ((calls += 1) === 1 ? down() : commit(change)) }));
    const outcomes = await Promise.allSettled([1, 2].map(() => flaky.appointments.cancel(agentOne, { id })));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('a store that does not answer leaves the idempotency key free', async () => {
    const base = fixture();
    const broken = over(base, () => ({ commit: down }));
    await expect(broken.appointments.schedule(agentOne, booking(), { idempotency })).rejects.toBeInstanceOf(StoreError);
    await expect(base.appointments.schedule(agentOne, booking(), { idempotency })).resolves.toBeDefined();
  });
});

describe('A call whose time has passed', () => {
  const passed = AbortSignal.abort();

  it('a call whose time has passed commits nothing', async () => {
    const base = fixture();
    const scheduling = base.appointments.schedule(agentOne, booking(), { signal: passed });
    await expect(scheduling).rejects.toMatchObject({ code: 'unavailable' });
    expect(base.newEvents()).toEqual([]);
    const { id } = await booked(base);
    const cancelling = base.appointments.cancel(agentOne, { id }, { signal: passed });
    await expect(cancelling).rejects.toMatchObject({ code: 'unavailable' });
    expect((await base.appointments.get(agentOne, id)).state).toBe('SCHEDULED');
  });

  it('a call whose time has passed while it waited for another call on the same appointment leaves the queue, and the next one goes on', async () => {
    const base = fixture();
    const appointment = await booked(base);
    let release: () => void = () => undefined;
    let held = new Promise<void>((resolve) => (release = resolve));
    const slow = over(base, ({ commit }) => ({
      commit: async (change, options) => {
        await held;
        return commit(change, options);
      },
    }));
    const abort = new AbortController();
    const calls = ['a', 'b', 'c'].map((title) =>
      slow.appointments.update(
        agentOne,
        { id: appointment.id, title },
        title === 'b' ? { signal: abort.signal } : undefined,
      ),
    );
    abort.abort();
    release();
    held = Promise.resolve();
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await base.appointments.get(agentOne, appointment.id)).toMatchObject({ title: 'c', version: 3 });
  });
});

describe('Another process that is always quicker', () => {
  it('another process that is always quicker makes the call give up after some rounds, as something temporary', async () => {
    const base = fixture();
    const { id } = await booked(base);
    let rounds = 0;
    const unlucky = over(base, () => ({
      commit: () => {
        rounds += 1;
        return Promise.resolve({ status: 'stale' as const });
      },
    }));
    const error = await errorOf(() => unlucky.appointments.cancel(agentOne, { id }));
    expect(error).toMatchObject({ code: 'unavailable', temporary: true });
    expect(rounds).toBe(20);
    expect(unlucky.newEvents()).toEqual([]);
  });

  it('what another process did is decided on again: it counts', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const late = over(base, ({ commit }) => ({
      commit: async (change) => {
        await base.appointments.cancel(supervisor, { id, cancelReason: 'first' });
        return commit(change);
      },
    }));
    const cancelled = await late.appointments.cancel(agentOne, { id, cancelReason: 'second' });
    expect(cancelled).toMatchObject({ cancellation: { by: 'supervisor-1', reason: 'first' } });
    expect(late.newEvents()).toEqual([]);
  });

  it('Another process that is always quicker that has answered the idempotency key by then lets nothing be written', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const lost = over(base, () => ({ commit: () => Promise.resolve({ status: 'requestLost' as const }) }));
    const activate = (): Promise<unknown> => lost.appointments.activate(agentOne, id, { idempotency });
    expect(await answerOrCode(activate)).toBe('idempotency_in_progress');
  });

  it('Another process that is always quicker that took the new id makes the call fail, instead of writing over it', async () => {
    const base = fixture();
    const taken = over(base, () => ({ commit: () => Promise.resolve({ status: 'stale' as const }) }));
    expect(await answerOrCode(() => taken.appointments.schedule(agentOne, booking()))).toBe('internal');
  });

  it('Another process that is always quicker that removed what the worker had claimed is no fault of the worker', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const slow = over(base, ({ appointments }) => ({
      appointments: {
        ...appointments,
        claimDue: async (claim) => {
          const due = await appointments.claimDue(claim);
          if (due.length > 0) await base.appointments.remove(supervisor, id);
          return due;
        },
      },
    }));
    base.clock.set(start - minutes(30));
    expect((await slow.scheduling.workers.runOnce()).appointments).toBe(1);
    expect(slow.signals).toEqual([]);
  });
});
