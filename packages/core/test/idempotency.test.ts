import { describe, expect, it } from 'vitest';
import type { Appointment, IdempotencyOptions } from '../src/index.js';
import { hours, seconds } from '../src/appointments/time-units.js';
import {
  agentOne,
  agentTwo,
  booked,
  booking,
  type Fixture,
  fixture,
  foreignSupervisor,
  supervisor,
} from './fixtures.js';
import { errorOf } from './error-of.js';

const key: IdempotencyOptions = { key: 'k-1', operation: 'POST /appointments' };
const withKey = { idempotency: key };

const total = async ({ appointments }: Fixture): Promise<number> => (await appointments.list(supervisor, {})).total;

describe('A call with an Idempotency-Key (decisions, section 9)', () => {
  it('takes effect once: a replay gives the stored answer and says so', async () => {
    const base = fixture();
    const first = await base.appointments.schedule(agentOne, booking(), withKey);
    let replays = 0;
    const idempotency = { ...key, onReplay: () => void (replays += 1) };
    base.clock.advance(hours(1));
    const again = await base.appointments.schedule(agentOne, booking(), { idempotency });
    expect(again).toEqual(first);
    expect(replays).toBe(1);
    expect(base.newEvents()).toEqual(['APCreatedEvent']);
    expect(await total(base)).toBe(1);
  });

  it('gives the stored answer also when the appointment has changed or gone since', async () => {
    const base = fixture();
    const first = await base.appointments.schedule(agentOne, booking(), withKey);
    await base.appointments.update(agentOne, { id: first.id, title: 'Other' });
    expect(await base.appointments.schedule(agentOne, booking(), withKey)).toEqual(first);
    await base.appointments.remove(agentOne, first.id);
    expect(await base.appointments.schedule(agentOne, booking(), withKey)).toEqual(first);
  });

  it('with another body is a mismatch', async () => {
    const base = fixture();
    await base.appointments.schedule(agentOne, booking(), withKey);
    const other = await errorOf(() => base.appointments.schedule(agentOne, booking({ title: 'x' }), withKey));
    expect(other.code).toBe('idempotency_mismatch');
    expect(await total(base)).toBe(1);
  });

  it('belongs to the caller, the organization, the operation and the key', async () => {
    const base = fixture();
    await base.appointments.schedule(agentOne, booking(), withKey);
    await base.appointments.schedule(agentTwo, booking(), withKey);
    await base.appointments.schedule({ ...agentOne, organizationId: 'org-2' }, booking(), withKey);
    await base.appointments.schedule(agentOne, booking(), { idempotency: { ...key, operation: 'other' } });
    for (const other of ['K-1', 'k-1 ', 'k-2']) {
      await base.appointments.schedule(agentOne, booking(), { idempotency: { ...key, key: other } });
    }
    expect(await total(base)).toBe(6);
    expect((await base.appointments.list(foreignSupervisor, {})).total).toBe(1);
  });

  it('holds for 24 hours', async () => {
    const base = fixture();
    const first = await base.appointments.schedule(agentOne, booking({ start: '2030-06-01T10:00:00Z' }), withKey);
    const again = (): Promise<Appointment> =>
      base.appointments.schedule(agentOne, booking({ start: '2030-06-01T10:00:00Z' }), withKey);
    base.clock.advance(hours(24) - 1);
    expect((await again()).id).toBe(first.id);
    base.clock.advance(1);
    expect((await again()).id).not.toBe(first.id);
  });

  it.each(['', 'x'.repeat(256)])('has a key of 1 to 255 characters', async (text) => {
    const base = fixture();
    const call = (): Promise<Appointment> =>
      base.appointments.schedule(agentOne, booking(), { idempotency: { ...key, key: text } });
    expect((await errorOf(call)).code).toBe('validation_failed');
    const longest = { idempotency: { ...key, key: 'x'.repeat(255) } };
    await expect(base.appointments.schedule(agentOne, booking(), longest)).resolves.toBeDefined();
  });

  it('that fails gives the key back', async () => {
    const base = fixture();
    const past = booking({ start: '2020-01-01T00:00:00Z' });
    expect((await errorOf(() => base.appointments.schedule(agentOne, past, withKey))).code).toBe('invalid_schedule');
    await expect(base.appointments.schedule(agentOne, booking(), withKey)).resolves.toBeDefined();
    expect(await total(base)).toBe(1);
  });

  it('that is under way keeps others out, until its lease is over', async () => {
    const base = fixture();
    let answer: (standing: 'agent') => void = () => undefined;
    let asked: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    const slow = fixture({
      store: base.store,
      clock: base.clock,
      ids: base.ids,
      agentDirectory: {
        standingOf: () => {
          asked();
          return new Promise<'agent'>((resolve) => (answer = resolve));
        },
      },
    });
    const command = booking({ targetAssignment: { id: 'agent-7' } });
    const first = slow.appointments.schedule(agentOne, command, withKey);
    await begun;
    const second = (): Promise<Appointment> => base.appointments.schedule(agentOne, command, withKey);
    expect((await errorOf(second)).code).toBe('idempotency_in_progress');
    base.clock.advance(seconds(60));
    await expect(second()).resolves.toBeDefined();
    answer('agent');
    // Its lease was taken over: it may not write a second appointment.
    expect((await errorOf(() => first)).code).toBe('idempotency_in_progress');
    expect(await total(base)).toBe(1);
  });

  it('50 times in parallel has one effect', async () => {
    const base = fixture();
    const calls = Array.from({ length: 50 }, () => base.appointments.schedule(agentOne, booking(), withKey));
    const outcomes = await Promise.allSettled(calls);
    const ids = new Set(outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : [])));
    const errors = outcomes.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { code: string }).code] : [],
    );
    expect(ids.size).toBe(1);
    expect(new Set(errors)).toEqual(new Set(['idempotency_in_progress']));
    expect(await total(base)).toBe(1);
    expect(base.newEvents()).toEqual(['APCreatedEvent']);
  });
});

describe('Activation with a key', () => {
  it('is replayed with its answer', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const first = await base.appointments.activate(agentOne, id, withKey);
    await base.appointments.cancel(agentOne, { id });
    expect(await base.appointments.activate(agentOne, id, withKey)).toEqual(first);
    expect(base.newEvents()).toEqual(['APActivatedEvent', 'APCancelledEvent']);
  });

  it('that changes nothing is stored too', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const first = await base.appointments.activate(agentOne, id);
    expect(await base.appointments.activate(agentOne, id, withKey)).toEqual(first);
    let replays = 0;
    await base.appointments.activate(agentOne, id, { idempotency: { ...key, onReplay: () => void (replays += 1) } });
    expect(replays).toBe(1);
  });

  it('of another appointment is a mismatch', async () => {
    const base = fixture();
    const [one, other] = [await booked(base), await booked(base)];
    await base.appointments.activate(agentOne, one.id, withKey);
    const error = await errorOf(() => base.appointments.activate(agentOne, other.id, withKey));
    expect(error.code).toBe('idempotency_mismatch');
  });

  it('whose room was refused for good fails again when it is replayed', async () => {
    const accessProvider = {
      conferenceIsAppointment: true,
      openRoom: async () => Promise.resolve({ status: 'refused', reason: 'no licence' } as const),
      details: () => ({ secureToken: '', roomUrl: '', expires: 0 }),
    };
    const base = fixture({ accessProvider });
    const { id } = await booked(base);
    for (let time = 0; time < 2; time += 1) {
      expect((await errorOf(() => base.appointments.activate(agentOne, id, withKey))).code).toBe('invalid_state');
    }
    expect(base.newEvents()).toEqual(['APAbortedEvent']);
  });
});
