import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import type { Appointment, Caller, Scheduling } from '../../src/index.js';
import { agentOne, booked, booking, customerOf, fixture } from '../fixtures.js';
import { answerOrCode } from '../error-of.js';

const later = { start: '2030-05-07T11:00:00Z', duration: 'PT1H', timezone: 'UTC' };
const window = { applicationId: 'app-1', serviceId: 'service-1', from: later.start, to: '2030-05-08T11:00:00Z' };
const service = { applicationId: 'app-1', serviceId: 'service-1' };
const exception = { actorId: 'agent-1', date: '2030-05-07' };
const unknownId = '019a3f5c-7b1e-7c3d-8a4f-000000000000';
const managePageUrl = 'https://example.org/manage';

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

// Rules that are not whole are cast to `never`: nobody reads them, since the caller is refused before.

/** Every operation that takes a caller, asked about an appointment by somebody. */
const calls = {
  appointments: ({ appointments }: Scheduling, by: Caller, appointment: Appointment) => {
    const { id } = appointment;
    const participantId = customerOf(appointment);
    return {
      schedule: () => appointments.schedule(by, booking()),
      get: () => appointments.get(by, id),
      list: () => appointments.list(by, {}),
      listEligible: () => all(appointments.listEligible(by)),
      count: () =>
        appointments.count(by, { organizationId: 'org-1', ...window, starts: [later.start], timeFrame: 'P1D' }),
      countOverlapping: () =>
        appointments.countOverlapping(by, {
          organizationId: 'org-1',
          ...window,
          starts: [later.start],
          timeFrame: 'P1D',
        }),
      update: () => appointments.update(by, { id, title: 'Other' }),
      activate: () => appointments.activate(by, id),
      reschedule: () => appointments.reschedule(by, { id, ...later }),
      reassign: () => appointments.reassign(by, { id, userId: 'agent-2' }),
      cancel: () => appointments.cancel(by, { id }),
      softDelete: () => appointments.softDelete(by, id),
      remove: () => appointments.remove(by, id),
      moveInteraction: () => appointments.moveInteraction(by, { id, to: 'INITIATED' }),
      abort: () => appointments.abort(by, { id, reason: 'x' }),
      addParticipant: () => appointments.addParticipant(by, { id, agentId: 'agent-2' }),
      removeParticipant: () => appointments.removeParticipant(by, { id, participantId: 'agent-1' }),
      updateParticipant: () => appointments.updateParticipant(by, { id, participantId, customer: {} }),
      confirmParticipant: () => appointments.confirmParticipant(by, { id, participantId }),
    };
  },
  notifications: ({ notifications }: Scheduling, by: Caller, { applicationId }: Appointment) => ({
    listStatuses: () => notifications.listStatuses(by, { applicationId }),
    listEvents: () => notifications.listEvents(by, { applicationId }),
    retry: () => notifications.retry(by, unknownId),
    pollProperties: () => notifications.pollProperties(by, applicationId),
    listEndpoints: () => notifications.listEndpoints(by, applicationId),
    getEndpoint: () => notifications.getEndpoint(by, { applicationId, endpointId: 'hook' }),
    enableEndpoint: () => notifications.enableEndpoint(by, { applicationId, endpointId: 'hook' }),
    disableEndpoint: () => notifications.disableEndpoint(by, { applicationId, endpointId: 'hook' }),
    testEndpoint: () => notifications.testEndpoint(by, { applicationId, endpointId: 'hook' }),
    replayEndpoint: () => notifications.replayEndpoint(by, { applicationId, endpointId: 'hook', since: later.start }),
  }),
  customers: ({ customers }: Scheduling, by: Caller, appointment: Appointment) => {
    const of = { appointmentId: appointment.id, participantId: customerOf(appointment) };
    return {
      issueManageLink: () => customers.issueManageLink(by, of),
      revokeManageLink: () => customers.revokeManageLink(by, of),
      erase: () => customers.erase(by, of),
      export: () => customers.export(by, of),
      exportText: () => all(customers.exportText(by, of)),
    };
  },
  calendarFeeds: ({ calendarFeeds }: Scheduling, by: Caller) => ({
    issue: () => calendarFeeds.issue(by, { agentId: 'agent-1' }),
    revoke: () => calendarFeeds.revoke(by, { agentId: 'agent-1' }),
  }),
  audit: ({ audit }: Scheduling, by: Caller) => ({ list: () => audit.list(by), verify: () => audit.verify(by) }),
  availability: ({ availability }: Scheduling, by: Caller, { id: appointmentId }: Appointment) => ({
    find: () => availability.find(by, { ...window, appointmentId }),
    explain: () => availability.explain(by, { ...service, appointmentId, start: later.start, duration: 'PT30M' }),
    hold: () => availability.hold(by, { ...service, appointmentId, start: later.start, duration: 'PT30M' }),
    offered: () => availability.offered(by, { applicationId: 'app-1' }),
  }),
  services: ({ availability: { services } }: Scheduling, by: Caller) => ({
    list: () => services.list(by, { applicationId: 'app-1' }),
    get: () => services.get(by, service),
    save: () => services.save(by, { ...service, rules: { title: 'x' } as never }),
    archive: () => services.archive(by, service),
  }),
  hours: ({ availability: { hours } }: Scheduling, by: Caller) => ({
    list: () => hours.list(by),
    get: () => hours.get(by, exception),
    save: () => hours.save(by, { ...exception, rules: { timezone: 'UTC' } as never }),
    remove: () => hours.remove(by, exception),
    listExceptions: () => hours.listExceptions(by, exception),
    saveException: () => hours.saveException(by, { ...exception, exception: {} as never }),
    removeException: () => hours.removeException(by, exception),
  }),
} as const;

/** Operations that take no caller, the groups within a group, and what is no operation; `release` gives up what the one holds that names it. */
const noCaller = {
  appointments: ['scheduleAsCustomer'],
  notifications: ['webhookTypes', 'receive'],
  customers: ['requestOtp', 'exchangeManageLink', 'endSession', 'verifyCustomerToken'],
  calendarFeeds: ['read'],
  audit: ['refused', 'noticed'],
  availability: ['isOn', 'release', 'services', 'hours'],
  services: [],
  hours: [],
} as const;

type Group = keyof typeof calls;
const groups = Object.keys(calls) as Group[];

interface World {
  readonly scheduling: Scheduling;
  readonly own: Appointment;
  readonly other: Appointment;
  /** Who opened the link of the own one. */
  readonly by: Caller;
}

async function prepared(): Promise<World> {
  const base = fixture({ store: memoryStore(), managePageUrl, availability: {} });
  const [own, other] = [
    await booked(base),
    await booked(base, { customers: [{ contact: { primaryEmail: 'b@example.org' } }] }),
  ];
  const { customers } = base.scheduling;
  const link = await customers.issueManageLink(agentOne, { appointmentId: own.id, participantId: customerOf(own) });
  const { token } = await customers.exchangeManageLink(link.code);
  const by = customers.verifyCustomerToken(token);
  if (by === undefined) throw new Error('The token should be that of a customer.');
  return { scheduling: base.scheduling, own, other, by };
}

const operationsOf = (scheduling: Scheduling, group: Group): object =>
  group === 'services' || group === 'hours' ? scheduling.availability[group] : scheduling[group];

const callsOf = (
  group: Group,
  scheduling: Scheduling,
  by: Caller,
  about: Appointment,
): Readonly<Record<string, () => Promise<unknown>>> => calls[group](scheduling, by, about);

describe('What the caller of a manage link reaches in the library (D42)', () => {
  it.each(groups)(
    'what the caller of a manage link reaches is no operation of %s that is not named here',
    async (group) => {
      const { scheduling, by, own } = await prepared();
      const named = [...Object.keys(callsOf(group, scheduling, by, own)), ...noCaller[group]];
      const operations = operationsOf(scheduling, group) as Readonly<Record<string, (by: Caller) => Promise<unknown>>>;
      expect(Object.keys(operations)).toEqual(expect.arrayContaining(named));
      const others = Object.entries(operations).filter(([name]) => !named.includes(name));
      for (const [name, operation] of others) expect(await answerOrCode(() => operation(by)), name).toBe('forbidden');
    },
  );

  it.each(groups)(
    'what the caller of a manage link reaches is nothing of another appointment, nor anything of the organization: %s',
    async (group) => {
      const { scheduling, by, other } = await prepared();
      for (const [name, call] of Object.entries(callsOf(group, scheduling, by, other)))
        expect(['forbidden', 'stale_ticket', 'not_found'], name).toContain(await answerOrCode(call));
    },
  );

  it('what the caller of a manage link reaches is to see, to move and to cancel the own one, and the times that it could be moved to', async () => {
    const done: string[] = [];
    const first = await prepared();
    const names = groups.flatMap((group) =>
      Object.keys(callsOf(group, first.scheduling, first.by, first.own)).map((name) => ({ group, name })),
    );
    for (const { group, name } of names) {
      // Each from the beginning: what was cancelled is not moved.
      const { scheduling, by, own } = await prepared();
      const outcome = await answerOrCode(
        callsOf(group, scheduling, by, own)[name] ?? (() => Promise.resolve('missing')),
      );
      if (typeof outcome !== 'string') done.push(name);
    }
    expect(done).toEqual(['get', 'reschedule', 'cancel']);
  });
});
