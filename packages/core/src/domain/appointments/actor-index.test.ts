import { describe, expect, it } from 'vitest';
import { appointmentStates, interactionStates, limits } from '@calends/model';
import { agent, customer, inState, interaction, scheduled } from '../../../test/sample-appointments.js';
import { actorsOf, blocksTime, serviceActorId } from './participants.js';

describe('The actor index', () => {
  it('the actor index finds an appointment under organizer, AGENT participants and the identities of customers', () => {
    expect(actorsOf(scheduled())).toEqual([
      { actorId: 'agent-1', relation: 'ORGANIZER' },
      { actorId: 'agent-2', relation: 'AGENT' },
      { actorId: 'identity-1', relation: 'CUSTOMER' },
    ]);
  });

  it('the actor index has two entries for an organizer who is assigned, and one for what is named twice', () => {
    const participants = [agent('agent-1'), agent('agent-1'), customer, { ...customer, id: 'customer-2' }];
    expect(actorsOf(scheduled({ participants }))).toEqual([
      { actorId: 'agent-1', relation: 'ORGANIZER' },
      { actorId: 'agent-1', relation: 'AGENT' },
      { actorId: 'identity-1', relation: 'CUSTOMER' },
    ]);
  });

  it('the actor index has no entry for a customer whose identity is unknown', () => {
    const participants = [{ id: 'customer-1', type: 'CUSTOMER' as const }];
    expect(actorsOf(scheduled({ participants }))).toEqual([{ actorId: 'agent-1', relation: 'ORGANIZER' }]);
  });

  it('the actor index finds what is booked with a service under it and its resources', () => {
    const service = { id: 'consultation', resources: ['room-1'], buffers: { before: 0, after: 0 } };
    expect(actorsOf(scheduled({ service })).slice(3)).toEqual([
      { actorId: 'room-1', relation: 'RESOURCE' },
      { actorId: serviceActorId(scheduled().applicationId, 'consultation'), relation: 'SERVICE' },
    ]);
  });

  it('the actor index has an id of its own for each service, no longer than that of an agent', () => {
    const long = 'ü'.repeat(limits.id);
    const pairs = [
      ['a', 'b'],
      ['b', 'a'],
      ['a","b', ''],
      ['a', '","b'],
      [long, long],
    ] as const;
    const ids = pairs.map(([applicationId, serviceId]) => serviceActorId(applicationId, serviceId));
    expect(new Set(ids).size).toBe(pairs.length);
    expect(Math.max(...ids.map(({ length }) => length))).toBeLessThanOrEqual(limits.agentId);
  });
});

describe('CANCELLED, ABORTED, COMPLETED and NO_SHOW do not block (D26)', () => {
  const cells = appointmentStates.flatMap((state) => interactionStates.map((of) => ({ state, of })));
  const free = ['CANCELLED', 'ABORTED', 'COMPLETED', 'NO_SHOW'];

  it.each(cells)(
    'an appointment in $state with the interaction $of blocks unless one of them is over',
    ({ state, of }) => {
      const interactionEnds = of === 'COMPLETED' || of === 'NO_SHOW';
      expect(blocksTime(inState(state, { interaction: interaction(of) }))).toBe(
        !free.includes(state) && !interactionEnds,
      );
    },
  );
});
