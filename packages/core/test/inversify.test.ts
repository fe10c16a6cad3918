import { Container } from 'inversify';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { minutes } from '@calends/model';
import {
  type AppointmentOperations,
  createScheduling,
  type DomainEvent,
  type Scheduling,
  type SchedulingOptions,
  type Signal,
} from '../src/index.js';
import type { EmailMessage } from '../src/notifier.js';
import { configurationToken, portTokens, schedulingModule, schedulingToken } from '../src/inversify/index.js';
import { CountingRooms } from './counting-rooms.js';
import { agentOne, booking, countedIds, customerOf, secret, standingClock, supervisor } from './fixtures.js';
import { answerOrCode, errorOf } from './error-of.js';
import { Provider } from './notifications/provider.js';
import { service } from './availability/sample-service.js';

/** Options that make two libraries comparable: own store, clock and ids, the same for both. */
function optionsFor(signals: Signal[], more: Partial<SchedulingOptions> = {}): SchedulingOptions {
  return {
    store: memoryStore(),
    secret,
    clock: standingClock(),
    ids: countedIds(),
    observer: { observe: (signal) => void signals.push(signal) },
    roomBaseUrl: 'https://rooms.example.org',
    applications: {
      'app-1': {
        organizationId: 'org-1',
        agents: ['agent-1', 'agent-2'],
        agentReassignmentEnabled: true,
        locale: 'el',
        routing: { type: 'OWN', touchpointId: 't-1' },
        overlap: { mode: 'agent', buffer: 0 },
      },
    },
    routingProviders: [{ type: 'OWN', entryPoint: 'touchpointId', chatModes: ['own'], defaultChatMode: 'own' }],
    worker: { batchSize: 1 },
    ...more,
  };
}

function contained(options: SchedulingOptions): Scheduling {
  const container = new Container();
  container.load(schedulingModule(options));
  return container.get(schedulingToken);
}

/** One long scenario through every part of the library; answers everything that it gave. */
async function play(scheduling: Scheduling, options: SchedulingOptions): Promise<readonly unknown[]> {
  const { appointments, access, workers, notifications } = scheduling;
  const clock = options.clock as ReturnType<typeof standingClock>;
  const answers: unknown[] = [];
  const delivered: DomainEvent[] = [];
  scheduling.events.subscribe((event) => void delivered.push(event));
  const note = async (call: () => Promise<unknown>): Promise<void> => {
    answers.push(await answerOrCode(call));
  };
  const made = await appointments.schedule(agentOne, booking());
  answers.push(made);
  const { id } = made;
  await note(() => appointments.schedule(agentOne, booking()));
  await note(() => appointments.schedule({ ...agentOne, organizationId: 'org-2' }, booking()));
  await note(() =>
    appointments.update(agentOne, { id, title: 'Loan', customer: { id: customerOf(made), username: 'm' } }),
  );
  await note(() =>
    appointments.reschedule(agentOne, { id, start: '2030-05-07T11:00:00Z', duration: 'PT1H', timezone: 'UTC' }),
  );
  await note(() => appointments.reassign(agentOne, { id, userId: 'agent-2' }));
  await note(() => appointments.reassign(supervisor, { id, userId: 'agent-9' }));
  clock.set(Date.UTC(2030, 4, 7, 11) - minutes(30));
  await note(() => workers.runOnce());
  await note(async () => access.detailsOf(await appointments.get(supervisor, id)));
  await note(() => appointments.moveInteraction(supervisor, { id, to: 'IN_PROGRESS' }));
  await note(() =>
    appointments.count(supervisor, {
      applicationId: 'app-1',
      organizationId: 'org-1',
      starts: ['2030-05-07T00:00:00Z'],
      timeFrame: 'P1D',
    }),
  );
  await note(() => appointments.list(supervisor, { sortField: 'title' }));
  await note(() => appointments.cancel(supervisor, { id, cancelReason: 'x' }));
  await note(() =>
    appointments.scheduleAsCustomer({ username: 'm', code: '1' }, booking({ customers: [{ username: 'm' }] })),
  );
  await note(() => notifications.pollProperties(supervisor, 'app-1'));
  await note(() => workers.runOnce());
  await note(() => scheduling.check());
  await scheduling.close();
  return [...answers, delivered];
}

describe('The Inversify module', () => {
  it('the Inversify module behaves the same as createScheduling: results, events and signals', async () => {
    const [plainSignals, containedSignals]: [Signal[], Signal[]] = [[], []];
    const [plain, inContainer] = [optionsFor(plainSignals), optionsFor(containedSignals)];
    const expected = await play(createScheduling(plain), plain);
    const found = await play(contained(inContainer), inContainer);
    expect(found).toEqual(expected);
    expect(containedSignals).toEqual(plainSignals);
    expect(plainSignals.length).toBeGreaterThan(5);
    expect(expected.at(-1)).toHaveLength(7);
  });

  it('the Inversify module gives one library for the container', () => {
    const container = new Container();
    container.load(schedulingModule(optionsFor([])));
    expect(container.get(schedulingToken)).toBe(container.get(schedulingToken));
    expect(container.get(configurationToken)).toMatchObject({ secret });
  });

  it('the Inversify module tells every fault of the options before anything is bound', () => {
    const faulty = { secret: 'short', storre: 1 } as unknown as SchedulingOptions;
    expect(() => schedulingModule(faulty)).toThrow(/did you mean store\?[^]*store: must be given[^]*at least 32 bytes/);
  });
});

describe('Rebinding a port before the library is resolved', () => {
  /** A library whose container got another binding for one port. */
  function rebound(
    name: keyof typeof portTokens,
    port: unknown,
    more: Partial<SchedulingOptions> = {},
  ): { scheduling: Scheduling; appointments: AppointmentOperations; signals: Signal[] } {
    const signals: Signal[] = [];
    const container = new Container();
    container.load(schedulingModule(optionsFor(signals, more)));
    container.rebind<unknown>(portTokens[name]).toConstantValue(port);
    const scheduling = container.get(schedulingToken);
    return { scheduling, appointments: scheduling.appointments, signals };
  }

  const send = () => Promise.resolve({ status: 'delivered' });
  const email = { send, timeout: 60_000, capability: 'none' };

  it.each<[keyof typeof portTokens, unknown, string, Partial<SchedulingOptions>?]>([
    ['clock', {}, 'clock: must have now'],
    ['clock', undefined, 'clock: must be given'],
    ['ids', null, 'ids: must be given'],
    ['store', {}, 'store: must have commit, nextWakeAt, check, '],
    ['tracer', {}, 'tracer: must have startActiveSpan'],
    ['settingsSource', { 'app-1': {} }, 'settingsSource: must have find'],
    ['settingsSource', undefined, 'settingsSource: must be given'],
    ['notifiers', { push: email }, 'notifiers: unknown channel push'],
    ['notifiers', { email: {} }, 'notifiers.email: must have send'],
    ['notifiers', { email }, 'worker.deliveryLease: must be at least ', { worker: { deliveryLease: 6000 } }],
    ['busySources', {}, 'busySources: must be a list', { availability: {} }],
    ['busySources', [{ busy: () => [] }], 'busySources: are asked only where availability is on'],
    ['store', { ...memoryStore(), availability: undefined }, 'availability: the store keeps no', { availability: {} }],
    ['store', { ...memoryStore(), retention: undefined }, 'retention.audit: the store', { retention: { audit: 1e10 } }],
  ])('rebinding %s to %o is refused where it would not do', (name, port, fault, more) => {
    expect(() => rebound(name, port, more)).toThrow(TypeError);
    expect(() => rebound(name, port, more)).toThrow(`schedulingModule: \n  - ${fault}`);
  });

  it.each(['tracer', 'otpVerifier', 'eventPublisher', 'availabilitySource'] as const)(
    'rebinding %s to nothing leaves it out',
    async (name) => {
      const { appointments } = rebound(name, undefined);
      expect(await appointments.schedule(agentOne, booking())).toMatchObject({ state: 'SCHEDULED' });
    },
  );

  it('a port may be bound to what resolves later', async () => {
    const container = new Container();
    container.load(schedulingModule(optionsFor([])));
    const store = memoryStore();
    container.rebind(portTokens.store).toDynamicValue(() => Promise.resolve(store));
    const scheduling = await container.getAsync(schedulingToken);
    const { id } = await scheduling.appointments.schedule(agentOne, booking());
    expect(await store.appointments.find('org-1', id)).toMatchObject({ id });
  });

  it('rebinding store: the data are there', async () => {
    const store = memoryStore();
    const { appointments } = rebound('store', store);
    const { id } = await appointments.schedule(agentOne, booking());
    expect(await store.appointments.find('org-1', id)).toBeDefined();
  });

  it('rebinding clock: its time counts', async () => {
    const { appointments } = rebound('clock', standingClock(Date.UTC(2030, 4, 6, 9)));
    expect((await appointments.schedule(agentOne, booking())).createdAt).toBe(Date.UTC(2030, 4, 6, 9));
  });

  it('rebinding ids: its ids are used', async () => {
    let next = 0;
    const ids = { next: () => `0199ffff-0000-7000-8000-${String((next += 1)).padStart(12, '0')}` };
    const { appointments } = rebound('ids', ids);
    expect((await appointments.schedule(agentOne, booking())).id).toMatch(/^0199ffff/);
  });

  it('rebinding ids: those that are no UUIDs are told, and nothing is made with them', async () => {
    const store = memoryStore();
    const { appointments } = rebound('ids', { next: () => 'appointment-1' }, { store });
    const error = await errorOf(() => appointments.schedule(agentOne, booking()));
    expect([error.code, (error.cause as Error).message]).toEqual([
      'internal',
      'ids: next must answer a new UUID in lower case each time',
    ]);
    expect(await store.appointments.find(agentOne.organizationId, 'appointment-1')).toBeUndefined();
  });

  it('rebinding settingsSource: its settings hold', async () => {
    const { appointments } = rebound('settingsSource', { find: () => ({ locale: 'fr' }) });
    expect((await appointments.schedule(agentOne, booking())).locale).toBe('fr');
  });

  it('rebinding accessProvider: it opens the room', async () => {
    const rooms = new CountingRooms();
    const { appointments, scheduling } = rebound('accessProvider', rooms);
    const { id } = await appointments.schedule(agentOne, booking());
    await appointments.activate(agentOne, id);
    expect(rooms.calls).toBe(1);
    expect(scheduling.access.conferenceIsAppointment).toBe(false);
  });

  it('rebinding agentDirectory: it knows the agents', async () => {
    const { appointments } = rebound('agentDirectory', { standingOf: () => 'not-an-agent' });
    const { id } = await appointments.schedule(agentOne, booking());
    const error = await errorOf(() => appointments.reassign(supervisor, { id, userId: 'agent-2' }));
    expect(error.code).toBe('invalid_agent');
  });

  it('rebinding otpVerifier: it checks one-time passwords', async () => {
    const { appointments } = rebound('otpVerifier', { verify: async () => Promise.resolve(true) });
    const command = booking({ customers: [{ username: 'm' }] });
    expect((await appointments.scheduleAsCustomer({ username: 'm', code: '1' }, command)).state).toBe('SCHEDULED');
  });

  it('rebinding manageProofVerifier: it checks manage claims', async () => {
    let participantId = '';
    const { appointments } = rebound('manageProofVerifier', { verify: async () => Promise.resolve({ participantId }) });
    const made = await appointments.schedule(agentOne, booking());
    const { id } = made;
    participantId = customerOf(made);
    const manage = { ticketId: 't', token: 't' };
    const customer = { id: 'c', organizationId: 'org-1', roles: ['ROLE_CUSTOMER'], manage } as const;
    expect((await appointments.get(customer, id)).id).toBe(id);
  });

  it('rebinding eventPublisher: it gets the events', async () => {
    const published: string[] = [];
    const eventPublisher = { publish: async ({ type }: DomainEvent) => void published.push(type) };
    const { appointments, scheduling } = rebound('eventPublisher', eventPublisher);
    await appointments.schedule(agentOne, booking());
    await scheduling.workers.runOnce();
    expect(published).toEqual(['APCreatedEvent']);
  });

  it('rebinding observer: it gets the signals, and what it throws is dropped', async () => {
    let observed = 0;
    const observe = (): void => {
      observed += 1;
      throw new Error('no');
    };
    const { appointments, signals } = rebound('observer', { observe });
    await appointments.schedule(agentOne, booking());
    expect(observed).toBe(1);
    expect(signals).toEqual([]);
  });

  it.each([
    ['notifiers', 'linkSource'],
    ['notifiers', 'random'],
  ] as const)('rebinding %s and %s: what they give reaches the messages', async (...ports) => {
    const email = new Provider<EmailMessage>().answers({ status: 'failed', permanent: false, error: 'SMTP 451' });
    const bindings = {
      notifiers: { email },
      linkSource: { linksFor: () => ({ join: 'https://rooms.example.org/rebound' }) },
      random: { next: () => 0 },
    };
    const container = new Container();
    const applications = { 'app-1': { notifications: { active: true, email: { from: 'a@example.org' } } } };
    const options = optionsFor([], { applications });
    container.load(schedulingModule(options));
    for (const port of ports) container.rebind<unknown>(portTokens[port]).toConstantValue(bindings[port]);
    const { appointments, workers, notifications } = container.get(schedulingToken);
    await appointments.schedule(agentOne, booking());
    await workers.runOnce();
    expect(email.types).toEqual(['CREATE']);
    const [created] = (await notifications.listStatuses(supervisor, { applicationId: 'app-1', types: ['CREATE'] }))
      .items;
    if (ports[1] === 'linkSource') expect(email.sent[0]?.message.text).toContain('https://rooms.example.org/rebound');
    // The least jitter of thirty seconds.
    else expect(created?.nextRetryAt).toBe((options.clock?.now() ?? 0) + 24_000);
  });

  it('rebinding secureRandom and customerDirectory: they make the code and find the customer', async () => {
    const email = new Provider<EmailMessage>();
    const container = new Container();
    const applications = { 'app-1': { notifications: { active: true, email: { from: 'a@example.org' } } } };
    container.load(schedulingModule(optionsFor([], { applications, notifiers: { email } })));
    container.rebind(portTokens.secureRandom).toConstantValue({ bytes: (length) => new Uint8Array(length) });
    container
      .rebind(portTokens.customerDirectory)
      .toConstantValue({ contactOf: () => ({ email: 'maria@example.org' }) });
    const scheduling = container.get(schedulingToken);
    await scheduling.customers.requestOtp({ applicationId: 'app-1', username: 'maria' });
    await scheduling.close();
    expect(email.sent.map(({ message }) => [message.to.address, message.subject])).toEqual([
      ['maria@example.org', 'Your one-time password'],
    ]);
  });

  it('rebinding tracer: operations run in its spans', async () => {
    const begun: string[] = [];
    const span = {
      spanContext: () => ({ traceId: '', spanId: '', traceFlags: 0 }),
      setAttribute: () => undefined,
      setStatus: () => undefined,
      end: () => undefined,
    };
    const container = new Container();
    container.load(schedulingModule(optionsFor([])));
    container.rebind(portTokens.tracer).toConstantValue({
      startActiveSpan: (name, _settings, work) => {
        begun.push(name);
        return work(span);
      },
    });
    await container.get(schedulingToken).appointments.schedule(agentOne, booking());
    expect(begun).toEqual(['calends.appointments.schedule']);
  });

  it('rebinding availabilitySource: its services are offered', async () => {
    const container = new Container();
    container.load(schedulingModule({ ...optionsFor([]), availability: {} }));
    const own = { id: 'own', ...service() };
    container
      .rebind(portTokens.availabilitySource)
      .toConstantValue({ serviceOf: () => own, servicesOf: () => [own], hoursOf: () => [] });
    const { services } = container.get(schedulingToken).availability;
    expect(await services.list(agentOne, { applicationId: 'app-1' })).toMatchObject([{ id: 'own' }]);
  });

  it('rebinding busySources: they are asked about the agents of the service', async () => {
    const asked: unknown[] = [];
    const hours = { timezone: 'UTC', weekly: [] };
    const availability = { services: { 'app-1': { talk: service() } }, hours: { 'agent-1': hours } };
    const container = new Container();
    container.load(schedulingModule({ ...optionsFor([]), availability }));
    container.rebind(portTokens.busySources).toConstantValue([{ busy: ({ actorIds }) => (asked.push(actorIds), []) }]);
    const question = { applicationId: 'app-1', serviceId: 'talk', start: '2030-05-07T07:00:00Z', duration: 'PT30M' };
    await container.get(schedulingToken).availability.explain(agentOne, question);
    expect(asked).toEqual([['agent-1', 'agent-2']]);
  });

  it('rebinding covers every port', () => {
    expect(Object.keys(portTokens)).toHaveLength(18);
  });
});
