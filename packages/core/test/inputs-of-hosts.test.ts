import { describe, expect, it } from 'vitest';
import type { Caller } from '../src/index.js';
import { errorOf } from './error-of.js';
import { agentOne, booked, booking, customerOf, fixture, supervisor } from './fixtures.js';
import { at, available, talk } from './availability/sample-service.js';

/** Writes over everything that an input holds, at every depth, as a host does that uses its objects again. */
function spoil(given: unknown): void {
  if (typeof given !== 'object' || given === null) return;
  for (const [name, member] of Object.entries(given)) {
    spoil(member);
    Reflect.set(given, name, Array.isArray(member) ? [] : 'spoilt');
  }
}

/** Spoils what a call was given as soon as it has begun. */
async function spoiling<Answer>(call: (...given: never[]) => Promise<Answer>, ...given: readonly unknown[]) {
  const answer = call(...(given as never[]));
  given.forEach(spoil);
  return answer;
}

describe('An input that a host writes over while the call is under way', () => {
  const copyOf = (caller: Caller): Caller => ({ ...caller, roles: [...caller.roles] });

  it('an input that a host writes over while the call is under way is stored as it was: of schedule', async () => {
    const base = fixture();
    const command = () =>
      booking({
        customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
        metadata: { order: { lines: [1, 2] } },
        notes: 'as it was',
        interaction: { customFields: { a: 'b' } },
      });
    const options = () => ({ idempotency: { key: 'k-1', operation: 'o' }, correlationId: 'c-1' });
    const { id } = await spoiling(base.appointments.schedule, copyOf(agentOne), command(), options());
    const { metadata, notes, interaction } = await base.appointments.get(agentOne, id);
    expect([metadata, notes, interaction.customFields]).toEqual([
      { order: { lines: [1, 2] } },
      'as it was',
      { a: 'b' },
    ]);
    expect(base.events()[0]?.correlationId).toBe('c-1');
    expect((await base.appointments.schedule(agentOne, command(), options())).id).toBe(id);
  });

  it('an input that a host writes over while the call is under way is stored as it was: of update', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await spoiling(base.appointments.update, copyOf(agentOne), { id, title: 'as it was', metadata: { a: [{ b: 1 }] } });
    expect(await base.appointments.get(agentOne, id)).toMatchObject({
      title: 'as it was',
      metadata: { a: [{ b: 1 }] },
    });
  });

  it('an input that a host writes over while the call is under way is stored as it was: of a participant', async () => {
    const base = fixture();
    const appointment = await booked(base);
    const { id, organizationId } = appointment;
    const participantId = customerOf(appointment);
    const customer = { contact: { primaryEmail: 'as-it-was@example.org' } };
    await spoiling(base.appointments.updateParticipant, copyOf(supervisor), { id, participantId, customer });
    const profile = await base.store.customers.find(organizationId, id, participantId);
    expect(profile?.primaryEmail).toBe('as-it-was@example.org');
  });

  it('an input that a host writes over while the call is under way is stored as it was: of a service', async () => {
    const { scheduling } = available();
    const rules = {
      title: 'As it was',
      timezone: 'UTC',
      durations: ['PT30M'],
      grid: { step: 'PT30M' },
      requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
    };
    const key = { applicationId: 'app-1', serviceId: 'visit' };
    await spoiling(scheduling.availability.services.save, copyOf(supervisor), { ...key, rules });
    const { rules: stored } = await scheduling.availability.services.get(supervisor, key);
    expect(stored).toMatchObject({ title: 'As it was', durations: ['PT30M'], requirements: [{ anyOf: ['agent-1'] }] });
  });

  it('an input that a host writes over while the call is under way is stored as it was: of a hold', async () => {
    const { scheduling } = available();
    const command = { ...talk, start: at('10:00'), duration: 'PT30M' };
    const { id } = await spoiling(scheduling.availability.hold, copyOf(supervisor), command);
    expect(id).toEqual(expect.any(String));
  });

  it('an input that a host writes over while the call is under way is a list’s as it was', async () => {
    const base = fixture();
    await booked(base);
    const query = { applicationId: 'app-1', states: ['SCHEDULED'], pageSize: 1 };
    expect((await spoiling(base.appointments.list, copyOf(supervisor), query)).total).toBe(1);
  });

  it('an input that a host writes over before a flow is read is as it was', async () => {
    const base = fixture();
    await booked(base);
    const caller = copyOf(supervisor);
    const flow = base.appointments.listEligible(caller);
    spoil(caller);
    const seen: unknown[] = [];
    for await (const each of flow) seen.push(each);
    expect(seen).toHaveLength(1);
  });

  it('An input that throws when it is read is not valid, and nothing is done', async () => {
    const base = fixture();
    const throws = {
      get x(): never {
        throw new Error('of the host');
      },
    };
    const command = booking({ metadata: throws });
    const { code, message } = await errorOf(() => base.appointments.schedule(agentOne, command));
    expect([code, message]).toEqual(['validation_failed', 'The input of the call cannot be read.']);
    expect(base.newEvents()).toEqual([]);
  });
});
