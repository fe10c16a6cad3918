import type { Appointment } from '@calends/core';
import type { SchedulingStore, TimeWindow } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect } from '../expectations.js';
import { day, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { commitAll, numbers } from '../steps.js';

type Counting = 'countStarting' | 'countOverlapping';

const at = (hours: number) => fixtureStart + hours * hour;
const span = (from: number, to: number): TimeWindow => ({ from: at(from), to: at(to) });

async function counted(
  store: SchedulingStore,
  method: Counting,
  a: Words,
  windows: readonly TimeWindow[],
): Promise<readonly number[]> {
  return store.appointments[method]({ organizationId: a.organizationId, applicationId: 'app-1', windows });
}

/** A case that inserts appointments and compares the counts of windows. */
function counts(
  method: Counting,
  name: string,
  build: (a: Words) => readonly Appointment[],
  expected: readonly (readonly [window: TimeWindow, count: number])[],
): Case {
  return it(name, async (store, a) => {
    await commitAll(store, ...build(a).map((appointment) => insertion(appointment)));
    const windows = expected.map(([window]) => window);
    expect(await counted(store, method, a, windows)).toEqual(expected.map(([, count]) => count));
  });
}

/** One appointment from 0 to 1 o'clock of the fixture, in each state, and one of another application. */
const inEveryState = (a: Words): readonly Appointment[] => [
  a.scheduled({ id: 'scheduled' }),
  a.activated({ id: 'activated' }),
  a.scheduled({ id: 'completed', interaction: { state: 'COMPLETED' } }),
  a.scheduled({ id: 'no-show', interaction: { state: 'NO_SHOW' } }),
  a.cancelled({ id: 'cancelled' }),
  a.aborted({ id: 'aborted' }),
  a.scheduled({ id: 'elsewhere', applicationId: 'app-2' }),
];

const hourly = (a: Words): readonly Appointment[] =>
  [0, 1, 1, 2, 5].map((hours, index) => a.scheduled({ id: `h-${index}`, start: at(hours) }));

const both = (['countStarting', 'countOverlapping'] as const).flatMap((method): readonly Case[] => [
  counts(method, `${method}: cancelled and aborted ones and other applications are left out`, inEveryState, [
    [span(0, 1), 4],
  ]),
  counts(method, `${method}: the order of the windows is kept, the same window twice counts twice`, hourly, [
    [span(5, 6), 1],
    [span(1, 2), 2],
    [span(8, 9), 0],
    [span(1, 2), 2],
    [span(0, 1), 1],
  ]),
  it(`${method}: no window, no count; a hundred windows, a hundred counts`, async (store, a) => {
    await commitAll(store, ...hourly(a).map((appointment) => insertion(appointment)));
    expect(await counted(store, method, a, [])).toEqual([]);
    const windows = numbers(100).map((index) => span(99 - index, 100 - index));
    const expected = windows.map((_, index) => ({ 99: 1, 98: 2, 97: 1, 94: 1 })[index] ?? 0);
    expect(await counted(store, method, a, windows)).toEqual(expected);
  }),
  it(`${method}: follows updates, cancellations and removals`, async (store, a) => {
    const first = a.scheduled();
    const moved = nextVersion(first, { schedule: { ...first.schedule, start: at(4), end: at(5) } });
    const cancelled = { ...a.cancelled({ start: at(4) }), version: 3 };
    const windows = [span(0, 1), span(4, 5), span(9, 10)];
    const neighbour = a.scheduled({ id: 'neighbour', start: at(9) });
    await commitAll(store, insertion(neighbour), insertion(first));
    expect(await counted(store, method, a, windows)).toEqual([1, 0, 1]);
    await commitAll(store, update(moved));
    expect(await counted(store, method, a, windows)).toEqual([0, 1, 1]);
    await commitAll(store, update(cancelled, { before: moved }));
    expect(await counted(store, method, a, windows)).toEqual([0, 0, 1]);
    const second = a.scheduled({ id: 'second' });
    await commitAll(store, insertion(second), removal(second));
    expect(await counted(store, method, a, windows)).toEqual([0, 0, 1]);
  }),
]);

export const countingGroup = group('windows are counted half-open (D27, D29)', [
  { rule: 'windows' },
  ...both,
  counts('countStarting', 'a window holds its first instant and not its last', hourly, [
    [span(1, 2), 2],
    [{ from: at(1) - 1, to: at(1) }, 0],
    [{ from: at(1), to: at(1) + 1 }, 2],
    [{ from: at(1) + 1, to: at(2) }, 0],
    [span(-10, 100), 5],
  ]),
  counts(
    'countStarting',
    'an appointment that began before the window is not counted, however long it is',
    (a) => [a.scheduled({ start: at(-1), duration: 3 * hour })],
    [
      [span(0, 1), 0],
      [span(-1, 0), 1],
    ],
  ),
  counts('countOverlapping', 'what only touches a window does not intersect it', hourly, [
    [span(3, 5), 0],
    [span(6, 7), 0],
    [{ from: at(6) - 1, to: at(7) }, 1],
    [{ from: at(4), to: at(5) + 1 }, 1],
    [{ from: at(1) + 20 * minute, to: at(1) + 30 * minute }, 2],
    [span(-10, 100), 5],
  ]),
  counts(
    'countOverlapping',
    'an appointment of seven days that began long before the window is counted to its last millisecond',
    (a) => [a.scheduled({ start: fixtureStart, duration: 7 * day })],
    [
      [{ from: fixtureStart + 7 * day - 1, to: fixtureStart + 8 * day }, 1],
      [{ from: fixtureStart + 7 * day, to: fixtureStart + 8 * day }, 0],
      [{ from: fixtureStart + 3 * day, to: fixtureStart + 3 * day + minute }, 1],
      [{ from: fixtureStart - day, to: fixtureStart + 1 }, 1],
      [{ from: fixtureStart - day, to: fixtureStart }, 0],
    ],
  ),
]);
