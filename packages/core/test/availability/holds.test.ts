import { days, minutes } from '@calends/model';
import { describe, expect, it } from 'vitest';
import type { HoldCommand } from '../../src/operations.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, booking, type Fixture, fixture, secret, supervisor } from '../fixtures.js';
import { caller } from '../sample-appointments.js';
import { at, available, service, talk } from './sample-service.js';

const visitor = { clientAddress: '198.51.100.7' };
const one = { requirements: [{ kind: 'agent' as const, anyOf: ['agent-1'] }] };
const time = { ...talk, start: at('10:00'), duration: 'PT30M' };
const owned = { applications: { 'app-1': { organizationId: 'org-1' } } };

const hold = (
  { scheduling }: Fixture,
  more: Partial<HoldCommand> = {},
  by: Parameters<typeof scheduling.availability.hold>[0] = agentOne,
) => scheduling.availability.hold(by, { ...time, ...more });

const book = ({ appointments }: Fixture, more: object = {}) =>
  appointments.schedule(supervisor, booking({ start: time.start, serviceId: 'talk', ...more }));

describe('A held time', () => {
  it('a hold keeps its time from everybody but who has its token, and goes with the booking', async () => {
    const base = available(one);
    const { token, id, until, agentIds } = await hold(base);
    expect({ until, agentIds }).toEqual({ until: base.clock.now() + minutes(5), agentIds: ['agent-1'] });
    expect(await errorOf(() => book(base))).toMatchObject({
      code: 'slot_conflict',
      reasons: [{ code: 'HELD', actorId: 'agent-1' }],
    });
    expect(await errorOf(() => hold(base, {}, supervisor))).toMatchObject({ reasons: [{ code: 'HELD' }] });
    const appointment = await book(base, { holdToken: token });
    expect(appointment.participants).toContainEqual({ id: 'agent-1', type: 'AGENT' });
    expect(await answerOrCode(() => book(base, { holdToken: token }))).toBe('hold_lost');
    expect(await answerOrCode(() => base.scheduling.availability.release(supervisor, { id }))).toBe('not_found');
  });

  it('a hold ends at its time and not before, without a worker', async () => {
    const base = available(one);
    const { token, until } = await hold(base);
    base.clock.set(until - 1);
    expect(await answerOrCode(() => book(base))).toBe('slot_conflict');
    base.clock.set(until);
    expect(await answerOrCode(() => book(base, { holdToken: token }))).toBe('hold_lost');
    expect(await book(base)).toHaveProperty('service.id', 'talk');
  });

  it('a host says how long holds last', async () => {
    const base = available(one, { availability: { holds: { duration: minutes(15) } } });
    expect((await hold(base)).until).toBe(base.clock.now() + minutes(15));
  });

  it.each<[string, object]>([
    ['start', { start: at('10:30') }],
    ['duration', { duration: 'PT1H' }],
    ['service', { serviceId: 'other' }],
    ['agent', { targetAssignment: { id: 'agent-2', type: 'AGENT' } }],
  ])('a hold is lost for a booking of another %s', async (_what, more) => {
    const rules = service({ durations: ['PT30M', 'PT1H'] });
    const base = available({}, { availability: { services: { 'app-1': { talk: rules, other: rules } } } });
    const { token } = await hold(base);
    expect(await answerOrCode(() => book(base, { ...more, holdToken: token }))).toBe('hold_lost');
    expect(await book(base, { holdToken: token })).toHaveProperty('id');
  });

  it('a hold that is replaced goes with the new one, and is not in its way', async () => {
    const base = available(one);
    const first = await hold(base);
    const second = await hold(base, { replaces: first.token });
    expect(await answerOrCode(() => book(base, { holdToken: first.token }))).toBe('hold_lost');
    expect(await answerOrCode(() => hold(base, { replaces: 'x.y' }))).toBe('not_found');
    expect(await book(base, { holdToken: second.token })).toHaveProperty('id');
  });

  it('a repeated key gives the same hold and token, which is kept nowhere', async () => {
    const base = available(one);
    const options = { idempotency: { key: 'k', operation: 'hold' } };
    const first = await base.scheduling.availability.hold(agentOne, time, options);
    expect(await base.scheduling.availability.hold(agentOne, time, options)).toEqual(first);
  });

  it.each([
    ['who has its token', agentOne, true, 'done'],
    ['a supervisor without it', supervisor, false, 'done'],
    ['anybody else', agentOne, false, 'not_found'],
    ['a supervisor of another organization', { ...supervisor, organizationId: 'org-2' }, true, 'not_found'],
    ['a supervisor of this application only', { ...supervisor, applicationIds: ['app-1'] }, false, 'done'],
    ['a supervisor of other applications only', { ...supervisor, applicationIds: ['app-2'] }, false, 'not_found'],
  ])('a hold is given up by %s: %s', async (_who, by, hasToken, expected) => {
    const base = available(one);
    const { id, token } = await hold(base);
    const release = () => base.scheduling.availability.release(by, { id, ...(hasToken ? { token } : {}) });
    expect((await answerOrCode(release)) ?? 'done').toBe(expected);
    expect(await answerOrCode(() => book(base))).toEqual(expected === 'done' ? expect.anything() : 'slot_conflict');
  });

  it('customers of two organizations who have the same id hold each for themselves', async () => {
    const base = available({}, { ...owned, availability: { holds: { anonymous: true } } });
    const ours = caller('ROLE_CUSTOMER', { organizationId: 'org-1', id: 'maria' });
    const theirs = caller('ROLE_CUSTOMER', { organizationId: 'org-9', id: 'maria' });
    for (const start of ['10:00', '10:30']) await hold(base, { start: at(start) }, theirs);
    expect(await answerOrCode(() => hold(base, { start: at('11:00') }, theirs))).toBe('rate_limited');
    const command = { ...time, start: at('11:00') };
    const once = { idempotency: { operation: 'hold', key: 'key-1' } };
    expect(await base.scheduling.availability.hold(ours, command, once)).toHaveProperty('token');
    // Nor is the answer to one given to the other.
    expect(await answerOrCode(() => base.scheduling.availability.hold(theirs, command, once))).toBe('rate_limited');
  });

  it('a customer of another organization holds as one of the public, and gives the hold up again', async () => {
    const base = available({}, { ...owned, availability: { public: true, holds: { anonymous: true } } });
    const customer = caller('ROLE_CUSTOMER', { organizationId: 'org-9', id: 'maria' });
    const { id, token } = await hold(base, {}, visitor);
    const command = { id, token, applicationId: 'app-1' };
    expect(await answerOrCode(() => base.scheduling.availability.release(customer, { ...command, token: 'x' }))).toBe(
      'not_found',
    );
    await base.scheduling.availability.release(customer, command);
    expect(await hold(base, {}, visitor)).toHaveProperty('token');
  });

  it('visitors hold two times at once where the host lets them, by address', async () => {
    const base = available({}, { ...owned, availability: { holds: { anonymous: true } } });
    const first = await hold(base, {}, visitor);
    expect(first).not.toHaveProperty('agentIds');
    await hold(base, { start: at('10:30') }, visitor);
    expect(await answerOrCode(() => hold(base, { start: at('11:00') }, visitor))).toBe('rate_limited');
    expect(await hold(base, { start: at('11:00') }, { clientAddress: '198.51.100.8' })).toHaveProperty('token');
    const { id, token } = first;
    await base.scheduling.availability.release(visitor, { id, token, applicationId: 'app-1' });
    expect(await hold(base, { start: at('11:30') }, visitor)).toHaveProperty('token');
  });

  it.each([
    ['a visitor', visitor, 'unauthenticated'],
    ['a customer', caller('ROLE_CUSTOMER', { id: 'maria' }), 'forbidden'],
  ])('%s holds nothing unless the host lets them', async (_who, by, code) => {
    expect(await answerOrCode(() => hold(available({}, { availability: { public: true } }), {}, by))).toBe(code);
  });

  it('staff holds 50 times at once', async () => {
    const base = available({ grid: { step: 'PT1M' }, durations: ['PT1M'] });
    const starts = Array.from({ length: 51 }, (_, minute) =>
      new Date(Date.parse(at('09:00')) + minutes(minute)).toISOString(),
    );
    const codes: unknown[] = [];
    for (const start of starts)
      codes.push(await answerOrCode(async () => (await hold(base, { start, duration: 'PT1M' })).serviceId));
    expect(codes).toEqual([...Array.from({ length: 50 }, () => 'talk'), 'rate_limited']);
  });

  it('holds count for limits', async () => {
    const base = available({ limits: [{ per: 'service', window: 'day', max: 1 }] });
    const { token } = await hold(base);
    expect(await errorOf(() => book(base, { start: at('11:00') }))).toMatchObject({
      code: 'limit_reached',
      reasons: [{ code: 'LIMIT' }],
    });
    expect(await book(base, { holdToken: token })).toHaveProperty('id');
  });

  it('a hold for a move, which no limit counts twice, is lost for another booking and for another appointment', async () => {
    const base = available({ limits: [{ per: 'service', window: 'day', max: 1 }] });
    const { id } = await book(base, { start: at('11:00') });
    const tomorrow = new Date(Date.parse(time.start) + days(1)).toISOString();
    const other = await book(base, { start: tomorrow });
    const options = { idempotency: { key: 'k', operation: 'hold' } };
    const ask = () => base.scheduling.availability.hold(agentOne, { ...time, appointmentId: id }, options);
    const { token } = await ask();
    expect((await ask()).token).toBe(token);
    expect(await answerOrCode(() => book(base, { holdToken: token }))).toBe('hold_lost');
    const move = { start: time.start, duration: 'PT30M', timezone: 'UTC', serviceId: 'talk', holdToken: token };
    const moveOf = (moved: string) => base.appointments.reschedule(supervisor, { id: moved, ...move });
    expect(await answerOrCode(() => moveOf(other.id))).toBe('hold_lost');
    expect(await moveOf(id)).toHaveProperty('schedule.start', Date.parse(time.start));
  });

  it('a hold for a move is replaced and given up by its token', async () => {
    const base = available(one);
    const { id } = await book(base, { start: at('11:00') });
    const first = await hold(base, { appointmentId: id });
    const second = await hold(base, { appointmentId: id, replaces: first.token });
    const release = ({ id: holdId, token }: { readonly id: string; readonly token: string }) =>
      base.scheduling.availability.release(agentOne, { id: holdId, token });
    expect(await answerOrCode(() => release(first))).toBe('not_found');
    await release(second);
    expect(await book(base)).toHaveProperty('id');
  });

  it('a token is good under every listed secret, and none of another host', async () => {
    const base = available(one);
    const { token } = await hold(base);
    const later = 'another secret of at least thirty-two bytes';
    const both = available(one, { store: base.store, ids: base.ids, secret: [later, secret] });
    const foreign = available(one, { secret: later });
    expect(await answerOrCode(() => book(foreign, { holdToken: token }))).toBe('hold_lost');
    expect(await book(both, { holdToken: token })).toHaveProperty('id');
  });

  it('a repeated key gives the same hold while one secret takes the place of another, whichever process is asked', async () => {
    const later = 'another secret of at least thirty-two bytes';
    const before = available({}, { secret: [secret, later] });
    const after = available({}, { store: before.store, ids: before.ids, secret: [later, secret] });
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const options = { idempotency: { key: one === before ? 'before' : 'after', operation: 'hold' } };
      const { id } = await one.scheduling.availability.hold(agentOne, time, options);
      expect((await other.scheduling.availability.hold(agentOne, time, options)).id).toBe(id);
    }
  });

  it('a hold keeps its time from bookings without a service where the application guards agents, and else not', async () => {
    const targetAssignment = { id: 'agent-1', type: 'AGENT' } as const;
    const plain = booking({ start: time.start, targetAssignment });
    const guarded = available(one, { applications: { 'app-1': { overlap: { mode: 'agent', buffer: 0 } } } });
    await hold(guarded);
    expect(await errorOf(() => guarded.appointments.schedule(supervisor, plain))).toMatchObject({
      code: 'slot_conflict',
      appointmentIds: [],
      reasons: [{ code: 'HELD' }],
    });
    const off = fixture({
      store: guarded.store,
      ids: guarded.ids,
      applications: { 'app-1': { overlap: { mode: 'agent', buffer: 0 } } },
    });
    expect(await off.appointments.schedule(supervisor, plain)).toHaveProperty('id');
  });

  it('rests of holds are deleted an hour after their end', async () => {
    const base = available(one);
    const { id, until } = await hold(base);
    const left = async (): Promise<unknown> => base.store.availability?.findHold('org-1', id);
    base.clock.set(until + minutes(59));
    await base.scheduling.workers.runOnce();
    expect(await left()).toBeDefined();
    base.clock.set(until + minutes(61));
    await base.scheduling.workers.runOnce();
    expect(await left()).toBeUndefined();
  });
});
