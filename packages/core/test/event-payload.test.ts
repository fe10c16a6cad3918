import { describe, expect, it } from 'vitest';
import { domainEventTypes, type DomainEvent } from '../src/index.js';
import {
  agentOne,
  agentTwo,
  booked,
  booking,
  clientService,
  customerOf,
  type Fixture,
  fixture,
  supervisor,
} from './fixtures.js';
import { errorOf } from './error-of.js';
import { now } from './sample-appointments.js';
import { changeable, needed, recordOperations } from './record-operations.js';

describe('An event (D47)', () => {
  it('an event is {id, type, occurredAt, organizationId, applicationId, appointmentId, version, actor, correlationId, data}', async () => {
    const base = fixture();
    base.clock.advance(5);
    const made = await base.appointments.schedule(clientService, booking(needed), { correlationId: 'request-1' });
    expect(base.events()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        type: 'APCreatedEvent',
        occurredAt: now + 5,
        organizationId: 'org-1',
        applicationId: 'app-1',
        appointmentId: made.id,
        version: 1,
        actor: { id: 'service-1', type: 'SYSTEM', role: 'ROLE_CLIENT_SERVICE' },
        correlationId: 'request-1',
        data: {
          state: 'SCHEDULED',
          interactionState: 'PENDING',
          schedule: { start: '2030-05-06T11:00:00Z', end: '2030-05-06T11:30:00Z', timezone: 'Europe/Athens' },
          organizerId: 'agent-9',
          agentIds: ['agent-9'],
        },
      },
    ]);
  });

  it('an event gets a correlation id of its own when the call brings none', async () => {
    const base = fixture();
    await booked(base);
    await booked(base);
    const [first, second] = base.events().map(({ correlationId }) => correlationId);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('an event has an id of its own, the dedupe key of subscribers', async () => {
    const base = fixture();
    const appointment = await changeable(base);
    for (const { name, run, by } of recordOperations) {
      if (!['cancel', 'softDelete', 'remove', 'abort'].includes(name))
        await run(base.appointments, by, appointment).catch(() => undefined);
    }
    const ids = base.events().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(4);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('an event tells the state after the change, and what the appointment does not say itself', async () => {
    const base = fixture();
    const { id } = await changeable(base);
    await base.appointments.activate(agentOne, id);
    await base.appointments.cancel(supervisor, { id, cancelReason: 'ill' });
    const [, activated, cancelled] = base.events();
    expect(activated?.data).toMatchObject({ state: 'ACTIVATED', explicit: true });
    expect(cancelled?.data).toMatchObject({ state: 'CANCELLED', interactionState: 'CANCELLED', reason: 'ill' });
    expect(cancelled?.actor).toEqual({ id: 'supervisor-1', type: 'AGENT', role: 'ROLE_SUPERVISOR' });
  });
});

/** A marker in every field that may hold personal data. */
const marker = 'xyzzy-7f3a';
const person = {
  username: marker,
  contact: { primaryEmail: `${marker}@example.org`, primaryPhone: '+30699735131' },
  name: { firstName: marker, lastName: marker },
  metadata: { [marker]: marker },
};
const personal = {
  title: marker,
  notes: marker,
  metadata: { [marker]: marker },
  notificationHeaders: JSON.stringify({ [marker]: marker }),
  interaction: { customFields: { [marker]: marker } },
  customers: [person, person],
};

/** Says whether a marker stands anywhere in a value, errors with their causes and stacks included. */
function holdsPersonal(value: unknown): boolean {
  const text = JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Error ? [each.message, each.stack, each.cause] : each,
  );
  return text.includes(marker) || text.includes('+30699735131');
}

describe('Personal data (decisions, Across all)', () => {
  /** Every operation once, on appointments full of markers. */
  async function everything(base: Fixture): Promise<readonly DomainEvent[]> {
    const { appointments } = base;
    for (const { run, by } of recordOperations) {
      const made = await appointments.schedule(agentOne, booking({ ...personal, ...needed }));
      const customer = { id: customerOf(made), name: { firstName: `${marker} 2` } };
      await appointments.update(agentOne, { id: made.id, title: `${marker} 2`, customer });
      await appointments.addParticipant(agentOne, { id: made.id, customer: person });
      await appointments.moveInteraction(agentOne, {
        id: made.id,
        to: 'FAILED',
        errorData: { systemMessage: marker, userMessage: marker },
        properties: { [marker]: marker },
      });
      await appointments.moveInteraction(agentOne, { id: made.id, to: 'PENDING' });
      await run(appointments, by, made);
    }
    return base.events();
  }

  it('Personal data stands in no event and no signal', async () => {
    const base = fixture();
    const delivered: unknown[] = [];
    base.scheduling.events.subscribe((event) => void delivered.push(event));
    const events = await everything(base);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(domainEventTypes));
    expect(events.filter(holdsPersonal)).toEqual([]);
    expect(base.signals.filter(holdsPersonal)).toEqual([]);
    await base.scheduling.workers.runOnce();
    expect(delivered).toHaveLength(events.length);
    expect(delivered.filter(holdsPersonal)).toEqual([]);
  });

  it('Personal data stands in no error', async () => {
    const base = fixture();
    const { appointments } = base;
    const made = await booked(base, personal);
    const { id } = made;
    const long = marker.repeat(1000);
    const bad = [
      () =>
        appointments.schedule(
          agentOne,
          booking({ ...personal, start: marker, duration: marker, timezone: marker, locale: marker }),
        ),
      () =>
        appointments.schedule(
          agentOne,
          booking({ ...personal, title: long, notes: long, metadata: { [marker]: `${marker}\u0000` } }),
        ),
      () =>
        appointments.schedule(
          agentOne,
          booking({ ...personal, customers: [{ contact: { primaryEmail: marker, primaryPhone: marker } }] }),
        ),
      () =>
        appointments.schedule(agentOne, booking({ ...personal, notificationHeaders: `{"${marker} ":"${marker}"}` })),
      () => appointments.schedule(agentOne, booking({ ...personal, interaction: { routing: { type: marker } } })),
      () =>
        appointments.schedule(
          agentOne,
          booking({ ...personal, targetAssignment: { id: `${marker} !`, type: marker } }),
        ),
      () => appointments.scheduleAsCustomer({ username: marker, code: marker }, booking(personal)),
      () => appointments.get(agentTwo, id),
      () => appointments.get(agentOne, marker),
      () => appointments.update(agentOne, { id, customer: { ...person, id: marker } }),
      () => appointments.update(agentOne, { id, title: marker }, { expectedVersions: [9] }),
      () => appointments.cancel(agentOne, { id, cancelReason: long }),
      () => appointments.reassign(supervisor, { id, userId: `${marker} !` }),
      () => appointments.removeParticipant(agentOne, { id, participantId: marker }),
      () =>
        appointments.list(supervisor, {
          sortField: marker as 'id',
          states: [marker as 'SCHEDULED'],
          durations: [marker],
        }),
      () =>
        appointments.count(supervisor, {
          applicationId: marker,
          organizationId: 'org-1',
          starts: [marker],
          timeFrame: marker,
        }),
    ];
    for (const call of bad) {
      const error = await errorOf(call);
      expect(holdsPersonal(error.message)).toBe(false);
      expect(holdsPersonal([error.issues, error.appointmentIds, error.cause])).toBe(false);
    }
  });

  it('Personal data stands in the customer profiles, apart from the appointment', async () => {
    const base = fixture();
    const made = await booked(base, { customers: [person] });
    expect(holdsPersonal(await base.store.appointments.find('org-1', made.id))).toBe(false);
    expect(holdsPersonal(await base.store.customers.find('org-1', made.id, customerOf(made)))).toBe(true);
  });
});
