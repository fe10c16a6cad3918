import assert from 'node:assert/strict';
import { notificationChannels, type NotificationClaims } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect, sorted } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { adding, afterClaim, cancellation, changed, notifying } from '../fixtures/notifications.js';
import { added, atOnce, commitAll, numbers } from '../steps.js';

const lease = minute;
const claimAt = (now: number | undefined, limit = 100) => ({ channel: 'EMAIL', now, limit, leaseFor: lease }) as const;
const ids = ({ claimed }: NotificationClaims): readonly string[] => claimed.map((one) => one.notification.id);

export const notificationClaimsGroup = group('due notifications go to one worker at a time', [
  { rule: 'notification-claims', emptyStore: true },
  it('what is due comes earliest first, ties by id, whatever its organization', async (store, a) => {
    const other = a.of('other').organizationId;
    await commitAll(
      store,
      adding(
        a.notification({ id: 'd' }),
        a.notification({ id: 'later', wakeAt: fixtureStart + 1 }),
        a.notification({ id: 'never', wakeAt: null }),
        a.notification({ id: 'first', wakeAt: 5 }),
        a.notification({ id: 'B' }),
        a.notification({ id: 'é' }),
      ),
      adding(
        a.notification({ organizationId: other, id: 'second', wakeAt: fixtureStart - 1 }),
        a.notification({ organizationId: other, id: 'c' }),
      ),
    );
    const claims = await store.notifications.claim(claimAt(fixtureStart));
    expect(ids(claims)).toEqual(['first', 'second', 'B', 'c', 'd', 'é']);
    expect(claims.now).toEqual(fixtureStart);
    const dueAts = claims.claimed.map(({ dueAt }) => dueAt);
    expect(dueAts).toEqual([5, fixtureStart - 1, fixtureStart, fixtureStart, fixtureStart, fixtureStart]);
  }),
  it('no more than the limit, the rest with the next claim', async (store, a) => {
    const rows = ['e', 'b', 'a', 'd', 'c'].map((id, index) =>
      a.notification({ id, wakeAt: fixtureStart - 10 + (index % 2) }),
    );
    await commitAll(store, adding(...rows));
    expect(ids(await store.notifications.claim(claimAt(fixtureStart, 2)))).toEqual(['a', 'c']);
    expect(ids(await store.notifications.claim(claimAt(fixtureStart, 2)))).toEqual(['e', 'b']);
    expect(ids(await store.notifications.claim(claimAt(fixtureStart, 2)))).toEqual(['d']);
    expect(ids(await store.notifications.claim(claimAt(fixtureStart, 2)))).toEqual([]);
  }),
  it('a claim on a store without notifications gives none, and the time', async (store) => {
    expect(await store.notifications.claim(claimAt(fixtureStart))).toEqual({ now: fixtureStart, claimed: [] });
  }),
  it('each channel has its own claims', async (store, a) => {
    const rows = notificationChannels.map((channel) => a.notification({ id: channel, channel }));
    await commitAll(store, adding(...rows));
    for (const channel of notificationChannels) {
      expect(ids(await store.notifications.claim({ ...claimAt(fixtureStart), channel }))).toEqual([channel]);
      expect(ids(await store.notifications.claim({ ...claimAt(fixtureStart), channel }))).toEqual([]);
    }
  }),
  it('claims of all channels at the same time each give what is due', async (store, a) => {
    for (const round of numbers(50)) {
      const rows = notificationChannels.map((channel) => a.notification({ id: `${channel}-${round}`, channel }));
      await commitAll(store, adding(...rows));
      const claims = await Promise.all(
        notificationChannels.map((channel) => store.notifications.claim({ ...claimAt(fixtureStart), channel })),
      );
      expect(claims.flatMap(ids)).toEqual(rows.map(({ id }) => id));
    }
  }),
  it('a claimed row is nobody else’s before the lease ends, and due again then', async (store, a) => {
    const row = await added(store, a.notification());
    await store.notifications.claim(claimAt(fixtureStart));
    const end = fixtureStart + lease;
    expect(ids(await store.notifications.claim(claimAt(end - 1)))).toEqual([]);
    const { claimed } = await store.notifications.claim(claimAt(end));
    const again = afterClaim(afterClaim(row, fixtureStart, lease), end, lease);
    expect(claimed[0]?.notification).toEqual(again);
    expect([claimed[0]?.found, claimed[0]?.dueAt, claimed.length]).toEqual(['SENDING', end, 1]);
    await expect.notifications(store, again);
  }),
  it('without a time the store’s own clock decides, and its time is told', async (store, a) => {
    const rough = Date.now();
    const due = a.notification({ id: 'due', wakeAt: rough - hour });
    const later = a.notification({ id: 'later', wakeAt: rough + hour });
    await commitAll(store, adding(due, later));
    const { now, claimed } = await store.notifications.claim(claimAt(undefined));
    assert.ok(Number.isInteger(now));
    // Another machine's clock may differ by minutes, a mistaken time zone by half an hour at least.
    assert.ok(Math.abs(now - rough) < 20 * minute);
    expect(claimed.map((one) => one.notification)).toEqual([afterClaim(due, now, lease)]);
    await expect.notifications(store, afterClaim(due, now, lease), later);
    const next = await store.notifications.claim(claimAt(undefined));
    assert.ok(next.now >= now);
    expect(next.claimed).toEqual([]);
  }),
  { rule: 'now', emptyStore: true },
  it('what is due by the now of a change can be claimed at once by the clock of the store, and what comes later stays as it is', async (store, a, organizationId) => {
    const now = Date.now();
    // A store may take a difference of a second between the clocks for none.
    const by = now - 2_001;
    const [due, later] = [
      a.notification({ id: 'due', wakeAt: by }),
      a.notification({ id: 'later', wakeAt: now + hour }),
    ];
    const event = a.event(a.scheduled(), { occurredAt: by });
    await commitAll(store, { ...adding(due, later), events: [event], now });
    await expect.notifications(store, later);
    const { claimed, now: taken } = await store.notifications.claim(claimAt(undefined));
    expect(claimed.map(({ notification: { id } }) => id)).toEqual([due.id]);
    assert.ok(claimed.every(({ dueAt }) => dueAt <= taken));
    const failed = a.notificationIn('DONE', { id: 'failed', status: 'FAILED' });
    const retried = changed(failed, { phase: 'READY', status: 'PENDING', wakeAt: by });
    await commitAll(store, adding(failed), { ...notifying(organizationId, { update: retried }), now });
    expect(ids(await store.notifications.claim(claimAt(undefined)))).toEqual([failed.id]);
    const claim = { now: Date.now(), limit: 10, leaseUntil: now + hour, byProcess: true };
    expect((await store.events.claim(claim)).map((each) => each.event)).toEqual([event]);
  }),
  { rule: 'notification-claims', emptyStore: true },
  it('what was cancelled is not due, and what is added for now is due at once', async (store, a) => {
    const old = a.notification({ id: 'old' });
    const fresh = a.notification({ id: 'fresh' });
    await commitAll(store, adding(old));
    const cancel = [cancellation()];
    await commitAll(store, a.notifying({ cancel, add: [{ next: fresh, events: [] }] }));
    expect(ids(await store.notifications.claim(claimAt(fixtureStart)))).toEqual(['fresh']);
  }),
  it('twenty claims at once share no row and leave none', async (store, a) => {
    const rows = numbers(150).map((index) =>
      a.notificationIn(index % 3 === 0 ? 'SUBMITTED' : 'READY', { id: `n-${index}`, wakeAt: index }),
    );
    await commitAll(store, adding(...rows));
    const claims = await atOnce(20, () => store.notifications.claim(claimAt(fixtureStart, 5)));
    assert.ok(claims.every(({ claimed }) => claimed.length <= 5));
    const rest = await store.notifications.claim(claimAt(fixtureStart, 1000));
    assert.ok(rest.claimed.length >= 50);
    expect(sorted([...claims, rest].flatMap(ids))).toEqual(sorted(rows.map(({ id }) => id)));
    await expect.notifications(store, ...rows.map((row) => afterClaim(row, fixtureStart, lease)));
  }),
  { rule: 'beside', emptyStore: true },
  it('a claim brings the appointment and the profile of the addressed customer as they are now', async (store, a) => {
    const first = a.scheduled();
    const second = nextVersion(first, { title: 'Second' });
    const customers = [
      a.profile(first, { firstName: 'Anna' }),
      a.profile(first, { participantId: 'customer-2', firstName: 'Bert' }),
    ];
    const row = a.notification({ addressee: { type: 'CUSTOMER', id: 'customer-2' } });
    await commitAll(store, insertion(first, { customers }), adding(row));
    const changed = a.profile(first, { participantId: 'customer-2', firstName: 'Berta' });
    await commitAll(store, update(second, { customers: [changed] }));
    const { claimed } = await store.notifications.claim(claimAt(fixtureStart));
    expect(claimed[0]?.appointment).toEqual(second);
    expect(claimed[0]?.customer).toEqual(changed);
  }),
  it('a claim brings neither once the appointment was removed, and no profile of one who was taken off', async (store, a) => {
    const kept = a.scheduled({ id: 'kept' });
    const removed = a.scheduled({ id: 'removed' });
    const customers = [a.profile(kept)];
    await commitAll(
      store,
      insertion(kept, { customers }),
      a.booking(removed),
      adding(
        a.notification({ id: 'n-1', appointmentId: 'kept' }),
        a.notification({ id: 'n-2', appointmentId: 'removed' }),
      ),
      update(nextVersion(kept), { removedCustomers: ['customer-1'] }),
      removal(removed),
    );
    const { claimed } = await store.notifications.claim(claimAt(fixtureStart));
    expect(claimed.map(({ appointment }) => appointment?.id)).toEqual(['kept', undefined]);
    expect(claimed.map(({ customer }) => customer)).toEqual([undefined, undefined]);
  }),
  it('appointment and profile are of the same organization', async (store, a) => {
    const theirs = a.of('other').scheduled();
    await commitAll(store, a.booking(theirs), adding(a.notification()));
    const { claimed } = await store.notifications.claim(claimAt(fixtureStart));
    expect([claimed[0]?.appointment, claimed[0]?.customer]).toEqual([undefined, undefined]);
    expect(claimed.length).toEqual(1);
  }),
  it('an endpoint has no profile, even where a customer has its id', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const addressee = { type: 'SYSTEM' as const, id: 'customer-1', label: 'CRM' };
    const row = a.notification({ channel: 'WEBHOOKS', addressee });
    await commitAll(store, a.booking(appointment), adding(row));
    const found = await store.notifications.find(organizationId, row.id);
    expect([found?.appointment?.id, found?.customer]).toEqual([appointment.id, undefined]);
    const { claimed } = await store.notifications.claim({ ...claimAt(fixtureStart), channel: 'WEBHOOKS' });
    expect(claimed[0]?.appointment).toEqual(appointment);
    expect(claimed[0]?.customer).toEqual(undefined);
  }),
]);
