import { describe, expect, it } from 'vitest';
import { agent, customer, now, scheduled } from '../../../test/sample-appointments.js';
import { reassign } from './lifecycle.js';

const to = (agentId: string, appointment = scheduled()): ReturnType<typeof reassign> =>
  reassign(appointment, { agentId, at: now });

describe('Reassigning (spec: Endpoints, rule 6; D22)', () => {
  it('Reassigning replaces organizer, every AGENT participant and a targetAssignment of type AGENT', () => {
    const participants = [agent('agent-2'), customer, agent('agent-3')];
    const next = to('agent-7', scheduled({ participants }))?.next;
    expect(next).toMatchObject({
      organizer: agent('agent-7'),
      participants: [customer, agent('agent-7')],
      targetAssignment: agent('agent-7'),
    });
  });

  it('Reassigning leaves a targetAssignment of another type and the customers alone', () => {
    const target = { id: 'queue-1', type: 'SYSTEM' } as const;
    const next = to('agent-7', scheduled({ targetAssignment: target }))?.next;
    expect(next).toMatchObject({ targetAssignment: target });
    expect(next?.participants).toContainEqual(customer);
  });

  it('Reassigning adds no AGENT participant where there is none to replace', () => {
    const next = to('agent-7', scheduled({ participants: [customer], targetAssignment: undefined }))?.next;
    expect(next).toMatchObject({ organizer: agent('agent-7'), participants: [customer] });
    expect(next?.targetAssignment).toBeUndefined();
  });

  it('Reassigning of an appointment without an agent gives it one: the organizer was the system', () => {
    const appointment = scheduled({
      organizer: { id: 'client-service', type: 'SYSTEM' },
      participants: [customer],
      targetAssignment: undefined,
    });
    const reassigned = to('agent-7', appointment);
    expect(reassigned?.next.organizer).toEqual(agent('agent-7'));
    expect(reassigned?.event.data?.previousAgentIds).toEqual([]);
  });

  it.each([
    ['organizer, participant and target', scheduled({ organizer: agent('agent-2') })],
    [
      'the organizer only',
      scheduled({ organizer: agent('agent-2'), participants: [customer], targetAssignment: undefined }),
    ],
  ])('Reassigning to the agent already assigned changes nothing: %s', (_as, appointment) => {
    expect(to('agent-2', appointment)).toBeUndefined();
  });

  it('Reassigning to the agent already assigned changes nothing the second time', () => {
    const { next } = to('agent-7')!;
    expect(reassign(next, { agentId: 'agent-7', at: now })).toBeUndefined();
  });

  it('Reassigning to the agent already assigned changes nothing, also when another agent organizes it', () => {
    expect(to('agent-2')).toBeUndefined();
  });

  it('Reassigning tells who it belonged to', () => {
    expect(to('agent-7')?.event.data?.previousAgentIds).toEqual(['agent-2']);
    const organizedAlone = scheduled({ participants: [customer] });
    expect(to('agent-7', organizedAlone)?.event.data?.previousAgentIds).toEqual(['agent-1']);
  });
});
