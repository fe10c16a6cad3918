import { describe, expect, it } from 'vitest';
import type { CustomerInput, UpdateCommand } from '../src/index.js';
import { agentOne, booked, booking, customerOf, type Fixture, fixture, maria, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';
import { now } from './sample-appointments.js';

const full = {
  title: 'Loan',
  notes: 'Bring papers',
  metadata: { a: 1, b: { c: [true] } },
  notificationHeaders: '{"X-A":"1"}',
  customers: [{ ...maria, username: 'maria', name: { firstName: 'Maria', lastName: 'P' }, metadata: { tier: 'gold' } }],
};

async function updated(change: Omit<UpdateCommand, 'id'>, base: Fixture = fixture()): Promise<object> {
  const { id } = await booked(base, full);
  const { title, notes, metadata, notificationHeaders } = await base.appointments.update(agentOne, { id, ...change });
  return { title, notes, metadata, notificationHeaders };
}

const before = {
  title: 'Loan',
  notes: 'Bring papers',
  metadata: { a: 1, b: { c: [true] } },
  notificationHeaders: { 'X-A': '1' },
};

describe('Update (spec: Endpoints, rule 3; D2)', () => {
  it.each<[string, Omit<UpdateCommand, 'id'>, object]>([
    ['a title', { title: 'Other' }, { title: 'Other' }],
    ['an empty title, which clears', { title: '' }, { title: '' }],
    ['null for the title, which clears', { title: null }, { title: '' }],
    ['empty notes, which clear', { notes: '' }, { notes: '' }],
    ['null for the notes, which clears', { notes: null }, { notes: '' }],
    ['metadata, which are replaced', { metadata: { z: 1 } }, { metadata: { z: 1 } }],
    ['empty metadata, which clear', { metadata: {} }, { metadata: {} }],
    ['null for metadata, which clears', { metadata: null }, { metadata: {} }],
    ['headers as a map', { notificationHeaders: { 'X-B': '2' } }, { notificationHeaders: { 'X-B': '2' } }],
    ['empty headers, which clear', { notificationHeaders: {} }, { notificationHeaders: {} }],
    ['null for headers, which clears', { notificationHeaders: null }, { notificationHeaders: {} }],
    ['two fields', { title: 'A', notes: 'B' }, { title: 'A', notes: 'B' }],
  ])('Update takes %s; absent fields keep', async (_what, change, expected) => {
    const base = fixture();
    expect(await updated(change, base)).toEqual({ ...before, ...expected });
    expect(base.newEvents()).toEqual(['APUpdatedEvent']);
  });

  it.each<[string, Omit<UpdateCommand, 'id'>]>([
    ['nothing', {}],
    ['what is there', { title: 'Loan', metadata: { b: { c: [true] }, a: 1 }, notificationHeaders: { 'X-A': '1' } }],
    ['no customer', { customer: null }],
  ])('Update with %s writes nothing', async (_what, change) => {
    const base = fixture();
    expect(await updated(change, base)).toEqual(before);
    expect(base.newEvents()).toEqual([]);
  });

  it('Update changes nothing but these fields', async () => {
    const base = fixture();
    const appointment = await booked(base, full);
    base.clock.advance(1000);
    const command = { ...booking({ start: '2031-01-01T00:00:00Z' }), id: appointment.id, title: 'Other', state: 'X' };
    const after = await base.appointments.update(agentOne, command as UpdateCommand);
    const { metadata, notes, notificationHeaders } = appointment;
    expect(after).toEqual({
      ...appointment,
      metadata,
      notes,
      notificationHeaders,
      title: 'Other',
      version: 2,
      updatedAt: now + 1000,
    });
  });

  it.each<[string, object, string]>([
    ['a title of 201', { title: 'x'.repeat(201) }, '/title'],
    ['a title of a number', { title: 5 }, '/title'],
    ['metadata with a reserved key', { metadata: JSON.parse('{"__proto__":1}') }, '/metadata'],
    ['a reserved header', { notificationHeaders: { Host: 'x' } }, '/notificationHeaders'],
    ['headers as text', { notificationHeaders: '{"X-A":"1"}' }, '/notificationHeaders'],
    ['a customer without an id', { customer: { username: 'x' } }, '/customer/id'],
    ['a customer who is no text', { customer: { id: 5 } }, '/customer/id'],
  ])('Update with %s is not valid', async (_what, change, pointer) => {
    const base = fixture();
    const { id } = await booked(base, full);
    const error = await errorOf(() => base.appointments.update(agentOne, { id, ...change }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer }] });
    expect(base.newEvents()).toEqual([]);
  });
});

describe("A customer's profile", () => {
  const profile = {
    username: 'maria',
    primaryEmail: 'maria@example.org',
    firstName: 'Maria',
    lastName: 'P',
    metadata: { tier: 'gold' },
  };
  const ways = ['update', 'updateParticipant'] as const;

  /** Changes the first customer in one of the two ways, and answers the profile after it. */
  async function change(way: (typeof ways)[number], customer: CustomerInput, base = fixture()): Promise<object> {
    const appointment = await booked(base, full);
    const [id, participantId] = [appointment.id, customerOf(appointment)];
    if (way === 'update')
      await base.appointments.update(agentOne, { id, customer: { ...customer, id: participantId } });
    else await base.appointments.updateParticipant(agentOne, { id, participantId, customer });
    const found = await base.store.customers.find('org-1', id, participantId);
    return Object.fromEntries(Object.entries(found ?? {}).filter(([, value]) => value !== undefined));
  }

  const cells = ways.flatMap((way) =>
    (
      [
        ['a new name', { name: { firstName: 'Eleni' } }, { ...profile, firstName: 'Eleni' }],
        ['a phone', { contact: { primaryPhone: '+30 690 000 0000' } }, { ...profile, primaryPhone: '+306900000000' }],
        ['an empty map', { metadata: {} }, { ...profile, metadata: {} }],
      ] as const
    ).map(([what, customer, expected]) => ({ way, what, customer, expected })),
  );

  it.each(cells)("a customer's profile is changed by $way with $what", async ({ way, customer, expected }) => {
    const base = fixture();
    expect(await change(way, customer, base)).toMatchObject(expected);
    expect(base.newEvents()).toEqual([way === 'update' ? 'APUpdatedEvent' : 'APParticipantUpdatedEvent']);
  });

  it.each(ways)("a customer's profile that is the same writes nothing: %s", async (way) => {
    const base = fixture();
    await change(way, { name: { firstName: 'Maria' }, username: 'maria' }, base);
    expect(base.newEvents()).toEqual([]);
  });

  it("a customer's profile gives the participant another identity when the address changes (D26)", async () => {
    const base = fixture();
    const appointment = await booked(base);
    const participantId = customerOf(appointment);
    const customer = { contact: { primaryEmail: 'eleni@example.org' } };
    const after = await base.appointments.updateParticipant(agentOne, { id: appointment.id, participantId, customer });
    expect(after.participants[0]?.id).toBe(participantId);
    expect(after.participants[0]?.identity).not.toBe(appointment.participants[0]?.identity);
  });

  it.each([
    ['an unknown id', 'nobody'],
    ["an agent's id", 'agent-9'],
    ['an id of another appointment', 'other'],
  ])("a customer's profile of %s is not one of its customers: 400", async (_who, name) => {
    const base = fixture();
    const other = await booked(base);
    const { id } = await booked(base, { targetAssignment: { id: 'agent-9' } });
    const participantId = name === 'other' ? customerOf(other) : name;
    const customer = { id: participantId, username: 'x' };
    for (const call of [
      () => base.appointments.update(agentOne, { id, customer }),
      () => base.appointments.updateParticipant(agentOne, { id, participantId, customer }),
    ]) {
      const error = await errorOf(call);
      expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer: '/customer/id' }] });
    }
  });

  it("a customer's profile keeps one way to be reached", async () => {
    const base = fixture();
    const appointment = await booked(base);
    const customer = { id: customerOf(appointment), contact: null };
    const error = await errorOf(() => base.appointments.update(supervisor, { id: appointment.id, customer }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer: '/customer', code: 'required' }] });
  });
});
