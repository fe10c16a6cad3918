import { days, minutes } from '@calends/model';
import { describe, expect, it } from 'vitest';
import type { FindQuery } from '../../src/operations.js';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, agentTwo, booking, fixture, type Fixture, supervisor } from '../fixtures.js';
import { caller, now } from '../sample-appointments.js';
import { at, available, service, talk } from './sample-service.js';

const customer = caller('ROLE_CUSTOMER', { id: 'maria' });
const visitor = { clientAddress: '198.51.100.7' };
const day = { ...talk, from: at('00:00'), to: at('23:59') };

/** Wall times in Athens of what is offered. */
async function offered({ scheduling }: Fixture, more: Partial<FindQuery> = {}): Promise<readonly string[]> {
  const { durations } = await scheduling.availability.find(supervisor, { ...day, ...more });
  return (durations[0]?.offers ?? []).map(({ start }) => new Date(start + minutes(180)).toISOString().slice(11, 16));
}

const taken = (by = agentOne) => booking({ start: at('10:00'), targetAssignment: { id: by.id, type: 'AGENT' } });

describe('Free times', () => {
  it('find offers each start of the grid at which somebody is free, and says to staff who', async () => {
    const base = available();
    await base.appointments.schedule(supervisor, taken());
    const { durations } = await base.scheduling.availability.find(supervisor, day);
    expect(durations).toHaveLength(1);
    expect(await offered(base)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00', '11:30']);
    const start = Date.parse(at('10:00'));
    const offer = durations[0]?.offers.find((each) => each.start === start);
    expect(offer).toEqual({ start, end: start + minutes(30), actorIds: ['agent-2'] });
    await base.appointments.schedule(supervisor, taken(agentTwo));
    expect(await offered(base)).not.toContain('10:00');
  });

  it('find answers each duration apart, in the order asked', async () => {
    const { scheduling } = available({ durations: ['PT30M', 'PT2H'] });
    const ask = async (durations?: readonly string[]) => {
      const answer = await scheduling.availability.find(supervisor, { ...day, durations });
      return answer.durations.map(({ duration, offers }) => [duration / minutes(1), offers.length]);
    };
    expect(await ask()).toEqual([
      [30, 6],
      [120, 3],
    ]);
    expect(await ask(['PT120M', 'PT30M'])).toEqual([
      [120, 3],
      [30, 6],
    ]);
  });

  it('find answers no duration where none is asked for', async () => {
    const { scheduling } = available();
    expect(await scheduling.availability.find(supervisor, { ...day, durations: [] })).toEqual({ durations: [] });
  });

  it('find answers 5,000 starts in all and says where to ask on', async () => {
    const weekly = [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const, from: '00:00', until: '24:00' }];
    const hours = { 'agent-1': { timezone: 'UTC', weekly: weekly.map((rule) => ({ ...rule, days: [...rule.days] })) } };
    const rules = service({ grid: { step: 'PT1M' }, durations: ['PT1M', 'PT2M'], timezone: 'UTC' });
    const { scheduling } = available({}, { availability: { services: { 'app-1': { talk: rules } }, hours } });
    const { find } = scheduling.availability;
    const query = { ...talk, from: '2030-06-01T00:00:00Z', to: '2030-06-06T00:00:00Z' };
    const first = await find(supervisor, query);
    expect(first.durations.map(({ offers }) => offers.length)).toEqual([2500, 2500]);
    const from = Date.parse(query.from);
    expect(first.next).toBe(from + minutes(2500));
    const rest = await find(supervisor, { ...query, from: new Date(first.next ?? 0).toISOString() });
    expect(rest.durations[0]?.offers[0]?.start).toBe(first.next);
  });

  it.each<[string, Partial<FindQuery>, string]>([
    ['a window that ends where it begins', { to: day.from }, '/to'],
    ['93 days', { to: new Date(Date.parse(day.from) + days(93)).toISOString() }, '/to'],
    ['a start without an offset', { from: '2030-05-07T00:00:00' }, '/from'],
    ['101 agents', { agentIds: Array.from({ length: 101 }, () => 'agent-1') }, '/agentIds'],
    ['a duration that the service does not have', { durations: ['PT30M', 'PT31M'] }, '/durations/1'],
  ])('a question with %s is refused by its place', async (_what, more, pointer) => {
    const { find } = available().scheduling.availability;
    const error = await errorOf(() => find(supervisor, { ...day, ...more }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer }] });
  });

  it.each([
    ['Europe/Athens', '2030-09-01T00:00:00+03:00', '2030-12-02T00:00:00+02:00'],
    ['Antarctica/Troll', '2030-09-01T00:00:00+02:00', '2030-12-02T00:00:00+00:00'],
  ])('92 days on the clocks of %s are taken where clocks go back within them', async (_zone, from, to) => {
    const { find } = available().scheduling.availability;
    expect((await find(supervisor, { ...day, from, to })).durations[0]?.offers).toHaveLength(92 * 6);
  });

  it.each<[string, Partial<FindQuery>]>([
    ['service', { serviceId: 'none' }],
    ['agent', { agentIds: ['agent-9'] }],
    ['appointment', { appointmentId: '019a3f5c-7b1e-7c3d-8a4f-000000000000' }],
  ])('an unknown %s is not found', async (_what, more) => {
    const { find } = available().scheduling.availability;
    expect(await answerOrCode(() => find(supervisor, { ...day, ...more }))).toBe('not_found');
  });

  it('find says what turns availability on where it is off', async () => {
    const { find } = fixture().scheduling.availability;
    const error = await errorOf(() => find(supervisor, day));
    expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('`availability: {}`') });
  });

  it('find sees nothing of another organization', async () => {
    const base = available({}, { applications: { 'app-1': { organizationId: 'org-1' } } });
    const foreign = { ...supervisor, organizationId: 'org-2' };
    expect(await answerOrCode(() => base.scheduling.availability.find(foreign, day))).toBe('not_found');
  });

  it.each([
    ['a visitor', visitor, 'unauthenticated'],
    ['a customer without an appointment', customer, 'forbidden'],
    ['an administrator', caller('ROLE_ADMIN', { id: 'a' }), 'forbidden'],
    ['a token of another application', { ...supervisor, applicationIds: ['app-2'] }, 'forbidden'],
  ])('%s may not ask for free times', async (_who, by, code) => {
    const { find } = available().scheduling.availability;
    expect(await answerOrCode(() => find(by, day))).toBe(code);
  });

  it('anybody may ask where the host made it public, and is told of nobody', async () => {
    const applications = { 'app-1': { organizationId: 'org-1' } };
    const base = available({}, { applications, availability: { public: true } });
    await base.appointments.schedule(supervisor, taken());
    await base.appointments.schedule(supervisor, taken(agentTwo));
    const { find, explain } = base.scheduling.availability;
    const { durations } = await find(visitor, day);
    expect(durations[0]?.offers[0]).toEqual({ start: Date.parse(at('09:00')), end: Date.parse(at('09:30')) });
    const time = { ...talk, start: at('10:00'), duration: 'PT30M' };
    expect(await explain(visitor, time)).toEqual({ free: false, reasons: [{ code: 'BUSY' }] });
    expect(await explain(visitor, { ...time, start: at('10:30') })).toEqual({ free: true });
    expect(await explain(visitor, { ...time, start: at('13:10') })).toEqual({
      free: false,
      reasons: [{ code: 'OFF_GRID' }, { code: 'OUTSIDE_HOURS' }],
    });
  });

  it('a visitor who names an appointment is answered as one who books anew, whether there is such an appointment or not', async () => {
    const applications = { 'app-1': { organizationId: 'org-1' } };
    const base = available({}, { applications, availability: { public: true } });
    const { id } = await base.appointments.schedule(supervisor, taken());
    await base.appointments.schedule(supervisor, taken(agentTwo));
    const { explain } = base.scheduling.availability;
    const time = { ...talk, start: at('10:00'), duration: 'PT30M' };
    for (const appointmentId of [id, 'nowhere']) {
      expect(await explain(visitor, { ...time, appointmentId })).toEqual({ free: false, reasons: [{ code: 'BUSY' }] });
    }
    expect(await explain(supervisor, { ...time, appointmentId: id })).toMatchObject({ free: true });
  });

  it('explain says to staff who and what is in the way, of appointments only what they may see', async () => {
    const base = available();
    const { id: one } = await base.appointments.schedule(supervisor, taken());
    const { id: two } = await base.appointments.schedule(supervisor, taken(agentTwo));
    const { explain } = base.scheduling.availability;
    const time = { ...talk, start: at('10:00'), duration: 'PT30M' };
    const reasons = [
      { code: 'BUSY', actorId: 'agent-1', appointmentId: one },
      { code: 'BUSY', actorId: 'agent-2', appointmentId: two },
    ];
    expect(await explain(supervisor, time)).toEqual({ free: false, reasons });
    expect(await explain(agentOne, time)).toEqual({
      free: false,
      reasons: [reasons[0], { code: 'BUSY', actorId: 'agent-2' }],
    });
  });

  it('a source of busy times takes agents, and when it fails nobody is offered, unless the host says so', async () => {
    const window = { from: Date.parse(at('10:10')), to: Date.parse(at('10:20')) };
    const busy = (actorId: string) => ({ busy: () => [{ actorId, ...window }] });
    expect(await offered(available({}, { busySources: [busy('agent-1')] }))).toContain('10:00');
    expect(await offered(available({}, { busySources: [busy('agent-1'), busy('agent-2')] }))).not.toContain('10:00');
    const failing = { busy: () => Promise.reject(new Error('The calendar is away.')) };
    const base = available({}, { busySources: [failing] });
    expect(await offered(base)).toEqual([]);
    expect(base.signals).toContainEqual({ type: 'busySourceFailed', error: new Error('The calendar is away.') });
    const open = available({}, { busySources: [failing], availability: { whenBusySourceFails: 'open' } });
    expect(await offered(open)).toHaveLength(6);
  });

  const morning = { from: Date.parse(at('10:00')), to: Date.parse(at('11:00')) };
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a set', new Set([{ actorId: 'agent-1', ...morning }])],
    ['times by actor', { 'agent-1': [morning] }],
    ['texts', [{ actorId: 'agent-1', from: at('10:00'), to: at('11:00') }]],
    ['dates', [{ actorId: 'agent-1', from: new Date(morning.from), to: new Date(morning.to) }]],
    ['other names', [{ actorId: 'agent-1', start: morning.from, end: morning.to }]],
    ['no number', [{ actorId: 'agent-1', ...morning, from: Number.NaN }]],
    ['an end before the start', [{ actorId: 'agent-1', from: morning.to, to: morning.from }]],
    ['no actor', [morning]],
    ['null', [{ actorId: 'agent-1', ...morning }, null]],
  ])('a source of busy times that answers %s has failed, and takes nobody for free', async (_what, answer) => {
    const base = available({}, { busySources: [{ busy: () => answer as never }] });
    expect(await offered(base)).toEqual([]);
    expect(base.signals).toContainEqual({ type: 'busySourceFailed', error: expect.any(TypeError) as TypeError });
  });

  it('a source of busy times may answer times without an end, and frozen ones', async () => {
    const answer = Object.freeze([Object.freeze({ actorId: 'agent-1', from: -Infinity, to: Infinity })]);
    const base = available({}, { busySources: [{ busy: () => answer }] });
    expect(await offered(base)).toHaveLength(6);
    expect(base.signals).toEqual([]);
  });

  it('a source of busy times takes nobody by a time of no length', async () => {
    const from = Date.parse(at('10:10'));
    const busy = () => ['agent-1', 'agent-2'].map((actorId) => ({ actorId, from, to: from }));
    expect(await offered(available({}, { busySources: [{ busy }] }))).toHaveLength(6);
  });

  it('starts before now are not offered', async () => {
    const base = available();
    base.clock.set(Date.parse(at('10:15')));
    expect(await offered(base, { from: new Date(now).toISOString() })).toEqual(['10:30', '11:00', '11:30']);
    expect(await offered(base, { from: at('08:00'), to: at('10:00') })).toEqual([]);
  });
});
