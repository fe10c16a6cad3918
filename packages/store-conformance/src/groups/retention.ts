import type { Notification, NotificationPurge, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect, listedIds, retentionOf, sorted } from '../expectations.js';
import { day, fixtureStart, hour } from '../fixtures/appointments.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { changed, deliveryEvent, notification, notifying, written } from '../fixtures/notifications.js';
import type { Words } from '../fixtures/words.js';
import { added, commitAll, numbers } from '../steps.js';

const before = fixtureStart + 30 * day;

/** Settled long before the time, of an appointment without a record. */
const old = (a: Words, overrides: Partial<Notification> = {}): Notification =>
  a.notificationIn('DONE', { eventCount: 2, ...overrides });

/** A whole round; how many went, and how many steps it took. */
async function round(
  store: SchedulingStore,
  asked: Partial<NotificationPurge> = {},
): Promise<{ readonly removed: number; readonly most: number }> {
  let [removed, most, steps] = [0, 0, 0];
  let after: readonly string[] | undefined;
  do {
    const step = await retentionOf(store).purgeNotifications({ before, limit: 100, after, ...asked });
    removed += step.removed;
    most = Math.max(most, step.removed);
    after = step.next;
    steps += 1;
    expect(steps < 1000).toEqual(true, 'a round comes to an end');
  } while (after !== undefined);
  return { removed, most };
}

const keptIds = async (store: SchedulingStore, a: Words, applicationId = 'app-1'): Promise<readonly string[]> =>
  (await store.notifications.list(a.notificationQuery({ applicationId }))).items.map((each) => each.notification.id);

const historyIds = async (store: SchedulingStore, a: Words): Promise<readonly string[]> => {
  const { items, total } = await store.notifications.listEvents(a.deliveryEventQuery());
  expect(total).toEqual(items.length);
  return items.map((each) => each.notification.id);
};

const claim = { job: 'retention', leaseFor: hour } as const;

export const retentionGroup = group('what is over goes by the policy of the host', [
  { rule: 'leases', emptyStore: true },
  it('a job has one holder until its lease ends, who may renew it', async (store) => {
    const claims = (holder: string, now: number) => retentionOf(store).claim({ ...claim, holder, now });
    expect(await claims('one', fixtureStart)).toEqual(true);
    expect(await claims('two', fixtureStart + hour - 1)).toEqual(false);
    expect(await claims('one', fixtureStart + hour - 1)).toEqual(true);
    expect(await claims('two', fixtureStart + hour)).toEqual(false);
    expect(await claims('two', fixtureStart + 2 * hour - 1)).toEqual(true);
    expect(await claims('one', fixtureStart + 2 * hour)).toEqual(false);
  }),
  it('twenty who ask for a job at once: one gets it, by the clock of the store', async (store) => {
    const answers = await Promise.all(
      numbers(20).map((index) => retentionOf(store).claim({ ...claim, holder: `holder-${index}` })),
    );
    expect(answers.filter((answer) => answer).length).toEqual(1);
  }),
  { rule: 'retention', emptyStore: true },
  it('what is settled and old goes with its history, bounded, of every organization and application', async (store, a) => {
    const others = [
      old(a, { id: 'elsewhere', applicationId: 'app-2' }),
      old(a.of('other'), { id: 'foreign' }),
      old(a.of('other'), { id: 'foreign-elsewhere', applicationId: 'app-3' }),
    ];
    for (const index of numbers(5)) await added(store, old(a, { id: `old-${index}` }));
    for (const each of others) await added(store, each);
    expect(await round(store, { limit: 2 })).toEqual({ removed: 8, most: 2 });
    expect(await keptIds(store, a)).toEqual([]);
    expect(await historyIds(store, a)).toEqual([]);
    for (const { organizationId, id } of others)
      expect(await store.notifications.find(organizationId, id)).toEqual(undefined);
    expect(await round(store)).toEqual({ removed: 0, most: 0 });
  }),
  it('what is not settled, or was made, tried or changed since, stays with its history', async (store, a) => {
    const kept = [
      a.notification({ id: 'ready', eventCount: 2 }),
      ...(['SENDING', 'RETRY_WAIT', 'SUBMITTED', 'POLLING'] as const).map((phase) =>
        a.notificationIn(phase, { id: phase, eventCount: 2 }),
      ),
      old(a, { id: 'tried since', updatedAt: before }),
      old(a, { id: 'made since', createdAt: before, updatedAt: before }),
      old(a, { id: 'made since, by a clock that was ahead', createdAt: before, updatedAt: before - 1 }),
    ];
    for (const each of [...kept, old(a, { id: 'gone', updatedAt: before - 1 })]) await added(store, each);
    expect((await round(store, { limit: 3 })).removed).toEqual(1);
    const ids = kept.map(({ id }) => id);
    expect(await keptIds(store, a)).toEqual(sorted(ids));
    expect(sorted(await historyIds(store, a))).toEqual(sorted([...ids, ...ids]));
  }),
  it('what belongs to an appointment stays until that has ended so long ago', async (store, a) => {
    const [over, ahead] = [a.scheduled({ id: 'over' }), a.scheduled({ id: 'ahead', start: before - hour / 4 })];
    await commitAll(store, insertion(over), insertion(ahead));
    for (const { id } of [over, ahead]) await added(store, old(a, { id: `of-${id}`, appointmentId: id }));
    await round(store);
    expect(await keptIds(store, a)).toEqual(['of-ahead']);
    await round(store, { before: ahead.schedule.end });
    expect(await keptIds(store, a)).toEqual(['of-ahead']);
    await round(store, { before: ahead.schedule.end + 1 });
    expect(await keptIds(store, a)).toEqual([]);
  }),
  it('what belongs to an appointment stays while an event of that waits, is claimed, or is parked', async (store, a) => {
    const appointments = ['parked', 'claimed', 'delivered'].map((id) => a.scheduled({ id }));
    for (const each of appointments) {
      await commitAll(store, insertion(each, { events: [a.event(each)] }));
      await added(store, old(a, { id: each.id, appointmentId: each.id }));
    }
    expect((await round(store)).removed).toEqual(0);
    const claimed = await store.events.claim({ now: fixtureStart, limit: 10, leaseUntil: fixtureStart + hour });
    await store.events.settle(
      claimed.flatMap(({ event, token }) => {
        const { appointmentId: status } = event;
        if (status !== 'parked' && status !== 'delivered') return [];
        return [{ eventId: event.id, token, status, at: fixtureStart } as const];
      }),
    );
    expect((await round(store)).removed).toEqual(1);
    expect(await keptIds(store, a)).toEqual(['claimed', 'parked']);
    await store.events.release({ organizationId: a.organizationId, as: 'delivered', at: fixtureStart });
    await round(store);
    expect(await keptIds(store, a)).toEqual(['claimed']);
  }),
  it('what has the same id in another organization goes or stays by its own state, appointment and events', async (store, a) => {
    const b = a.of('other');
    const ahead = b.scheduled({ id: 'ahead', start: before });
    const told = b.scheduled({ id: 'told' });
    await commitAll(store, insertion(ahead), insertion(told, { events: [b.event(told)] }));
    const ids = ['ready', ahead.id, told.id];
    for (const id of ids) {
      await added(store, old(a, { id, appointmentId: id }));
      const theirs = { id, appointmentId: id, eventCount: 2 };
      await added(store, id === 'ready' ? b.notification(theirs) : old(b, theirs));
    }
    expect((await round(store)).removed).toEqual(3);
    expect([await keptIds(store, a), await historyIds(store, a)]).toEqual([[], []]);
    expect(await keptIds(store, b)).toEqual(sorted(ids));
    expect(sorted(await historyIds(store, b))).toEqual(sorted([...ids, ...ids]));
  }),
  it('an id that went may be used again, and has a history of its own', async (store, a) => {
    const gone = await added(store, old(a));
    await round(store);
    const again = await added(store, a.notification({ id: gone.id }));
    await expect.updated(store, { next: again, events: [] });
    expect(await historyIds(store, a)).toEqual([gone.id]);
  }),
  it('what goes leaves its appointment, the messages of others and a free dedupe key', async (store, a) => {
    const appointment = a.scheduled();
    const [gone, kept] = [old(a, { id: 'gone' }), a.notification({ id: 'kept' })];
    await commitAll(store, a.booking(appointment), update(nextVersion(appointment)));
    for (const each of [gone, kept]) await added(store, each);
    await round(store);
    expect(await listedIds(store, a.listQuery())).toEqual([appointment.id]);
    expect(await keptIds(store, a)).toEqual(['kept']);
    await added(store, a.notification({ id: 'again', dedupeKey: gone.dedupeKey }));
    expect(await keptIds(store, a)).toEqual(['again', 'kept']);
  }),
  it('what somebody retries while rounds go on stays, or is gone as a whole', async (store, a, organizationId) => {
    const all = numbers(20).map((index) => old(a, { id: `each-${index}`, status: 'FAILED' }));
    for (const each of all) await added(store, each);
    const retries = all.map((each) => {
      const retried = changed(each, { phase: 'READY', status: 'PENDING', wakeAt: fixtureStart });
      return store.commit(notifying(organizationId, { update: retried }));
    });
    const [, ...results] = await Promise.all([round(store, { limit: 3 }), ...retries]);
    const kept = all.filter((_, index) => results[index]?.status === 'committed').map(({ id }) => id);
    expect(await keptIds(store, a)).toEqual(sorted(kept));
    expect((await historyIds(store, a)).length).toEqual(3 * kept.length);
    await round(store);
    expect(await keptIds(store, a)).toEqual(sorted(kept));
  }),
  { rule: 'milliseconds', emptyStore: true },
  it('what was changed a millisecond before the time of a round goes, and what was changed at it stays', async (store, a) => {
    const time = before + 501;
    for (const step of [-1, 0]) await added(store, old(a, { id: `at ${step}`, updatedAt: time + step }));
    expect((await round(store, { before: time })).removed).toEqual(1);
    expect(await keptIds(store, a)).toEqual(['at 0']);
  }),
  { rule: 'code-points', emptyStore: true },
  it('holders of a job that look alike are others', async (store) => {
    const claims = (holder: string) => retentionOf(store).claim({ ...claim, holder, now: fixtureStart });
    const [first = '', ...others] = lookalikes('holder-');
    expect(await claims(first)).toEqual(true);
    for (const other of others) expect(await claims(other)).toEqual(false, other);
    expect(await claims(first)).toEqual(true);
  }),
  it('a round goes through organizations, applications and ids that look alike', async (store, a) => {
    const events = [deliveryEvent(), deliveryEvent({ number: 2 })];
    for (const applicationId of ['App', 'app', 'äpp']) {
      for (const id of ['n', 'N', 'n ']) {
        const next = notification({
          ...old(a),
          applicationId,
          id: `${id}${applicationId}`,
          dedupeKey: id + applicationId,
        });
        await commitAll(store, notifying(a.organizationId, { add: [written(next, events)] }));
      }
    }
    expect(await round(store, { limit: 1 })).toEqual({ removed: 9, most: 1 });
  }),
]);
