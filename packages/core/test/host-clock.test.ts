import { memoryStore } from '@calends/store-memory';
import { expect, it } from 'vitest';
import { hours, minutes } from '@calends/model';
import { createScheduling } from '../src/index.js';
import { agentOne, booked, booking, fixture, secret, standingClock } from './fixtures.js';
import { everything, notified, reachable } from './notifications/notified.js';
import { now } from './sample-appointments.js';

it('A clock of the host may tell parts of a millisecond: what is kept is whole, as every store wants it', async () => {
  const store = memoryStore();
  const scheduling = createScheduling({ store, secret, clock: { now: () => now + 0.37 } });
  const { id } = await scheduling.appointments.schedule(agentOne, booking());
  await scheduling.appointments.cancel(agentOne, { id });
  expect(await store.appointments.find(agentOne.organizationId, id)).toMatchObject({ createdAt: now, updatedAt: now });
  await scheduling.close();
});

it.each([1, 2, 3])(
  'A clock of the host that tells no time %i times in a pass holds up neither the pass nor the end, and its work is done later',
  async (times) => {
    for (let good = 0; good < 60; good += 1) {
      const clock = standingClock();
      let left = Infinity;
      const tellsNone = (): boolean => (left -= 1) < 0 && left >= -times;
      const base = notified(
        { ...everything, reminders: [] },
        { clock: { ...clock, now: () => (tellsNone() ? NaN : clock.now()) } },
      );
      const { id } = await booked(base, { customers: [reachable] });
      clock.advance(hours(2.75));
      left = good;
      await base.work().catch(() => undefined);
      left = Infinity;
      clock.advance(minutes(10));
      await base.work();
      await base.scheduling.close();
      expect((await base.statuses({ types: ['CREATE'] })).map(({ status }) => status)).not.toContain('INITIALIZED');
      expect((await base.appointments.get(agentOne, id)).state).toBe('ACTIVATED');
    }
  },
);

it('A clock of the host that tells no time when a room could not be opened leaves the appointment to its claim, and says so', async () => {
  const clock = standingClock();
  const told = { none: false };
  const openRoom = (): never => {
    told.none = true;
    setImmediate(() => (told.none = false));
    throw new Error('The room service is away.');
  };
  const base = fixture({
    clock: { ...clock, now: () => (told.none ? NaN : clock.now()) },
    accessProvider: { conferenceIsAppointment: true, openRoom, details: openRoom },
  });
  await booked(base);
  clock.advance(hours(2.75));
  base.scheduling.workers.start();
  const faults = (): readonly unknown[] =>
    base.signals.flatMap((signal) =>
      signal.type === 'workerFailed' && signal.job === 'dueAppointments' ? [signal.error] : [],
    );
  while (faults().length === 0 || told.none) await new Promise(setImmediate);
  await base.scheduling.close();
  expect(faults()).toMatchObject([{ code: 'unavailable' }, { code: 'internal' }]);
});
