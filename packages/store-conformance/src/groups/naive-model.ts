import assert from 'node:assert/strict';
import type { Appointment, AppointmentListQuery, SchedulingStore } from '@calends/core';
import { appointmentSortFields, appointmentStates } from '@calends/core';
import fc from 'fast-check';
import type { ConformanceGroup } from '../conformance-case.js';
import {
  aCancelledAppointment,
  anAbortedAppointment,
  anActivatedAppointment,
  type AppointmentOverrides,
  aScheduledAppointment,
  fixtureStart,
  hour,
  minute,
} from '../fixtures/appointments.js';
import { insertion, removal, update } from '../fixtures/changes.js';
import { listQuery } from '../fixtures/list-query.js';
import { conflictsByModel, listByModel, overlappingByModel, startingByModel } from '../naive-model.js';

const builders: Readonly<Record<Appointment['state'], (overrides: AppointmentOverrides) => Appointment>> = {
  SCHEDULED: aScheduledAppointment,
  ACTIVATED: anActivatedAppointment,
  CANCELLED: aCancelledAppointment,
  ABORTED: anAbortedAppointment,
};

const people = ['anna', 'Anna', 'bert', 'bert '];
const applications = ['app-1', 'APP-1', 'app-2'];
const durations = [minute, hour, hour + 1];
const starts = Array.from({ length: 8 }, (_, index) => fixtureStart + index * hour);

const anyAppointment = fc.record({
  state: fc.constantFrom(...appointmentStates),
  applicationId: fc.constantFrom(...applications),
  organizerId: fc.constantFrom(...people),
  agentIds: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 3 }),
  start: fc.constantFrom(...starts),
  duration: fc.constantFrom(...durations),
  title: fc.constantFrom('', 'a', 'B', 'é', '\uff21', '𐐀'),
  timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Calcutta'),
});

const some = <Value>(...values: readonly Value[]) =>
  fc.option(fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }), { nil: undefined });

const anyRange = fc.record({ from: fc.constantFrom(undefined, ...starts), to: fc.constantFrom(undefined, ...starts) });

const anyQuery = fc.record({
  applicationIds: some(...applications),
  agentIds: some(...people),
  organizerIds: some(...people),
  durations: some(...durations),
  states: some(...appointmentStates),
  ranges: fc.option(fc.array(anyRange, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  sortField: fc.constantFrom(...appointmentSortFields),
  sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
  pageNumber: fc.integer({ min: 1, max: 4 }),
  pageSize: fc.constantFrom(1, 3, 20),
});

/** The same every time: a failure must be the same on every store and machine. */
const seed = 20_260_302;

async function expectLists(
  store: SchedulingStore,
  organizationId: string,
  appointments: readonly Appointment[],
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyQuery, async (chosen) => {
      const query: AppointmentListQuery = { ...chosen, organizationId };
      assert.deepStrictEqual(await store.listAppointments(query), listByModel(appointments, query));
    }),
    { seed, numRuns },
  );
}

async function expectCounts(
  store: SchedulingStore,
  organizationId: string,
  appointments: readonly Appointment[],
): Promise<void> {
  const windows = starts.flatMap((from) => [minute, hour, 3 * hour].map((length) => ({ from, to: from + length })));
  for (const applicationId of applications) {
    const query = { organizationId, applicationId, windows };
    assert.deepEqual(await store.countStarting(query), startingByModel(appointments, query));
    assert.deepEqual(await store.countOverlapping(query), overlappingByModel(appointments, query));
  }
}

const anyStep = fc.record({
  place: fc.nat(24),
  kind: fc.constantFrom('write' as const, 'write' as const, 'write' as const, 'remove' as const),
  isGuarded: fc.boolean(),
  content: anyAppointment,
});

export const naiveModelGroup: ConformanceGroup = {
  name: 'a store answers what the naive model answers',
  cases: [
    {
      name: 'to two hundred lists of sixty appointments',
      async run({ store, organizationId }) {
        const appointments = fc
          .sample(anyAppointment, { numRuns: 60, seed })
          .map(({ state, ...overrides }, index) => builders[state]({ ...overrides, organizationId, id: `m-${index}` }));
        await Promise.all(appointments.map((appointment) => store.commit(insertion(appointment))));
        await expectLists(store, organizationId, appointments, 200);
        await expectCounts(store, organizationId, appointments);
      },
    },
    {
      name: 'after a hundred and fifty commits, guarded and not, that insert, change and remove',
      async run({ store, organizationId }) {
        const model = new Map<string, Appointment>();
        for (const { place, kind, isGuarded, content } of fc.sample(anyStep, { numRuns: 150, seed })) {
          const id = `m-${place}`;
          const current = model.get(id);
          if (kind === 'remove') {
            const result = await store.commit(removal(current ?? aScheduledAppointment({ organizationId, id })));
            assert.equal(result.status, model.delete(id) ? 'committed' : 'stale');
            continue;
          }
          const { state, ...overrides } = content;
          const next = builders[state]({ ...overrides, organizationId, id, version: (current?.version ?? 0) + 1 });
          const window = { from: next.schedule.start, to: next.schedule.end };
          const guard = { actorIds: [content.organizerId, ...content.agentIds], window };
          const change = current === undefined ? insertion(next) : update(next);
          const appointmentIds = isGuarded ? conflictsByModel([...model.values()], guard, id) : [];
          const result = await store.commit(isGuarded ? { ...change, guard } : change);
          if (appointmentIds.length > 0) {
            assert.deepEqual(result, { status: 'slotConflict', appointmentIds });
          } else {
            assert.deepEqual(result, { status: 'committed' });
            model.set(id, next);
          }
        }
        await expectLists(store, organizationId, [...model.values()], 50);
        await expectCounts(store, organizationId, [...model.values()]);
        const byId = listQuery(organizationId, { states: ['SCHEDULED'], sortField: 'id' });
        const eligible = await store.listEligible(organizationId, { limit: byId.pageSize });
        assert.deepStrictEqual(eligible, listByModel([...model.values()], byId).items);
      },
    },
  ],
};
