import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minutes, seconds } from '@calends/model';
import { PublisherUnavailableError } from '../../src/publisher.js';
import { answerOrCode } from '../error-of.js';
import { CountingRooms } from '../counting-rooms.js';
import { agentOne, booked, booking, type Fixture, fixture, type FixtureOptions, supervisor } from '../fixtures.js';

const never = (): Promise<never> => new Promise<never>(() => undefined);

describe('A part of the host that never answers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** What a call comes to after half a minute. */
  async function inTheEnd(call: () => Promise<unknown>): Promise<unknown> {
    const answer = answerOrCode(call);
    await vi.advanceTimersByTimeAsync(seconds(30));
    return answer;
  }

  it.each<[string, FixtureOptions, (base: Fixture) => Promise<unknown>]>([
    [
      'agentDirectory',
      { agentDirectory: { standingOf: never } },
      ({ appointments }) => appointments.schedule(agentOne, booking({ targetAssignment: { id: 'agent-7' } })),
    ],
    [
      'applications',
      { applications: { find: never } },
      ({ appointments }) => appointments.schedule(agentOne, booking()),
    ],
    [
      'otpVerifier',
      { otpVerifier: { verify: never } },
      ({ appointments }) =>
        appointments.scheduleAsCustomer({ username: 'maria@example.org', code: '123456' }, booking()),
    ],
  ])(
    'a part of the host that never answers fails a call as temporary, with nothing done: %s',
    async (_port, options, call) => {
      const base = fixture(options);
      expect(await inTheEnd(() => call(base))).toBe('unavailable');
      expect(base.newEvents()).toEqual([]);
    },
  );

  it('a part of the host that never answers keeps no appointment for itself: a room that does not open lets others have their turn', async () => {
    const rooms = new CountingRooms();
    const base = fixture({ accessProvider: rooms });
    const { id } = await booked(base);
    const openRoom = rooms.openRoom.bind(rooms);
    rooms.openRoom = never;
    const activation = answerOrCode(() => base.appointments.activate(agentOne, id));
    const cancellation = base.appointments.cancel(supervisor, { id });
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect(await activation).toBe('unavailable');
    expect((await cancellation).state).toBe('CANCELLED');
    rooms.openRoom = openRoom;
  });

  it('a part of the host that never answers is given up as a subscriber: its event is tried again, all else goes on, and the library can be closed', async () => {
    const base = fixture();
    const seen: string[] = [];
    let isSilent = true;
    base.scheduling.events.subscribe(({ appointmentId }) =>
      isSilent && appointmentId === first.id ? never() : void seen.push(appointmentId),
    );
    const first = await booked(base);
    const second = await booked(base, { start: '2030-05-06T12:00:00Z' });
    const pass = base.scheduling.workers.runOnce();
    await vi.advanceTimersByTimeAsync(seconds(30));
    expect((await pass).events).toBe(2);
    expect(seen).toEqual([second.id]);
    isSilent = false;
    base.clock.advance(seconds(1));
    await base.scheduling.workers.runOnce();
    expect(seen).toEqual([second.id, first.id]);
    await base.scheduling.close();
  });

  it('a part of the host that never answers parks no event as a publisher: its broker is away', async () => {
    let isSilent = true;
    const publish = (): Promise<void> => (isSilent ? never() : Promise.resolve());
    const base = fixture({ eventPublisher: { publish } });
    await booked(base);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const pass = base.scheduling.workers.runOnce();
      await vi.advanceTimersByTimeAsync(seconds(30));
      await pass;
      base.clock.advance(minutes(5));
    }
    const told = base.signals.filter(({ type }) => type === 'eventRetried' || type === 'eventParked');
    expect(told).toHaveLength(20);
    for (const signal of told) {
      expect(signal.type).toBe('eventRetried');
      expect(PublisherUnavailableError.is('error' in signal && signal.error)).toBe(true);
    }
    isSilent = false;
    expect((await base.scheduling.workers.runOnce()).events).toBe(1);
  });
});
