import assert from 'node:assert/strict';
import type { Appointment, AppointmentListQuery } from '@calends/core';
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
import { insertion } from '../fixtures/changes.js';
import { listByModel } from '../list-model.js';

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

export const listModelGroup: ConformanceGroup = {
  name: 'a list equals the naive model',
  cases: [
    {
      name: 'for two hundred queries of sixty appointments',
      async run({ store, organizationId }) {
        // The same every time: a failure must be the same on every store and machine.
        const seed = 20_260_302;
        const appointments = fc
          .sample(anyAppointment, { numRuns: 60, seed })
          .map(({ state, ...overrides }, index) => builders[state]({ ...overrides, organizationId, id: `m-${index}` }));
        await Promise.all(appointments.map((appointment) => store.commit(insertion(appointment))));
        await fc.assert(
          fc.asyncProperty(anyQuery, async (chosen) => {
            const query: AppointmentListQuery = { ...chosen, organizationId };
            assert.deepStrictEqual(await store.listAppointments(query), listByModel(appointments, query));
          }),
          { seed, numRuns: 200 },
        );
      },
    },
  ],
};
