import { describe, expect, it } from 'vitest';
import type { AppointmentOperations, Appointment } from '../src/index.js';
import { agentOne, booked, type Fixture, fixture, supervisor } from './fixtures.js';
import { CountingRooms } from './counting-rooms.js';

const later = { start: '2030-05-07T11:00:00Z', duration: 'PT1H', timezone: 'UTC' };

type Call = (operations: AppointmentOperations, id: string, index: number) => Promise<unknown>;

const calls: Readonly<Record<string, { call: Call; event: string }>> = {
  cancels: { call: (operations, id) => operations.cancel(agentOne, { id }), event: 'APCancelledEvent' },
  deletes: { call: (operations, id) => operations.softDelete(agentOne, id), event: 'APDeletedEvent' },
  activations: { call: (operations, id) => operations.activate(agentOne, id), event: 'APActivatedEvent' },
  reschedules: {
    call: (operations, id) => operations.reschedule(agentOne, { id, ...later }),
    event: 'APRescheduledEvent',
  },
  reassignments: {
    call: (operations, id) => operations.reassign(supervisor, { id, userId: 'agent-2' }),
    event: 'APReassignedEvent',
  },
  aborts: { call: (operations, id) => operations.abort(agentOne, { id, reason: 'x' }), event: 'APAbortedEvent' },
  'moves of the interaction': {
    call: (operations, id) => operations.moveInteraction(agentOne, { id, to: 'INITIATED' }),
    event: 'APInteractionUpdatedEvent',
  },
};

interface Processes {
  readonly base: Fixture;
  readonly rooms: CountingRooms;
  /** Operations of the first process, or of several in turn over one store. */
  readonly of: (index: number) => AppointmentOperations;
}

function processes(count: number): Processes {
  const accessProvider = new CountingRooms();
  const base = fixture({ accessProvider });
  const { store, clock, ids } = base;
  const others = Array.from({ length: count - 1 }, () => fixture({ store, clock, ids, accessProvider }).appointments);
  const all = [base.appointments, ...others];
  return { base, rooms: accessProvider, of: (index) => all[index % count]! };
}

const cells = [1, 2].flatMap((count) => Object.entries(calls).map(([name, each]) => ({ count, name, ...each })));

describe('50 at once on one appointment have one effect and one event', () => {
  it.each(cells)(
    '50 calls at once of $name, from $count library(s) over one store, have one effect and one event',
    async ({ count, call, event }) => {
      const { base, rooms, of } = processes(count);
      const { id } = await booked(base);
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => call(of(index), id, index)));
      const versions = new Set(answers.map((answer) => (answer as Appointment).version));
      expect(versions).toEqual(new Set([2]));
      const events = await base.store.events.list({ organizationId: 'org-1', appointmentId: id });
      expect(events.map(({ type }) => type)).toEqual(['APCreatedEvent', event]);
      expect(rooms.rooms.size).toBe(event === 'APActivatedEvent' ? 1 : 0);
      if (count === 1) expect(rooms.calls).toBe(rooms.rooms.size);
    },
  );

  it('of 50 removals at once one removes, the others find nothing', async () => {
    const { base, of } = processes(2);
    const { id } = await booked(base);
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, index) => of(index).remove(agentOne, id)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const events = await base.store.events.list({ organizationId: 'org-1', appointmentId: id });
    expect(events.map(({ type }) => type)).toEqual(['APCreatedEvent', 'APDeletedEvent']);
  });
});

describe('Different calls at once', () => {
  it('Different calls at once are decided one after the other: none is lost, each has its event', async () => {
    const { base, of } = processes(2);
    const { id } = await booked(base);
    const customers = Array.from({ length: 20 }, (_, index) => ({ username: `customer-${String(index)}` }));
    await Promise.all(customers.map((customer, index) => of(index).addParticipant(agentOne, { id, customer })));
    const after = await base.appointments.get(agentOne, id);
    expect(after.participants).toHaveLength(21);
    expect(after.version).toBe(21);
    const events = await base.store.events.list({ organizationId: 'org-1', appointmentId: id });
    expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
  });

  it('Different calls at once of cancel and activate end cancelled, whichever was first', async () => {
    const { base, of } = processes(2);
    const { id } = await booked(base);
    const racing = [of(0).activate(agentOne, id), of(1).cancel(agentOne, { id })];
    await Promise.allSettled(racing);
    expect((await base.appointments.get(agentOne, id)).state).toBe('CANCELLED');
  });

  it('Different calls at once with an expected version let one through', async () => {
    const { base, of } = processes(2);
    const { id } = await booked(base);
    const titles = Array.from({ length: 10 }, (_, index) => `title ${String(index)}`);
    const outcomes = await Promise.allSettled(
      titles.map((title, index) => of(index).update(agentOne, { id, title }, { expectedVersions: [1] })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = outcomes.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { code: string }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set(['version_mismatch']));
  });
});
