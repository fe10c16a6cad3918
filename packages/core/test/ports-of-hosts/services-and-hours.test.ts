import { describe, expect, it } from 'vitest';
import { answerOrCode, errorOf } from '../error-of.js';
import { agentOne, booked, booking, fixture, supervisor } from '../fixtures.js';
import { at, available, talk } from '../availability/sample-service.js';

const rejects = (): Promise<never> => Promise.reject(new Error('no'));

describe('An answer of a part of the host that is none', () => {
  it.each([[undefined], [null]])(
    'an answer of the host that is none is a service that nobody knows: %s',
    async (service) => {
      const availabilitySource = { serviceOf: () => service as undefined, servicesOf: () => [], hoursOf: () => [] };
      const base = fixture({ availability: {}, availabilitySource });
      const times = {
        applicationId: 'app-1',
        serviceId: 's',
        from: '2030-05-06T00:00:00Z',
        to: '2030-05-07T00:00:00Z',
      };
      expect(await answerOrCode(() => base.scheduling.availability.find(agentOne, times))).toBe('not_found');
      expect(await answerOrCode(() => base.appointments.schedule(agentOne, booking({ serviceId: 's' })))).toBe(
        'not_found',
      );
    },
  );

  const visit = {
    id: 'visit',
    title: 'Visit',
    timezone: 'UTC',
    durations: ['PT30M'],
    grid: { step: 'PT30M' },
    requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
  };
  const shift = { days: ['MO'], from: '09:00', until: '17:00' };
  const hours = { actorId: 'agent-1', timezone: 'UTC', weekly: [shift], exceptions: {} };

  it.each<[string, { readonly service?: unknown; readonly hours?: unknown }, string]>([
    [
      'a service of no duration',
      { service: { ...visit, durations: [] } },
      'serviceOf answered what breaks a rule at "/durations": Too small: expected array to have >=1 items.',
    ],
    ['a service without an id', { service: { ...visit, id: undefined } }, 'serviceOf must answer services with an id'],
    ['a service that is a text', { service: 'visit' }, 'serviceOf must answer services with an id'],
    ['hours that are none', { hours: null }, 'hoursOf must answer a list'],
    ['hours by actor', { hours: { 'agent-1': hours } }, 'hoursOf must answer a list'],
    [
      'hours of nobody',
      { hours: [{ ...hours, actorId: undefined }] },
      'hoursOf must answer hours with the id of an actor, actorId',
    ],
    [
      'hours of one actor in two parts, of which only the last would count',
      { hours: [hours, { ...hours, weekly: [{ ...shift, days: ['TU'] }] }] },
      'hoursOf must answer the hours of an actor once',
    ],
    [
      'a shift of no length',
      { hours: [{ ...hours, weekly: [{ ...shift, until: '09:00' }] }] },
      'hoursOf answered what breaks a rule at "/weekly/0/until": Never opens: from and until are the same.',
    ],
    [
      'a shift with misspelt fields',
      { hours: [{ ...hours, weekly: [{ days: ['MO'], begin: '09:00', end: '17:00' }] }] },
      'hoursOf answered what breaks a rule at "/weekly/0/from": Invalid input: expected string, received undefined.',
    ],
    [
      'a zone that is none',
      { hours: [{ ...hours, timezone: 'Mars/Olympus' }] },
      'hoursOf answered what breaks a rule at "/timezone": Must be the name of an IANA time zone, or UTC.',
    ],
    [
      'exceptions in a Map',
      { hours: [{ ...hours, exceptions: new Map([['2030-05-06', { open: [] }]]) }] },
      'hoursOf answered what breaks a rule at "": Invalid input: expected record, received Map.',
    ],
    [
      'an exception of no date',
      { hours: [{ ...hours, exceptions: { '2030-5-6': { open: [] } } }] },
      'hoursOf answered what breaks a rule at "/2030-5-6": Has a key that is not allowed.',
    ],
  ])(
    'an answer of the host that is none is %s: nothing is offered or booked by it, and the host is told where it is wrong',
    async (_what, given, message) => {
      const { service = visit, hours: answered = [hours] } = given;
      const availabilitySource = {
        serviceOf: () => service as never,
        servicesOf: () => [service] as never,
        hoursOf: () => answered as never,
      };
      const base = fixture({ availability: {}, availabilitySource });
      const times = {
        applicationId: 'app-1',
        serviceId: 'visit',
        from: '2030-05-06T00:00:00Z',
        to: '2030-05-07T00:00:00Z',
      };
      for (const call of [
        () => base.scheduling.availability.find(agentOne, times),
        () => base.appointments.schedule(agentOne, booking({ serviceId: 'visit', start: '2030-05-06T12:00:00Z' })),
      ]) {
        const { code, cause } = await errorOf(call);
        expect([code, cause]).toEqual(['internal', new TypeError(`availabilitySource: ${message}`)]);
      }
      expect(base.newEvents()).toEqual([]);
    },
  );

  it('an answer of the host with another service than the one that was asked for is none', async () => {
    const availabilitySource = {
      serviceOf: () => visit as never,
      servicesOf: () => [visit] as never,
      hoursOf: () => [hours] as never,
    };
    const base = fixture({ availability: {}, availabilitySource });
    const { availability } = base.scheduling;
    const other = { applicationId: 'app-1', serviceId: 'Visit' };
    const time = { ...other, start: '2030-05-06T12:00:00Z', duration: 'PT30M' };
    for (const call of [
      () => availability.find(agentOne, { ...other, from: '2030-05-06T00:00:00Z', to: '2030-05-07T00:00:00Z' }),
      () => availability.hold(agentOne, time),
      () => base.appointments.schedule(agentOne, booking({ ...time, serviceId: 'Visit' })),
    ]) {
      expect(await answerOrCode<unknown>(call)).toBe('not_found');
    }
  });

  it('an answer of the host may have hours of others than those who were asked for', async () => {
    const availabilitySource = {
      serviceOf: () => visit as never,
      servicesOf: () => [visit] as never,
      hoursOf: () => [{ ...hours, actorId: 'agent-2', weekly: [] }, hours] as never,
    };
    const { scheduling } = fixture({ availability: {}, availabilitySource });
    expect(await scheduling.availability.hours.get(agentOne, { actorId: 'agent-1' })).toMatchObject({
      actorId: 'agent-1',
      rules: { weekly: [shift] },
    });
    expect(await answerOrCode(() => scheduling.availability.hours.get(agentOne, { actorId: 'agent-3' }))).toBe(
      'not_found',
    );
  });

  it('an answer of the host may hold more than the rules do, and leave exceptions out', async () => {
    const availabilitySource = {
      serviceOf: () => ({ ...visit, room: 5 }) as never,
      servicesOf: () => [{ ...visit, room: 5 }] as never,
      hoursOf: () => [{ ...hours, exceptions: undefined, id: 7 }] as never,
    };
    const { scheduling } = fixture({ availability: {}, availabilitySource });
    const times = {
      applicationId: 'app-1',
      serviceId: 'visit',
      from: '2030-05-06T00:00:00Z',
      to: '2030-05-07T00:00:00Z',
    };
    const { durations } = await scheduling.availability.find(agentOne, times);
    expect(durations.map(({ offers }) => offers.length)).toEqual([16]);
  });
});

describe('A part of the host that changes what it is asked with', () => {
  /** Takes what it was given apart while it works on it. */
  const emptied = (list: readonly string[]): void => void (list as string[]).splice(0);

  it('a part of the host that changes what it is asked with, as a busy source that fails, leaves its actors busy and the next source its question', async () => {
    const asked: (readonly string[])[] = [];
    const failing = {
      busy: ({ actorIds }: { readonly actorIds: readonly string[] }) => {
        emptied(actorIds);
        return rejects();
      },
    };
    const other = {
      busy: ({ actorIds }: { readonly actorIds: readonly string[] }) => {
        asked.push([...actorIds]);
        return [];
      },
    };
    const { appointments } = available({}, { busySources: [failing, other] });
    const command = booking({ serviceId: 'talk', start: at('10:00') });
    const { code, reasons } = await errorOf(() => appointments.schedule(supervisor, command));
    expect([code, reasons.map((reason) => reason.code)]).toEqual(['slot_conflict', ['SOURCE_STALE', 'SOURCE_STALE']]);
    expect(asked).toEqual([['agent-1', 'agent-2']]);
  });

  it('a part of the host that changes what it is asked with, as a source of hours, does not have booked times offered', async () => {
    const hours = {
      actorId: 'agent-1',
      timezone: 'UTC',
      exceptions: {},
      weekly: [{ days: ['MO'], from: '09:00', until: '17:00' }],
    };
    const visit = {
      id: 'visit',
      title: 'Visit',
      timezone: 'UTC',
      durations: ['PT30M'],
      grid: { step: 'PT30M' },
      requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
    };
    const availabilitySource = {
      serviceOf: () => visit as never,
      servicesOf: () => [visit] as never,
      hoursOf: ({ actorIds }: { readonly actorIds: readonly string[] }) => {
        emptied(actorIds);
        return [hours] as never;
      },
    };
    const base = fixture({ availability: {}, availabilitySource });
    await booked(base, { serviceId: 'visit', start: '2030-05-06T12:00:00Z' });
    const day = { from: '2030-05-06T00:00:00Z', to: '2030-05-07T00:00:00Z' };
    const times = { ...talk, serviceId: 'visit', ...day };
    const { durations } = await base.scheduling.availability.find(agentOne, times);
    expect(durations.map(({ offers }) => offers.length)).toEqual([15]);
  });
});
