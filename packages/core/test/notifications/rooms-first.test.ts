import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '@calends/model';
import type { AccessSubject, ConfiguredApplication, RoomOpening } from '../../src/index.js';
import { CountingRooms } from '../counting-rooms.js';
import { managePageUrl } from '../customers/manage-fixture.js';
import { agentOne, booked, type FixtureOptions, standingClock } from '../fixtures.js';
import { start } from '../sample-appointments.js';
import { type Notified, notified, reachable } from './notified.js';

const mails = { active: true, email: { from: 'a@clinic.example' } } as const;
/** When, with the defaults, rooms open and reminders are due. */
const lead = start - minutes(30);

/** What a mail leads to. */
const linksIn = (text: string): readonly string[] => text.match(/https?:\S+/g) ?? [];
const reminders = ({ email }: Notified): readonly (readonly string[])[] =>
  email.sent.flatMap(({ message }) => (message.type === 'REMINDER' ? [linksIn(message.text)] : []));

describe('A reminder of the instant at which the room opens, with the defaults (D61)', () => {
  it('a reminder of the instant at which the room opens leads into the room', async () => {
    const rooms = new CountingRooms();
    const base = notified(mails, { accessProvider: rooms });
    const { id } = await booked(base, { customers: [reachable] });
    base.clock.set(lead);
    await base.work();
    expect(reminders(base)).toEqual([[rooms.rooms.get(id)?.roomUrl]]);
  });

  it('a reminder of the instant at which the room opens is due at its own time where the room has been opened before', async () => {
    const base = notified(mails);
    const { id } = await booked(base, { customers: [reachable] });
    await base.appointments.activate(agentOne, id);
    base.clock.set(lead - 1);
    await base.work();
    expect(reminders(base)).toEqual([]);
    base.clock.set(lead);
    await base.work();
    expect(reminders(base)).toHaveLength(1);
  });

  it('a reminder of the instant at which the room opens goes without the room a minute later, with the link of the page, while the room cannot be opened', async () => {
    const accessProvider = new CountingRooms();
    accessProvider.mood = 'down';
    const base = notified(mails, { accessProvider, managePageUrl });
    await booked(base, { customers: [reachable] });
    base.clock.set(lead);
    await base.work();
    await base.after(seconds(60) - 1);
    expect(reminders(base)).toEqual([]);
    await base.after(1);
    expect(reminders(base)).toEqual([[expect.stringContaining(`${managePageUrl}#`)]]);
    expect(
      (await base.statuses({ types: ['REMINDER'] })).map(({ status, retryCount }) => [status, retryCount]),
    ).toEqual([['DELIVERED', 1]]);
  });

  it('a reminder of the instant at which the room opens is held back by nothing where rooms are opened by calls only', async () => {
    const application: ConfiguredApplication = {
      notifications: mails,
      autoActivation: { enabled: false, leadTime: minutes(30) },
    };
    const base = notified(mails, { applications: { 'app-1': application } });
    await booked(base, { customers: [reachable] });
    base.clock.set(lead);
    await base.work();
    expect(reminders(base)).toHaveLength(1);
  });

  it('a reminder of the instant at which the room opens waits all the same where it was planned before rooms opened by themselves: given back, no attempt', async () => {
    let autoActivation = { enabled: false, leadTime: minutes(30) };
    const applications = { find: () => ({ notifications: mails, autoActivation }) };
    const accessProvider = new CountingRooms();
    accessProvider.mood = 'down';
    const base = notified(mails, { applications, accessProvider, managePageUrl });
    const { id } = await booked(base, { customers: [reachable] });
    autoActivation = { enabled: true, leadTime: minutes(30) };
    base.clock.set(lead);
    await base.work();
    expect(reminders(base)).toEqual([]);
    const [waiting] = await base.statuses({ types: ['REMINDER'] });
    expect([waiting?.status, waiting?.retryCount]).toEqual(['INITIALIZED', 0]);

    accessProvider.mood = 'open';
    await base.appointments.activate(agentOne, id);
    await base.work();
    expect(reminders(base)).toHaveLength(1);
    const history = await base.history(waiting?.id);
    expect(history.map(({ status, retryCount }) => [status, retryCount])).toEqual([
      ['INITIALIZED', 0],
      ['DELIVERED', 1],
    ]);
  });

  it('a reminder of the instant at which the room opens goes out a minute late when its release fails; the activation stands', async () => {
    const store = memoryStore();
    const releaseReminders = (): Promise<void> => Promise.reject(new Error('The database does not answer.'));
    const base = notified(mails, { store: { ...store, notifications: { ...store.notifications, releaseReminders } } });
    const { id } = await booked(base, { customers: [reachable] });
    base.clock.set(lead);
    await base.work();
    expect((await base.appointments.get(agentOne, id)).state).toBe('ACTIVATED');
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'workerFailed', job: 'releaseReminders' }));
    await base.after(seconds(60));
    expect(reminders(base)).toHaveLength(1);
  });
});

/** Rooms of which each takes 200 ms of the test's clock to open, however many open at once; one may not open at all. */
class SlowRooms extends CountingRooms {
  readonly clock = standingClock();
  stuck: string | undefined;
  freeStuck: () => void = () => undefined;
  maxAtOnce = 0;
  #opening: (() => void)[] = [];

  override async openRoom(subject: AccessSubject): Promise<RoomOpening> {
    await new Promise<void>((resolve) => {
      if (subject.appointmentId === this.stuck) this.freeStuck = resolve;
      else if (this.#opening.push(resolve) === 1) setImmediate(() => this.#open());
    });
    return super.openRoom(subject);
  }

  #open(): void {
    const opened = this.#opening.splice(0);
    this.maxAtOnce = Math.max(this.maxAtOnce, opened.length);
    this.clock.advance(200);
    for (const resolve of opened) resolve();
  }
}

describe('Five hundred appointments of one instant, with rooms that take 200 ms to open (D61)', () => {
  /** Runs the workers from the instant on. */
  async function run(rooms: SlowRooms, options: FixtureOptions = {}) {
    const base = notified(mails, { accessProvider: rooms, clock: rooms.clock, worker: { interval: 10 }, ...options });
    const made: string[] = [];
    for (let count = 0; count < 500; count += 1) made.push((await booked(base, { customers: [reachable] })).id);
    await base.work();
    /** Until so many reminders are out. */
    const out = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (base.email.types.filter((type) => type === 'REMINDER').length === count) resolve();
        };
        base.email.answers(() => {
          look();
          return { status: 'delivered' };
        });
        look();
      });
    const start = (): void => {
      rooms.clock.set(lead);
      base.scheduling.workers.start();
    };
    return { ...base, made, out, start };
  }

  it('all reminders are out within a minute, each with its link into the room', async () => {
    const rooms = new SlowRooms();
    const base = await run(rooms);
    const out = base.out(500);
    base.start();
    await out;
    expect(rooms.clock.now() - lead).toBeLessThanOrEqual(seconds(60));
    const links = reminders(base);
    expect(links.every((each) => each.length === 1)).toBe(true);
    expect(new Set(links.flat())).toEqual(new Set([...rooms.rooms.values()].map(({ roomUrl }) => roomUrl)));
    expect(rooms.rooms.size).toBe(500);
    expect(rooms.maxAtOnce).toBe(10);
    await base.scheduling.close();
  });

  it('a room that does not open holds up no other, and its own reminder goes a minute later', async () => {
    const rooms = new SlowRooms();
    const base = await run(rooms, { managePageUrl });
    rooms.stuck = base.made[7];
    const others = base.out(499);
    base.start();
    await others;
    expect(rooms.clock.now() - lead).toBeLessThan(seconds(60));
    const all = base.out(500);
    rooms.clock.set(lead + seconds(60));
    await all;
    expect(base.email.sent.at(-1)?.message.appointmentId).toBe(rooms.stuck);
    expect(reminders(base).every(([link]) => link?.startsWith(`${managePageUrl}#`))).toBe(true);
    rooms.stuck = undefined;
    rooms.freeStuck();
    await base.scheduling.close();
  });
});
