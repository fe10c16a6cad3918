import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll } from '../expectations.js';
import {
  aCancelledAppointment,
  anAbortedAppointment,
  anActivatedAppointment,
  aScheduledAppointment,
  fixtureStart,
  hour,
} from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';

export const eligibleGroup: ConformanceGroup = {
  name: 'eligible are all scheduled appointments (D24)',
  cases: [
    {
      name: 'by start, then id by code point; activated, cancelled and aborted ones are left out',
      async run({ store, organizationId }) {
        const scheduled = ['first', 'same-A', 'same-a', 'same-\uff21', 'same-𐐀', 'last'].map((id) =>
          aScheduledAppointment({
            organizationId,
            id,
            start: fixtureStart + (id === 'first' ? 0 : id === 'last' ? 2 * hour : hour),
          }),
        );
        const others = [
          anActivatedAppointment({ organizationId, id: 'activated' }),
          aCancelledAppointment({ organizationId, id: 'cancelled' }),
          anAbortedAppointment({ organizationId, id: 'aborted' }),
        ];
        await commitAll(store, ...[...others, ...scheduled.toReversed()].map((appointment) => insertion(appointment)));
        assert.deepStrictEqual(await store.listEligible(organizationId), scheduled);
      },
    },
    {
      name: 'applications narrow, none named means all, an empty list means nothing',
      async run({ store, organizationId }) {
        const [a, b, c] = ['a', 'b', 'c'].map((name) =>
          aScheduledAppointment({ organizationId, id: `in-${name}`, applicationId: `app-${name}` }),
        );
        assert.ok(a !== undefined && b !== undefined && c !== undefined);
        await commitAll(store, insertion(c), insertion(b), insertion(a));
        assert.deepStrictEqual(await store.listEligible(organizationId), [a, b, c]);
        assert.deepStrictEqual(await store.listEligible(organizationId, ['app-c', 'app-a', 'app-c']), [a, c]);
        assert.deepStrictEqual(await store.listEligible(organizationId, ['app-x']), []);
        assert.deepStrictEqual(await store.listEligible(organizationId, []), []);
      },
    },
    {
      name: 'more than a page of them, or the earliest of them up to a limit',
      async run({ store, organizationId }) {
        const ids = Array.from({ length: 250 }, (_, index) => `e-${`${index}`.padStart(3, '0')}`);
        await Promise.all(ids.map((id) => store.commit(insertion(aScheduledAppointment({ organizationId, id })))));
        const eligible = await store.listEligible(organizationId);
        assert.deepEqual(
          eligible.map(({ id }) => id),
          ids,
        );
        const earliest = await store.listEligible(organizationId, undefined, 10);
        assert.deepEqual(
          earliest.map(({ id }) => id),
          ids.slice(0, 10),
        );
      },
    },
  ],
};
