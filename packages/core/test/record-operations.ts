import type { Appointment, AppointmentOperations, CallOptions, Caller, DomainEventType } from '../src/index.js';
import { countedPlace } from '../src/domain/appointments/appointment.js';
import { agentOne, booked, customerOf, type Fixture, supervisor } from './fixtures.js';

/** An operation on one appointment, run in a way that changes it. */
export interface RecordOperation {
  readonly name: keyof AppointmentOperations;
  /** The one event of a successful call; none for what only reads. */
  readonly event?: DomainEventType;
  /** Who runs it by default. */
  readonly by: Caller;
  readonly run: (
    operations: AppointmentOperations,
    by: Caller,
    appointment: Appointment,
    options?: CallOptions,
  ) => Promise<unknown>;
  /** True when the same call once more changes nothing; false when it is another change, or fails. */
  readonly repeatable: boolean;
}

const later = { start: '2030-05-07T11:00:00Z', duration: 'PT1H', timezone: 'UTC' };
const eleni = { contact: { primaryEmail: 'eleni@example.org' } };

/** Every operation of the library that addresses an appointment by its id. */
export const recordOperations: readonly RecordOperation[] = [
  {
    name: 'get',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.get(by, id, options),
  },
  {
    name: 'update',
    event: 'APUpdatedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.update(by, { id, title: 'Other' }, options),
  },
  {
    name: 'activate',
    event: 'APActivatedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.activate(by, id, options),
  },
  {
    name: 'reschedule',
    event: 'APRescheduledEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.reschedule(by, { id, ...later }, options),
  },
  {
    name: 'reassign',
    event: 'APReassignedEvent',
    by: supervisor,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.reassign(by, { id, userId: 'agent-2' }, options),
  },
  {
    name: 'cancel',
    event: 'APCancelledEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.cancel(by, { id, cancelReason: 'ill' }, options),
  },
  {
    name: 'softDelete',
    event: 'APDeletedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.softDelete(by, id, options),
  },
  {
    name: 'remove',
    event: 'APDeletedEvent',
    by: agentOne,
    repeatable: false,
    run: (operations, by, { id }, options) => operations.remove(by, id, options),
  },
  {
    name: 'moveInteraction',
    event: 'APInteractionUpdatedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.moveInteraction(by, { id, to: 'INITIATED' }, options),
  },
  {
    name: 'abort',
    event: 'APAbortedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.abort(by, { id, reason: 'no room' }, options),
  },
  {
    name: 'addParticipant',
    event: 'APParticipantAddedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, { id }, options) => operations.addParticipant(by, { id, agentId: 'agent-3' }, options),
  },
  {
    name: 'removeParticipant',
    event: 'APParticipantRemovedEvent',
    by: agentOne,
    repeatable: false,
    run: (operations, by, { id }, options) =>
      operations.removeParticipant(by, { id, participantId: 'agent-9' }, options),
  },
  {
    name: 'updateParticipant',
    event: 'APParticipantUpdatedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, appointment, options) => {
      const participantId = customerOf(appointment);
      return operations.updateParticipant(by, { id: appointment.id, participantId, customer: eleni }, options);
    },
  },
  {
    name: 'confirmParticipant',
    event: 'APParticipantUpdatedEvent',
    by: agentOne,
    repeatable: true,
    run: (operations, by, appointment, options) =>
      operations.confirmParticipant(by, { id: appointment.id, participantId: customerOf(appointment) }, options),
  },
];

/** What the sample booking needs for every operation to find what it changes. */
export const needed = { targetAssignment: { id: 'agent-9', type: 'AGENT' } } as const;

/** An appointment that every operation above changes, in its first version: its customer is not confirmed (D62). */
export async function changeable(base: Fixture): Promise<Appointment> {
  const made = await booked(base, needed);
  const participants = made.participants.map((each) =>
    each.type === 'CUSTOMER' ? ({ ...each, confirmed: false } as const) : each,
  );
  const next = { ...made, participants };
  const appointment = { kind: 'update', next, expectedVersion: 1, before: countedPlace(made), wakeAt: null } as const;
  const result = await base.store.commit({ organizationId: made.organizationId, appointment, events: [] });
  if (result.status !== 'committed') throw new Error('The customer should be unconfirmed.');
  return next;
}
