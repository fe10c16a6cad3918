import { describe, expect, it } from 'vitest';
import { agentOne, booked, clientService, customerOf, fixture, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';
import { now } from './sample-appointments.js';

describe('PUT /{id}/cancel (spec: Endpoints, rule 10; D16, D17)', () => {
  it('PUT /{id}/cancel keeps the record with who, when and why', async () => {
    const base = fixture();
    const { id } = await booked(base);
    base.clock.advance(5000);
    const cancelled = await base.appointments.cancel(clientService, { id, cancelReason: 'ill' });
    expect(cancelled).toMatchObject({
      state: 'CANCELLED',
      cancellation: { at: now + 5000, by: 'service-1', reason: 'ill' },
      interaction: { state: 'CANCELLED' },
    });
    expect(await base.appointments.get(supervisor, id)).toEqual(cancelled);
  });

  it('PUT /{id}/cancel emits APCancelledEvent and no other event', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await base.appointments.cancel(agentOne, { id });
    expect(base.newEvents()).toEqual(['APCancelledEvent']);
  });

  it('PUT /{id}/cancel that is repeated, by cancel or delete, changes nothing: the first time, person and reason stay', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const first = await base.appointments.cancel(agentOne, { id, cancelReason: 'ill' });
    base.newEvents();
    base.clock.advance(5000);
    expect(await base.appointments.cancel(supervisor, { id, cancelReason: 'other' })).toEqual(first);
    expect(await base.appointments.softDelete(supervisor, id)).toEqual(first);
    expect(base.newEvents()).toEqual([]);
  });

  it.each([undefined, null, ''])('PUT /{id}/cancel needs no reason: %j', async (cancelReason) => {
    const base = fixture();
    const { id } = await booked(base);
    const cancelled = await base.appointments.cancel(agentOne, { id, cancelReason });
    expect(cancelled).toMatchObject({ cancellation: { by: 'agent-1', reason: undefined } });
  });

  it.each([
    ['1001 characters', 'x'.repeat(1001)],
    ['NUL', 'a\u0000'],
    ['a number', 5],
  ])('PUT /{id}/cancel with a reason of %s is not valid', async (_what, reason) => {
    const base = fixture();
    const { id } = await booked(base);
    const error = await errorOf(() => base.appointments.cancel(agentOne, { id, cancelReason: reason as string }));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer: '/cancelReason' }] });
    expect(base.newEvents()).toEqual([]);
  });

  it.each(['COMPLETED', 'NO_SHOW'] as const)('PUT /{id}/cancel of what is %s is an invalid state', async (to) => {
    const base = fixture();
    const { id } = await booked(base);
    if (to === 'COMPLETED') await base.appointments.moveInteraction(agentOne, { id, to: 'IN_PROGRESS' });
    await base.appointments.moveInteraction(agentOne, { id, to });
    base.newEvents();
    for (const call of [
      () => base.appointments.cancel(supervisor, { id }),
      () => base.appointments.softDelete(supervisor, id),
    ]) {
      expect((await errorOf(call)).code).toBe('invalid_state');
    }
    expect(base.newEvents()).toEqual([]);
  });
});

describe('DELETE v2 (spec: Endpoints, rule 8; Events, 2)', () => {
  it.each(['SCHEDULED', 'ACTIVATED'] as const)(
    'DELETE v2 of what is %s is a soft cancel with APDeletedEvent',
    async (state) => {
      const base = fixture();
      const { id } = await booked(base);
      if (state === 'ACTIVATED') await base.appointments.activate(agentOne, id);
      base.newEvents();
      const cancelled = await base.appointments.softDelete(agentOne, id);
      expect(cancelled).toMatchObject({ state: 'CANCELLED', cancellation: { by: 'agent-1', reason: undefined } });
      expect(base.newEvents()).toEqual(['APDeletedEvent']);
    },
  );

  it('DELETE v2 that is repeated is a no-op: no further event', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await base.appointments.softDelete(agentOne, id);
    base.newEvents();
    await base.appointments.softDelete(agentOne, id);
    await base.appointments.cancel(agentOne, { id, cancelReason: 'x' });
    expect(base.newEvents()).toEqual([]);
  });
});

describe('DELETE v1 (spec: States; D25, D46)', () => {
  it.each(['SCHEDULED', 'ACTIVATED', 'CANCELLED', 'ABORTED'] as const)(
    'DELETE v1 removes what is %s for good, with participants and schedule',
    async (state) => {
      const base = fixture();
      const appointment = await booked(base);
      const { id } = appointment;
      if (state === 'ACTIVATED') await base.appointments.activate(agentOne, id);
      if (state === 'CANCELLED') await base.appointments.cancel(agentOne, { id });
      if (state === 'ABORTED') await base.appointments.abort(agentOne, { id, reason: 'x' });
      base.newEvents();
      await base.appointments.remove(agentOne, id);
      expect(base.newEvents()).toEqual(['APDeletedEvent']);
      expect(base.events().at(-1)?.data).toMatchObject({ removed: true, state });
      expect((await errorOf(() => base.appointments.get(supervisor, id))).code).toBe('not_found');
      expect(await base.store.customers.find('org-1', id, customerOf(appointment))).toBeUndefined();
      expect((await base.appointments.list(supervisor, {})).total).toBe(0);
      const count = {
        applicationId: 'app-1',
        organizationId: 'org-1',
        starts: ['2030-05-06T00:00:00Z'],
        timeFrame: 'P1D',
      };
      expect(await base.appointments.count(supervisor, count)).toMatchObject([{ count: 0 }]);
    },
  );

  it('DELETE v1 leaves the events of the appointment readable', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await base.appointments.remove(agentOne, id);
    const events = await base.store.events.list({ organizationId: 'org-1', appointmentId: id });
    expect(events.map(({ type, version }) => `${type} ${version}`)).toEqual(['APCreatedEvent 1', 'APDeletedEvent 2']);
  });
});
