import type { Change, CommitResult, Hold, SchedulingStore } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { availabilityOf, expect } from '../expectations.js';
import { fixtureStart, hour, lastInstant, minute } from '../fixtures/appointments.js';
import { booked, guardOf, heldAt, recording, service1 } from '../fixtures/availability.js';
import { insertion } from '../fixtures/changes.js';
import type { Words } from '../fixtures/words.js';
import { atOnce, commitAll, outcomes } from '../steps.js';

const writers = 16;
const always = { from: 0, to: lastInstant };
const buffers = { before: 10 * minute, after: 10 * minute };

/** Books with a service, guarded. */
function booking(a: Words, index: number, start = fixtureStart, extras: Partial<Change> = {}): Change {
  const next = a.scheduled({ id: `at-${index}`, start, service: booked(buffers) });
  return { ...insertion(next, { guard: guardOf(next), holdsAt: heldAt }), ...extras };
}

/** Holds, guarded. */
function holdingOne(a: Words, index: number, overrides: Partial<Hold> = {}, extras: Partial<Change> = {}): Change {
  const hold = a.hold({ id: `hold-${index}`, buffers, ...overrides });
  return a.holding(hold, { guard: guardOf(hold), ...extras });
}

interface Race {
  readonly name: string;
  readonly standing?: (a: Words) => readonly Change[];
  readonly changeOf: (a: Words, index: number) => Change;
  /** How often each outcome is expected. */
  readonly expected: Readonly<Record<string, number>>;
}

const races: readonly Race[] = [
  {
    name: 'bookings with a service that are nearer to each other than their buffers: one is committed',
    changeOf: (a, index) => booking(a, index, fixtureStart + (index % 2) * (hour + 9 * minute)),
    expected: { committed: 1, slotConflict: writers - 1 },
  },
  {
    name: 'holds of one time: one is committed',
    changeOf: (a, index) => holdingOne(a, index),
    expected: { committed: 1, slotConflict: writers - 1 },
  },
  {
    name: 'holds and bookings of one time: one is committed',
    changeOf: (a, index) => (index % 4 < 2 ? holdingOne(a, index) : booking(a, index)),
    expected: { committed: 1, slotConflict: writers - 1 },
  },
  {
    name: 'bookings that use one hold: one is committed',
    standing: (a) => [holdingOne(a, 0)],
    changeOf: (a, index) => {
      const next = booking(a, index, fixtureStart, { holds: { consume: 'hold-0' } });
      return { ...next, guard: { ...guardOf(a.hold({ buffers })), exceptHoldIds: ['hold-0'] } };
    },
    expected: { committed: 1, holdLost: writers - 1 },
  },
  {
    name: 'bookings of different agents and times against a limit of five of their service: five are committed',
    changeOf: (a, index) => {
      const limits = [{ actorId: service1, window: always, max: 5 }];
      const start = fixtureStart + index * 2 * hour;
      const next = a.scheduled({ id: `at-${index}`, organizerId: `agent-${index % 7}`, start, service: booked() });
      return insertion(next, { guard: guardOf(next), limits, holdsAt: heldAt });
    },
    expected: { committed: 5, limitReached: writers - 5 },
  },
  {
    name: 'holds and bookings of different times against a limit of three of one agent: three are committed',
    changeOf: (a, index) => {
      const limits = [{ actorId: 'agent-1', serviceActorId: service1, window: always, max: 3 }];
      const start = fixtureStart + index * 2 * hour;
      return index % 2 === 0
        ? booking(a, index, start, { limits })
        : holdingOne(a, index, { start, end: start + hour, busy: { from: start, to: start + hour } }, { limits });
    },
    expected: { committed: 3, limitReached: writers - 3 },
  },
  {
    name: 'holds of one owner of different agents against a limit of two: two are committed',
    changeOf: (a, index) => {
      const limits = [{ actorId: 'owner-1', window: always, max: 2 }];
      return holdingOne(a, index, { agentIds: [`agent-${index}`] }, { limits });
    },
    expected: { committed: 2, limitReached: writers - 2 },
  },
  {
    name: 'holds of two agents each, named in either order: one is committed',
    changeOf: (a, index) =>
      holdingOne(a, index, {
        agentIds: index % 2 === 0 ? ['anna', 'bert'] : ['bert', 'anna'],
        resourceIds: ['room-1'],
      }),
    expected: { committed: 1, slotConflict: writers - 1 },
  },
  {
    name: 'changes of one version of a record: one is committed',
    standing: (a) => [a.change({ records: [recording(a.record())] })],
    changeOf: (a, index) =>
      a.change({ records: [recording(a.record({ version: 2, document: { title: `Title ${index}` } }))] }),
    expected: { committed: 1, stale: writers - 1 },
  },
  {
    name: 'first versions of a record: one is committed',
    changeOf: (a, index) => a.change({ records: [recording(a.record({ document: { title: `Title ${index}` } }))] }),
    expected: { committed: 1, stale: writers - 1 },
  },
];

/** What is there of what was committed, and nothing of what was refused. */
async function expectStanding(
  store: SchedulingStore,
  a: Words,
  changes: readonly Change[],
  results: readonly CommitResult[],
): Promise<void> {
  const { organizationId } = a;
  for (const [index, { appointment, holds, records = [] }] of changes.entries()) {
    const isWritten = results[index]?.status === 'committed';
    if (appointment?.kind === 'insert') {
      const found = await store.appointments.find(organizationId, appointment.next.id);
      expect(found).toEqual(isWritten ? appointment.next : undefined);
    }
    if (holds?.add !== undefined) {
      const found = await availabilityOf(store).findHold(organizationId, holds.add.id);
      expect(found).toEqual(isWritten ? holds.add : undefined);
    }
    if (isWritten && records.length > 0) {
      const found = await availabilityOf(store).listRecords({ organizationId, kinds: ['service'] });
      expect(found).toEqual(records.flatMap(({ next }) => next ?? []));
    }
  }
}

const raceCase = ({ name, standing, changeOf, expected }: Race, isShared: boolean): Case =>
  it(`sixteen ${name}`, async (store, a, _organizationId, context) => {
    const other = isShared ? await context.secondWriter() : store;
    await commitAll(store, ...(standing?.(a) ?? []));
    const changes = Array.from({ length: writers }, (_, index) => changeOf(a, index));
    const results = await atOnce(writers, (index) =>
      (index % 2 === 0 ? store : other).commit(changes[index] as Change),
    );
    expect(outcomes(results)).toEqual(expected);
    await expectStanding(store, a, changes, results);
  });

export const availabilityRacesGroup = group('holds, limits and records are decided one by one', [
  { rule: 'one-by-one' },
  ...races.map((race) => raceCase(race, false)),
]);

export const sharedAvailabilityGroup = group('several stores on the same data decide together on holds and limits', [
  { rule: 'shared', requires: 'sharedBetweenProcesses' },
  it('what one holds, the other finds, uses and gives up', async (store, a, organizationId, context) => {
    const second = await context.secondWriter();
    const [first, other] = [a.hold(), a.hold({ id: 'hold-2', start: fixtureStart + hour })];
    await commitAll(store, a.holding(first), a.holding(other));
    expect(await availabilityOf(second).findHold(organizationId, first.id)).toEqual(first);
    const next = a.scheduled({ service: booked() });
    const guard = { ...guardOf(next), exceptHoldIds: [first.id] };
    const holds = { consume: first.id, release: [other.id] };
    await commitAll(second, insertion(next, { guard, holds, holdsAt: heldAt }));
    expect((await availabilityOf(store).listBusy(a.busyQuery())).map(({ holdId }) => holdId)).toEqual([undefined]);
  }),
  it('holds end for both by one clock', async (store, a, _organizationId, context) => {
    const second = await context.secondWriter();
    await commitAll(store, a.holding(a.hold({ until: Date.now() + hour })));
    const next = a.scheduled({ service: booked() });
    const guarded = insertion(next, { guard: guardOf(next) });
    for (const each of [store, second]) {
      expect(await each.commit(guarded)).toEqual({ status: 'slotConflict', appointmentIds: [], isHeld: true });
    }
  }),
  ...races.map((race) => raceCase(race, true)),
  { rule: 'durable', requires: 'durable' },
  it('services, hours, holds and buffers are there after a restart', async (store, a, organizationId, context) => {
    const hold = a.hold({ buffers });
    const record = a.record();
    await commitAll(store, a.holding(hold), a.change({ records: [recording(record)] }));
    await commitAll(store, booking(a, 1, fixtureStart + 3 * hour));
    const before = await availabilityOf(store).listBusy(a.busyQuery({ actorIds: ['agent-1', service1, 'owner-1'] }));
    const reopened = await context.reopen();
    const availability = availabilityOf(reopened);
    expect(await availability.findHold(organizationId, hold.id)).toEqual(hold);
    expect(await availability.listRecords({ organizationId, kinds: ['service'] })).toEqual([record]);
    const after = await availability.listBusy(a.busyQuery({ actorIds: ['agent-1', service1, 'owner-1'] }));
    expect(after).toEqual(before);
    expect((await reopened.commit(booking(a, 2, fixtureStart))).status).toEqual('slotConflict');
  }),
]);
