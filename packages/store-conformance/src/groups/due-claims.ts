import assert from 'node:assert/strict';
import type { Claim, DueAppointment, Instant, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect, sorted } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { atOnce, commitAll, numbers } from '../steps.js';

const lease = minute;
const interests = { appointments: true, events: false, channels: [] };
const claimAt = (now: Instant, limit = 100): Claim => ({ now, limit, leaseUntil: now + lease });
const ids = (due: readonly DueAppointment[]): readonly string[] => due.map(({ appointment }) => appointment.id);

/** Inserts one appointment per entry: its id, and when the worker must look at it. */
async function fill(
  store: SchedulingStore,
  a: Words,
  wakeAts: Readonly<Record<string, Instant | null>>,
): Promise<void> {
  for (const [id, wakeAt] of Object.entries(wakeAts)) {
    await commitAll(store, insertion(a.scheduled({ id }), { wakeAt }));
  }
}

export const dueClaimsGroup = group('due appointments go to one worker at a time', [
  { rule: 'due', emptyStore: true },
  it('what is due comes earliest first, whatever its organization, with the instant that has come', async (store, a) => {
    const other = a.of('other');
    await fill(store, a, { third: fixtureStart, first: 5, later: fixtureStart + 1, never: null });
    await fill(store, other, { second: fixtureStart - 1 });
    expect(await store.appointments.claimDue(claimAt(fixtureStart))).toEqual([
      { appointment: a.scheduled({ id: 'first' }), wakeAt: 5 },
      { appointment: other.scheduled({ id: 'second' }), wakeAt: fixtureStart - 1 },
      { appointment: a.scheduled({ id: 'third' }), wakeAt: fixtureStart },
    ]);
  }),
  it('of the same instant they come by organization, then id, by code point', async (store, a) => {
    const other = a.of('other');
    await fill(store, other, { a: fixtureStart });
    await fill(store, a, { b: fixtureStart, '\u00e9': fixtureStart, B: fixtureStart, a: fixtureStart });
    const due = await store.appointments.claimDue(claimAt(fixtureStart, 4));
    expect(ids(due)).toEqual(['B', 'a', 'b', '\u00e9']);
    const [last] = await store.appointments.claimDue(claimAt(fixtureStart, 4));
    expect(last?.appointment).toEqual(other.scheduled({ id: 'a' }));
  }),
  it('no more than the limit, the rest with the next claim', async (store, a) => {
    await fill(store, a, { c: 3, a: 1, d: 4, b: 2, e: 5 });
    expect(ids(await store.appointments.claimDue(claimAt(fixtureStart, 2)))).toEqual(['a', 'b']);
    expect(ids(await store.appointments.claimDue(claimAt(fixtureStart, 2)))).toEqual(['c', 'd']);
    expect(ids(await store.appointments.claimDue(claimAt(fixtureStart, 2)))).toEqual(['e']);
    expect(await store.appointments.claimDue(claimAt(fixtureStart, 2))).toEqual([]);
  }),
  it('a claimed row is nobody else’s before the lease ends, and due again then, in the same version', async (store, a) => {
    await fill(store, a, { a: fixtureStart });
    await store.appointments.claimDue(claimAt(fixtureStart));
    const end = fixtureStart + lease;
    expect(await store.appointments.claimDue(claimAt(end - 1))).toEqual([]);
    const [again] = await store.appointments.claimDue(claimAt(end));
    expect(again).toEqual({ appointment: a.scheduled({ id: 'a' }), wakeAt: end });
  }),
  it('a commit sets the next instant, a claim or not', async (store, a) => {
    const first = a.scheduled();
    const second = nextVersion(first, { title: 'Second' });
    const third = a.cancelled({ version: 3 });
    await commitAll(store, insertion(first, { wakeAt: fixtureStart }));
    await store.appointments.claimDue(claimAt(fixtureStart));
    await commitAll(store, update(second, { wakeAt: fixtureStart + 5 }));
    expect(await store.appointments.claimDue(claimAt(fixtureStart + 4))).toEqual([]);
    const [due] = await store.appointments.claimDue(claimAt(fixtureStart + 5));
    expect(due).toEqual({ appointment: second, wakeAt: fixtureStart + 5 });
    await commitAll(store, update(third, { wakeAt: null, before: second }));
    expect(await store.appointments.claimDue(claimAt(fixtureStart + 10 * lease))).toEqual([]);
    expect(await store.nextWakeAt(interests)).toEqual(null);
  }),
  it('a stale commit leaves the instant as it is', async (store, a) => {
    const first = a.scheduled();
    await commitAll(store, insertion(first, { wakeAt: fixtureStart }));
    await expect.stale(store, update({ ...first, version: 7 }, { wakeAt: null, before: first }));
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart);
  }),
  it('a removed appointment is not due', async (store, a) => {
    const first = a.scheduled();
    await commitAll(store, insertion(first, { wakeAt: fixtureStart }), removal(first));
    expect(await store.appointments.claimDue(claimAt(fixtureStart))).toEqual([]);
    expect(await store.nextWakeAt(interests)).toEqual(null);
  }),
  it('a postponement sets the instant on the expected version only, without a new version', async (store, a, organizationId) => {
    const first = a.scheduled();
    const postponement = { organizationId, appointmentId: first.id, wakeAt: fixtureStart + 9 };
    await commitAll(store, insertion(first, { wakeAt: fixtureStart }));
    await store.appointments.postpone({ ...postponement, expectedVersion: 2 });
    await store.appointments.postpone({ ...postponement, expectedVersion: 1, appointmentId: 'unknown' });
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart);
    await store.appointments.postpone({ ...postponement, expectedVersion: 1 });
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart + 9);
    await expect.appointments(store, first);
    await store.appointments.postpone({ ...postponement, expectedVersion: 1, wakeAt: null });
    expect(await store.nextWakeAt(interests)).toEqual(null);
    await store.appointments.postpone({ ...postponement, expectedVersion: 1, wakeAt: 3 });
    expect(ids(await store.appointments.claimDue(claimAt(fixtureStart)))).toEqual([first.id]);
  }),
  it('parallel claimers share no row and leave none', async (store, a) => {
    const all = numbers(60).map((index) => `due-${index}`);
    await Promise.all(all.map((id, index) => store.commit(insertion(a.scheduled({ id }), { wakeAt: index }))));
    const claims = await atOnce(12, () => store.appointments.claimDue(claimAt(fixtureStart, 5)));
    const rest = await store.appointments.claimDue(claimAt(fixtureStart));
    assert.ok(claims.every((claim) => claim.length <= 5));
    expect(sorted(ids([...claims.flat(), ...rest]))).toEqual(sorted(all));
  }),
  { rule: 'next-wake', emptyStore: true },
  it('the next instant is the earliest, moved by claims', async (store, a) => {
    expect(await store.nextWakeAt(interests)).toEqual(null);
    await fill(store, a, { never: null });
    expect(await store.nextWakeAt(interests)).toEqual(null);
    await fill(store, a, { b: fixtureStart + 2 * lease, a: fixtureStart });
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart);
    await store.appointments.claimDue(claimAt(fixtureStart));
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart + lease);
  }),
]);
