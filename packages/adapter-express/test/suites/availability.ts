import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, Reply } from '../support/client.js';
import { availability, holds, openService, service, startAvailableHost } from '../support/availability.js';
import { type Host, type OpenStore, people, type Person } from '../support/host.js';
import { created, creation, managing, oneTimePassword, unknownId } from '../support/requests.js';

const { agent, otherAgent, foreign, supervisor } = people;

const asked = { applicationId: 'app-1', serviceId: 'consultation' };
const query = (more: Readonly<Record<string, string>>): string => new URLSearchParams({ ...asked, ...more }).toString();
const dayOf = (date: string) => ({ from: `${date}T00:00:00Z`, to: `${date}T23:00:00Z` });

/** What is wrong with a question, with the parameter that says so. */
const faultyQuestions: readonly (readonly [what: string, more: Readonly<Record<string, string>>, parameter: string])[] =
  [
    ['an end before its begin', { from: '2030-01-03T00:00:00Z', to: '2030-01-02T00:00:00Z' }, 'to'],
    ['no time in it', { from: '2030-01-02T00:00:00Z', to: '2030-01-02T00:00:00Z' }, 'to'],
    ['93 days', { from: '2030-01-02T00:00:00Z', to: '2030-04-05T00:00:00Z' }, 'to'],
    ['no instant', { ...dayOf('2030-01-02'), from: 'tomorrow' }, 'from'],
    ['a day without a time', { ...dayOf('2030-01-02'), to: '2030-01-03' }, 'to'],
    [
      '101 agents',
      { ...dayOf('2030-01-02'), agentId: Array.from({ length: 101 }, () => 'agent-1').join(',') },
      'agentId',
    ],
    ['a zone that is none', { ...dayOf('2030-01-02'), timezone: 'Europe/Atlantis' }, 'timezone'],
    ['an offset for a zone', { ...dayOf('2030-01-02'), timezone: '+01:00' }, 'timezone'],
    ['a duration that the service does not have', { ...dayOf('2030-01-02'), duration: 'PT31M' }, 'duration'],
    ['no duration', { ...dayOf('2030-01-02'), duration: 'long' }, 'duration'],
    ['a service of 65 characters', { ...dayOf('2030-01-02'), serviceId: 'x'.repeat(65) }, 'serviceId'],
  ];

interface WireOffer {
  readonly start: string;
  readonly actorIds?: readonly string[];
}

/** Find, explain, hold and book over HTTP, on any store. Each test has a day of its own. */
export function availabilitySuite(name: string, open: OpenStore): void {
  describe(`free times on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startAvailableHost({ open });
      await openService(host, 'consultation');
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    const find = (more: Readonly<Record<string, string>>, as: Person = agent): Promise<Reply> =>
      host.call('GET', `${availability}?${query(more)}`, { as });
    const explain = (start: string, as: Person = agent, more = {}): Promise<Reply> =>
      host.call('GET', `${availability}/explain?${query({ start, duration: 'PT30M', ...more })}`, { as });
    const hold = (start: string, more: object = {}, call: Call = {}, as: Person = agent): Promise<Reply> =>
      host.call('POST', holds, { as, json: { ...asked, start, duration: 'PT30M', ...more }, ...call });
    const release = (id: string, token?: string, as: Person = agent): Promise<Reply> =>
      host.call('DELETE', `${holds}/${id}`, {
        as,
        ...(token === undefined ? {} : { headers: { 'calends-hold': token } }),
      });
    const book = (start: string, more: object = {}, as: Person = agent): Promise<Reply> =>
      host.call('POST', '/api/v2/appointments/', { as, json: creation({ ...asked, start, ...more }) });
    const startsOf = ({ body }: Reply, place = 0): readonly string[] =>
      body.durations[place].offers.map(({ start }: WireOffer) => start);

    it('free times are answered by duration, in UTC or with the offset of a zone, with who is free', async () => {
      const { body } = await find(dayOf('2030-01-02'));
      expect(body.durations.map(({ duration }: { readonly duration: string }) => duration)).toEqual(['PT30M', 'PT1H']);
      expect(startsOf({ body } as Reply)).toEqual([
        ...['2030-01-02T08:00:00Z', '2030-01-02T08:30:00Z', '2030-01-02T09:00:00Z'],
        ...['2030-01-02T09:30:00Z', '2030-01-02T10:00:00Z', '2030-01-02T10:30:00Z'],
      ]);
      expect(startsOf({ body } as Reply, 1)).toHaveLength(5);
      const zoned = await find({ ...dayOf('2030-01-02'), timezone: 'Europe/Vienna', duration: 'PT1H' });
      expect(zoned.body.durations).toHaveLength(1);
      expect(zoned.body.durations[0].offers[0]).toEqual({
        start: '2030-01-02T09:00:00+01:00',
        end: '2030-01-02T10:00:00+01:00',
        actorIds: ['agent-1', 'agent-2'],
      });
      const twice = await find({ ...dayOf('2030-01-02'), duration: 'PT30M,PT1H,PT60M,PT30M' });
      expect(twice.body.durations).toEqual(body.durations);
      const one = await find({ ...dayOf('2030-01-02'), agentId: 'agent-2' });
      expect(one.body.durations[0].offers[0].actorIds).toEqual(['agent-2']);
    });

    it('a time is explained as free exactly where it is found, and else with its reasons', async () => {
      const found = new Set(startsOf(await find(dayOf('2030-01-03'))));
      for (let minute = 7 * 60; minute < 12 * 60; minute += 15) {
        const start = new Date(Date.UTC(2030, 0, 3, 0, minute)).toISOString().replace('.000Z', 'Z');
        expect((await explain(start)).body.free).toBe(found.has(start));
      }
      expect((await explain('2030-01-03T07:15:00Z')).body.reasons).toEqual([
        { code: 'OFF_GRID' },
        { code: 'OUTSIDE_HOURS', actorId: 'agent-1' },
        { code: 'OUTSIDE_HOURS', actorId: 'agent-2' },
      ]);
    });

    it('an appointment with a service takes its time, and is answered with the service, in v2 only', async () => {
      const start = '2030-01-04T08:00:00Z';
      const plain = await book('2030-01-04T15:00:00Z', { serviceId: null });
      expect(Object.keys(plain.body)).not.toContain('serviceId');
      const first = await book(start);
      expect([first.status, first.body.serviceId]).toEqual([200, 'consultation']);
      const at = (family: string) => `/api/${family}appointments/${String(first.body.id)}`;
      const as = first.body.organizer.id === 'agent-1' ? agent : otherAgent;
      expect((await host.call('GET', at('v2/'), { as })).body.serviceId).toBe('consultation');
      expect((await host.call('GET', at(''), { as })).text).not.toContain('consultation');
      expect((await book(start)).status).toBe(200);
      expect(startsOf(await find(dayOf('2030-01-04')))).not.toContain(start);
      const third = await book(start);
      expect([third.status, third.body.code]).toEqual([409, 'slot_conflict']);
      expect(third.body.reasons.map(({ code }: { readonly code: string }) => code)).toEqual(['BUSY', 'BUSY']);
      const told = (await explain(start, supervisor)).body.reasons;
      expect(told).toMatchObject([{ code: 'BUSY', actorId: 'agent-1' }, { actorId: 'agent-2' }]);
      expect(told.every(({ appointmentId }: { readonly appointmentId?: string }) => appointmentId !== undefined)).toBe(
        true,
      );
    });

    it('v1 neither takes nor shows a service', async () => {
      const { customers, ...rest } = creation({ ...asked, serviceId: 'nothing', start: '2030-01-05T03:00:00Z' });
      const made = await host.call('POST', '/api/appointments/', {
        as: agent,
        json: { ...rest, customer: customers[0] },
      });
      expect([made.status, made.text.includes('serviceId')]).toEqual([200, false]);
      const move = { id: made.body.id, start: '2030-01-05T04:00:00Z', duration: 'PT30M', timezone: 'UTC' };
      const moved = await host.call('PUT', '/api/appointments/reschedule/', {
        as: agent,
        json: { ...move, serviceId: 'nothing', holdToken: 'x', overrideRules: ['BUSY'] },
      });
      expect(moved.status).toBe(200);
    });

    it('a held time is booked with its token, once, and by nobody else', async () => {
      const start = '2030-01-07T08:00:00Z';
      const held = await hold(start, { agentIds: ['agent-1'] });
      expect(held.body).toMatchObject({
        serviceId: 'consultation',
        start,
        end: '2030-01-07T08:30:00Z',
        agentIds: ['agent-1'],
      });
      expect(held.body.until).toBe(new Date(host.clock.time + 5 * 60_000).toISOString().replace('.000Z', 'Z'));
      expect((await explain(start, agent, { agentId: 'agent-1' })).body.reasons).toEqual([
        { code: 'HELD', actorId: 'agent-1' },
      ]);
      const targetAssignment = { id: 'agent-1', type: 'AGENT' };
      expect((await book(start, { targetAssignment })).body.reasons).toEqual([{ code: 'HELD', actorId: 'agent-1' }]);
      const { token: holdToken } = held.body;
      for (const other of [
        { duration: 'PT1H' },
        { start: '2030-01-07T08:30:00Z' },
        { holdToken: `${String(holdToken)}x` },
      ]) {
        const lost = await book(start, { holdToken, ...other });
        expect([lost.status, lost.body.code]).toEqual([409, 'hold_lost']);
      }
      const booked = await book(start, { holdToken });
      expect([booked.status, booked.body.organizer.id]).toEqual([200, 'agent-1']);
      const again = await book(start, { holdToken });
      expect([again.status, again.body.code]).toEqual([409, 'hold_lost']);
    });

    it('a move to the same time in another zone gives back the hold that it names, and refuses a service that there is not', async () => {
      const start = '2030-01-16T08:00:00Z';
      const booked = (await book(start)).body;
      const agentIds = [booked.organizer.id];
      const held = await hold(start, { appointmentId: booked.id, agentIds });
      expect(held.status).toBe(200);
      const move = (more: object) =>
        host.call('PUT', '/api/v2/appointments/reschedule/', {
          as: supervisor,
          json: { id: booked.id, start, duration: 'PT30M', timezone: 'Europe/Athens', ...more },
        });
      expect((await move({ serviceId: 'nothing' })).status).toBe(404);
      const { id, token: holdToken } = held.body;
      const named = { serviceId: 'consultation', holdToken };
      expect((await move(named)).status).toBe(200);
      expect((await release(id, holdToken, supervisor)).status).toBe(404);
      expect((await move({ ...named, serviceId: 'nothing' })).status).toBe(404);
      expect((await move(named)).status).toBe(200);
    });

    it('a hold ends by itself, and is lost then', async () => {
      const start = '2030-01-08T08:00:00Z';
      const { token: holdToken } = (await hold(start)).body;
      host.clock.time += 5 * 60_000;
      expect(startsOf(await find(dayOf('2030-01-08')))).toContain(start);
      expect((await book(start, { holdToken })).body.code).toBe('hold_lost');
    });

    it('a hold is given up with its token, by supervisors without one, and is 404 for everybody else', async () => {
      const { id, token } = (await hold('2030-01-09T08:00:00Z')).body;
      for (const reply of [
        await release(id),
        await release(id, `${String(token)}x`),
        await release(id, token, foreign),
        await release(unknownId, token),
        await release('%00', token),
      ]) {
        expect([reply.status, reply.body.detail]).toEqual([404, 'There is no such hold.']);
      }
      expect((await release(id, token, otherAgent)).status).toBe(204);
      expect((await release(id, token)).status).toBe(404);
      const other = (await hold('2030-01-09T08:00:00Z')).body;
      expect((await release(other.id, undefined, supervisor)).status).toBe(204);
    });

    it('a hold is made once for a key, with the same token, and may take the place of another', async () => {
      const keyed = { headers: { 'idempotency-key': 'hold-1' } };
      const start = '2030-01-10T08:00:00Z';
      const first = await hold(start, {}, keyed);
      const again = await hold(start, {}, keyed);
      expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
      const next = await hold(start, { agentIds: first.body.agentIds, replaces: first.body.token });
      expect(next.status).toBe(200);
      expect((await book(start, { holdToken: first.body.token })).body.code).toBe('hold_lost');
      expect((await hold(start, { replaces: `${String(first.body.token)}x` })).status).toBe(404);
    });

    it('more than fifty holds of one caller at once are 429', async () => {
      const as = { ...agent, sub: 'agent-3' };
      const days = [...Array(20).keys()].filter((day) => new Date(Date.UTC(2030, 1, day + 1)).getUTCDay() % 6 !== 0);
      const starts = days.flatMap((day) =>
        ['08:00', '08:30', '09:00', '09:30'].map((at) => `2030-02-${String(day + 1).padStart(2, '0')}T${at}:00Z`),
      );
      const replies: Reply[] = [];
      for (const start of starts.slice(0, 51)) replies.push(await hold(start, {}, {}, as));
      expect(replies.slice(0, 50).map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
      expect([replies[50]?.status, replies[50]?.body.code]).toEqual([429, 'rate_limited']);
    });

    it('a limit of bookings is 409 limit_reached, with whose it is', async () => {
      await openService(host, 'limited', { limits: [{ per: 'service', window: 'day', max: 1 }] });
      expect((await book('2030-01-11T08:00:00Z', { serviceId: 'limited' })).status).toBe(200);
      const { status, body } = await book('2030-01-11T09:00:00Z', { serviceId: 'limited' });
      expect([status, body.code, body.reasons]).toEqual([409, 'limit_reached', [{ code: 'LIMIT' }]]);
    });

    it('staff passes over rules of a service, but not over what is taken; customers pass over none', async () => {
      const start = '2030-01-12T19:10:00Z';
      const refused = await book(start);
      expect([refused.status, refused.body.code]).toEqual([409, 'slot_conflict']);
      const overrideRules = ['OFF_GRID', 'OUTSIDE_HOURS'];
      expect((await book(start, { overrideRules })).status).toBe(200);
      const busy = await book(start, { overrideRules: ['BUSY'] });
      expect([busy.status, busy.body.errors[0].pointer]).toEqual([400, '/overrideRules/0']);
      const json = creation({ ...asked, start, overrideRules, customers: [{ username: 'eve' }] });
      const basic = await host.call('POST', '/api/v2/appointments/basic', { headers: oneTimePassword('eve'), json });
      expect([basic.status, basic.body.code]).toEqual([403, 'forbidden']);
    });

    it('a customer books a free time with a one-time password', async () => {
      const json = creation({ ...asked, start: '2030-01-14T08:00:00Z', customers: [{ username: 'grace' }] });
      const call = { headers: oneTimePassword('grace'), json };
      const { status, body } = await host.call('POST', '/api/v2/appointments/basic', call);
      expect([status, body.serviceId]).toEqual([200, 'consultation']);
    });

    it('a customer with a manage link finds times for their own appointment only, and is told no ids', async () => {
      const start = '2030-01-15T08:00:00Z';
      const { id, organizer, participants } = (await book(start)).body;
      const customer = participants.find(({ type }: { readonly type: string }) => type === 'CUSTOMER');
      const as = managing(id, customer.id);
      const found = await find({ ...dayOf('2030-01-15'), appointmentId: id }, as);
      expect(found.body.durations).toHaveLength(1);
      expect(startsOf(found)).toContain(start);
      expect(found.text).not.toContain('agent-');
      expect((await find(dayOf('2030-01-15'), as)).status).toBe(403);
      const more = { appointmentId: id };
      expect((await explain('2030-01-15T20:00:00Z', as, more)).body.reasons).toEqual([{ code: 'OUTSIDE_HOURS' }]);
      await created(host, { ...asked, start: '2030-01-15T09:00:00Z' });
      await created(host, { ...asked, start: '2030-01-15T09:00:00Z' });
      expect((await explain('2030-01-15T09:00:00Z', as, more)).body.reasons).toEqual([{ code: 'BUSY' }]);
      const long = { from: '2030-01-15T00:00:00Z', to: '2030-02-20T00:00:00Z', appointmentId: id };
      expect((await find(long, as)).body.errors).toMatchObject([{ parameter: 'to' }]);
      const move = (to: string) =>
        host.call('PUT', '/api/v2/appointments/reschedule/', {
          as,
          json: { id, start: to, duration: 'PT30M', timezone: 'UTC' },
        });
      const taken = await move('2030-01-15T09:00:00Z');
      expect([taken.status, taken.body.code, taken.body.reasons]).toEqual([409, 'slot_conflict', [{ code: 'BUSY' }]]);
      const moved = await move('2030-01-15T10:00:00Z');
      expect([moved.status, moved.body.organizer]).toEqual([200, organizer]);
    });

    it.each(faultyQuestions)('a question with %s is 400 and says where', async (_, more, parameter) => {
      const { status, body } = await find(more);
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'validation_failed', parameter]);
    });

    it('an unknown service, and an agent or an appointment that is not of it, are 404', async () => {
      const day = dayOf('2030-01-16');
      for (const more of [
        { serviceId: 'nothing' },
        { applicationId: 'app-open' },
        { agentId: 'agent-3' },
        { appointmentId: unknownId },
      ]) {
        const { status, body } = await find({ ...day, ...more });
        expect([status, body.code]).toEqual([404, 'not_found']);
      }
      expect((await book('2030-01-16T08:00:00Z', { serviceId: 'nothing' })).status).toBe(404);
      await host.call('DELETE', service('limited'), { as: supervisor });
      expect((await find({ ...day, serviceId: 'limited' })).status).toBe(404);
    });

    it('a booking of another duration than the service has is 400 at its place', async () => {
      const { status, body } = await book('2030-01-17T08:00:00Z', { duration: 'PT31M' });
      expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'invalid_schedule', '/duration']);
    });
  });
}
