import { describe, expect, it, vi } from 'vitest';
import { minutes, seconds } from '@calends/model';
import type { ConfiguredApplication } from '../src/index.js';
import { memoryStore } from '@calends/store-memory';
import { agentOne, booked, clientService, type Fixture, fixture } from './fixtures.js';
import { CountingRooms } from './counting-rooms.js';
import { end, start } from './sample-appointments.js';

const lead = start - minutes(30);
const grace = end + minutes(15);
const errorData = { systemMessage: 'gateway', userMessage: 'Sorry' };

interface Worked extends Fixture {
  readonly rooms: CountingRooms;
  /** Lets the worker look at a time; answers how many appointments it claimed. */
  readonly at: (time: number) => Promise<number>;
  readonly stateOf: (id: string) => Promise<string>;
}

function worked(settings: ConfiguredApplication = {}): Worked {
  const rooms = new CountingRooms();
  const base = fixture({ applications: { 'app-1': settings }, accessProvider: rooms });
  const at = async (time: number): Promise<number> => {
    base.clock.set(time);
    return (await base.scheduling.workers.runOnce()).appointments;
  };
  const stateOf = async (id: string): Promise<string> => {
    const { state, interaction } = await base.appointments.get(clientService, id);
    return `${state} ${interaction.state}`;
  };
  return { ...base, rooms, at, stateOf };
}

describe('The worker activates at start − leadTime (D18)', () => {
  it('the worker activates at start − leadTime: then, not before, once', async () => {
    const base = worked();
    const { id } = await booked(base);
    expect(await base.at(lead - 1)).toBe(0);
    expect(await base.stateOf(id)).toBe('SCHEDULED PENDING');
    expect(await base.at(lead)).toBe(1);
    expect(await base.stateOf(id)).toBe('ACTIVATED PENDING');
    expect(await base.at(lead)).toBe(0);
    expect(base.newEvents()).toEqual(['APActivatedEvent']);
    expect(base.events().at(-1)).toMatchObject({
      actor: { id: 'calends', type: 'SYSTEM', role: 'SYSTEM' },
      data: { explicit: false },
    });
    expect(base.rooms.calls).toBe(1);
  });

  it('the worker activates at start − leadTime at the lead time of the application', async () => {
    const base = worked({ autoActivation: { enabled: true, leadTime: minutes(5) } });
    const { id } = await booked(base);
    await base.at(start - minutes(5) - 1);
    expect(await base.stateOf(id)).toBe('SCHEDULED PENDING');
    await base.at(start - minutes(5));
    expect(await base.stateOf(id)).toBe('ACTIVATED PENDING');
  });

  it('the worker activates at start − leadTime never where it is off', async () => {
    const base = worked({ autoActivation: { enabled: false, leadTime: minutes(30) } });
    const { id } = await booked(base);
    await base.at(start);
    expect(await base.stateOf(id)).toBe('SCHEDULED PENDING');
  });

  it('the worker activates again at the new time after a reschedule', async () => {
    const base = worked();
    const { id } = await booked(base);
    await base.appointments.reschedule(agentOne, {
      id,
      start: '2030-05-07T11:00:00Z',
      duration: 'PT30M',
      timezone: 'UTC',
    });
    await base.at(lead);
    expect(await base.stateOf(id)).toBe('SCHEDULED PENDING');
    await base.at(Date.UTC(2030, 4, 7, 10, 30));
    expect(await base.stateOf(id)).toBe('ACTIVATED PENDING');
  });

  it('the worker activates at start − leadTime opens no room for what was cancelled or is over', async () => {
    const base = worked();
    const { id } = await booked(base);
    await base.appointments.cancel(agentOne, { id });
    const late = await booked(base);
    await base.at(end);
    expect(await base.stateOf(late.id)).toBe('SCHEDULED PENDING');
    await base.at(grace);
    expect(await base.stateOf(late.id)).toBe('SCHEDULED NO_SHOW');
    expect(await base.stateOf(id)).toBe('CANCELLED CANCELLED');
    expect(base.rooms.calls).toBe(0);
  });

  it('the worker tries again 30 s later when the room service does not answer, and says so', async () => {
    const base = worked();
    const { id } = await booked(base);
    base.rooms.mood = 'down';
    expect(await base.at(lead)).toBe(1);
    expect(await base.at(lead + seconds(30) - 1)).toBe(0);
    expect(await base.at(lead + seconds(30))).toBe(1);
    expect(base.rooms.calls).toBe(2);
    const failures = base.signals.filter(({ type }) => type === 'workerFailed');
    expect(failures).toHaveLength(2);
    base.rooms.mood = 'open';
    await base.at(lead + seconds(60));
    expect(await base.stateOf(id)).toBe('ACTIVATED PENDING');
    expect(base.newEvents()).toEqual(['APActivatedEvent']);
  });

  it('the worker aborts when the room is refused for good (D15)', async () => {
    const base = worked();
    const { id } = await booked(base);
    base.rooms.mood = 'refuse';
    await base.at(lead);
    expect(await base.stateOf(id)).toBe('ABORTED CANCELLED');
    expect(base.newEvents()).toEqual(['APAbortedEvent']);
    expect(await base.at(grace)).toBe(0);
  });

  it('the worker activates at start − leadTime ten at a time, also where passes run beside each other', async () => {
    const inner = memoryStore();
    const claimDue: typeof inner.appointments.claimDue = async (claim) => {
      await new Promise(setImmediate);
      return inner.appointments.claimDue(claim);
    };
    const rooms = new CountingRooms();
    const store = { ...inner, appointments: { ...inner.appointments, claimDue } };
    const base = fixture({ store, accessProvider: rooms });
    let [atOnce, max] = [0, 0];
    const openRoom = rooms.openRoom.bind(rooms);
    rooms.openRoom = async (subject) => {
      max = Math.max(max, (atOnce += 1));
      await new Promise(setImmediate);
      atOnce -= 1;
      return openRoom(subject);
    };
    for (let count = 0; count < 25; count += 1) await booked(base);
    base.clock.set(lead);
    const passes = await Promise.all([1, 2, 3].map(() => base.scheduling.workers.runOnce()));
    expect(passes.reduce((sum, { appointments }) => sum + appointments, 0)).toBe(25);
    expect([rooms.rooms.size, max]).toEqual([25, 10]);
  });

  it('the worker activates at start − leadTime gives up after 30 s on a room service that does not answer, and tries again 30 s later', async () => {
    vi.useFakeTimers();
    try {
      const base = worked();
      const { id } = await booked(base);
      const openRoom = base.rooms.openRoom.bind(base.rooms);
      base.rooms.openRoom = () => new Promise<never>(() => undefined);
      const pass = base.at(lead);
      await vi.advanceTimersByTimeAsync(seconds(30));
      expect(await pass).toBe(1);
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'workerFailed', job: 'dueAppointments' }));
      expect(await base.stateOf(id)).toBe('SCHEDULED PENDING');
      base.rooms.openRoom = openRoom;
      expect(await base.at(lead + seconds(30) - 1)).toBe(0);
      expect(await base.at(lead + seconds(30))).toBe(1);
      expect(await base.stateOf(id)).toBe('ACTIVATED PENDING');
    } finally {
      vi.useRealTimers();
    }
  });

  it('the worker activates at start − leadTime does not let one appointment in trouble keep others back', async () => {
    const rooms = new CountingRooms();
    const broken = { ...fixture({ accessProvider: rooms }) };
    const ids = [await booked(broken), await booked(broken), await booked(broken)].map(({ id }) => id);
    const openRoom = rooms.openRoom.bind(rooms);
    rooms.openRoom = async (subject) =>
      subject.appointmentId === ids[1] ? Promise.reject(new Error('no')) : openRoom(subject);
    broken.clock.set(lead);
    await broken.scheduling.workers.runOnce();
    const states = await Promise.all(ids.map(async (id) => (await broken.appointments.get(clientService, id)).state));
    expect(states).toEqual(['ACTIVATED', 'SCHEDULED', 'ACTIVATED']);
  });
});

describe('The worker ends what nobody came to (D14)', () => {
  it.each(['PENDING', 'INITIATED'] as const)('%s becomes NO_SHOW at end + grace, once', async (state) => {
    const base = worked();
    const { id } = await booked(base);
    await base.at(lead);
    if (state === 'INITIATED') await base.appointments.moveInteraction(agentOne, { id, to: 'INITIATED' });
    base.newEvents();
    await base.at(grace - 1);
    expect(await base.stateOf(id)).toBe(`ACTIVATED ${state}`);
    await base.at(grace);
    expect(await base.stateOf(id)).toBe('ACTIVATED NO_SHOW');
    await base.at(grace + minutes(60));
    expect(base.newEvents()).toEqual(['APInteractionUpdatedEvent']);
  });

  it('the worker ends what nobody came to after the grace of the application', async () => {
    const base = worked({ noShowGrace: 0, autoActivation: { enabled: false, leadTime: 0 } });
    const { id } = await booked(base);
    await base.at(end);
    expect(await base.stateOf(id)).toBe('SCHEDULED NO_SHOW');
  });

  it('the worker ends what nobody came to leaves what runs or is completed alone', async () => {
    const base = worked();
    const { id } = await booked(base);
    await base.appointments.moveInteraction(agentOne, { id, to: 'IN_PROGRESS' });
    await base.at(grace);
    expect(await base.stateOf(id)).toMatch(/ IN_PROGRESS$/);
  });
});

describe('The worker aborts what stayed FAILED at the end (D15)', () => {
  it('the worker aborts what stayed FAILED at the end: then, not before', async () => {
    const base = worked();
    const { id } = await booked(base);
    await base.at(lead);
    await base.appointments.moveInteraction(agentOne, { id, to: 'FAILED', errorData });
    await base.at(end - 1);
    expect(await base.stateOf(id)).toBe('ACTIVATED FAILED');
    base.newEvents();
    await base.at(end);
    expect(await base.stateOf(id)).toBe('ABORTED FAILED');
    expect(base.newEvents()).toEqual(['APAbortedEvent']);
  });

  it('the worker does not abort what recovered before', async () => {
    const base = worked();
    const { id } = await booked(base);
    await base.at(lead);
    await base.appointments.moveInteraction(agentOne, { id, to: 'FAILED', errorData });
    await base.appointments.moveInteraction(agentOne, { id, to: 'PENDING' });
    await base.at(end);
    expect(await base.stateOf(id)).toBe('ACTIVATED PENDING');
  });
});

describe('Several workers on one store', () => {
  it('Several workers on one store do nothing twice', async () => {
    const accessProvider = new CountingRooms();
    const base = fixture({ accessProvider });
    const { store, clock, ids } = base;
    const other = fixture({ store, clock, ids, accessProvider });
    const made = [];
    for (let count = 0; count < 120; count += 1) made.push((await booked(base)).id);
    for (const [time, event] of [
      [lead, 'APActivatedEvent'],
      [grace, 'APInteractionUpdatedEvent'],
    ] as const) {
      clock.set(time);
      const passes = await Promise.all([base, other].map(({ scheduling }) => scheduling.workers.runOnce()));
      expect(passes.reduce((sum, { appointments }) => sum + appointments, 0)).toBe(120);
      const committed = [...base.events(), ...other.events()].filter(({ type }) => type === event);
      expect(committed.map(({ appointmentId }) => appointmentId).sort()).toEqual([...made].sort());
    }
    expect(accessProvider.rooms.size).toBe(120);
    expect(accessProvider.calls).toBe(120);
  });

  it('Several workers on one store take over when one froze with its claim, after its lease', async () => {
    const base = fixture();
    const { id } = await booked(base);
    base.clock.set(lead);
    await base.store.appointments.claimDue({ now: lead, limit: 10, leaseUntil: lead + seconds(30) });
    expect((await base.scheduling.workers.runOnce()).appointments).toBe(0);
    base.clock.advance(seconds(30));
    expect((await base.scheduling.workers.runOnce()).appointments).toBe(1);
    expect((await base.appointments.get(clientService, id)).state).toBe('ACTIVATED');
  });

  it('several workers and calls at the same time: one room, one activation', async () => {
    const accessProvider = new CountingRooms();
    const base = fixture({ accessProvider });
    const { id } = await booked(base);
    base.clock.set(lead);
    await Promise.all([base.scheduling.workers.runOnce(), base.appointments.activate(agentOne, id)]);
    expect(base.newEvents()).toEqual(['APActivatedEvent']);
    expect(accessProvider.calls).toBe(1);
  });
});
