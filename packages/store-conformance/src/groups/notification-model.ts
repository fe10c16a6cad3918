import assert from 'node:assert/strict';
import {
  deliveryEventId,
  type Notification,
  notificationChannels,
  notificationEventSortFields,
  notificationSortFields,
  notificationTypes,
  type SchedulingStore,
} from '@calends/core';
import fc from 'fast-check';
import type { ConformanceGroup } from '../conformance-case.js';
import { aScheduledAppointment, fixtureStart } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { notification } from '../fixtures/notifications.js';
import { NotificationModel } from '../notification-model.js';

/** The same every time: a failure must be the same on every store and machine. */
const seed = 20_261_121;
const leaseFor = 7;

const applications = ['app-1', 'app-2'];
const appointments = ['a-0', 'a-1', 'a-2'];
const customers = ['c-0', 'c-1', 'C-1'];
const channel = fc.constantFrom(...notificationChannels);
const types = notificationTypes.slice(0, 4);
const type = fc.constantFrom(...types);

const some = <Value>(...values: readonly Value[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }), { nil: undefined });

const anyRow = fc.record({
  applicationId: fc.constantFrom(...applications),
  appointmentId: fc.constantFrom(...appointments),
  addresseeId: fc.constantFrom(...customers),
  dedupeKey: fc.nat(70).map((place) => `key-${place}`),
  channel,
  type,
  wait: fc.option(fc.nat(20), { nil: null }),
  scheduledFor: fc.option(fc.nat(3), { nil: undefined }),
});

const anyOutcome = fc.constantFrom<Partial<Notification>>(
  { phase: 'DONE', status: 'DELIVERED', wakeAt: null },
  { phase: 'DONE', status: 'FAILED', wakeAt: null, errorMessage: 'Refused.' },
  { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: fixtureStart + 30, nextRetryAt: fixtureStart + 30 },
  { phase: 'SUBMITTED', status: 'PENDING', wakeAt: fixtureStart + 25, nextPollAt: fixtureStart + 25 },
  { phase: 'SUBMITTED', status: 'PENDING', wakeAt: null },
);

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), rows: fc.array(anyRow, { maxLength: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('claim' as const), channel, limit: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      picks: fc.uniqueArray(fc.nat(1000), { maxLength: 4 }),
      outcome: anyOutcome,
      isLate: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('cancel' as const),
      appointmentId: fc.constantFrom(...appointments),
      types: some(...types),
      channels: some(...notificationChannels),
      addresseeId: fc.option(fc.constantFrom(...customers), { nil: undefined }),
      messageIfTaken: fc.option(fc.constant('Taken before.'), { nil: undefined }),
    }),
  },
);

const anyFilters = fc.record({
  applicationId: fc.constantFrom(...applications),
  types: some(...types),
  channels: some(...notificationChannels),
  statuses: some(
    'INITIALIZED' as const,
    'PENDING' as const,
    'DELIVERED' as const,
    'FAILED' as const,
    'CANCELLED' as const,
  ),
  from: fc.option(
    fc.nat(80).map((place) => fixtureStart + place),
    { nil: undefined },
  ),
  to: fc.option(
    fc.nat(80).map((place) => fixtureStart + place),
    { nil: undefined },
  ),
  scope: fc.constantFrom(
    { kind: 'all' as const },
    { kind: 'existing' as const },
    { kind: 'ofAgent' as const, agentId: 'anna' },
  ),
  sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
  pageNumber: fc.integer({ min: 1, max: 3 }),
  pageSize: fc.constantFrom(2, 7, 200),
});
const anyQuery = fc.record({ filters: anyFilters, sortField: fc.constantFrom(...notificationSortFields) });
const anyEventQuery = fc.record({ filters: anyFilters, sortField: fc.constantFrom(...notificationEventSortFields) });

async function expectLists(store: SchedulingStore, organizationId: string, model: NotificationModel): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyQuery, anyEventQuery, async (ofRows, ofEvents) => {
      const query = { ...ofRows.filters, organizationId, sortField: ofRows.sortField };
      const rows = await store.listNotifications(query);
      const expected = model.list(query);
      assert.equal(rows.total, expected.total);
      assert.deepStrictEqual(
        rows.items.map((item) => item.notification),
        expected.items,
      );
      const eventQuery = { ...ofEvents.filters, organizationId, sortField: ofEvents.sortField };
      const events = await store.listDeliveryEvents(eventQuery);
      const expectedEvents = model.listEvents(eventQuery);
      assert.equal(events.total, expectedEvents.total);
      assert.deepStrictEqual(
        events.items.map((item) => ({ event: item.event, notification: item.notification })),
        expectedEvents.items,
      );
    }),
    { seed, numRuns: 60 },
  );
}

export const notificationModelGroup: ConformanceGroup = {
  name: 'a store does to notifications what the naive model does',
  cases: [
    {
      name: 'in two hundred commits, claims and outcomes, and in the lists after them',
      emptyStore: true,
      async run({ store, organizationId }) {
        // The agent of the lists organizes one, is assigned to one, and one has no record.
        const records = [
          aScheduledAppointment({ organizationId, id: 'a-0', organizerId: 'anna' }),
          aScheduledAppointment({ organizationId, id: 'a-1', organizerId: 'bert' }),
        ];
        for (const appointment of records) await store.commit(insertion(appointment));
        const model = new NotificationModel(records);
        for (const [index, step] of fc.sample(anyStep, { numRuns: 200, seed }).entries()) {
          const now = fixtureStart + Math.floor(index / 3);
          if (step.kind === 'add') {
            const add = step.rows.map(({ addresseeId, wait, ...row }, place) => {
              const id = `n-${`${index}`.padStart(3, '0')}-${place}`;
              const addressee = { type: 'CUSTOMER' as const, id: addresseeId };
              const wakeAt = wait === null ? null : now + wait;
              const next = notification({
                ...row,
                organizationId,
                id,
                addressee,
                wakeAt,
                createdAt: now,
                updatedAt: now,
              });
              const event = { number: 1, timestamp: now, status: next.status, attempts: 0, pollAttempts: 0 };
              return { next, events: [event] };
            });
            const change = { organizationId, events: [], notifications: { add } };
            assert.deepEqual(await store.commit(change), { status: 'committed' });
            for (const write of add) model.add(write);
          } else if (step.kind === 'claim') {
            const claim = { channel: step.channel, limit: step.limit, leaseFor, now };
            const { claimed } = await store.claimNotifications(claim);
            assert.deepStrictEqual(
              claimed.map(({ found, dueAt, updatedBefore, notification }) => ({
                found,
                dueAt,
                updatedBefore,
                notification,
              })),
              model.claim(
                claim,
                claimed.map(({ notification: { id } }) => id),
              ),
            );
          } else if (step.kind === 'settle') {
            const updates = model.outcomes(step.picks, step.outcome, step.isLate, now);
            assert.deepEqual(await store.settleNotifications(updates), model.settle(updates));
          } else {
            const { kind: _, ...filters } = step;
            const cancellation = { ...filters, message: `Step ${index}.`, at: now };
            const change = { organizationId, events: [], notifications: { cancel: [cancellation] } };
            const result = await store.commit(change);
            assert.ok(result.status === 'committed');
            assert.deepEqual((result.sending ?? []).toSorted(), model.cancel(cancellation).toSorted());
          }
          const interests = { appointments: false, events: false, channels: notificationChannels };
          assert.equal(await store.nextWakeAt(interests), model.nextWakeAt());
        }
        const ids = model.rows.map(({ id }) => id);
        assert.ok(ids.length > 50 && new Set(model.rows.map(({ status }) => status)).size === 5);
        assert.equal(await store.countSending(organizationId, ids), model.countSending());
        await expectLists(store, organizationId, model);
        const all = await store.listDeliveryEvents({
          ...{ organizationId, applicationId: 'app-1', scope: { kind: 'all' } },
          ...{ sortField: 'id', sortOrder: 'asc', pageNumber: 1, pageSize: 1000 },
        });
        const eventIds = all.items.map((item) => deliveryEventId(item.notification.id, item.event.number));
        assert.deepEqual(eventIds, eventIds.toSorted());
      },
    },
  ],
};
