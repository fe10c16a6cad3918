import type { DeliveryPhase, Notification } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { expect, sorted } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { adding, notification } from '../fixtures/notifications.js';
import { added, commitAll, numbers } from '../steps.js';

const scheduledFor = fixtureStart;
const later = fixtureStart + minute;
const claim = { channel: 'EMAIL', limit: 100, leaseFor: minute, now: scheduledFor } as const;

/** A reminder that was planned to wait for a room. */
const waiting = (overrides: Partial<Notification> = {}): Notification =>
  notification({ type: 'REMINDER', scheduledFor, wakeAt: later, ...overrides });

const others: readonly (readonly [name: string, overrides: Partial<Notification>, phase: DeliveryPhase])[] = [
  ['of another appointment', { appointmentId: 'appointment-2' }, 'READY'],
  ['of another type', { type: 'FOLLOW_UP' }, 'READY'],
  ['due at its own time', { wakeAt: scheduledFor }, 'READY'],
  ['due before its own time', { wakeAt: scheduledFor - 1 }, 'READY'],
  ['without a time of its own', { scheduledFor: undefined }, 'READY'],
  ['without an instant', { wakeAt: null }, 'READY'],
  ['that is being sent', {}, 'SENDING'],
  ['that waits for another attempt', {}, 'RETRY_WAIT'],
  ['that its provider has taken', {}, 'SUBMITTED'],
  ['that is over', { wakeAt: null }, 'DONE'],
];

const ofOthers = others.map(([name, overrides, phase]): Case =>
  it(`a notification ${name} stays as it is`, async (store, a, organizationId) => {
    const row = await added(
      store,
      a.notificationIn(phase, { type: 'REMINDER', scheduledFor, wakeAt: later, ...overrides }),
    );
    await store.notifications.releaseReminders(organizationId, 'appointment-1', scheduledFor - 1);
    await expect.notifications(store, row);
  }),
);

export const reminderReleaseGroup = group('reminders that wait for a room are released', [
  { rule: 'reminders', emptyStore: true },
  it('each becomes due at its own time, with a further revision and no event', async (store, a, organizationId) => {
    const rows = ['n-1', 'n-2'].map((id) => waiting({ organizationId, id }));
    const message = waiting({ organizationId, id: 'n-3', channel: 'SMS' });
    const foreign = waiting({ organizationId: a.of('other').organizationId, id: 'n-4' });
    await commitAll(store, adding(...rows, message), adding(foreign));
    const interests = { appointments: false, events: false, channels: ['EMAIL'] } as const;
    expect((await store.notifications.claim(claim)).claimed).toEqual([]);
    expect(await store.nextWakeAt(interests)).toEqual(later);

    await store.notifications.releaseReminders(organizationId, 'appointment-1', scheduledFor - 1);
    for (const row of [...rows, message]) {
      await expect.updated(store, { next: { ...row, wakeAt: scheduledFor, revision: row.revision + 1 }, events: [] });
    }
    await expect.notifications(store, foreign);
    expect(await store.nextWakeAt(interests)).toEqual(scheduledFor);
    const { claimed } = await store.notifications.claim(claim);
    expect(claimed.map(({ notification: { id }, found, dueAt }) => [id, found, dueAt])).toEqual(
      rows.map(({ id }) => [id, 'READY', scheduledFor]),
    );
    await store.notifications.releaseReminders(organizationId, 'appointment-1', scheduledFor - 1);
    expect((await store.notifications.claim(claim)).claimed).toEqual([]);
  }),
  it('reminders that are released while they are claimed are claimed once each', async (store, _a, organizationId) => {
    const rows = numbers(40).map((index) =>
      waiting({ organizationId, id: `n-${index}`, appointmentId: `a-${index % 10}` }),
    );
    await commitAll(store, adding(...rows));
    const due = { ...claim, limit: 7, now: later };
    const ids: string[] = [];
    const claimSome = async (): Promise<void> => {
      const { claimed } = await store.notifications.claim(due);
      ids.push(...claimed.map(({ notification: { id } }) => id));
    };
    const releases = numbers(10).map((index) =>
      store.notifications.releaseReminders(organizationId, `a-${index}`, scheduledFor),
    );
    await Promise.all([...releases, ...Array.from({ length: 10 }, claimSome)]);
    // A claim passes over what somebody holds at that moment.
    for (let round = 0; round < 50 && ids.length < rows.length; round += 1) await claimSome();
    expect(sorted(ids)).toEqual(sorted(rows.map(({ id }) => id)));
  }),
  { rule: 'reminders' },
  it('each whose time has passed becomes due now, and none later than it was', async (store, _a, organizationId) => {
    const passed = waiting({ organizationId, id: 'n-1' });
    const ahead = waiting({ organizationId, id: 'n-2', scheduledFor: later - 2 });
    const sooner = waiting({ organizationId, id: 'n-3', wakeAt: scheduledFor + 5 });
    await commitAll(store, adding(passed, ahead, sooner));
    await store.notifications.releaseReminders(organizationId, 'appointment-1', scheduledFor + 7);
    await expect.notifications(store, { ...passed, wakeAt: scheduledFor + 7, revision: passed.revision + 1 });
    await expect.notifications(store, { ...ahead, wakeAt: later - 2, revision: ahead.revision + 1 });
    await expect.notifications(store, sooner);
  }),
  ...ofOthers,
]);
