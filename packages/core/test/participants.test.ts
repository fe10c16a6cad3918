import { describe, expect, it } from 'vitest';
import type { Appointment } from '../src/index.js';
import { limits } from '../src/operations.js';
import { agentOne, agentTwo, booked, customerOf, fixture, maria } from './fixtures.js';
import { errorOf } from './error-of.js';

const eleni = { contact: { primaryEmail: 'eleni@example.org' } };
const listed = ({ participants }: Appointment): readonly string[] =>
  participants.map(({ id, type }) => (type === 'AGENT' ? id : type));

describe('Adding a participant', () => {
  it('Adding a participant adds an agent, who then has the appointment among their own', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const after = await base.appointments.addParticipant(agentOne, { id, agentId: 'agent-2' });
    expect(listed(after)).toEqual(['CUSTOMER', 'agent-2']);
    expect(base.events().at(-1)).toMatchObject({ type: 'APParticipantAddedEvent', data: { participantId: 'agent-2' } });
    expect((await base.appointments.get(agentTwo, id)).id).toBe(id);
    expect((await base.appointments.list(agentTwo, {})).total).toBe(1);
  });

  it('Adding a participant adds a customer with a profile', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const after = await base.appointments.addParticipant(agentOne, { id, customer: eleni });
    expect(listed(after)).toEqual(['CUSTOMER', 'CUSTOMER']);
    const participantId = after.participants[1]!.id;
    expect(await base.store.customers.find('org-1', id, participantId)).toMatchObject({
      primaryEmail: 'eleni@example.org',
    });
    expect(base.events().at(-1)?.data.participantId).toBe(participantId);
  });

  it.each<[string, object, string]>([
    ['a customer nobody can reach', { customer: {} }, 'validation_failed'],
    ['no customer', { customer: null }, 'validation_failed'],
    ['a malformed agent id', { agentId: 'not an id' }, 'invalid_agent'],
    ['an unknown agent', { agentId: 'agent-9' }, 'not_found'],
  ])('Adding a participant refuses %s', async (_what, who, code) => {
    const base = fixture({ applications: { 'app-1': { organizationId: 'org-1', agents: ['agent-1', 'agent-2'] } } });
    const { id } = await booked(base);
    const error = await errorOf(() => base.appointments.addParticipant(agentOne, { id, ...who } as never));
    expect(error.code).toBe(code);
    expect(base.newEvents()).toEqual([]);
  });

  it(`adding a participant stops at ${String(limits.participants)} participants`, async () => {
    const base = fixture();
    const { id } = await booked(base);
    for (let index = 1; index < limits.participants; index += 1) {
      await base.appointments.addParticipant(agentOne, { id, agentId: `agent-${String(index)}` });
    }
    const error = await errorOf(() => base.appointments.addParticipant(agentOne, { id, customer: eleni }));
    expect(error.code).toBe('invalid_state');
  });
});

describe('Removing a participant', () => {
  it('Removing a participant removes an agent, who then does not have it any more', async () => {
    const base = fixture();
    const { id } = await booked(base, { targetAssignment: { id: 'agent-2' } });
    const after = await base.appointments.removeParticipant(agentOne, { id, participantId: 'agent-2' });
    expect(listed(after)).toEqual(['CUSTOMER']);
    expect((await errorOf(() => base.appointments.get(agentTwo, id))).code).toBe('not_assigned');
    expect((await base.appointments.list(agentTwo, {})).total).toBe(0);
  });

  it('Removing a participant removes a customer with the profile', async () => {
    const base = fixture();
    const appointment = await booked(base, { customers: [maria, eleni] });
    const { id } = appointment;
    const participantId = customerOf(appointment);
    const after = await base.appointments.removeParticipant(agentOne, { id, participantId });
    expect(after.participants).toHaveLength(1);
    expect(await base.store.customers.find('org-1', id, participantId)).toBeUndefined();
    expect(await base.store.customers.find('org-1', id, customerOf(after))).toBeDefined();
    expect(base.events().at(-1)).toMatchObject({ type: 'APParticipantRemovedEvent', data: { participantId } });
  });

  it('Removing a participant keeps the last customer', async () => {
    const base = fixture();
    const appointment = await booked(base, { targetAssignment: { id: 'agent-2' } });
    const command = { id: appointment.id, participantId: customerOf(appointment) };
    expect((await errorOf(() => base.appointments.removeParticipant(agentOne, command))).code).toBe('invalid_state');
    expect(base.newEvents()).toEqual([]);
  });

  it('Removing a participant of somebody who does not participate finds nobody', async () => {
    const base = fixture();
    const other = await booked(base);
    const { id } = await booked(base);
    for (const participantId of ['agent-1', 'nobody', '', customerOf(other)]) {
      const error = await errorOf(() => base.appointments.removeParticipant(agentOne, { id, participantId }));
      expect(error.code).toBe('not_found');
    }
  });
});
