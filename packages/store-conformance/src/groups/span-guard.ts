import type { Appointment } from '@calends/core';
import type { Change } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { type AppointmentOverrides, customer, day, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { booked, guardOf, heldAt, service1 } from '../fixtures/availability.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import type { Words } from '../fixtures/words.js';
import { commitAll, inserted } from '../steps.js';

const at = (hours: number): number => fixtureStart + hours * hour;
const buffersOf = (before: number, after: number) => ({ before: before * minute, after: after * minute });

const conflict = (...appointmentIds: readonly string[]) => ({ status: 'slotConflict', appointmentIds });
const held = (...appointmentIds: readonly string[]) => ({ ...conflict(...appointmentIds), isHeld: true });
const committed = { status: 'committed' };

/** The change that books with a service, under the guard of what is booked, at {@link heldAt}. */
const booking = (next: Appointment, extras: Partial<Change> = {}): Change => ({
  ...insertion(next, { guard: guardOf(next), holdsAt: heldAt }),
  ...extras,
});

/** What stands, what is booked, and what is told of it. */
function told(
  name: string,
  standing: (a: Words) => readonly Appointment[],
  next: AppointmentOverrides,
  expected: object,
): Case {
  return it(name, async (store, a) => {
    await commitAll(store, ...standing(a).map((each) => insertion(each)));
    expect(await store.commit(booking(a.scheduled({ id: 'next', service: booked(), ...next })))).toEqual(expected);
  });
}

/** One of `agent-1` from hour 0 to hour 1. */
const one =
  (overrides: AppointmentOverrides = {}) =>
  (a: Words): readonly Appointment[] => [a.scheduled({ id: 'booked', ...overrides })];

/** Buffers of what stands and of what comes, in minutes, and the gap that they need after it and before it. */
const gaps: readonly (readonly [standing: [number, number], next: [number, number], after: number, before: number])[] =
  [
    [[0, 0], [0, 0], 0, 0],
    [[10, 20], [0, 0], 20, 10],
    [[0, 0], [10, 20], 10, 20],
    [[10, 20], [30, 40], 30, 40],
    [[30, 40], [10, 20], 40, 30],
    [[15, 15], [15, 15], 15, 15],
    [[0, 20], [10, 0], 20, 0],
    [[1440, 1440], [5, 5], 1440, 1440],
  ];

/** What follows and what goes before needs the larger of the two buffers between them, and no more. */
const gapCase = ([standing, next, after, before]: (typeof gaps)[number]): Case =>
  it(`buffers of ${standing.join(' and ')} beside ${next.join(' and ')} minutes: a gap of ${after} after and ${before} before`, async (store, a) => {
    await inserted(store, a.scheduled({ id: 'booked', service: booked(buffersOf(...standing)) }));
    const service = booked(buffersOf(...next));
    const starts: readonly (readonly [id: string, start: number, isFree: boolean])[] = [
      ['too early', at(1) + after * minute - 1, false],
      ['too late', at(-1) - before * minute + 1, false],
      ['after', at(1) + after * minute, true],
      ['before', at(-1) - before * minute, true],
    ];
    for (const [id, start, isFree] of starts) {
      const result = await store.commit(booking(a.scheduled({ id, start, service })));
      expect(result).toEqual(isFree ? committed : conflict('booked'), id);
    }
  });

export const spanGuardGroup = group('a guard with a span keeps buffers free and sees holds', [
  { rule: 'buffers' },
  ...gaps.map(gapCase),
  told('what was booked without a service has no buffer of its own', one(), { start: at(1) }, committed),
  told(
    'what was booked without a service is given the buffer of what comes',
    one(),
    { start: at(1), service: booked({ before: 1 }) },
    conflict('booked'),
  ),
  told(
    'resources are in the way of each other',
    one({ organizerId: 'bert', service: booked({}, ['room-1']) }),
    {
      service: booked({}, ['room-1']),
    },
    conflict('booked'),
  ),
  told(
    'a customer is in the way as well',
    (a) => [a.scheduled({ id: 'booked', participants: [customer('customer-1', 'agent-1')], organizerId: 'bert' })],
    {},
    conflict('booked'),
  ),
  told(
    'what is booked with the same service by another agent is not in the way',
    one({ service: booked() }),
    {
      organizerId: 'bert',
    },
    committed,
  ),
  told(
    'what was cancelled, aborted, completed or missed has no buffer',
    (a) => [
      a.cancelled({ id: 'cancelled', service: booked(buffersOf(60, 60)) }),
      a.aborted({ id: 'aborted', service: booked(buffersOf(60, 60)) }),
      a.activated({ id: 'completed', service: booked(buffersOf(60, 60)), interaction: { state: 'COMPLETED' } }),
      a.activated({ id: 'no-show', service: booked(buffersOf(60, 60)), interaction: { state: 'NO_SHOW' } }),
    ],
    { start: at(1), service: booked(buffersOf(60, 60)) },
    committed,
  ),
  told(
    'all that stand in the way are told once, by start, then id',
    (a) => [
      a.scheduled({ id: 'b', start: at(2), agentIds: ['bert'] }),
      a.scheduled({ id: 'B', start: at(2), organizerId: 'bert' }),
      a.scheduled({ id: 'early', start: at(-1), organizerId: 'bert', service: booked({ after: 1 }) }),
      a.scheduled({ id: 'before', start: at(-3), service: booked(buffersOf(0, 60)) }),
    ],
    { duration: 3 * hour, agentIds: ['bert'] },
    conflict('early', 'B', 'b'),
  ),
  told(
    'seven days that ended a day ago are in the way by a buffer of more than a day',
    one({
      start: at(0) - 8 * day,
      duration: 7 * day,
      service: booked({ after: day + 1 }),
    }),
    {},
    conflict('booked'),
  ),
  told(
    'seven days that ended a day ago are not in the way by a buffer of a day',
    one({
      start: at(0) - 8 * day,
      duration: 7 * day,
      service: booked({ after: day }),
    }),
    {},
    committed,
  ),
  it('a guard with a service among its actors meets nothing of it', async (store, a) => {
    await inserted(store, a.scheduled({ service: booked() }));
    await commitAll(store, a.holding(a.hold({ agentIds: ['bert'] })));
    const next = a.scheduled({ id: 'next', organizerId: 'carla', service: booked() });
    const guard = { ...guardOf(next), actorIds: ['carla', service1, 'owner-1'] };
    await commitAll(store, insertion(next, { guard, holdsAt: heldAt }));
  }),
  it('an appointment is not in its own way when it moves, and another one’s buffer is', async (store, a) => {
    const service = booked(buffersOf(30, 30));
    const [first, second] = [a.scheduled({ service }), a.scheduled({ id: 'second', start: at(4), service })];
    await commitAll(store, insertion(first), insertion(second));
    const movedTo = (start: number) => {
      const next = nextVersion(first, { schedule: { ...first.schedule, start, end: start + hour } });
      return update(next, { guard: guardOf(next), holdsAt: heldAt });
    };
    expect(await store.commit(movedTo(at(2.5) + 1))).toEqual(conflict('second'));
    await commitAll(store, movedTo(at(0.5)));
  }),
  it('a guard without a span sees neither buffers nor holds', async (store, a) => {
    await inserted(store, a.scheduled({ id: 'booked', service: booked(buffersOf(60, 60)) }));
    await commitAll(store, a.holding(a.hold({ start: at(1) })));
    const next = a.scheduled({ id: 'next', start: at(1) });
    const { span: _, ...guard } = guardOf(next);
    await commitAll(store, insertion(next, { guard, holdsAt: heldAt }));
  }),
  it('a living hold stands in the way, with its buffers, and is told without an id', async (store, a) => {
    await commitAll(store, a.holding(a.hold({ buffers: buffersOf(10, 20), resourceIds: ['room-1'] })));
    const starts: readonly (readonly [start: number, isFree: boolean])[] = [
      [at(0), false],
      [at(1) + 20 * minute - 1, false],
      [at(-1) - 10 * minute + 1, false],
      [at(1) + 20 * minute, true],
      [at(-1) - 10 * minute, true],
    ];
    for (const [start, isFree] of starts) {
      const expected = isFree ? committed : held();
      expect(await store.commit(booking(a.scheduled({ id: `at-${start}`, start, service: booked() })))).toEqual(
        expected,
      );
      const ofRoom = a.scheduled({ id: `of-${start}`, start, organizerId: 'bert', service: booked({}, ['room-1']) });
      expect(await store.commit(booking(ofRoom))).toEqual(expected);
    }
  }),
  it('what comes keeps its own buffer to a living hold', async (store, a) => {
    await commitAll(store, a.holding(a.hold()));
    const next = a.scheduled({ start: at(1) + 10 * minute, service: booked(buffersOf(10, 0)) });
    const early = nextVersion(next, { schedule: { ...next.schedule, start: next.schedule.start - 1 } });
    expect(await store.commit(booking({ ...early, version: 1 }))).toEqual(held());
    await commitAll(store, booking(next));
  }),
  it('a hold and appointments in the way are told together', async (store, a) => {
    await inserted(store, a.scheduled({ id: 'booked', start: at(0.5) }));
    await commitAll(store, a.holding(a.hold()));
    expect(await store.commit(booking(a.scheduled({ id: 'next', service: booked() })))).toEqual(held('booked'));
  }),
  it('a hold stands in the way until it ends and not after, by the time that is given', async (store, a) => {
    const hold = a.hold();
    await commitAll(store, a.holding(hold));
    const next = a.scheduled({ service: booked() });
    expect(await store.commit(booking(next, { holdsAt: hold.until - 1 }))).toEqual(held());
    await commitAll(store, booking(next, { holdsAt: hold.until }));
  }),
  it('a hold stands in the way by the clock of the store where no time is given', async (store, a) => {
    const [alive, ended] = [a.hold({ until: Date.now() + hour }), a.hold({ id: 'ended', until: Date.now() - hour })];
    await commitAll(store, a.holding(ended));
    const [first, second] = [1, 2].map((index) =>
      a.scheduled({ id: `at-${index}`, start: at(index), service: booked() }),
    );
    await commitAll(store, a.holding({ ...alive, start: at(2), end: at(3), busy: { from: at(2), to: at(3) } }));
    expect(await store.commit(booking(second as Appointment, { holdsAt: undefined }))).toEqual(held());
    await commitAll(store, booking(first as Appointment, { holdsAt: undefined }));
  }),
  it('a hold stands in the way of another hold', async (store, a) => {
    const hold = a.hold({ buffers: buffersOf(10, 10) });
    const other = a.hold({ id: 'hold-2', start: at(1), ownerKey: 'owner-2' });
    await commitAll(store, a.holding(hold, { guard: guardOf(hold) }));
    expect(await store.commit(a.holding(other, { guard: guardOf(other) }))).toEqual(held());
    const later = a.hold({ id: 'hold-2', start: at(1) + 10 * minute });
    await commitAll(store, a.holding(later, { guard: guardOf(later) }));
  }),
  it('an appointment stands in the way of a hold', async (store, a) => {
    await inserted(store, a.scheduled({ id: 'booked', service: booked(buffersOf(0, 10)) }));
    const hold = a.hold({ start: at(1) });
    expect(await store.commit(a.holding(hold, { guard: guardOf(hold) }))).toEqual(conflict('booked'));
    const free = a.hold({ start: at(1) + 10 * minute });
    await commitAll(store, a.holding(free, { guard: guardOf(free) }));
  }),
  { rule: 'organization-first' },
  it('holds and buffers of another organization stand in nobody’s way', async (store, a) => {
    const owner = a.of('owner');
    await commitAll(store, a.holding(owner.hold()), insertion(owner.scheduled({ service: booked(buffersOf(60, 60)) })));
    await commitAll(store, booking(a.scheduled({ service: booked() })));
  }),
]);
