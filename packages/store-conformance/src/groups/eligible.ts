import type { Appointment } from '@calends/core';
import type { EligiblePage, SchedulingStore } from '@calends/core/store';

import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { commitAll, expect } from '../expectations.js';
import {
  aCancelledAppointment,
  anAbortedAppointment,
  anActivatedAppointment,
  aScheduledAppointment,
  fixtureStart,
  hour,
} from '../fixtures/appointments.js';
import { insertion, update } from '../fixtures/changes.js';

/** More than there are in any case. */
const many = 1000;

const idsOf = (appointments: readonly Appointment[]): readonly string[] => appointments.map(({ id }) => id);

/** Asks for page after page, and does something between two of them. */
async function walk(
  store: SchedulingStore,
  organizationId: string,
  page: EligiblePage,
  between: (seen: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const seen: string[] = [];
  for (;;) {
    const found = idsOf(await store.appointments.listEligible(organizationId, { ...page, after: seen.at(-1) }));
    seen.push(...found);
    if (found.length < page.limit) return seen;
    await between(seen);
  }
}

export const eligibleGroup = group('eligible are all scheduled appointments (D24, D69)', [
  { rule: 'eligible' },
  it('by id in order of code points, whatever their start; activated, cancelled and aborted ones are left out', async (store, organizationId) => {
    const ids = ['a', 'same-A', 'same-a', 'same-\uff21', 'same-𐐀', 'z'];
    const scheduled = ids.map((id, index) =>
      aScheduledAppointment({ organizationId, id, start: fixtureStart + (index % 2 === 0 ? hour : 0) }),
    );
    const others = [
      anActivatedAppointment({ organizationId, id: 'activated' }),
      aCancelledAppointment({ organizationId, id: 'cancelled' }),
      anAbortedAppointment({ organizationId, id: 'aborted' }),
    ];
    await commitAll(store, ...[...others, ...scheduled.toReversed()].map((appointment) => insertion(appointment)));
    expect(await store.appointments.listEligible(organizationId, { limit: many })).toEqual(scheduled);
    expect(await walk(store, organizationId, { limit: 1 })).toEqual(ids);
  }),
  it('applications narrow, none named means all, an empty list means nothing', async (store, organizationId) => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) =>
      aScheduledAppointment({ organizationId, id: `in-${name}`, applicationId: `app-${name}` }),
    );
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    await commitAll(store, insertion(c), insertion(b), insertion(a));
    const eligible = (page: Partial<EligiblePage>): Promise<readonly Appointment[]> =>
      store.appointments.listEligible(organizationId, { limit: many, ...page });
    expect(await eligible({})).toEqual([a, b, c]);
    expect(await eligible({ applicationIds: ['app-c', 'app-a', 'app-c'] })).toEqual([a, c]);
    expect(await eligible({ applicationIds: ['app-c', 'app-a'], after: 'in-a' })).toEqual([c]);
    expect(await eligible({ applicationIds: ['app-x'] })).toEqual([]);
    expect(await eligible({ applicationIds: [] })).toEqual([]);
  }),
  it('page after page gives all of them, after the last one there is nothing', async (store, organizationId) => {
    const ids = Array.from({ length: 250 }, (_, index) => `e-${`${index}`.padStart(3, '0')}`);
    await Promise.all(ids.map((id) => store.commit(insertion(aScheduledAppointment({ organizationId, id })))));
    const firstPage = await store.appointments.listEligible(organizationId, { limit: 10 });
    expect(idsOf(firstPage)).toEqual(ids.slice(0, 10));
    expect(await walk(store, organizationId, { limit: 50 })).toEqual(ids);
    expect(await store.appointments.listEligible(organizationId, { after: ids.at(-1), limit: 50 })).toEqual([]);
  }),
  it('what is moved, activated or added between two pages comes at most once, all else exactly once', async (store, organizationId) => {
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    const appointmentOf = (number: number): Appointment =>
      aScheduledAppointment({
        organizationId,
        id: `m-${`${number}`.padStart(2, '0')}`,
        start: fixtureStart + number * hour,
      });
    await commitAll(store, ...numbers.map((number) => insertion(appointmentOf(number))));
    let turn = 0;
    const seen = await walk(store, organizationId, { limit: 7 }, async () => {
      turn += 1;
      const { id } = appointmentOf(turn);
      // One that was there already goes behind everything, one that is still to come goes away.
      await commitAll(
        store,
        update(aScheduledAppointment({ organizationId, id, version: 2, start: fixtureStart + (100 + turn) * hour })),
        update(anActivatedAppointment({ organizationId, id: `m-${60 - turn}`, version: 2 })),
      );
    });
    assert.ok(turn > 5);
    expect(seen).toEqual([...new Set(seen)]);
    const activated = new Set(numbers.slice(1, turn + 1).map((number) => `m-${60 - number}`));
    const untouched = numbers.map((number) => appointmentOf(number).id).filter((id) => !activated.has(id));
    expect(untouched.filter((id) => !seen.includes(id))).toEqual([]);
  }),
]);
