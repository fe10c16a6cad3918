import { describe, expect, it } from 'vitest';
import { agentOne, booked, booking, type Fixture, fixture } from './fixtures.js';
import type { Appointment } from '../src/index.js';
import { CountingRooms } from './counting-rooms.js';
import { errorOf } from './error-of.js';

const soon = { start: '2030-05-06T08:05:00Z' };

function withRooms(mood: CountingRooms['mood'] = 'open'): Fixture & { rooms: CountingRooms } {
  const rooms = new CountingRooms();
  rooms.mood = mood;
  return { ...fixture({ accessProvider: rooms }), rooms };
}

describe("A host's room service (D41)", () => {
  it("a host's room service opens the room and describes it", async () => {
    const { rooms, ...base } = withRooms();
    const { id } = await booked(base);
    const activated = await base.appointments.activate(agentOne, id);
    expect(activated).toMatchObject({ access: { conferenceId: 'conference-1' } });
    expect(await base.scheduling.access.detailsOf(activated)).toMatchObject({
      secureToken: 'token of conference-1',
      roomUrl: 'https://rooms.example.org/conference-1',
      expires: activated.schedule.end,
    });
    expect(base.scheduling.access.conferenceIsAppointment).toBe(false);
    expect(rooms.calls).toBe(1);
  });

  it("a host's room service is not asked again for an activated appointment", async () => {
    const { rooms, ...base } = withRooms();
    const { id } = await booked(base);
    for (let time = 0; time < 3; time += 1) await base.appointments.activate(agentOne, id);
    expect(rooms.calls).toBe(1);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a room that is no text', { secureToken: 't', roomUrl: 5, expires: 1 }],
    ['no token', { roomUrl: 'https://rooms.example.org/1', expires: 1 }],
    ['an end that is a date', { secureToken: 't', roomUrl: 'https://rooms.example.org/1', expires: new Date() }],
    ['an end that is no time', { secureToken: 't', roomUrl: 'https://rooms.example.org/1', expires: NaN }],
    ['an end after all time', { secureToken: 't', roomUrl: 'https://rooms.example.org/1', expires: 1e20 }],
  ])("a host's room service that answers %s for details leaves them out, and is told", async (_what, details) => {
    const { rooms, ...base } = withRooms();
    const { id } = await booked(base);
    const activated = await base.appointments.activate(agentOne, id);
    rooms.details = () => details as never;
    expect(await base.scheduling.access.detailsOf(activated)).toBeUndefined();
    expect(base.signals.at(-1)).toEqual({
      type: 'accessDetailsFailed',
      appointmentId: id,
      error: new TypeError('accessProvider: details must answer { secureToken, roomUrl, expires }'),
    });
  });

  it("a host's room service that refuses for good aborts the appointment (D15)", async () => {
    const { rooms: _rooms, ...base } = withRooms('refuse');
    const { id } = await booked(base);
    expect((await errorOf(() => base.appointments.activate(agentOne, id))).code).toBe('invalid_state');
    expect(await base.appointments.get(agentOne, id)).toMatchObject({
      state: 'ABORTED',
      abortReason: 'no licence',
      interaction: { state: 'CANCELLED' },
    });
    expect(base.newEvents()).toEqual(['APAbortedEvent']);
  });

  it("a host's room service that refuses for a reason that no store takes aborts the appointment all the same", async () => {
    const { rooms, ...base } = withRooms();
    rooms.openRoom = () => Promise.resolve({ status: 'refused', reason: `no\u0000licence \ud800${'x'.repeat(2000)}` });
    const { id } = await booked(base);
    expect((await errorOf(() => base.appointments.activate(agentOne, id))).code).toBe('invalid_state');
    const { abortReason } = (await base.appointments.get(agentOne, id)) as Appointment & {
      readonly abortReason: string;
    };
    expect(abortReason).toMatch(/^no licence \ufffdx+$/);
    expect(abortReason).toHaveLength(1000);
  });

  it.each([
    ['an id with NUL', { conferenceId: 'a\u0000b' }],
    ['an id of 1,025 characters', { conferenceId: 'a'.repeat(1025) }],
    ['an address with NUL', { roomUrl: 'https://rooms.example.org/\u0000' }],
    ['an address of 16,001 characters', { roomUrl: `https://rooms.example.org/${'\u20ac'.repeat(15_975)}` }],
  ])(
    "a host's room service that opens a room that not every store takes counts as one that does not answer: %s",
    async (_, wrong) => {
      const { rooms, ...base } = withRooms();
      const grant = { conferenceId: 'a', roomUrl: 'https://rooms.example.org/1', ...wrong };
      rooms.openRoom = () => Promise.resolve({ status: 'opened', grant });
      const { id } = await booked(base);
      expect((await errorOf(() => base.appointments.activate(agentOne, id))).code).toBe('unavailable');
      expect(base.signals.at(-1)).toMatchObject({ type: 'activationFailed', appointmentId: id });
    },
  );

  it("a host's room service that does not answer leaves the appointment as it is, for another try", async () => {
    const { rooms, ...base } = withRooms('down');
    const appointment = await booked(base);
    const error = await errorOf(() => base.appointments.activate(agentOne, appointment.id));
    expect(error).toMatchObject({ code: 'unavailable', temporary: true });
    expect(error.message).not.toContain('service does not answer');
    expect(base.signals.at(-1)).toMatchObject({ type: 'activationFailed', appointmentId: appointment.id });
    expect(await base.appointments.get(agentOne, appointment.id)).toEqual(appointment);
    rooms.mood = 'open';
    expect((await base.appointments.activate(agentOne, appointment.id)).state).toBe('ACTIVATED');
    expect(base.newEvents()).toEqual(['APActivatedEvent']);
  });
});

describe('Automatic activation inside another operation (D18)', () => {
  it('Automatic activation inside another operation opens the room', async () => {
    const { rooms, ...base } = withRooms();
    const made = await base.appointments.schedule(agentOne, booking(soon));
    expect(made).toMatchObject({ state: 'ACTIVATED', access: { conferenceId: 'conference-1' } });
    expect(rooms.calls).toBe(1);
  });

  it.each(['down', 'refuse'] as const)(
    'Automatic activation inside another operation goes on without it when the service is %s',
    async (mood) => {
      const { rooms: _rooms, ...base } = withRooms(mood);
      const made = await base.appointments.schedule(agentOne, booking(soon));
      expect(made).toMatchObject({ state: 'SCHEDULED', version: 1 });
      const other = await booked(base);
      const command = { id: other.id, ...soon, duration: 'PT30M', timezone: 'UTC' };
      expect(await base.appointments.reschedule(agentOne, command)).toMatchObject({ state: 'SCHEDULED', version: 2 });
      expect(base.newEvents()).toEqual(['APRescheduledEvent']);
    },
  );

  it('Automatic activation inside another operation is made up for by the worker: activated or aborted', async () => {
    const { rooms, ...base } = withRooms('down');
    const later = await base.appointments.schedule(agentOne, booking(soon));
    rooms.mood = 'open';
    await base.scheduling.workers.runOnce();
    expect((await base.appointments.get(agentOne, later.id)).state).toBe('ACTIVATED');
    rooms.mood = 'refuse';
    const never = await base.appointments.schedule(agentOne, booking(soon));
    await base.scheduling.workers.runOnce();
    expect((await base.appointments.get(agentOne, never.id)).state).toBe('ABORTED');
    expect(base.newEvents()).toEqual(['APCreatedEvent', 'APActivatedEvent', 'APCreatedEvent', 'APAbortedEvent']);
  });
});
