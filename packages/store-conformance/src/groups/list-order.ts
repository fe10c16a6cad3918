import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import { type AppointmentSortField, appointmentSortFields } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect, listedIds } from '../expectations.js';
import { type AppointmentOverrides, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { commitAll, numbers } from '../steps.js';

/**
 * In code-point order. UTF-16 order would put the one beyond the basic plane before `\uFF21`, collations of
 * languages would mix the cases, and padding ones would take the first two for equal.
 */
const textsInOrder = [
  ...['', ' ', 'A', 'A ', 'A!', 'B', 'Z', '_', 'a', 'aa', 'b'],
  ...['\u00c4', '\u00e4', 'Ω', '\uff21', '𐐀', '𐐨'],
];

/** What an appointment is like whose place by a field is the given one. */
type Sample = (place: number) => AppointmentOverrides;

const textAt = (place: number): string => `x${textsInOrder[place] ?? ''}`;

const samples: Readonly<Record<AppointmentSortField, Sample>> = {
  start: (place) => ({ start: fixtureStart + place }),
  end: (place) => ({ start: fixtureStart - place * minute, duration: 60 * minute + place * (minute + 1) }),
  duration: (place) => ({ start: fixtureStart - place * minute, duration: minute + place }),
  title: (place) => ({ title: textsInOrder[place] ?? '' }),
  timezone: (place) => ({ timezone: textAt(place) }),
  applicationId: (place) => ({ applicationId: textAt(place) }),
  id: (place) => ({ id: textAt(place) }),
};

/** Beginnings of the ids of appointments that share a place, in their order. */
const tied = ['i-1', 'i-b', 'i-é', 'i-𐐀'];

function appointmentsInOrder(field: AppointmentSortField, a: Words): readonly Appointment[] {
  const stems = field === 'id' ? [''] : tied;
  return textsInOrder.flatMap((_, place) =>
    stems.map((stem) => a.scheduled({ id: `${stem}.${place}`, ...samples[field](place) })),
  );
}

/** Arrival in no order that would help. */
const scrambled = <Item>(items: readonly Item[]): readonly Item[] =>
  items.map((_, index) => items[(index * 7 + 3) % items.length] as Item);

const sorting = appointmentSortFields.map((sortField): Case =>
  it(`lists are sorted by ${sortField}, ascending and descending, ties by id in the same direction`, async (store, a) => {
    const expected = appointmentsInOrder(sortField, a);
    assert.notEqual(expected.length % 7, 0);
    await commitAll(store, ...scrambled(expected).map((appointment) => insertion(appointment)));
    const ids = expected.map(({ id }) => id);
    for (const [sortOrder, wanted] of [
      ['asc', ids],
      ['desc', ids.toReversed()],
    ] as const) {
      const pageSize = 100;
      expect(await listedIds(store, a.listQuery({ sortField, sortOrder, pageSize }))).toEqual(wanted);
      const agentIds = ['agent-1'];
      const ofAgent = a.listQuery({ sortField, sortOrder, agentIds, pageSize: 9, pageNumber: 2 });
      expect(await listedIds(store, ofAgent)).toEqual(wanted.slice(9, 18));
    }
  }),
);

export const listOrderGroup = group('lists are sorted by code point and paged exactly (D30, D31)', [
  { rule: 'pages' },
  ...sorting,
  it('the pages of a list hold every appointment once, each with the exact total', async (store, a) => {
    const all = numbers(23).map((index) =>
      // Ties on start, so that only the id keeps the pages apart.
      a.scheduled({ id: `p-${`${index}`.padStart(2, '0')}`, start: fixtureStart + (index % 3) }),
    );
    await commitAll(store, ...all.map((appointment) => insertion(appointment)));
    for (const sortOrder of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (const pageNumber of [1, 2, 3, 4]) {
        const page = await store.appointments.list(a.listQuery({ sortOrder, pageNumber, pageSize: 7 }));
        expect(page.total).toEqual(23);
        expect(page.items.length).toEqual(pageNumber === 4 ? 2 : 7);
        seen.push(...page.items.map(({ id }) => id));
      }
      expect(new Set(seen).size).toEqual(23);
    }
  }),
  it('a page past the end is empty and has the total', async (store, a) => {
    await commitAll(store, insertion(a.scheduled()));
    for (const pageNumber of [2, 1000, 90_071_992_547_409]) {
      const page = await store.appointments.list(a.listQuery({ pageNumber, pageSize: 100 }));
      expect(page).toEqual({ items: [], total: 1 });
    }
  }),
  it('the versions of a list are those of the same page, in its order, where the store tells them', async (store, a) => {
    const all = numbers(23).map((index) =>
      a.scheduled({
        id: `v-${`${index}`.padStart(2, '0')}`,
        organizerId: index % 4 === 0 ? 'other' : 'anna',
        start: fixtureStart + (index % 3) * minute,
      }),
    );
    await commitAll(store, ...all.map((appointment) => insertion(appointment)));
    const changed = all.slice(0, 5).map((before) => nextVersion(before, { updatedAt: before.updatedAt + 1 }));
    await commitAll(store, ...changed.map((next) => update(next)));
    const ofAnna = { agentIds: ['anna'], ranges: [{ from: fixtureStart, to: fixtureStart + 2 * minute }] };
    for (const query of [
      { pageSize: 1000 },
      { ...ofAnna, pageSize: 1000 },
      { ...ofAnna, pageSize: 5, pageNumber: 2, sortOrder: 'desc' as const },
      { pageNumber: 9 },
      { agentIds: [] },
    ]) {
      const asked = a.listQuery(query);
      const { items } = await store.appointments.list(asked);
      const versions = items.map(({ id, version, updatedAt, schedule: { start } }) => ({
        id,
        version,
        updatedAt,
        start,
      }));
      expect((await store.appointments.listVersions?.(asked)) ?? versions).toEqual(versions);
    }
  }),
  it('pages of a window that begins and ends within days, over starts of any number of digits, go in both directions', async (store, a) => {
    const years = [1970, 1971, 1996, 2000, 2001, 2002, 2026, 2285, 2287, 2300, 9998];
    const all = years.map((year) => a.scheduled({ id: `y-${year}`, start: Date.UTC(year, 5, 1, 12) }));
    await commitAll(store, ...scrambled(all).map((appointment) => insertion(appointment)));
    const window = { from: Date.UTC(1971, 5, 1, 6), to: Date.UTC(2300, 5, 1, 18) };
    const wanted = all.slice(1, -1).map(({ id }) => id);
    for (const ranges of [
      [window],
      [
        { ...window, to: Date.UTC(2002, 5, 1, 3) },
        { ...window, from: Date.UTC(2002, 5, 1, 3) },
      ],
    ]) {
      for (const sortOrder of ['asc', 'desc'] as const) {
        const pages = await Promise.all(
          [1, 2, 3, 4].map((pageNumber) =>
            listedIds(store, a.listQuery({ ranges, sortOrder, pageSize: 3, pageNumber, states: ['SCHEDULED'] })),
          ),
        );
        expect(pages.flat()).toEqual(sortOrder === 'asc' ? wanted : wanted.toReversed());
      }
    }
  }),
  it('a list of nothing is empty with the total 0', async (store, a) => {
    expect(await store.appointments.list(a.listQuery())).toEqual({ items: [], total: 0 });
    const second = await store.appointments.list(a.listQuery({ pageNumber: 2 }));
    expect(second).toEqual({ items: [], total: 0 });
  }),
]);
