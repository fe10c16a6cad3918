import { describe, expect, it } from 'vitest';
import { activated, agent, customer, interaction, now, scheduled } from '../../../test/sample-appointments.js';
import { asSeenBy, assignedAgents, guardedActors, isInvolved, isOwnedBy } from './participants.js';

const other = { id: 'customer-2', type: 'CUSTOMER', identity: 'identity-2' } as const;
const system = { id: 'service-1', type: 'SYSTEM' } as const;

describe('Agents of an appointment (D23)', () => {
  it('Agents of an appointment are assigned when they participate', () => {
    expect(assignedAgents(scheduled())).toEqual(['agent-2']);
    expect(assignedAgents(scheduled({ participants: [customer] }))).toEqual([]);
  });

  it('agents of an appointment own it as organizer or assigned', () => {
    for (const id of ['agent-1', 'agent-2']) expect(isOwnedBy(scheduled(), id)).toBe(true);
    for (const id of ['agent-3', 'AGENT-1', 'agent-1 ', '']) expect(isOwnedBy(scheduled(), id)).toBe(false);
  });

  it('Agents of an appointment are involved when they accepted, are assigned, or organize it alone', () => {
    const acceptedBy = [{ id: 'agent-3', type: 'AGENT' as const, timestamp: now }];
    const running = activated({ interaction: interaction('IN_PROGRESS', { acceptedBy }) });
    expect(['agent-1', 'agent-2', 'agent-3'].map((id) => isInvolved(running, id))).toEqual([false, true, true]);
    expect(isInvolved({ ...running, participants: [customer] }, 'agent-1')).toBe(true);
  });
});

describe('The overlap guard (D26)', () => {
  const appointment = scheduled({ participants: [agent('agent-2'), agent('agent-3'), customer, other] });

  it.each([
    ['agent', ['agent-2', 'agent-3']],
    ['customer', ['identity-1', 'identity-2']],
    ['both', ['agent-2', 'agent-3', 'identity-1', 'identity-2']],
  ] as const)('the overlap guard in mode %s looks at %j', (mode, actors) => {
    expect(guardedActors(appointment, mode)).toEqual(actors);
  });

  it("the overlap guard takes the organizer's time where no agent is assigned, unless it is the system", () => {
    expect(guardedActors(scheduled({ participants: [customer] }), 'agent')).toEqual(['agent-1']);
    expect(guardedActors(scheduled({ participants: [customer], organizer: system }), 'agent')).toEqual([]);
  });

  it('the overlap guard names each actor once', () => {
    const twice = scheduled({ participants: [customer, { ...other, identity: 'identity-1' }] });
    expect(guardedActors(twice, 'customer')).toEqual(['identity-1']);
  });
});

describe('A customer with manage claims (D42)', () => {
  it('a customer with manage claims sees only their own participant data', () => {
    const appointment = scheduled({ participants: [agent('agent-2'), customer, other] });
    expect(asSeenBy(appointment, 'customer-2').participants).toEqual([agent('agent-2'), other]);
    expect(asSeenBy(appointment, 'unknown').participants).toEqual([agent('agent-2')]);
    expect(appointment.participants).toHaveLength(3);
  });
});
