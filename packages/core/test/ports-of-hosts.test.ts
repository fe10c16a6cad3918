import { memoryStore } from '@calends/store-memory';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minutes, seconds } from '@calends/model';
import { createScheduling, type OtpVerifier, type SchedulingOptions } from '../src/index.js';
import { PublisherUnavailableError } from '../src/publisher.js';
import { answerOrCode, errorOf } from './error-of.js';
import { CountingRooms } from './counting-rooms.js';
import {
  agentOne,
  booked,
  booking,
  customerOf,
  type Fixture,
  fixture,
  type FixtureOptions,
  secret,
  supervisor,
} from './fixtures.js';
import { now } from './sample-appointments.js';
import { at, available, talk } from './availability/sample-service.js';
import { otpFixture } from './customers/otp-fixture.js';

const never = (): Promise<never> => new Promise<never>(() => undefined);

describe('A part of the host that never answers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** What a call comes to after half a minute. */
  async function inTheEnd(call: () => Promise<unknown>): Promise<unknown> {
    const answer = answerOrCode(call);
    await vi.advanceTimersByTimeAsync(seconds(30));
    return answer;
  }

  it.each<[string, FixtureOptions, (base: Fixture) => Promise<unknown>]>([
    [
      'agentDirectory',
      { agentDirectory: { standingOf: never } },
      ({ appointments }) => appointments.schedule(agentOne, booking({ targetAssignment: { id: 'agent-7' } })),
    ],
    [
      'applications',
      { applications: { find: never } },
      ({ appointments }) => appointments.schedule(agentOne, booking()),
    ],
    [
      'otpVerifier',
      { otpVerifier: { verify: never } },
      ({ appointments }) =>
        appointments.scheduleAsCustomer({ username: 'maria@example.org', code: '123456' }, booking()),
    ],
  ])(
    'a part of the host that never answers fails a call as temporary, with nothing done: %s',
    async (_port, options, call) => {
      const base = fixture(options);
      expect(await inTheEnd(() => call(base))).toBe('unavailable');
      expect(base.newEvents()).toEqual([]);
    },
  );

  it('a part of the host that never answers keeps no appointment for itself: a room that does not open lets others have their turn', async () => {
    const rooms = new CountingRooms();
    const base = fixture({ accessProvider: rooms });
    const { id } = await booked(base);
    const openRoom = rooms.openRoom.bind(rooms);
    rooms.openRoom = never;
    const activation = answerOrCode(() => base.appointments.activate(agentOne, id));
    const cancellation = base.appointments.cancel(supervisor, { id });
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect(await activation).toBe('unavailable');
    expect((await cancellation).state).toBe('CANCELLED');
    rooms.openRoom = openRoom;
  });

  it('a part of the host that never answers is given up as a subscriber: its event is tried again, all else goes on, and the library can be closed', async () => {
    const base = fixture();
    const seen: string[] = [];
    let isSilent = true;
    base.scheduling.events.subscribe(({ appointmentId }) =>
      isSilent && appointmentId === first.id ? never() : void seen.push(appointmentId),
    );
    const first = await booked(base);
    const second = await booked(base, { start: '2030-05-06T12:00:00Z' });
    const pass = base.scheduling.workers.runOnce();
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect((await pass).events).toBe(2);
    expect(seen).toEqual([second.id]);
    isSilent = false;
    base.clock.advance(seconds(1));
    await base.scheduling.workers.runOnce();
    expect(seen).toEqual([second.id, first.id]);
    await base.scheduling.close();
  });

  it('a part of the host that never answers parks no event as a publisher: its broker is away', async () => {
    let isSilent = true;
    const publish = (): Promise<void> => (isSilent ? never() : Promise.resolve());
    const base = fixture({ eventPublisher: { publish } });
    await booked(base);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const pass = base.scheduling.workers.runOnce();
      await vi.advanceTimersByTimeAsync(seconds(30));
      await pass;
      base.clock.advance(minutes(5));
    }
    const told = base.signals.filter(({ type }) => type === 'eventRetried' || type === 'eventParked');
    expect(told).toHaveLength(20);
    for (const signal of told) {
      expect(signal.type).toBe('eventRetried');
      expect(PublisherUnavailableError.is('error' in signal && signal.error)).toBe(true);
    }
    isSilent = false;
    expect((await base.scheduling.workers.runOnce()).events).toBe(1);
  });
});

describe('An answer of a part of the host that is none', () => {
  const silent = { verify: (): Promise<boolean> => Promise.resolve(false) } satisfies OtpVerifier;

  it.each<[unknown, string]>([
    [true, 'SCHEDULED'],
    [{ sentTo: { email: 'maria@example.org' } }, 'SCHEDULED'],
    [{ sentTo: undefined }, 'SCHEDULED'],
    [false, 'unauthenticated'],
    ['spent', 'unauthenticated'],
    [undefined, 'internal'],
    [null, 'internal'],
    [{}, 'internal'],
    [[], 'internal'],
    [{ valid: false }, 'internal'],
    [{ sentTo: {}, ok: false }, 'internal'],
    ['true', 'internal'],
    [1, 'internal'],
    [{ sentTo: null, consumption: null }, 'SCHEDULED'],
    [{ sentTo: { email: null } }, 'SCHEDULED'],
    [{ sentTo: { email: 5 } }, 'internal'],
    [{ sentTo: 'maria@example.org' }, 'internal'],
    [{ sentTo: ['maria@example.org'] }, 'internal'],
    [{ consumption: {} }, 'internal'],
    [{ consumption: true }, 'internal'],
    [{ challengeId: 'c' }, 'internal'],
    [{ consumption: { subject: 's', challengeId: 'c', at: '2030-05-06' } }, 'internal'],
  ])('an answer of the host that is none is no proof of a one-time password: %j is %s', async (verdict, expected) => {
    const { appointments } = fixture({ otpVerifier: { ...silent, verify: () => Promise.resolve(verdict as boolean) } });
    const credentials = { username: 'maria@example.org', code: '123456' };
    const answer = await answerOrCode(() => appointments.scheduleAsCustomer(credentials, booking()));
    expect(typeof answer === 'string' ? answer : answer.state).toBe(expected);
  });

  it.each([[undefined], [null]])(
    'an answer of the host that is none is a manage proof that does not hold: %s',
    async (proven) => {
      const base = fixture({ manageProofVerifier: { verify: () => Promise.resolve(proven as undefined) } });
      const { id } = await booked(base);
      const customer = { ...agentOne, roles: ['ROLE_CUSTOMER'], manage: { ticketId: 't', token: 't' } } as const;
      expect(await answerOrCode(() => base.appointments.cancel(customer, { id }))).toBe('stale_ticket');
    },
  );

  it.each<[unknown]>([
    [true],
    [{}],
    [{ participantId: 5 }],
    [{ participantId: 'p', guard: {} }],
    [{ participantId: 'p', guard: 'nonce' }],
    [{ participantId: 'p', guard: { kind: 'CALENDAR_FEED', subjectId: 's', holderId: 'h', nonce: 'n' } }],
    [{ participantId: 'p', guard: { kind: 'MANAGE', subjectId: 's', holderId: 'h' } }],
  ])('an answer of the host that is none is no manage proof: %j', async (proven) => {
    const base = fixture({ manageProofVerifier: { verify: () => Promise.resolve(proven as undefined) } });
    const { id } = await booked(base);
    const customer = { ...agentOne, roles: ['ROLE_CUSTOMER'], manage: { ticketId: 't', token: 't' } } as const;
    expect(await answerOrCode(() => base.appointments.cancel(customer, { id }))).toBe('internal');
    expect((await base.appointments.get(agentOne, id)).state).toBe('SCHEDULED');
  });

  it('an answer of the host that is none may be null where a manage proof has no guard: it is asked again before the commit', async () => {
    const proven: unknown[] = [];
    const base = fixture({
      manageProofVerifier: {
        verify: ({ appointmentId }) => {
          proven.push(appointmentId);
          return Promise.resolve({ participantId: participant, guard: null as unknown as undefined });
        },
      },
    });
    const made = await booked(base);
    const { id } = made;
    const participant = customerOf(made);
    const customer = { ...agentOne, roles: ['ROLE_CUSTOMER'], manage: { ticketId: 't', token: 't' } } as const;
    expect((await base.appointments.cancel(customer, { id })).state).toBe('CANCELLED');
    expect(proven).toEqual([id, id]);
  });

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
    ...{ id: 'visit', title: 'Visit', timezone: 'UTC', durations: ['PT30M'], grid: { step: 'PT30M' } },
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

  it.each([[undefined], [null], ['unknown']])(
    'an answer of the host that is none is an agent that nobody knows: %s',
    async (standing) => {
      const base = fixture({ agentDirectory: { standingOf: () => standing as 'unknown' } });
      const { id } = await booked(base);
      const reassign = (): Promise<unknown> => base.appointments.reassign(supervisor, { id, userId: 'agent-2' });
      expect(await answerOrCode(reassign)).toBe('not_found');
      const assigned = booking({ targetAssignment: { id: 'agent-2' } });
      expect(await answerOrCode(() => base.appointments.schedule(agentOne, assigned))).toBe('invalid_agent');
      expect(base.newEvents()).toEqual([]);
    },
  );

  it.each([[true], [false], ['Agent'], [''], [1], [{ standing: 'agent' }]])(
    'an answer of the host that is none is no standing of an agent, and the fault of the host: %j',
    async (standing) => {
      const base = fixture({ agentDirectory: { standingOf: () => Promise.resolve(standing as 'agent') } });
      const { id } = await booked(base);
      for (const call of [
        () => base.appointments.reassign(supervisor, { id, userId: 'agent-2' }),
        () => base.appointments.schedule(agentOne, booking({ targetAssignment: { id: 'agent-2' } })),
      ]) {
        const { code, cause } = await errorOf(call);
        expect(code).toBe('internal');
        expect(cause).toEqual(
          new TypeError('agentDirectory: standingOf must answer "agent", "not-an-agent" or "unknown"'),
        );
      }
      expect(base.newEvents()).toEqual([]);
    },
  );

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['an unknown status', { status: 'ok', grant: { conferenceId: 'c', roomUrl: 'https://rooms.example/c' } }],
    ['a grant of numbers', { status: 'opened', grant: { conferenceId: 5, roomUrl: 7 } }],
    ['an empty id', { status: 'opened', grant: { conferenceId: '', roomUrl: 'https://rooms.example/c' } }],
    ['no grant', { status: 'opened' }],
  ])(
    'an answer of the host that is none neither ends an appointment nor is kept as its room: %s',
    async (_what, opening) => {
      const rooms = new CountingRooms();
      rooms.openRoom = () => Promise.resolve(opening as never);
      const base = fixture({ accessProvider: rooms });
      const { id } = await booked(base);
      expect((await errorOf(() => base.appointments.activate(agentOne, id))).code).toBe('unavailable');
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'activationFailed' }));
      expect((await base.appointments.get(agentOne, id)).state).toBe('SCHEDULED');
    },
  );

  it.each<[string, (length: number) => unknown]>([
    ['a string', (length) => 'x'.repeat(length)],
    ['nothing', () => undefined],
    ['a list', (length) => Array.from({ length }, () => 1)],
    ['too few bytes', (length) => new Uint8Array(length - 1)],
    ['too many bytes', (length) => new Uint8Array(length + 1)],
    ['a promise', (length) => Promise.resolve(new Uint8Array(length))],
    ['a promise that rejects', rejects],
  ])('an answer of the host that is none is no secret: %s', async (_what, bytes) => {
    const { appointments, scheduling } = fixture({ secureRandom: { bytes: bytes as () => Uint8Array } });
    const { id, participants } = await appointments.schedule(agentOne, booking());
    const participantId = participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
    const link = { appointmentId: id, participantId, actions: ['get' as const] };
    const { code, cause } = await errorOf(() => scheduling.customers.issueManageLink(agentOne, link));
    expect([code, (cause as Error).message]).toEqual([
      'internal',
      'secureRandom: bytes must answer a Uint8Array of so many bytes',
    ]);
  });

  it.each<[string, unknown]>([
    ['NaN', NaN],
    ['an endless one', Infinity],
    ['nothing', undefined],
    ['a string', '2030'],
    ['a Date', new Date(now)],
  ])('an answer of the host that is none is no time: %s', async (_what, time) => {
    const options: SchedulingOptions = { store: memoryStore(), secret, clock: { now: () => time as number } };
    const { appointments } = createScheduling(options);
    const error = await errorOf(() => appointments.schedule(agentOne, booking()));
    expect([error.code, (error.cause as Error).message]).toEqual([
      'internal',
      'clock: now must answer epoch milliseconds',
    ]);
  });
});

/** What nobody caught while something was done. */
async function unhandledIn(work: () => Promise<void>): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  try {
    await work();
    await new Promise(setImmediate);
    return unhandled;
  } finally {
    process.off('unhandledRejection', note);
  }
}

const rejects = (): Promise<never> => Promise.reject(new Error('no'));

it('An observer that rejects takes nothing away, and ends no process', async () => {
  const unhandled = await unhandledIn(async () => {
    const observer = { observe: rejects };
    const { appointments } = createScheduling({ store: memoryStore(), secret, observer, clock: { now: () => now } });
    const { id } = await appointments.schedule(agentOne, booking());
    expect((await appointments.cancel(agentOne, { id })).state).toBe('CANCELLED');
  });
  expect(unhandled).toEqual([]);
});

it.each<[string, Partial<SchedulingOptions>]>([
  ['a clock', { clock: { now: rejects as () => never } }],
  ['a maker of ids', { ids: { next: rejects as () => never } }],
])(
  'A promise in the place of an answer fails the call, and ends no process where it rejects: of %s',
  async (_what, port) => {
    const unhandled = await unhandledIn(async () => {
      const { appointments } = createScheduling({ store: memoryStore(), secret, clock: { now: () => now }, ...port });
      expect((await errorOf(() => appointments.schedule(agentOne, booking()))).code).toBe('internal');
    });
    expect(unhandled).toEqual([]);
  },
);

it('A promise within the answer of a room service ends no process where it rejects', async () => {
  const unhandled = await unhandledIn(async () => {
    const room = { conferenceId: 'c-1', roomUrl: 'https://rooms.example.org/1' };
    let grant: unknown = { ...room, conferenceId: rejects() };
    const accessProvider = {
      conferenceIsAppointment: false,
      openRoom: async () => ({ status: 'opened', grant }) as never,
      details: () => ({ secureToken: rejects(), roomUrl: rejects(), expires: rejects() }) as never,
    };
    const options = { store: memoryStore(), secret, clock: { now: () => now }, accessProvider };
    const { appointments, access } = createScheduling(options);
    const { id } = await appointments.schedule(agentOne, booking());
    expect((await errorOf(() => appointments.activate(agentOne, id))).code).toBe('unavailable');
    grant = room;
    expect(await access.detailsOf(await appointments.activate(agentOne, id))).toBeUndefined();
  });
  expect(unhandled).toEqual([]);
});

it('An answer of a part of the host that begins its work when it is waited for is asked for once, also where it fails', async () => {
  let begun = 0;
  // As the queries of some libraries: each call of then runs them.
  const query: PromiseLike<never> = {
    then: (fulfilled, rejected) => {
      begun += 1;
      return rejects().then(fulfilled, rejected);
    },
  };
  const base = fixture({ eventPublisher: { publish: () => query as Promise<never> } });
  await booked(base);
  await base.scheduling.workers.runOnce();
  expect(begun).toBe(1);
  expect(base.signals).toContainEqual(expect.objectContaining({ type: 'eventRetried', error: new Error('no') }));
});

it('A subscriber that ends its subscription and begins another sees an event once, and the pass ends', async () => {
  const base = fixture();
  const { events, workers } = base.scheduling;
  let seen = 0;
  const again = (): void => {
    seen += 1;
    if (seen > 9) throw new Error('The pass should have ended.');
    end();
    end = events.subscribe(again);
  };
  let end = events.subscribe(again);
  await booked(base);
  expect((await workers.runOnce()).events).toBe(1);
  expect(seen).toBe(1);
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
      ...{ actorId: 'agent-1', timezone: 'UTC', exceptions: {} },
      weekly: [{ days: ['MO'], from: '09:00', until: '17:00' }],
    };
    const visit = {
      ...{ id: 'visit', title: 'Visit', timezone: 'UTC', durations: ['PT30M'], grid: { step: 'PT30M' } },
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

it('A directory of the host that answers null for a user name knows nobody of it, and nothing is told as a failure', async () => {
  const base = otpFixture({ customerDirectory: { contactOf: () => null as never } });
  await base.request('maria');
  expect(base.signals).toEqual([]);
});

it('A directory of the host that answers a locale that is no string has the code sent in the language of the application', async () => {
  const contact = { email: 'maria@example.org', locale: 5 };
  const base = otpFixture({ customerDirectory: { contactOf: () => contact as never } });
  await base.request('maria');
  expect(base.email.sent).toHaveLength(1);
});

it.each(['email', 'phone', 'locale'])(
  'A directory of the host that answers a contact with a promise ends no process where it rejects: %s',
  async (field) => {
    const base = otpFixture({ customerDirectory: { contactOf: () => ({ [field]: rejects() }) } });
    expect(await unhandledIn(() => base.request('maria'))).toEqual([]);
    expect(base.email.sent).toEqual([]);
  },
);

it('A subscriber whose subscription is ended by one before it is not handed the event', async () => {
  const base = fixture();
  const { events, workers } = base.scheduling;
  let seen = 0;
  events.subscribe(() => end());
  const end = events.subscribe(() => void (seen += 1));
  await booked(base);
  expect((await workers.runOnce()).events).toBe(1);
  expect(seen).toBe(0);
});
