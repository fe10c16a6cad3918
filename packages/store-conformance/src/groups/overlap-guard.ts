import type { Appointment } from '@calends/core';
import type { OverlapGuard } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect } from '../expectations.js';
import { type AppointmentOverrides, customer, day, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { commitAll } from '../steps.js';

const at = (hours: number) => fixtureStart + hours * hour;
const guardFor = (from: number, to: number, ...actorIds: readonly string[]): OverlapGuard => ({
  actorIds: actorIds.length === 0 ? ['anna'] : actorIds,
  window: { from, to },
});

type Build = (a: Words) => readonly Appointment[];

/** A case that has appointments, inserts one under a guard, and compares which ids stand in the way. */
function guarded(name: string, existing: Build, guard: OverlapGuard, conflicts: readonly string[]): Case {
  return it(name, async (store, a, organizationId) => {
    await commitAll(store, ...existing(a).map((appointment) => insertion(appointment)));
    const next = a.scheduled({ id: 'next', organizerId: 'anna' });
    const result = await store.commit(insertion(next, { guard }));
    const expected =
      conflicts.length === 0 ? { status: 'committed' } : { status: 'slotConflict', appointmentIds: conflicts };
    expect(result).toEqual(expected);
    expect(await store.appointments.find(organizationId, next.id)).toEqual(conflicts.length === 0 ? next : undefined);
  });
}

/** One appointment of anna from hour 0 to hour 1. */
const one =
  (overrides: AppointmentOverrides = {}): Build =>
  (a) => [a.scheduled({ id: 'booked', organizerId: 'anna', ...overrides })];

export const overlapGuardGroup = group('the overlap guard refuses what stands in the way (D26)', [
  { rule: 'guard' },
  guarded('the same time', one(), guardFor(at(0), at(1)), ['booked']),
  guarded('a window that ends where the other begins is free', one(), guardFor(at(-1), at(0)), []),
  guarded('a window that begins where the other ends is free', one(), guardFor(at(1), at(2)), []),
  guarded('one millisecond at the beginning is enough', one(), guardFor(at(-1), at(0) + 1), ['booked']),
  guarded('one millisecond at the end is enough', one(), guardFor(at(1) - 1, at(2)), ['booked']),
  guarded('a window inside the other', one(), guardFor(at(0) + minute, at(1) - minute), ['booked']),
  guarded('a window around the other', one(), guardFor(at(-1), at(2)), ['booked']),
  guarded('a buffer is part of the window', one(), guardFor(at(1) - 10 * minute, at(2) + 10 * minute), ['booked']),
  guarded('an organizer', one({ organizerId: 'anna' }), guardFor(at(0), at(1), 'anna'), ['booked']),
  guarded('an assigned agent', one({ organizerId: 'bert', agentIds: ['anna'] }), guardFor(at(0), at(1)), ['booked']),
  guarded(
    'an organizer who is assigned too is reported once',
    one({ agentIds: ['anna'] }),
    guardFor(at(0), at(1), 'anna', 'anna'),
    ['booked'],
  ),
  guarded('somebody else is free', one({ organizerId: 'bert' }), guardFor(at(0), at(1)), []),
  guarded('any of several actors', one({ organizerId: 'bert' }), guardFor(at(0), at(1), 'anna', 'bert'), ['booked']),
  guarded('nobody is asked for', one(), { actorIds: [], window: { from: at(0), to: at(1) } }, []),
  guarded(
    'a customer is known by identity',
    one({ organizerId: 'bert', participants: [customer('c-1', 'identity-1')] }),
    guardFor(at(0), at(1), 'identity-1'),
    ['booked'],
  ),
  guarded(
    'a customer is not known by participant id',
    one({ organizerId: 'bert', participants: [customer('c-1', 'identity-1'), customer('c-2')] }),
    guardFor(at(0), at(1), 'c-1', 'c-2'),
    [],
  ),
  guarded('other applications of the organization count', one({ applicationId: 'app-2' }), guardFor(at(0), at(1)), [
    'booked',
  ]),
  guarded(
    'an activated appointment and one in progress or failed block',
    (a) => [
      a.activated({ id: 'activated', organizerId: 'anna' }),
      ...(['INITIATED', 'IN_PROGRESS', 'FAILED'] as const).map((state) =>
        a.scheduled({ id: state, organizerId: 'anna', interaction: { state } }),
      ),
    ],
    guardFor(at(0), at(1)),
    ['FAILED', 'INITIATED', 'IN_PROGRESS', 'activated'],
  ),
  guarded(
    'cancelled, aborted, completed and no-show appointments do not block',
    (a) => [
      a.cancelled({ id: 'cancelled', organizerId: 'anna' }),
      a.aborted({ id: 'aborted', organizerId: 'anna' }),
      a.activated({ id: 'completed', organizerId: 'anna', interaction: { state: 'COMPLETED' } }),
      a.activated({ id: 'no-show', organizerId: 'anna', interaction: { state: 'NO_SHOW' } }),
    ],
    guardFor(at(0), at(1)),
    [],
  ),
  guarded(
    'all that stand in the way are told, by start, then id',
    (a) =>
      (
        [
          ['late', 3],
          ['same-b', 1],
          ['same-B', 1],
          ['early', 0],
          ['after', 9],
        ] as const
      ).map(([id, hours]) =>
        a.scheduled({
          id,
          organizerId: id === 'late' ? 'bert' : 'anna',
          agentIds: id === 'early' ? [] : ['bert'],
          start: at(hours),
        }),
      ),
    guardFor(at(0), at(9), 'bert', 'anna'),
    ['early', 'same-B', 'same-b', 'late'],
  ),
  guarded(
    'an appointment of seven days that began long before',
    one({ duration: 7 * day }),
    guardFor(at(0) + 7 * day - 1, at(0) + 8 * day),
    ['booked'],
  ),
  guarded(
    'an appointment of seven days that has just ended',
    one({ duration: 7 * day }),
    guardFor(at(0) + 7 * day, at(0) + 8 * day),
    [],
  ),
  it('an appointment does not stand in its own way on update, others do', async (store, a, organizationId) => {
    const first = a.scheduled({ id: 'first', organizerId: 'anna' });
    const second = a.scheduled({ id: 'second', organizerId: 'anna', start: at(2) });
    const { schedule } = first;
    const longer = nextVersion(first, { schedule: { ...schedule, end: at(1.5) } });
    const tooLong = nextVersion(longer, { schedule: { ...schedule, end: at(2.5) } });
    await commitAll(store, insertion(first), insertion(second));
    await commitAll(store, update(longer, { guard: guardFor(at(0), at(1.5)) }));
    const refused = await store.commit(update(tooLong, { guard: guardFor(at(0), at(2.5)) }));
    expect(refused).toEqual({ status: 'slotConflict', appointmentIds: ['second'] });
    expect(await store.appointments.find(organizationId, 'first')).toEqual(longer);
  }),
  it('appointments of another organization do not stand in the way', async (store, a) => {
    const foreign = a.of('other').scheduled({ organizerId: 'anna' });
    const next = a.scheduled({ id: 'next', organizerId: 'anna' });
    await commitAll(store, insertion(foreign), insertion(next, { guard: guardFor(at(0), at(1)) }));
  }),
  it('a cancelled appointment gives its time free, a moved one its old time', async (store, a, organizationId) => {
    const first = a.scheduled({ id: 'first', organizerId: 'anna' });
    const moved = nextVersion(first, { schedule: { ...first.schedule, start: at(5), end: at(6) } });
    const next = a.scheduled({ id: 'next', organizerId: 'anna' });
    const late = a.scheduled({ id: 'late', organizerId: 'anna', start: at(5) });
    const fields = { organizationId, id: 'first', organizerId: 'anna', start: at(5), version: 3 };
    const cancelled = a.cancelled(fields);
    await commitAll(store, insertion(first), update(moved), insertion(next, { guard: guardFor(at(0), at(1)) }));
    const refused = await store.commit(insertion(late, { guard: guardFor(at(5), at(6)) }));
    expect(refused).toEqual({ status: 'slotConflict', appointmentIds: ['first'] });
    await commitAll(store, update(cancelled, { before: moved }), insertion(late, { guard: guardFor(at(5), at(6)) }));
  }),
  it('a commit without a guard is not checked', async (store, a) => {
    const ids = ['a', 'b', 'c'];
    await commitAll(store, ...ids.map((id) => insertion(a.scheduled({ id, organizerId: 'anna' }))));
  }),
]);
