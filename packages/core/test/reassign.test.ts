import { describe, expect, it } from 'vitest';
import type { AgentDirectory } from '../src/index.js';
import { agentOne, booked, clientService, fixture, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';

describe('Reassign (spec: Endpoints, rule 6; D22)', () => {
  it('Reassign replaces organizer and AGENT participants, and tells who had it', async () => {
    const base = fixture();
    const { id } = await booked(base, { targetAssignment: { id: 'agent-9' } });
    const reassigned = await base.appointments.reassign(supervisor, { id, userId: 'agent-2' });
    expect(reassigned).toMatchObject({ organizer: { id: 'agent-2' }, targetAssignment: { id: 'agent-2' }, version: 2 });
    expect(base.events().at(-1)).toMatchObject({
      type: 'APReassignedEvent',
      data: { organizerId: 'agent-2', agentIds: ['agent-2'], previousAgentIds: ['agent-9'] },
    });
  });

  it('Reassign to the agent already assigned writes nothing', async () => {
    const base = fixture();
    const appointment = await booked(base);
    const answer = await base.appointments.reassign(supervisor, { id: appointment.id, userId: 'agent-1' });
    expect(answer).toEqual(appointment);
    expect(base.newEvents()).toEqual([]);
  });

  it('Reassign moves the appointment from one agent to the other (D23)', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await base.appointments.reassign(supervisor, { id, userId: 'agent-2' });
    expect((await errorOf(() => base.appointments.get(agentOne, id))).code).toBe('not_assigned');
    expect((await base.appointments.list(agentOne, {})).total).toBe(0);
    expect((await base.appointments.list({ ...agentOne, id: 'agent-2' }, {})).total).toBe(1);
  });

  const directory: AgentDirectory = {
    standingOf: ({ organizationId, agentId }) => {
      if (organizationId !== 'org-1') return 'unknown';
      return agentId === 'customer-7' ? 'not-an-agent' : agentId.startsWith('agent-') ? 'agent' : 'unknown';
    },
  };

  it.each([
    ['an agent', 'agent-2', 'reassigned'],
    ['someone who is no agent', 'customer-7', 'invalid_agent'],
    ['nobody', 'nobody', 'not_found'],
    ['a malformed id', 'not an id', 'invalid_agent'],
    ['a path', '../agent-1', 'invalid_agent'],
    ['an id with NUL', 'agent-\u0000', 'invalid_agent'],
    ['an empty id', '', 'invalid_agent'],
    ['an id of 129 characters', `agent-${'x'.repeat(123)}`, 'invalid_agent'],
    ['no id', undefined as unknown as string, 'validation_failed'],
  ])('Reassign to %s: %s is %s', async (_who, userId, expected) => {
    const base = fixture({ agentDirectory: directory });
    const { id } = await booked(base);
    const outcome = await errorOf(() => base.appointments.reassign(supervisor, { id, userId })).then(
      ({ code }) => code,
      () => 'reassigned',
    );
    expect(outcome).toBe(expected);
    expect(base.newEvents()).toEqual(expected === 'reassigned' ? ['APReassignedEvent'] : []);
  });

  it.each([' ', 'not an id', '../agent-1', ''])(
    'Reassign refuses the malformed id %j before it looks (D39)',
    async (userId) => {
      const id = '0194222d-0000-7000-8000-ffffffffffff';
      const { code } = await errorOf(() => fixture().appointments.reassign(supervisor, { id, userId }));
      expect(code).toBe('invalid_agent');
    },
  );

  it('Reassign without a directory takes every well-formed id', async () => {
    const base = fixture();
    const { id } = await booked(base);
    expect((await base.appointments.reassign(supervisor, { id, userId: 'any.one@example' })).organizer.id).toBe(
      'any.one@example',
    );
  });

  it('Reassign knows the agents of the application lists', async () => {
    const base = fixture({ applications: { 'app-1': { organizationId: 'org-1', agents: ['agent-1', 'agent-2'] } } });
    const { id } = await booked(base);
    const error = await errorOf(() => base.appointments.reassign(supervisor, { id, userId: 'agent-3' }));
    expect(error.code).toBe('not_found');
  });

  it('Reassign is for agents only when the application lets them, never for client services', async () => {
    const applications = { 'app-1': { agentReassignmentEnabled: true } };
    const base = fixture({ applications });
    const { id } = await booked(base);
    expect((await base.appointments.reassign(agentOne, { id, userId: 'agent-2' })).organizer.id).toBe('agent-2');
    const off = fixture();
    const other = await booked(off);
    for (const by of [agentOne, clientService]) {
      const error = await errorOf(() => off.appointments.reassign(by, { id: other.id, userId: 'agent-2' }));
      expect(error.code).toBe('forbidden');
    }
  });

  it('Reassign fails without any effect when the directory does not answer', async () => {
    let asked = 0;
    const agentDirectory = {
      standingOf: () => {
        asked += 1;
        return Promise.reject(new Error('directory down'));
      },
    };
    const base = fixture({ agentDirectory });
    const { id } = await booked(base);
    await expect(base.appointments.reassign(supervisor, { id, userId: 'agent-2' })).rejects.toThrow('directory down');
    expect(asked).toBe(1);
    expect(base.newEvents()).toEqual([]);
  });
});
