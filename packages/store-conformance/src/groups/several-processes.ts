import assert from 'node:assert/strict';
import type { Change, CommitResult, SchedulingStore } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, outcomes, sorted } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { aReservation } from '../fixtures/requests.js';

const forty = Array.from({ length: 40 }, (_, index) => index);
const guard = { actorIds: ['agent-1'], window: { from: fixtureStart, to: fixtureStart + hour } };
const claim = { now: fixtureStart, limit: 5, leaseUntil: fixtureStart + minute };

const alternating = (
  [first, second]: readonly [SchedulingStore, SchedulingStore],
  changes: readonly Change[],
): Promise<readonly CommitResult[]> =>
  Promise.all(changes.map((change, index) => (index % 2 === 0 ? first : second).commit(change)));

const cases: readonly Omit<ConformanceCase, 'requires'>[] = [
  {
    name: 'what one wrote the other reads at once',
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const appointment = aScheduledAppointment({ organizationId });
      await commitAll(store, insertion(appointment));
      assert.deepStrictEqual(await second.findAppointment(organizationId, appointment.id), appointment);
      await commitAll(second, update(nextVersion(appointment)));
      assert.deepStrictEqual(await store.findAppointment(organizationId, appointment.id), nextVersion(appointment));
    },
  },
  {
    name: 'guarded inserts of both for one agent: one is committed',
    async run({ store, organizationId, secondWriter }) {
      const appointments = forty.map((index) => aScheduledAppointment({ organizationId, id: `at-${index}` }));
      const results = await alternating(
        [store, await secondWriter()],
        appointments.map((appointment) => insertion(appointment, { guard })),
      );
      assert.deepEqual(outcomes(results), { committed: 1, slotConflict: 39 });
    },
  },
  {
    name: 'updates of one version by both: one is committed, with its one event',
    async run({ store, organizationId, secondWriter }) {
      const first = aScheduledAppointment({ organizationId });
      await commitAll(store, insertion(first));
      const changes = forty.map((index) => {
        const next = nextVersion(first, { title: `${index}` });
        return update(next, { events: [anEvent(next, { id: `e-${organizationId}-${index}` })] });
      });
      const results = await alternating([store, await secondWriter()], changes);
      assert.deepEqual(outcomes(results), { committed: 1, stale: 39 });
      assert.equal((await store.listEvents({ organizationId, appointmentId: first.id })).length, 1);
    },
  },
  {
    name: 'unrelated commits of both are all committed',
    async run({ store, organizationId, secondWriter }) {
      const changes = forty.map((index) => insertion(aScheduledAppointment({ organizationId, id: `at-${index}` })));
      const results = await alternating([store, await secondWriter()], changes);
      assert.deepEqual(outcomes(results), { committed: 40 });
      assert.equal((await store.listAppointments(listQuery(organizationId))).total, 40);
    },
  },
  {
    name: 'reservations of one request by both: one holds',
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const results = await Promise.all(
        forty.map((index) =>
          (index % 2 === 0 ? store : second).reserveRequest(aReservation(organizationId, { token: `token-${index}` })),
        ),
      );
      assert.deepEqual(outcomes(results), { reserved: 1, inProgress: 39 });
    },
  },
  {
    name: 'claims of both share no row and leave none',
    emptyStore: true,
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const stores = [store, second, store, second, store, second, store, second];
      const appointments = forty.map((index) => aScheduledAppointment({ organizationId, id: `at-${index}` }));
      await Promise.all(
        appointments.map((appointment, wakeAt) =>
          store.commit(insertion(appointment, { wakeAt, events: [anEvent(appointment)] })),
        ),
      );
      const expected = sorted(appointments.map(({ id }) => id));

      const due = await Promise.all(stores.map((claimer) => claimer.claimDueAppointments(claim)));
      const restDue = await store.claimDueAppointments({ ...claim, limit: 100 });
      assert.deepEqual(sorted([...due.flat(), ...restDue].map(({ appointment }) => appointment.id)), expected);

      const claimed = await Promise.all(stores.map((claimer) => claimer.claimEvents(claim)));
      const restEvents = await store.claimEvents({ ...claim, limit: 100 });
      const events = [...claimed.flat(), ...restEvents];
      assert.deepEqual(sorted(events.map(({ event }) => event.appointmentId)), expected);
      assert.equal(new Set(events.map(({ event, token }) => `${event.id} ${token}`)).size, 40);
    },
  },
];

export const severalProcessesGroup: ConformanceGroup = {
  name: 'several stores on the same data decide together',
  cases: cases.map((candidate): ConformanceCase => ({ ...candidate, requires: 'sharedBetweenProcesses' })),
};
