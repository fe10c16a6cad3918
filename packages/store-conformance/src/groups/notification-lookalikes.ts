import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import {
  commitAll,
  deliveryEventsOf,
  expectNotifications,
  listedEventIds,
  listedNotificationIds,
  sorted,
  storedNotification,
} from '../expectations.js';
import { aScheduledAppointment, customer, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { lookalikes } from '../fixtures/lookalikes.js';
import { deliveryEventQuery, notificationQuery } from '../fixtures/notification-query.js';
import { adding, changed, notification, notificationIn, notifying } from '../fixtures/notifications.js';
import { aProfile } from '../fixtures/profiles.js';

const delivered = { phase: 'DONE', status: 'DELIVERED', wakeAt: null } as const;
const claim = { channel: 'EMAIL', limit: 1000, leaseFor: minute, now: fixtureStart } as const;

export const notificationLookalikesGroup: ConformanceGroup = {
  name: 'notifications that differ only in letter case, accent or blanks stay apart',
  cases: [
    {
      name: 'ids: find, settle, count and events',
      async run({ store, organizationId }) {
        const rows = lookalikes('n').map((id) => notificationIn('SENDING', { organizationId, id, dedupeKey: id }));
        await commitAll(store, adding(...rows));
        assert.deepEqual(
          sorted(await listedNotificationIds(store, notificationQuery(organizationId))),
          sorted(rows.map(({ id }) => id)),
        );
        for (const [index, row] of rows.entries()) {
          await expectNotifications(store, row);
          assert.equal(await store.countSending(organizationId, [row.id]), 1);
          const settled = changed(row, { ...delivered, messageId: `m-${index}` });
          assert.deepEqual(await store.settleNotifications([settled]), [true]);
          await expectNotifications(store, settled.next, ...rows.slice(index + 1));
          assert.equal((await deliveryEventsOf(store, row)).length, 2);
          assert.equal(await store.countSending(organizationId, [row.id]), 0);
        }
      },
    },
    {
      name: 'ids settled in one call, and updated in a commit',
      async run({ store, organizationId }) {
        const rows = lookalikes('n').map((id) => notificationIn('SENDING', { organizationId, id, dedupeKey: id }));
        await commitAll(store, adding(...rows));
        const updates = rows.map((row, index) => changed(row, { phase: 'SUBMITTED', messageId: `m-${index}` }));
        assert.ok((await store.settleNotifications(updates)).every((isWritten) => isWritten));
        await expectNotifications(store, ...updates.map(({ next }) => next));
        for (const { next } of updates) {
          const update = changed(next, delivered);
          await commitAll(store, notifying(organizationId, { update }));
          await expectNotifications(store, update.next);
        }
      },
    },
    {
      name: 'dedupeKeys',
      async run({ store, organizationId }) {
        const rows = lookalikes('key').map((dedupeKey, index) =>
          notification({ organizationId, id: `n-${index}`, dedupeKey }),
        );
        await commitAll(store, adding(...rows));
        await expectNotifications(store, ...rows);
      },
    },
    {
      name: 'organizations: find, list and settle',
      async run({ store, organization }) {
        const rows = lookalikes(organization('o')).map((organizationId) =>
          notificationIn('SENDING', { organizationId, message: organizationId }),
        );
        for (const row of rows) await commitAll(store, adding(row));
        for (const row of rows) {
          const settled = changed(row, delivered);
          assert.deepEqual(await store.settleNotifications([settled]), [true]);
          const { items } = await store.listNotifications(notificationQuery(row.organizationId));
          assert.deepStrictEqual(
            items.map((item) => item.notification),
            [settled.next],
          );
          const eventIds = await listedEventIds(store, deliveryEventQuery(row.organizationId));
          assert.deepEqual(eventIds, ['notification-1-000001', 'notification-1-000002']);
        }
      },
    },
    {
      name: 'applications: both lists',
      async run({ store, organizationId }) {
        const applications = lookalikes('p');
        await commitAll(
          store,
          adding(
            ...applications.map((applicationId, index) =>
              notification({ organizationId, id: `n-${index}`, applicationId }),
            ),
          ),
        );
        for (const [index, applicationId] of applications.entries()) {
          const listed = await listedNotificationIds(store, notificationQuery(organizationId, { applicationId }));
          assert.deepEqual(listed, [`n-${index}`]);
          const events = await listedEventIds(store, deliveryEventQuery(organizationId, { applicationId }));
          assert.deepEqual(events, [`n-${index}-000001`]);
        }
      },
    },
    {
      name: 'appointments: cancellation, scope and what a list brings along',
      async run({ store, organizationId }) {
        const ids = lookalikes('a');
        for (const [index, id] of ids.entries()) {
          const appointment = aScheduledAppointment({ organizationId, id, organizerId: `agent-${index}` });
          const row = notification({ organizationId, id: `n-${index}`, appointmentId: id });
          const customers = [aProfile(appointment, { firstName: id })];
          await commitAll(store, insertion(appointment, { customers }), adding(row));
        }
        const { items } = await store.listNotifications(notificationQuery(organizationId));
        assert.deepEqual(
          items.map(({ appointment, customer: profile }) => [appointment?.id, profile?.firstName]),
          ids.map((id) => [id, id]),
        );
        for (const [index, appointmentId] of ids.entries()) {
          const scope = { kind: 'ofAgent', agentId: `agent-${index}` } as const;
          const ofAgent = await listedNotificationIds(store, notificationQuery(organizationId, { scope }));
          assert.deepEqual(ofAgent, [`n-${index}`]);
          const cancel = [{ appointmentId, message: 'Over.', at: fixtureStart }];
          await commitAll(store, notifying(organizationId, { cancel }));
          const query = notificationQuery(organizationId, { statuses: ['CANCELLED'] });
          assert.equal((await store.listNotifications(query)).total, index + 1);
          assert.equal((await storedNotification(store, organizationId, `n-${index}`)).status, 'CANCELLED');
        }
      },
    },
    {
      name: 'addressees: cancellation and profiles',
      emptyStore: true,
      async run({ store, organizationId }) {
        const ids = lookalikes('c');
        const appointment = aScheduledAppointment({ organizationId, participants: ids.map((id) => customer(id)) });
        const customers = ids.map((participantId) => aProfile(appointment, { participantId, lastName: participantId }));
        const rows = ids.map((id, index) =>
          notification({ organizationId, id: `n-${index}`, addressee: { type: 'CUSTOMER', id }, wakeAt: index }),
        );
        await commitAll(store, insertion(appointment, { customers }), adding(...rows));
        const [gone, ...kept] = ids as [string, ...string[]];
        const cancel = [{ appointmentId: appointment.id, addresseeId: gone, message: 'Over.', at: fixtureStart }];
        await commitAll(store, notifying(organizationId, { cancel }));
        const { claimed } = await store.claimNotifications(claim);
        assert.deepEqual(
          claimed.map((one) => one.customer?.lastName),
          kept,
        );
        const profiles = await store.listCustomers(organizationId, appointment.id);
        assert.deepEqual(sorted(profiles.map(({ participantId }) => participantId)), sorted(ids));
      },
    },
    {
      name: 'organizations and ids: claims',
      emptyStore: true,
      async run({ store, organization }) {
        const rows = lookalikes(organization('o')).flatMap((organizationId) =>
          lookalikes('n').map((id) => notification({ organizationId, id, dedupeKey: id })),
        );
        for (const row of rows) await commitAll(store, adding(row));
        const { claimed } = await store.claimNotifications(claim);
        assert.equal(claimed.length, rows.length);
        const places = claimed.map(({ notification: { organizationId, id } }) => JSON.stringify([organizationId, id]));
        assert.equal(new Set(places).size, rows.length);
        const answers = await store.settleNotifications(claimed.map((one) => changed(one.notification, delivered)));
        assert.ok(answers.every((isWritten) => isWritten));
        assert.deepEqual(await store.notificationBacklog(), []);
      },
    },
  ],
};
