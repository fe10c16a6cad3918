import type { Appointment } from '@calends/core';
import type { EligiblePage, SchedulingStore } from '@calends/core/store';
import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect } from '../expectations.js';
import { fixtureStart, hour } from '../fixtures/appointments.js';
import { insertion, update } from '../fixtures/changes.js';
import { commitAll, numbers } from '../steps.js';

/** More than there are in any case. */
const many = 1000;

const idsOf = (appointments: readonly Appointment[]): readonly string[] => appointments.map(({ id }) => id);

/** Asks for page after page, and does something between two of them. */
async function walk(
  store: SchedulingStore,
  a: Words,
  page: EligiblePage,
  between: (seen: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const seen: string[] = [];
  for (;;) {
    const found = idsOf(await store.appointments.listEligible(a.organizationId, { ...page, after: seen.at(-1) }));
    seen.push(...found);
    expect(seen.length < many).toEqual(true, 'a walk comes to an end');
    if (found.length < page.limit) return seen;
    await between(seen);
  }
}

export const eligibleGroup = group('eligible are all scheduled appointments (D24, D69)', [
  { rule: 'eligible' },
  it('eligible appointments come by id in order of code points, whatever their start; activated, cancelled and aborted ones are left out', async (store, a, organizationId) => {
    const ids = ['a', 'same-A', 'same-a', 'same-\uff21', 'same-𐐀', 'z'];
    const scheduled = ids.map((id, index) => a.scheduled({ id, start: fixtureStart + (index % 2 === 0 ? hour : 0) }));
    const others = [a.activated({ id: 'activated' }), a.cancelled({ id: 'cancelled' }), a.aborted({ id: 'aborted' })];
    await commitAll(store, ...[...others, ...scheduled.toReversed()].map((appointment) => insertion(appointment)));
    expect(await store.appointments.listEligible(organizationId, { limit: many })).toEqual(scheduled);
    expect(await walk(store, a, { limit: 1 })).toEqual(ids);
  }),
  it('applications narrow, none named means all, an empty list means nothing', async (store, a, organizationId) => {
    const [one, two, three] = ['a', 'b', 'c'].map((name) =>
      a.scheduled({ id: `in-${name}`, applicationId: `app-${name}` }),
    );
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    await commitAll(store, insertion(three), insertion(two), insertion(one));
    const eligible = (page: Partial<EligiblePage>): Promise<readonly Appointment[]> =>
      store.appointments.listEligible(organizationId, { limit: many, ...page });
    expect(await eligible({})).toEqual([one, two, three]);
    expect(await eligible({ applicationIds: ['app-c', 'app-a', 'app-c'] })).toEqual([one, three]);
    expect(await eligible({ applicationIds: ['app-c', 'app-a'], after: 'in-a' })).toEqual([three]);
    expect(await eligible({ applicationIds: ['app-x'] })).toEqual([]);
    expect(await eligible({ applicationIds: [] })).toEqual([]);
  }),
  it('page after page gives all of them, after the last one there is nothing', async (store, a, organizationId) => {
    const ids = numbers(250).map((index) => `e-${`${index}`.padStart(3, '0')}`);
    await Promise.all(ids.map((id) => store.commit(insertion(a.scheduled({ id })))));
    const firstPage = await store.appointments.listEligible(organizationId, { limit: 10 });
    expect(idsOf(firstPage)).toEqual(ids.slice(0, 10));
    expect(await walk(store, a, { limit: 50 })).toEqual(ids);
    expect(await store.appointments.listEligible(organizationId, { after: ids.at(-1), limit: 50 })).toEqual([]);
  }),
  it('what is moved, activated or added between two pages comes at most once, all else exactly once', async (store, a) => {
    const places = numbers(60);
    const appointmentOf = (number: number): Appointment =>
      a.scheduled({ id: `m-${`${number}`.padStart(2, '0')}`, start: fixtureStart + number * hour });
    await commitAll(store, ...places.map((number) => insertion(appointmentOf(number))));
    let turn = 0;
    const seen = await walk(store, a, { limit: 7 }, async () => {
      turn += 1;
      const { id } = appointmentOf(turn);
      // One that was there already goes behind everything, one that is still to come goes away.
      await commitAll(
        store,
        update(a.scheduled({ id, version: 2, start: fixtureStart + (100 + turn) * hour }), {
          before: appointmentOf(turn),
        }),
        update(a.activated({ id: `m-${60 - turn}`, version: 2 }), { before: appointmentOf(60 - turn) }),
      );
    });
    assert.ok(turn > 5);
    expect(seen).toEqual([...new Set(seen)]);
    const activated = new Set(places.slice(1, turn + 1).map((number) => `m-${60 - number}`));
    const untouched = places.map((number) => appointmentOf(number).id).filter((id) => !activated.has(id));
    expect(untouched.filter((id) => !seen.includes(id))).toEqual([]);
  }),
]);
