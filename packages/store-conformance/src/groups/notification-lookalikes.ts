import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import {
  deliveryEventsOf,
  expect,
  listedEventIds,
  listedNotificationIds,
  sorted,
  storedNotification,
} from '../expectations.js';
import { customer, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { deliveryEventQuery, notificationQuery } from '../fixtures/queries.js';
import { adding, cancellation, changed, delivered } from '../fixtures/notifications.js';
import { commitAll } from '../steps.js';

const claim = { channel: 'EMAIL', limit: 1000, leaseFor: minute, now: fixtureStart } as const;

export const notificationLookalikesGroup = group(
  'notifications that differ only in letter case, accent or blanks stay apart',
  [
    { rule: 'code-points' },
    it('lookalike ids stay apart: find, settle, count and events', async (store, a, organizationId) => {
      const rows = lookalikes('n').map((id) => a.notificationIn('SENDING', { id, dedupeKey: id }));
      await commitAll(store, adding(...rows));
      expect(sorted(await listedNotificationIds(store, a.notificationQuery()))).toEqual(
        sorted(rows.map(({ id }) => id)),
      );
      for (const [index, row] of rows.entries()) {
        await expect.notifications(store, row);
        expect(await store.notifications.countSending(organizationId, [row.id])).toEqual(1);
        const settled = changed(row, { ...delivered, messageId: `m-${index}` });
        expect(await store.notifications.settle([settled])).toEqual([true]);
        await expect.notifications(store, settled.next, ...rows.slice(index + 1));
        expect((await deliveryEventsOf(store, row)).length).toEqual(2);
        expect(await store.notifications.countSending(organizationId, [row.id])).toEqual(0);
      }
    }),
    it('lookalike ids stay apart that are settled in one call, and updated in a commit', async (store, a) => {
      const rows = lookalikes('n').map((id) => a.notificationIn('SENDING', { id, dedupeKey: id }));
      await commitAll(store, adding(...rows));
      const updates = rows.map((row, index) => changed(row, { phase: 'SUBMITTED', messageId: `m-${index}` }));
      assert.ok((await store.notifications.settle(updates)).every((isWritten) => isWritten));
      await expect.notifications(store, ...updates.map(({ next }) => next));
      for (const { next } of updates) {
        const update = changed(next, delivered);
        await commitAll(store, a.notifying({ update }));
        await expect.notifications(store, update.next);
      }
    }),
    it('lookalike dedupeKeys stay apart', async (store, a) => {
      const rows = lookalikes('key').map((dedupeKey, index) => a.notification({ id: `n-${index}`, dedupeKey }));
      await commitAll(store, adding(...rows));
      await expect.notifications(store, ...rows);
    }),
    it('lookalike organizations stay apart: find, list and settle', async (store, a) => {
      const rows = lookalikes(a.of('o').organizationId).map((organizationId) =>
        a.notificationIn('SENDING', { organizationId, message: organizationId }),
      );
      await commitAll(store, ...rows.map((row) => adding(row)));
      for (const row of rows) {
        const settled = changed(row, delivered);
        expect(await store.notifications.settle([settled])).toEqual([true]);
        const { items } = await store.notifications.list(notificationQuery(row.organizationId));
        expect(items.map((item) => item.notification)).toEqual([settled.next]);
        const eventIds = await listedEventIds(store, deliveryEventQuery(row.organizationId));
        expect(eventIds).toEqual(['notification-1-000001', 'notification-1-000002']);
      }
    }),
    it('lookalike applications stay apart: both lists', async (store, a) => {
      const applications = lookalikes('p');
      const rows = applications.map((applicationId, index) => a.notification({ id: `n-${index}`, applicationId }));
      await commitAll(store, adding(...rows));
      for (const [index, applicationId] of applications.entries()) {
        const listed = await listedNotificationIds(store, a.notificationQuery({ applicationId }));
        expect(listed).toEqual([`n-${index}`]);
        const events = await listedEventIds(store, a.deliveryEventQuery({ applicationId }));
        expect(events).toEqual([`n-${index}-000001`]);
      }
    }),
    it('lookalike appointments stay apart: cancellation, scope and what a list brings along', async (store, a, organizationId) => {
      const ids = lookalikes('a');
      for (const [index, id] of ids.entries()) {
        const appointment = a.scheduled({ id, organizerId: `agent-${index}` });
        const row = a.notification({ id: `n-${index}`, appointmentId: id });
        const customers = [a.profile(appointment, { firstName: id })];
        await commitAll(store, insertion(appointment, { customers }), adding(row));
      }
      const { items } = await store.notifications.list(a.notificationQuery());
      expect(items.map(({ appointment, customer: profile }) => [appointment?.id, profile?.firstName])).toEqual(
        ids.map((id) => [id, id]),
      );
      for (const [index, appointmentId] of ids.entries()) {
        const scope = { kind: 'ofAgent', agentId: `agent-${index}` } as const;
        const ofAgent = await listedNotificationIds(store, a.notificationQuery({ scope }));
        expect(ofAgent).toEqual([`n-${index}`]);
        await commitAll(store, a.notifying({ cancel: [cancellation({ appointmentId })] }));
        const query = a.notificationQuery({ statuses: ['CANCELLED'] });
        expect((await store.notifications.list(query)).total).toEqual(index + 1);
        expect((await storedNotification(store, organizationId, `n-${index}`)).status).toEqual('CANCELLED');
      }
    }),
    { rule: 'code-points', emptyStore: true },
    it('lookalike addressees stay apart: cancellation and profiles', async (store, a, organizationId) => {
      const ids = lookalikes('c');
      const appointment = a.scheduled({ participants: ids.map((id) => customer(id)) });
      const customers = ids.map((participantId) => a.profile(appointment, { participantId, lastName: participantId }));
      const rows = ids.map((id, index) =>
        a.notification({ id: `n-${index}`, addressee: { type: 'CUSTOMER', id }, wakeAt: index }),
      );
      await commitAll(store, insertion(appointment, { customers }), adding(...rows));
      const [gone, ...kept] = ids as [string, ...string[]];
      await commitAll(store, a.notifying({ cancel: [cancellation({ addresseeId: gone })] }));
      const { claimed } = await store.notifications.claim(claim);
      expect(claimed.map((one) => one.customer?.lastName)).toEqual(kept);
      const profiles = await store.customers.list(organizationId, appointment.id);
      expect(sorted(profiles.map(({ participantId }) => participantId))).toEqual(sorted(ids));
    }),
    it('lookalike organizations and ids stay apart: claims', async (store, a) => {
      const rows = lookalikes(a.of('o').organizationId).flatMap((organizationId) =>
        lookalikes('n').map((id) => a.notification({ organizationId, id, dedupeKey: id })),
      );
      await commitAll(store, ...rows.map((row) => adding(row)));
      const { claimed } = await store.notifications.claim(claim);
      expect(claimed.length).toEqual(rows.length);
      const places = claimed.map(({ notification: { organizationId, id } }) => JSON.stringify([organizationId, id]));
      expect(new Set(places).size).toEqual(rows.length);
      const answers = await store.notifications.settle(claimed.map((one) => changed(one.notification, delivered)));
      assert.ok(answers.every((isWritten) => isWritten));
      expect(await store.notifications.backlog()).toEqual([]);
    }),
  ],
);
