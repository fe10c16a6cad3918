import { days, minutes } from '@calends/model';
import { describe, expect, it } from 'vitest';
import type { Appointment, Caller, RescheduleCommand, ScheduleCommand } from '../../src/index.js';
import type { ServiceRules } from '../../src/operations.js';
import { wrapStore } from '../../src/store.js';
import { answerOrCode, errorOf } from '../error-of.js';
import {
  agentOne,
  booking,
  clientService,
  type Fixture,
  fixture,
  type FixtureOptions,
  foreignSupervisor,
  supervisor,
} from '../fixtures.js';
import { at, available, mornings, service, talk } from './sample-service.js';

const serviceId = 'talk';
const otpVerifier = { verify: () => Promise.resolve(true) };
const maria = { username: 'maria@example.org', code: '123456' };
const owned = { applications: { 'app-1': { organizationId: 'org-1' } } };

const book = (base: Fixture, more: Partial<ScheduleCommand> = {}, by: Caller = supervisor): Promise<Appointment> =>
  base.appointments.schedule(by, booking({ start: at('10:00'), serviceId, ...more }));

const agentsOf = ({ participants }: Appointment): readonly string[] =>
  participants.flatMap(({ id, type }) => (type === 'AGENT' ? [id] : []));

describe('A booking with a service', () => {
  it('a booking gets the agent by the strategy of the service, who organizes it, and its event names the service', async () => {
    const base = available({ bufferAfter: 'PT10M' });
    const appointment = await book(base, {}, agentOne);
    expect(agentsOf(appointment)).toEqual(['agent-1']);
    expect(appointment.organizer).toEqual({ id: 'agent-1', type: 'AGENT' });
    expect(appointment.service).toEqual({ id: 'talk', resources: [], buffers: { before: 0, after: minutes(10) } });
    expect(base.events().at(-1)?.data).toMatchObject({ serviceId: 'talk', agentIds: ['agent-1'] });
    expect(agentsOf(await book(base, {}, agentOne))).toEqual(['agent-2']);
    const error = await errorOf(() => book(base));
    expect(error.code).toBe('slot_conflict');
    expect(error.reasons.map(({ code, actorId }) => [code, actorId])).toEqual([
      ['BUSY', 'agent-1'],
      ['BUSY', 'agent-2'],
    ]);
  });

  it('a booking takes several agents and a room at once', async () => {
    const base = available({
      requirements: [
        { kind: 'agent', anyOf: ['agent-1', 'agent-2'], count: 2 },
        { kind: 'resource', anyOf: ['room-1'] },
      ],
    });
    const appointment = await book(base);
    expect(agentsOf(appointment)).toEqual(['agent-1', 'agent-2']);
    expect(appointment.service?.resources).toEqual(['room-1']);
    expect(base.events().at(-1)?.data).toMatchObject({ resources: ['room-1'] });
    expect(await answerOrCode(() => book(base))).toBe('slot_conflict');
    const { id } = appointment;
    const error = await errorOf(() => base.appointments.reassign(supervisor, { id, userId: 'agent-3' }));
    expect(error).toMatchObject({ code: 'invalid_agent', issues: [{ pointer: '/userId' }] });
  });

  it.each<[string, Partial<ScheduleCommand>, string, string | undefined]>([
    ['a duration that is not of the service', { duration: 'PT45M' }, 'invalid_schedule', '/duration'],
    ['an unknown service', { serviceId: 'none' }, 'not_found', undefined],
    ['an agent whom the service does not name', { targetAssignment: { id: 'agent-9' } }, 'not_found', undefined],
    ['a hold and no service', { serviceId: undefined, holdToken: 'x' }, 'validation_failed', '/serviceId'],
    [
      'rules to pass over and no service',
      { serviceId: null, overrideRules: ['LIMIT'] },
      'validation_failed',
      '/serviceId',
    ],
    // What a caller in JavaScript can say.
    ['a rule that nobody passes over', { overrideRules: ['BUSY'] as never }, 'validation_failed', '/overrideRules'],
    ['a token of nothing', { holdToken: 'x' }, 'hold_lost', undefined],
  ])('a booking with %s is refused', async (_what, more, code, pointer) => {
    const error = await errorOf(() => book(available(), more));
    expect(error.code).toBe(code);
    expect(error.issues.map((issue) => issue.pointer)).toEqual(pointer === undefined ? [] : [pointer]);
  });

  it('a service is refused where availability is off, and a booking without one is as ever', async () => {
    const base = fixture();
    expect(await errorOf(() => book(base))).toMatchObject({
      code: 'validation_failed',
      issues: [{ pointer: '/serviceId' }],
    });
    expect(await book(base, { serviceId: undefined })).not.toHaveProperty('service', expect.anything());
  });

  it('the target of a booking is its only agent', async () => {
    const base = available();
    const targetAssignment = { id: 'agent-2', type: 'AGENT' } as const;
    expect(agentsOf(await book(base, { targetAssignment }))).toEqual(['agent-2']);
    expect(await answerOrCode(() => book(base, { targetAssignment }))).toBe('slot_conflict');
  });

  it.each<[string, Partial<ServiceRules>, Partial<ScheduleCommand>, readonly string[], string]>([
    ['off the grid', {}, { start: at('10:10') }, ['OFF_GRID'], 'slot_conflict'],
    ['too early', { leadTime: { days: 2 } }, {}, ['LEAD_TIME'], 'slot_conflict'],
    ['too late', { horizon: { duration: 'PT1H' } }, {}, ['HORIZON'], 'slot_conflict'],
    ['out of hours', {}, { start: at('13:00') }, ['OUTSIDE_HOURS'], 'slot_conflict'],
    [
      'over the limit',
      { limits: [{ per: 'service', window: 'day', max: 1 }] },
      { start: at('11:00') },
      ['LIMIT'],
      'limit_reached',
    ],
    [
      'over the limits of agents',
      { limits: [{ per: 'agent', window: 'week', max: 1 }], requirements: [{ kind: 'agent', anyOf: ['agent-1'] }] },
      { start: at('11:00') },
      ['LIMIT'],
      'limit_reached',
    ],
  ])(
    'staff may book %s by passing over that rule, audited, and a customer is told why not',
    async (_what, rules, more, codes, code) => {
      const base = available(rules, { ...owned, otpVerifier });
      if (code === 'limit_reached') await book(base);
      const overrideRules = codes as ScheduleCommand['overrideRules'];
      const refused = await errorOf(() => book(base, more));
      expect([refused.code, [...new Set(refused.reasons.map((reason) => reason.code))]]).toEqual([code, codes]);
      const command = booking({ start: at('10:00'), serviceId, ...more });
      const told = await errorOf(() => base.appointments.scheduleAsCustomer(maria, command));
      expect([told.code, told.reasons]).toEqual([code, codes.map((each) => ({ code: each }))]);
      const forbidden = () => base.appointments.scheduleAsCustomer(maria, { ...command, overrideRules });
      expect(await answerOrCode(forbidden)).toBe('forbidden');
      const appointment = await book(base, { ...more, overrideRules });
      const { items } = await base.scheduling.audit.list(supervisor, { appointmentId: appointment.id });
      expect(items.map(({ operation }) => operation)).toEqual(['scheduleByOverride']);
    },
  );

  it('a booking that only a limit keeps from an agent is refused for the limit, though others are busy', async () => {
    const base = available({ limits: [{ per: 'agent', window: 'day', max: 1 }] });
    await book(base);
    await book(base, { start: at('11:00') });
    const error = await errorOf(() => book(base, { start: at('11:00') }));
    expect([error.code, error.reasons.map(({ code, actorId }) => [code, actorId])]).toEqual([
      'limit_reached',
      [
        ['BUSY', 'agent-2'],
        ['LIMIT', 'agent-1'],
        ['LIMIT', 'agent-2'],
      ],
    ]);
  });

  it('what is taken stays taken, whatever rules are passed over', async () => {
    const base = available({ requirements: [{ kind: 'agent', anyOf: ['agent-1'] }] });
    await book(base);
    const overrideRules = ['OFF_GRID', 'LEAD_TIME', 'HORIZON', 'OUTSIDE_HOURS', 'CLOSED', 'LIMIT'] as const;
    expect(await answerOrCode(() => book(base, { start: at('10:15'), overrideRules }))).toBe('slot_conflict');
  });

  it('two bookings are as far apart as the larger of their buffers', async () => {
    const requirements = [{ kind: 'agent' as const, anyOf: ['agent-1'] }];
    const base = available({ requirements, bufferBefore: 'PT10M', bufferAfter: 'PT30M' });
    await book(base);
    const error = await errorOf(() => book(base, { start: at('10:30') }));
    expect(error.reasons.map(({ code }) => code)).toEqual(['BUFFER']);
    expect(await answerOrCode(() => book(base, { start: at('09:30') }))).toBe('slot_conflict');
    expect(await answerOrCode(() => book(base, { start: at('11:00') }))).toHaveProperty('id');
  });

  it('who was quicker in the commit is not chosen again, and the next one is', async () => {
    const base = available();
    let isFirst = true;
    const store = wrapStore(base.store, (name, call) => async (...given) => {
      if (name === 'commit' && isFirst) {
        isFirst = false;
        await book(base);
      }
      return call(...given);
    });
    const slow = available({}, { store, ids: base.ids });
    expect(agentsOf(await book(slow))).toEqual(['agent-2']);
  });

  it('a customer who is busy is told that the time is taken, after one try', async () => {
    const overlap = { mode: 'both', buffer: 0 } as const;
    const base = available({}, { applications: { 'app-1': { organizationId: 'org-1', overlap } }, otpVerifier });
    const commits: string[] = [];
    const store = wrapStore(
      base.store,
      (name, call) =>
        (...given) => (commits.push(name), call(...given)),
    );
    await book(base);
    const slow = available(
      {},
      { store, ids: base.ids, applications: { 'app-1': { organizationId: 'org-1', overlap } }, otpVerifier },
    );
    const again = await errorOf(() =>
      slow.appointments.scheduleAsCustomer(maria, booking({ start: at('10:00'), serviceId })),
    );
    expect([again.code, again.reasons, again.appointmentIds]).toEqual(['slot_conflict', [{ code: 'BUSY' }], []]);
    expect(commits.filter((name) => name === 'commit')).toHaveLength(1);
  });

  it.each<[string, FixtureOptions, string]>([
    ['must name a service once there is one', {}, 'validation_failed'],
    [
      'need not where the application says so',
      {
        applications: {
          'app-1': { ...owned.applications['app-1'], customerCreate: { notifyOthers: false, service: 'optional' } },
        },
      },
      'done',
    ],
    ['need not where there is none', { availability: { services: {} } }, 'done'],
  ])('a customer %s', async (_what, options, expected) => {
    const base = available({}, { ...owned, otpVerifier, ...options });
    const answer = await answerOrCode(() =>
      base.appointments.scheduleAsCustomer(maria, booking({ start: at('10:00') })),
    );
    expect(typeof answer === 'string' ? answer : 'done').toBe(expected);
  });

  it('a booking with a service is guarded whatever the mode, and others are not', async () => {
    const base = available({ requirements: [{ kind: 'agent', anyOf: ['agent-1'] }] });
    const { id } = await book(base);
    const other = await book(base, { start: at('11:00') });
    const move = { id: other.id, start: at('10:00'), duration: 'PT30M', timezone: 'UTC' };
    expect(await answerOrCode(() => base.appointments.reschedule(supervisor, move))).toBe('slot_conflict');
    const add = (agentId: string) => answerOrCode(() => base.appointments.addParticipant(supervisor, { id, agentId }));
    expect(await add('agent-2')).toHaveProperty('id');
    const targetAssignment = { id: 'agent-1', type: 'AGENT' } as const;
    expect(await answerOrCode(() => book(base, { serviceId: undefined, targetAssignment }))).toHaveProperty('id');
  });

  it('check() says where bookings without a service may lie over others', async () => {
    const { advice } = await available().scheduling.check();
    expect(advice).toEqual([expect.stringMatching(/^applications\.app-1\.overlap: the mode is off/)]);
    const guarded = available({}, { applications: { 'app-1': { overlap: { mode: 'agent', buffer: 0 } } } });
    expect((await guarded.scheduling.check()).advice).toEqual([]);
  });

  it('check() knows services in tables of every organization that an application names', async () => {
    const applications = { 'app-1': { organizationId: 'org-1' }, 'app-2': { organizationId: 'org-2' } };
    const { scheduling } = available({}, { applications, availability: { services: {} } });
    const key = { applicationId: 'app-2', serviceId: 'visit' };
    await scheduling.availability.services.save(foreignSupervisor, { ...key, rules: service() });
    expect((await scheduling.check()).advice).toEqual([
      expect.stringMatching(/^applications\.app-2\.overlap: the mode is off/),
    ]);
  });
});

describe('A move of what was booked with a service', () => {
  const manageProofVerifier = {
    verify: ({ appointmentId }: { readonly appointmentId: string }) =>
      Promise.resolve({ participantId: customers.get(appointmentId) ?? '' }),
  };
  const customers = new Map<string, string>();
  const customer: Caller = {
    id: 'maria',
    organizationId: 'org-1',
    roles: ['ROLE_CUSTOMER'],
    manage: { ticketId: 't', token: 't' },
  };

  async function moved(rules: Partial<ServiceRules> = {}, settings: object = {}) {
    const applications = { 'app-1': { ...owned.applications['app-1'], ...settings } };
    const base = available(rules, { applications, manageProofVerifier });
    const appointment = await book(base);
    customers.set(appointment.id, appointment.participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '');
    const move = (by: Caller, more: Partial<RescheduleCommand>): Promise<Appointment> =>
      base.appointments.reschedule(by, {
        id: appointment.id,
        start: at('11:00'),
        duration: 'PT30M',
        timezone: 'UTC',
        ...more,
      });
    return { base, appointment, move };
  }

  it('the agent is kept where free; else a customer gets the next, and staff only with the service named', async () => {
    const { base, move } = await moved();
    expect(agentsOf(await move(customer, {}))).toEqual(['agent-1']);
    await book(base, { targetAssignment: { id: 'agent-1', type: 'AGENT' }, start: at('09:00') });
    expect(await answerOrCode(() => move(supervisor, { start: at('09:00') }))).toBe('slot_conflict');
    const other = await move(customer, { start: at('09:00') });
    expect([agentsOf(other), other.organizer.id]).toEqual([['agent-2'], 'agent-2']);
    expect(base.events().at(-1)?.data).toMatchObject({
      previousAgentIds: ['agent-1'],
      agentIds: ['agent-2'],
      serviceId,
    });
    await book(base, { targetAssignment: { id: 'agent-2', type: 'AGENT' } });
    expect(agentsOf(await move(supervisor, { start: at('10:00'), serviceId }))).toEqual(['agent-1']);
  });

  it('of several agents those are kept who are free, the organizer first, and the next come for the others', async () => {
    const anyOf = ['agent-1', 'agent-4', 'agent-2', 'agent-3'];
    const single = service({ requirements: [{ kind: 'agent', anyOf }] });
    const team = service({ requirements: [{ kind: 'agent', anyOf, count: 2 }] });
    const { timezone, weekly } = mornings;
    const [{ days, ...shift }] = weekly;
    const hours = Object.fromEntries(anyOf.map((id) => [id, { timezone, weekly: [{ ...shift, days: [...days] }] }]));
    const base = available({}, { availability: { services: { 'app-1': { talk: team, single } }, hours } });
    const occupy = (id: string, start: string) =>
      book(base, { serviceId: 'single', start, targetAssignment: { id, type: 'AGENT' } });
    await occupy('agent-1', at('10:00'));
    await occupy('agent-4', at('10:00'));
    await occupy('agent-3', at('11:00'));
    const { id } = await book(base);
    const move = (start: string): Promise<Appointment> =>
      base.appointments.reschedule(supervisor, { id, serviceId, start, duration: 'PT30M', timezone: 'UTC' });
    const others = await move(at('11:00'));
    expect([agentsOf(others), others.organizer.id]).toEqual([['agent-2', 'agent-1'], 'agent-2']);
    const same = await move(at('09:00'));
    expect([agentsOf(same), same.organizer.id]).toEqual([['agent-2', 'agent-1'], 'agent-2']);
  });

  it('a time that is held for a move keeps the agent where free, within whom the hold asks for', async () => {
    const { base, appointment, move } = await moved({ assignment: { strategy: 'priority' } });
    await base.appointments.reassign(supervisor, { id: appointment.id, userId: 'agent-2' });
    const hold = (by: Caller, more: object) =>
      base.scheduling.availability.hold(by, {
        ...talk,
        appointmentId: appointment.id,
        start: at('11:00'),
        duration: 'PT30M',
        ...more,
      });
    const kept = await hold(supervisor, {});
    expect(kept.agentIds).toEqual(['agent-2']);
    expect((await hold(supervisor, { replaces: kept.token, agentIds: ['agent-1'] })).agentIds).toEqual(['agent-1']);
    await book(base, { targetAssignment: { id: 'agent-2', type: 'AGENT' }, start: at('09:00') });
    expect((await hold(supervisor, { start: at('09:00') })).agentIds).toEqual(['agent-1']);
    const { token } = await hold(customer, { start: at('11:30') });
    expect(agentsOf(await move(customer, { start: at('11:30'), holdToken: token }))).toEqual(['agent-2']);
  });

  it('the rules bind a customer always, and staff where they name the service', async () => {
    const { move } = await moved();
    const late = { start: at('13:00') };
    expect(await errorOf(() => move(customer, late))).toMatchObject({ reasons: [{ code: 'OUTSIDE_HOURS' }] });
    expect(await errorOf(() => move(supervisor, { ...late, serviceId }))).toMatchObject({ code: 'slot_conflict' });
    expect(await move(supervisor, { ...late, serviceId, overrideRules: ['OUTSIDE_HOURS'] })).toHaveProperty('service');
    expect(await move(supervisor, { start: at('14:05') })).toMatchObject({ service: { id: 'talk' } });
    expect(await answerOrCode(() => move(customer, { ...late, overrideRules: ['OUTSIDE_HOURS'] }))).toBe('forbidden');
    expect(await errorOf(() => move(customer, { start: at('09:00'), serviceId: 'other' }))).toMatchObject({
      code: 'validation_failed',
      issues: [{ pointer: '/serviceId' }],
    });
  });

  it('the own time of an appointment is in nobody’s way, also where a customer looks and holds', async () => {
    const { base, appointment, move } = await moved({
      durations: ['PT1H', 'PT30M'],
      requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
    });
    const { find, explain, hold } = base.scheduling.availability;
    const question = { ...talk, appointmentId: appointment.id };
    const { durations } = await find(customer, { ...question, from: at('00:00'), to: at('23:00') });
    expect(durations).toHaveLength(1);
    expect(durations[0]?.offers).toHaveLength(6);
    expect(durations[0]?.offers[0]).not.toHaveProperty('actorIds');
    expect(await answerOrCode(() => explain(customer, { ...question, start: at('10:00'), duration: 'PT1H' }))).toBe(
      'invalid_schedule',
    );
    const { token } = await hold(customer, { ...question, start: at('10:00'), duration: 'PT30M' });
    expect(token).toMatch(/^(?:[0-9a-f-]{36}\.){2}[\w-]{43}$/);
    const later = await hold(customer, { ...question, start: at('11:30'), duration: 'PT30M' });
    expect(await answerOrCode(() => hold(customer, { ...question, start: at('09:00'), duration: 'PT30M' }))).toBe(
      'rate_limited',
    );
    expect(agentsOf(await move(customer, { start: at('11:30'), holdToken: later.token }))).toEqual(['agent-1']);
    const month = { ...question, from: at('00:00'), to: '2030-07-07T00:00:00Z' };
    expect(await errorOf(() => find(customer, month))).toMatchObject({ issues: [{ pointer: '/to' }] });
  });

  it.each<[string, Caller, Partial<RescheduleCommand>, string]>([
    ['an unknown service', supervisor, { serviceId: 'none' }, 'not_found'],
    ['another service, by a customer,', customer, { serviceId: 'other' }, 'validation_failed'],
    ['a hold and no service', supervisor, { holdToken: 'x' }, 'validation_failed'],
    ['rules to pass over and no service', supervisor, { overrideRules: ['LIMIT'] }, 'validation_failed'],
  ])('a move to the time there is with %s is refused like any other', async (_what, by, more, code) => {
    const { base, move } = await moved();
    const there = { start: at('10:00'), timezone: 'Europe/Athens' };
    expect(await answerOrCode(() => move(by, { ...there, ...more }))).toBe(code);
    expect(await answerOrCode(() => move(by, { ...there, ...more, timezone: 'UTC' }))).toBe(code);
    expect(base.events()).toHaveLength(1);
  });

  it('a move to the time there is with the service of the appointment is answered as it is', async () => {
    const { appointment, move } = await moved();
    const there = { start: at('10:00'), timezone: 'Europe/Athens', serviceId };
    expect(await move(supervisor, there)).toEqual(appointment);
    expect(await move(customer, there)).toEqual(appointment);
  });

  it('staff who name another service bind the time there is to it, with whom it needs', async () => {
    const rooms = [
      { kind: 'agent' as const, anyOf: ['agent-2'] },
      { kind: 'resource' as const, anyOf: ['room-1'] },
    ];
    const services = { 'app-1': { talk: service(), other: service({ requirements: rooms, bufferAfter: 'PT30M' }) } };
    const base = available({}, { availability: { services } });
    const { id } = await book(base);
    const there = { id, start: at('10:00'), duration: 'PT30M', timezone: 'Europe/Athens', serviceId: 'other' };
    const bound = await base.appointments.reschedule(supervisor, there);
    expect(bound).toMatchObject({ version: 2, scheduleVersion: 0, service: { id: 'other', resources: ['room-1'] } });
    expect([agentsOf(bound), bound.organizer.id]).toEqual([['agent-2'], 'agent-2']);
    expect(base.events().at(-1)).toMatchObject({
      type: 'APRescheduledEvent',
      data: { serviceId: 'other', previousAgentIds: ['agent-1'] },
    });
    expect(await base.appointments.reschedule(supervisor, there)).toEqual(bound);
    expect(await answerOrCode(() => book(base, { serviceId: 'other', start: at('10:30') }))).toBe('slot_conflict');
  });

  it('the time there is can be refused to a service, and its hold is used up by it', async () => {
    const one = [{ kind: 'agent' as const, anyOf: ['agent-2'] }];
    const services = { 'app-1': { talk: service(), other: service({ requirements: one }) } };
    const base = available({}, { availability: { services } });
    const plain = await base.appointments.schedule(supervisor, booking({ start: at('10:00') }));
    const there = {
      id: plain.id,
      start: at('10:00'),
      duration: 'PT30M',
      timezone: 'Europe/Athens',
      serviceId: 'other',
    };
    const { token } = await base.scheduling.availability.hold(supervisor, {
      applicationId: 'app-1',
      serviceId: 'other',
      start: there.start,
      duration: 'PT30M',
    });
    expect(await answerOrCode(() => base.appointments.reschedule(supervisor, there))).toBe('slot_conflict');
    const bound = await base.appointments.reschedule(supervisor, { ...there, holdToken: token });
    expect([bound.service?.id, agentsOf(bound)]).toEqual(['other', ['agent-2']]);
  });

  it.each<[string, Partial<RescheduleCommand>]>([
    ['time', {}],
    ['time in another zone', { timezone: 'UTC' }],
    ['time in another language', { locale: 'el' }],
  ])('a move to the same %s gives back the hold that it names, and a repeated one is no other', async (_what, more) => {
    const { base, appointment, move } = await moved({ requirements: [{ kind: 'agent', anyOf: ['agent-1'] }] });
    const { hold, release } = base.scheduling.availability;
    const there = { start: at('10:00'), timezone: 'Europe/Athens', ...more };
    const { id, token } = await hold(customer, {
      ...talk,
      appointmentId: appointment.id,
      start: there.start,
      duration: 'PT30M',
    });
    const first = await move(customer, { ...there, holdToken: token });
    expect(await answerOrCode(() => release(supervisor, { id }))).toBe('not_found');
    expect(await move(customer, { ...there, holdToken: token })).toEqual(first);
  });

  it('a repeated call with its key gives back the hold of a move to the time there is, once', async () => {
    const { base, appointment } = await moved({ requirements: [{ kind: 'agent', anyOf: ['agent-1'] }] });
    const start = at('10:00');
    const { id, token } = await base.scheduling.availability.hold(customer, {
      ...talk,
      appointmentId: appointment.id,
      start,
      duration: 'PT30M',
    });
    const options = { idempotency: { key: 'k', operation: 'reschedule' } };
    const command = { id: appointment.id, start, duration: 'PT30M', timezone: 'Europe/Athens', holdToken: token };
    const again = () => base.appointments.reschedule(customer, command, options);
    expect(await again()).toEqual(await again());
    expect(await answerOrCode(() => base.scheduling.availability.release(supervisor, { id }))).toBe('not_found');
    expect(base.events()).toHaveLength(1);
  });

  it('a move to the time there is leaves a hold whose token it does not have', async () => {
    const { base, appointment, move } = await moved({ requirements: [{ kind: 'agent', anyOf: ['agent-1'] }] });
    const { hold, release } = base.scheduling.availability;
    const start = at('10:00');
    const { id } = await hold(customer, { ...talk, appointmentId: appointment.id, start, duration: 'PT30M' });
    const holdToken = `${id}.${'A'.repeat(43)}`;
    expect(await move(customer, { start, timezone: 'Europe/Athens', holdToken })).toHaveProperty('version', 1);
    expect(await answerOrCode(() => release(supervisor, { id }))).toBeUndefined();
  });

  it('a customer moves to what find offers where the service does not have the duration of the appointment', async () => {
    const { base, appointment, move } = await moved();
    await move(supervisor, { duration: 'PT45M' });
    const question = { ...talk, appointmentId: appointment.id, from: at('00:00'), to: at('23:00') };
    const [own] = (await base.scheduling.availability.find(customer, question)).durations;
    expect(own?.duration).toBe(minutes(45));
    expect(own?.offers.map(({ start }) => start)).toContain(Date.parse(at('10:00')));
    expect(await move(customer, { start: at('10:00'), duration: 'PT45M' })).toHaveProperty('service.id', 'talk');
    expect(await answerOrCode(() => move(customer, { start: at('09:00'), duration: 'PT50M' }))).toBe(
      'invalid_schedule',
    );
  });

  it('no time is held for an appointment that is over, as it is not moved any more', async () => {
    const { base, appointment, move } = await moved();
    await base.appointments.cancel(supervisor, { id: appointment.id });
    const later = { ...talk, appointmentId: appointment.id, start: at('11:00'), duration: 'PT30M' };
    expect(await answerOrCode(() => base.scheduling.availability.hold(supervisor, later))).toBe('invalid_schedule');
    expect(await answerOrCode(() => move(supervisor, { serviceId }))).toBe('invalid_schedule');
  });

  it.each([
    ['is under way', ['IN_PROGRESS']],
    ['was completed', ['IN_PROGRESS', 'COMPLETED']],
    ['nobody came to', ['NO_SHOW']],
  ] as const)('no time is held for an appointment that %s, as it is not moved any more', async (_what, states) => {
    const { base, appointment, move } = await moved();
    const { id } = appointment;
    for (const to of states) await base.appointments.moveInteraction(clientService, { id, to });
    const later = { ...talk, appointmentId: id, start: at('11:00'), duration: 'PT30M' };
    for (const by of [customer, supervisor]) {
      expect(await answerOrCode(() => base.scheduling.availability.hold(by, later))).toBe('invalid_schedule');
      expect(await answerOrCode(() => move(by, {}))).toBe('invalid_schedule');
    }
  });

  it.each([
    ['has moved as often as they may', { customerMaxReschedules: 1 }, 'reschedule_limit'],
    ['is too late', { customerRescheduleCutoff: days(9999) }, 'outside_reschedule_window'],
  ])('no time is held for a customer who %s, and staff goes on holding', async (_when, settings, code) => {
    const { base, appointment, move } = await moved({}, settings);
    const { hold } = base.scheduling.availability;
    const later = { ...talk, appointmentId: appointment.id, start: at('09:30'), duration: 'PT30M' };
    await answerOrCode(() => move(customer, {}));
    expect(await answerOrCode(() => hold(customer, later))).toBe(code);
    expect(await answerOrCode(() => move(customer, { start: later.start }))).toBe(code);
    expect(await hold(supervisor, later)).toHaveProperty('token');
  });

  it('a repeated key gives the hold of a move also when its customer may move no more', async () => {
    const { base, appointment, move } = await moved({}, { customerMaxReschedules: 1 });
    const options = { idempotency: { key: 'k', operation: 'hold' } };
    const later = { ...talk, appointmentId: appointment.id, start: at('09:30'), duration: 'PT30M' };
    const first = await base.scheduling.availability.hold(customer, later, options);
    await move(customer, {});
    expect(await base.scheduling.availability.hold(customer, later, options)).toEqual(first);
  });

  it('a reassignment respects buffers, and neither hours nor limits', async () => {
    const { base, appointment } = await moved({ bufferAfter: 'PT30M' });
    const { id } = appointment;
    expect(await base.appointments.reassign(supervisor, { id, userId: 'agent-3' })).toMatchObject({
      service: { id: 'talk' },
    });
    await book(base, { start: at('09:30'), targetAssignment: { id: 'agent-2', type: 'AGENT' } });
    expect(await answerOrCode(() => base.appointments.reassign(supervisor, { id, userId: 'agent-2' }))).toBe(
      'slot_conflict',
    );
  });
});
