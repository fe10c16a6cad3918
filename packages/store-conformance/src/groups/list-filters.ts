import type { AppointmentListQuery, SchedulingStore } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect, listedIds, sorted } from '../expectations.js';
import { customer, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { commitAll, numbers } from '../steps.js';

type Filters = Partial<Omit<AppointmentListQuery, 'organizationId'>>;

const at = (hours: number) => fixtureStart + hours * hour;

/** Six appointments; their ids say what tells them apart. */
async function fill(store: SchedulingStore, a: Words): Promise<void> {
  const inB = { applicationId: 'app-b' };
  const appointments = [
    a.scheduled({ id: 'organized', organizerId: 'anna', start: at(0) }),
    a.scheduled({ id: 'assigned', organizerId: 'bert', agentIds: ['anna'], start: at(1) }),
    a.activated({ id: 'both', organizerId: 'anna', agentIds: ['anna', 'bert'], start: at(2) }),
    a.cancelled({ id: 'cancelled', organizerId: 'carl', start: at(3), ...inB }),
    a.aborted({ id: 'aborted', organizerId: 'carl', start: at(4), duration: 30 * minute }),
    a.scheduled({
      id: 'visited',
      organizer: { id: 'service', type: 'SYSTEM' },
      participants: [customer('anna'), customer('c-2', 'anna')],
      start: at(5),
      duration: 90 * minute,
      ...inB,
    }),
  ];
  await commitAll(store, ...appointments.map((appointment) => insertion(appointment)));
}

const table: readonly (readonly [name: string, filters: Filters, ids: readonly string[]])[] = [
  ['no filter lists all', {}, ['organized', 'assigned', 'both', 'cancelled', 'aborted', 'visited']],
  ['one application', { applicationIds: ['app-b'] }, ['cancelled', 'visited']],
  ['an unknown application', { applicationIds: ['app-x'] }, []],
  [
    'two applications, one named twice',
    { applicationIds: ['app-b', 'app-1', 'app-b'] },
    ['organized', 'assigned', 'both', 'cancelled', 'aborted', 'visited'],
  ],
  [
    'an agent: organizer or assigned, each appointment once, customers not',
    { agentIds: ['anna'] },
    ['organized', 'assigned', 'both'],
  ],
  ['two agents', { agentIds: ['bert', 'carl'] }, ['assigned', 'both', 'cancelled', 'aborted']],
  ['an organizer only', { organizerIds: ['anna'] }, ['organized', 'both']],
  ['an organizer that is no agent', { organizerIds: ['service'] }, ['visited']],
  ['two organizers', { organizerIds: ['anna', 'bert'] }, ['organized', 'assigned', 'both']],
  ['a customer of the organizer is no agent', { agentIds: ['anna'], organizerIds: ['service'] }, []],
  ['agent and organizer both narrow', { agentIds: ['anna'], organizerIds: ['bert'] }, ['assigned']],
  ['one duration', { durations: [30 * minute] }, ['aborted']],
  ['two durations', { durations: [30 * minute, 90 * minute] }, ['aborted', 'visited']],
  ['a duration one millisecond off', { durations: [hour + 1] }, []],
  ['a range holds its first instant and not its last', { ranges: [{ from: at(1), to: at(3) }] }, ['assigned', 'both']],
  ['a range open to the past', { ranges: [{ to: at(1) }] }, ['organized']],
  ['a range open to the future', { ranges: [{ from: at(5) }] }, ['visited']],
  ['a range one millisecond later', { ranges: [{ from: at(0) + 1, to: at(1) + 1 }] }, ['assigned']],
  ['a range open on both sides', { ranges: [{}], agentIds: ['bert'] }, ['assigned', 'both']],
  [
    'several ranges, overlapping ones too, list each appointment once',
    { ranges: [{ to: at(1) }, { from: at(4), to: at(5) }, { from: at(4) }] },
    ['organized', 'aborted', 'visited'],
  ],
  ['one state', { states: ['CANCELLED'] }, ['cancelled']],
  ['two states', { states: ['ACTIVATED', 'ABORTED'] }, ['both', 'aborted']],
  [
    'every filter at once',
    {
      applicationIds: ['app-1', 'app-b'],
      agentIds: ['anna', 'carl'],
      organizerIds: ['anna', 'carl'],
      durations: [hour, 90 * minute],
      ranges: [{ from: at(2) }],
      states: ['ACTIVATED', 'ABORTED', 'CANCELLED'],
    },
    ['both', 'cancelled'],
  ],
  ['a filter without alternatives lists nothing: applications', { applicationIds: [] }, []],
  ['a filter without alternatives lists nothing: agents', { agentIds: [] }, []],
  ['a filter without alternatives lists nothing: organizers', { organizerIds: [] }, []],
  ['a filter without alternatives lists nothing: durations', { durations: [] }, []],
  ['a filter without alternatives lists nothing: ranges', { ranges: [] }, []],
  ['a filter without alternatives lists nothing: states', { states: [] }, []],
];

export const listFiltersGroup = group('every filter of a list narrows, its values are alternatives (D32, D34)', [
  { rule: 'filters' },
  ...table.map(([name, filters, ids]): Case =>
    it(name, async (store, a) => {
      await fill(store, a);
      expect(await listedIds(store, a.listQuery(filters))).toEqual(ids);
      const onlyTotal = await store.appointments.list(a.listQuery({ ...filters, pageSize: 1 }));
      expect(onlyTotal.total).toEqual(ids.length);
    }),
  ),
  it('a hundred values in one filter', async (store, a) => {
    await fill(store, a);
    const many = numbers(99).map((index) => `nobody-${index}`);
    const agentIds = [...many, 'bert'];
    expect(sorted(await listedIds(store, a.listQuery({ agentIds })))).toEqual(['assigned', 'both']);
    const ranges = many.map((_, index) => ({ from: at(100 + index), to: at(101 + index) }));
    expect(await listedIds(store, a.listQuery({ ranges }))).toEqual([]);
  }),
]);
