import assert from 'node:assert/strict';
import type { Claim, DueAppointment, Instant, SchedulingStore } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, expectStale, sorted } from '../expectations.js';
import { aCancelledAppointment, aScheduledAppointment, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';

const lease = minute;
const claimAt = (now: Instant, limit = 100): Claim => ({ now, limit, leaseUntil: now + lease });
const ids = (due: readonly DueAppointment[]): readonly string[] => due.map(({ appointment }) => appointment.id);

/** Inserts one appointment per entry: its id, and when the worker must look at it. */
async function fill(
  store: SchedulingStore,
  organizationId: string,
  wakeAts: Readonly<Record<string, Instant | null>>,
): Promise<void> {
  for (const [id, wakeAt] of Object.entries(wakeAts)) {
    await commitAll(store, insertion(aScheduledAppointment({ organizationId, id }), { wakeAt }));
  }
}

const claiming: readonly Omit<ConformanceCase, 'emptyStore'>[] = [
  {
    name: 'what is due comes earliest first, whatever its organization, with the instant that has come',
    async run({ store, organizationId, organization }) {
      const other = organization('other');
      await fill(store, organizationId, { third: fixtureStart, first: 5, later: fixtureStart + 1, never: null });
      await fill(store, other, { second: fixtureStart - 1 });
      assert.deepStrictEqual(await store.claimDueAppointments(claimAt(fixtureStart)), [
        { appointment: aScheduledAppointment({ organizationId, id: 'first' }), wakeAt: 5 },
        { appointment: aScheduledAppointment({ organizationId: other, id: 'second' }), wakeAt: fixtureStart - 1 },
        { appointment: aScheduledAppointment({ organizationId, id: 'third' }), wakeAt: fixtureStart },
      ]);
    },
  },
  {
    name: 'no more than the limit, the rest with the next claim',
    async run({ store, organizationId }) {
      await fill(store, organizationId, { c: 3, a: 1, d: 4, b: 2, e: 5 });
      assert.deepEqual(ids(await store.claimDueAppointments(claimAt(fixtureStart, 2))), ['a', 'b']);
      assert.deepEqual(ids(await store.claimDueAppointments(claimAt(fixtureStart, 2))), ['c', 'd']);
      assert.deepEqual(ids(await store.claimDueAppointments(claimAt(fixtureStart, 2))), ['e']);
      assert.deepEqual(await store.claimDueAppointments(claimAt(fixtureStart, 2)), []);
    },
  },
  {
    name: 'a claimed row is nobody else’s before the lease ends, and due again then, in the same version',
    async run({ store, organizationId }) {
      await fill(store, organizationId, { a: fixtureStart });
      await store.claimDueAppointments(claimAt(fixtureStart));
      const end = fixtureStart + lease;
      assert.deepEqual(await store.claimDueAppointments(claimAt(end - 1)), []);
      const [again] = await store.claimDueAppointments(claimAt(end));
      assert.deepStrictEqual(again, { appointment: aScheduledAppointment({ organizationId, id: 'a' }), wakeAt: end });
    },
  },
  {
    name: 'a commit sets the next instant, a claim or not',
    async run({ store, organizationId }) {
      const first = aScheduledAppointment({ organizationId });
      const second = nextVersion(first, { title: 'Second' });
      const third = aCancelledAppointment({ organizationId, version: 3 });
      await commitAll(store, insertion(first, { wakeAt: fixtureStart }));
      await store.claimDueAppointments(claimAt(fixtureStart));
      await commitAll(store, update(second, { wakeAt: fixtureStart + 5 }));
      assert.deepEqual(await store.claimDueAppointments(claimAt(fixtureStart + 4)), []);
      const [due] = await store.claimDueAppointments(claimAt(fixtureStart + 5));
      assert.deepStrictEqual(due, { appointment: second, wakeAt: fixtureStart + 5 });
      await commitAll(store, update(third, { wakeAt: null }));
      assert.deepEqual(await store.claimDueAppointments(claimAt(fixtureStart + 10 * lease)), []);
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), null);
    },
  },
  {
    name: 'a stale commit leaves the instant as it is',
    async run({ store, organizationId }) {
      const first = aScheduledAppointment({ organizationId });
      await commitAll(store, insertion(first, { wakeAt: fixtureStart }));
      await expectStale(store, update({ ...first, version: 7 }, { wakeAt: null }));
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), fixtureStart);
    },
  },
  {
    name: 'a removed appointment is not due',
    async run({ store, organizationId }) {
      const first = aScheduledAppointment({ organizationId });
      await commitAll(store, insertion(first, { wakeAt: fixtureStart }), removal(first));
      assert.deepEqual(await store.claimDueAppointments(claimAt(fixtureStart)), []);
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), null);
    },
  },
  {
    name: 'a postponement sets the instant on the expected version only, without a new version',
    async run({ store, organizationId }) {
      const first = aScheduledAppointment({ organizationId });
      const postponement = { organizationId, appointmentId: first.id, wakeAt: fixtureStart + 9 };
      await commitAll(store, insertion(first, { wakeAt: fixtureStart }));
      await store.postpone({ ...postponement, expectedVersion: 2 });
      await store.postpone({ ...postponement, expectedVersion: 1, appointmentId: 'unknown' });
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), fixtureStart);
      await store.postpone({ ...postponement, expectedVersion: 1 });
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), fixtureStart + 9);
      assert.deepStrictEqual(await store.findAppointment(organizationId, first.id), first);
      await store.postpone({ ...postponement, expectedVersion: 1, wakeAt: null });
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), null);
      await store.postpone({ ...postponement, expectedVersion: 1, wakeAt: 3 });
      assert.deepEqual(ids(await store.claimDueAppointments(claimAt(fixtureStart))), [first.id]);
    },
  },
  {
    name: 'the next instant is the earliest, moved by claims',
    async run({ store, organizationId }) {
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), null);
      await fill(store, organizationId, { never: null });
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), null);
      await fill(store, organizationId, { b: fixtureStart + 2 * lease, a: fixtureStart });
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), fixtureStart);
      await store.claimDueAppointments(claimAt(fixtureStart));
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), fixtureStart + lease);
    },
  },
  {
    name: 'parallel claimers share no row and leave none',
    async run({ store, organizationId }) {
      const all = Array.from({ length: 60 }, (_, index) => `due-${index}`);
      await Promise.all(
        all.map((id, index) =>
          store.commit(insertion(aScheduledAppointment({ organizationId, id }), { wakeAt: index })),
        ),
      );
      const claims = await Promise.all(
        Array.from({ length: 12 }, () => store.claimDueAppointments(claimAt(fixtureStart, 5))),
      );
      const rest = await store.claimDueAppointments(claimAt(fixtureStart));
      assert.ok(claims.every((claim) => claim.length <= 5));
      assert.deepEqual(sorted(ids([...claims.flat(), ...rest])), sorted(all));
    },
  },
];

export const dueClaimsGroup: ConformanceGroup = {
  name: 'due appointments go to one worker at a time',
  cases: claiming.map((candidate): ConformanceCase => ({ ...candidate, emptyStore: true })),
};
