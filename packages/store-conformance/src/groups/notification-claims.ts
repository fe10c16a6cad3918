import assert from 'node:assert/strict';
import { notificationChannels, type NotificationClaim, type NotificationClaims } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, expectNotifications, sorted } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { adding, afterClaim, notification, notificationIn, notifying } from '../fixtures/notifications.js';
import { aProfile } from '../fixtures/profiles.js';

const lease = minute;
const claimAt = (now: number | undefined, limit = 100): NotificationClaim => ({
  channel: 'EMAIL',
  now,
  limit,
  leaseFor: lease,
});
const ids = ({ claimed }: NotificationClaims): readonly string[] => claimed.map((one) => one.notification.id);

const claiming: readonly Omit<ConformanceCase, 'emptyStore'>[] = [
  {
    name: 'what is due comes earliest first, ties by id, whatever its organization',
    async run({ store, organizationId, organization }) {
      const other = organization('other');
      await commitAll(
        store,
        adding(
          notification({ organizationId, id: 'd' }),
          notification({ organizationId, id: 'later', wakeAt: fixtureStart + 1 }),
          notification({ organizationId, id: 'never', wakeAt: null }),
          notification({ organizationId, id: 'first', wakeAt: 5 }),
          notification({ organizationId, id: 'B' }),
          notification({ organizationId, id: 'é' }),
        ),
        adding(
          notification({ organizationId: other, id: 'second', wakeAt: fixtureStart - 1 }),
          notification({ organizationId: other, id: 'c' }),
        ),
      );
      const claims = await store.claimNotifications(claimAt(fixtureStart));
      assert.deepEqual(ids(claims), ['first', 'second', 'B', 'c', 'd', 'é']);
      assert.equal(claims.now, fixtureStart);
      const dueAts = claims.claimed.map(({ dueAt }) => dueAt);
      assert.deepEqual(dueAts, [5, fixtureStart - 1, fixtureStart, fixtureStart, fixtureStart, fixtureStart]);
    },
  },
  {
    name: 'no more than the limit, the rest with the next claim',
    async run({ store, organizationId }) {
      const rows = ['e', 'b', 'a', 'd', 'c'].map((id, index) =>
        notification({ organizationId, id, wakeAt: fixtureStart - 10 + (index % 2) }),
      );
      await commitAll(store, adding(...rows));
      assert.deepEqual(ids(await store.claimNotifications(claimAt(fixtureStart, 2))), ['a', 'c']);
      assert.deepEqual(ids(await store.claimNotifications(claimAt(fixtureStart, 2))), ['e', 'b']);
      assert.deepEqual(ids(await store.claimNotifications(claimAt(fixtureStart, 2))), ['d']);
      assert.deepEqual(ids(await store.claimNotifications(claimAt(fixtureStart, 2))), []);
    },
  },
  {
    name: 'a claim on a store without notifications gives none, and the time',
    async run({ store }) {
      assert.deepEqual(await store.claimNotifications(claimAt(fixtureStart)), { now: fixtureStart, claimed: [] });
    },
  },
  {
    name: 'each channel has its own claims',
    async run({ store, organizationId }) {
      const rows = notificationChannels.map((channel) => notification({ organizationId, id: channel, channel }));
      await commitAll(store, adding(...rows));
      for (const channel of notificationChannels) {
        assert.deepEqual(ids(await store.claimNotifications({ ...claimAt(fixtureStart), channel })), [channel]);
        assert.deepEqual(ids(await store.claimNotifications({ ...claimAt(fixtureStart), channel })), []);
      }
    },
  },
  {
    name: 'a claimed row is nobody else’s before the lease ends, and due again then',
    async run({ store, organizationId }) {
      const row = notification({ organizationId });
      await commitAll(store, adding(row));
      await store.claimNotifications(claimAt(fixtureStart));
      const end = fixtureStart + lease;
      assert.deepEqual(ids(await store.claimNotifications(claimAt(end - 1))), []);
      const { claimed } = await store.claimNotifications(claimAt(end));
      const again = afterClaim(afterClaim(row, fixtureStart, lease), end, lease);
      assert.deepStrictEqual(claimed[0]?.notification, again);
      assert.deepEqual([claimed[0].found, claimed[0].dueAt, claimed.length], ['SENDING', end, 1]);
      await expectNotifications(store, again);
    },
  },
  {
    name: 'without a time the store’s own clock decides, and its time is told',
    async run({ store, organizationId }) {
      const rough = Date.now();
      const due = notification({ organizationId, id: 'due', wakeAt: rough - hour });
      const later = notification({ organizationId, id: 'later', wakeAt: rough + hour });
      await commitAll(store, adding(due, later));
      const { now, claimed } = await store.claimNotifications(claimAt(undefined));
      assert.ok(Number.isInteger(now));
      // Another machine's clock may differ by minutes, a mistaken time zone by half an hour at least.
      assert.ok(Math.abs(now - rough) < 20 * minute);
      assert.deepStrictEqual(
        claimed.map((one) => one.notification),
        [afterClaim(due, now, lease)],
      );
      await expectNotifications(store, afterClaim(due, now, lease), later);
      const next = await store.claimNotifications(claimAt(undefined));
      assert.ok(next.now >= now);
      assert.deepEqual(next.claimed, []);
    },
  },
  {
    name: 'a claim brings the appointment and the profile of the addressed customer as they are now',
    async run({ store, organizationId }) {
      const first = aScheduledAppointment({ organizationId });
      const second = nextVersion(first, { title: 'Second' });
      const customers = [
        aProfile(first, { firstName: 'Anna' }),
        aProfile(first, { participantId: 'customer-2', firstName: 'Bert' }),
      ];
      const row = notification({ organizationId, addressee: { type: 'CUSTOMER', id: 'customer-2' } });
      await commitAll(store, insertion(first, { customers }), adding(row));
      const changed = aProfile(first, { participantId: 'customer-2', firstName: 'Berta' });
      await commitAll(store, update(second, { customers: [changed] }));
      const { claimed } = await store.claimNotifications(claimAt(fixtureStart));
      assert.deepStrictEqual(claimed[0]?.appointment, second);
      assert.deepStrictEqual(claimed[0].customer, changed);
    },
  },
  {
    name: 'a claim brings neither once the appointment was removed, and no profile of one who was taken off',
    async run({ store, organizationId }) {
      const kept = aScheduledAppointment({ organizationId, id: 'kept' });
      const removed = aScheduledAppointment({ organizationId, id: 'removed' });
      const customers = [aProfile(kept)];
      await commitAll(
        store,
        insertion(kept, { customers }),
        insertion(removed, { customers: [aProfile(removed)] }),
        adding(
          notification({ organizationId, id: 'n-1', appointmentId: 'kept' }),
          notification({ organizationId, id: 'n-2', appointmentId: 'removed' }),
        ),
        update(nextVersion(kept), { removedCustomers: ['customer-1'] }),
        removal(removed),
      );
      const { claimed } = await store.claimNotifications(claimAt(fixtureStart));
      assert.deepEqual(
        claimed.map(({ appointment, customer }) => [appointment?.id, customer]),
        [
          ['kept', undefined],
          [undefined, undefined],
        ],
      );
    },
  },
  {
    name: 'appointment and profile are of the same organization',
    async run({ store, organizationId, organization }) {
      const theirs = aScheduledAppointment({ organizationId: organization('other') });
      await commitAll(
        store,
        insertion(theirs, { customers: [aProfile(theirs)] }),
        adding(notification({ organizationId })),
      );
      const { claimed } = await store.claimNotifications(claimAt(fixtureStart));
      assert.deepEqual([claimed[0]?.appointment, claimed[0]?.customer], [undefined, undefined]);
      assert.equal(claimed.length, 1);
    },
  },
  {
    name: 'an endpoint has no profile, even where a customer has its id',
    async run({ store, organizationId }) {
      const appointment = aScheduledAppointment({ organizationId });
      const addressee = { type: 'SYSTEM' as const, id: 'customer-1', label: 'CRM' };
      const row = notification({ organizationId, channel: 'WEBHOOKS', addressee });
      await commitAll(store, insertion(appointment, { customers: [aProfile(appointment)] }), adding(row));
      const found = await store.findNotification(organizationId, row.id);
      assert.deepEqual([found?.appointment?.id, found?.customer], [appointment.id, undefined]);
      const { claimed } = await store.claimNotifications({ ...claimAt(fixtureStart), channel: 'WEBHOOKS' });
      assert.deepStrictEqual(claimed[0]?.appointment, appointment);
      assert.equal(claimed[0].customer, undefined);
    },
  },
  {
    name: 'what was cancelled is not due, and what is added for now is due at once',
    async run({ store, organizationId }) {
      const old = notification({ organizationId, id: 'old' });
      const fresh = notification({ organizationId, id: 'fresh' });
      await commitAll(store, adding(old));
      const cancel = [{ appointmentId: old.appointmentId, message: 'Moved.', at: fixtureStart }];
      await commitAll(store, notifying(organizationId, { cancel, add: [{ next: fresh, events: [] }] }));
      assert.deepEqual(ids(await store.claimNotifications(claimAt(fixtureStart))), ['fresh']);
    },
  },
  {
    name: 'twenty claims at once share no row and leave none',
    async run({ store, organizationId }) {
      const rows = Array.from({ length: 150 }, (_, index) =>
        notificationIn(index % 3 === 0 ? 'SUBMITTED' : 'READY', { organizationId, id: `n-${index}`, wakeAt: index }),
      );
      await commitAll(store, adding(...rows));
      const claims = await Promise.all(
        Array.from({ length: 20 }, () => store.claimNotifications(claimAt(fixtureStart, 5))),
      );
      assert.ok(claims.every(({ claimed }) => claimed.length <= 5));
      const rest = await store.claimNotifications(claimAt(fixtureStart, 1000));
      assert.ok(rest.claimed.length >= 50);
      assert.deepEqual(sorted([...claims, rest].flatMap(ids)), sorted(rows.map(({ id }) => id)));
      await expectNotifications(store, ...rows.map((row) => afterClaim(row, fixtureStart, lease)));
    },
  },
];

export const notificationClaimsGroup: ConformanceGroup = {
  name: 'due notifications go to one worker at a time',
  cases: claiming.map((candidate): ConformanceCase => ({ ...candidate, emptyStore: true })),
};
