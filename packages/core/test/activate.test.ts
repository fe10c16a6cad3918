import { describe, expect, it } from 'vitest';
import { agentOne, booked, clientService, fixture, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';
import { now } from './sample-appointments.js';

describe('Activation (spec: Endpoints, rule 4; D18)', () => {
  it('Activation opens the appointment and gives access details, at any time', async () => {
    const base = fixture();
    const appointment = await booked(base, { start: '2031-05-06T11:00:00Z' });
    expect(await base.scheduling.access.detailsOf(appointment)).toBeUndefined();
    const activated = await base.appointments.activate(agentOne, appointment.id);
    expect(activated).toMatchObject({ state: 'ACTIVATED', activatedAt: now, access: { conferenceId: appointment.id } });
    expect(await base.scheduling.access.detailsOf(activated)).toEqual({
      secureToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      roomUrl: expect.stringMatching(/^http:\/\/localhost:3000\/rooms\/[\w-]{22}$/) as string,
      expires: Date.UTC(2031, 4, 6, 12, 30),
    });
  });

  it('Activation that is repeated gives the same details: nothing new is created', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const first = await base.appointments.activate(agentOne, id);
    base.clock.advance(60_000);
    const again = await base.appointments.activate(supervisor, id);
    expect(again).toEqual(first);
    expect(await base.scheduling.access.detailsOf(again)).toEqual(await base.scheduling.access.detailsOf(first));
    expect(base.newEvents()).toEqual(['APActivatedEvent']);
  });

  it('Activation by a call is explicit, which alone sends the ROOM message (D19)', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await base.appointments.activate(agentOne, id);
    expect(base.events().at(-1)?.data.explicit).toBe(true);
  });

  it('Activation is possible where automatic activation is off', async () => {
    const applications = { 'app-1': { autoActivation: { enabled: false, leadTime: 0 } } };
    const base = fixture({ applications });
    const { id } = await booked(base, { start: '2030-05-06T08:05:00Z' });
    expect((await base.appointments.activate(clientService, id)).state).toBe('ACTIVATED');
  });

  it.each(['cancel', 'abort'] as const)('Activation after %s is an invalid state, and not found in v1', async (how) => {
    const base = fixture();
    const { id } = await booked(base);
    if (how === 'cancel') await base.appointments.cancel(agentOne, { id });
    else await base.appointments.abort(agentOne, { id, reason: 'x' });
    expect((await errorOf(() => base.appointments.activate(agentOne, id))).code).toBe('invalid_state');
    const v1 = await errorOf(() => base.appointments.activate(agentOne, id, { liveOnly: true }));
    expect(v1.code).toBe('not_found');
  });
});

describe('Access details (D41)', () => {
  it('Access details are there only while the appointment is ACTIVATED', async () => {
    const base = fixture();
    const detailsOf = base.scheduling.access.detailsOf;
    const { id } = await booked(base);
    await base.appointments.activate(agentOne, id);
    expect(await detailsOf(await base.appointments.get(agentOne, id))).toBeDefined();
    expect(await detailsOf(await base.appointments.cancel(agentOne, { id }))).toBeUndefined();
    const other = await booked(base);
    await base.appointments.activate(agentOne, other.id);
    expect(await detailsOf(await base.appointments.abort(agentOne, { id: other.id, reason: 'x' }))).toBeUndefined();
  });
});
