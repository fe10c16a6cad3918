import type { Appointment } from '@calends/core';
import { type LimitGuard, serviceActorId } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { customer, day, fixtureStart, hour, lastInstant } from '../fixtures/appointments.js';
import { booked, heldAt, service1 } from '../fixtures/availability.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import type { Words } from '../fixtures/words.js';
import { commitAll, inserted } from '../steps.js';

const window = { from: fixtureStart, to: fixtureStart + day };
const limitOf = (actorId: string, max: number, rest: Partial<LimitGuard> = {}): LimitGuard => ({
  actorId,
  window,
  max,
  ...rest,
});

const reached = (limit: number) => ({ status: 'limitReached', limit });

/** The change that books an hour far from the window, under limits. */
const booking = (a: Words, ...limits: readonly LimitGuard[]) =>
  insertion(a.scheduled({ id: 'next', organizerId: 'nobody', start: fixtureStart - 9 * day }), {
    limits,
    holdsAt: heldAt,
  });

/** So many count of what stands: so many are the most that refuse, and one more is let through. */
function counted(
  name: string,
  standing: (a: Words) => readonly Appointment[],
  limit: (max: number) => LimitGuard,
  count: number,
): Case {
  return it(name, async (store, a) => {
    await commitAll(store, ...standing(a).map((each) => insertion(each)));
    if (count > 0) expect(await store.commit(booking(a, limit(count)))).toEqual(reached(0));
    await commitAll(store, booking(a, limit(count + 1)));
  });
}

const ofAgent = (max: number) => limitOf('agent-1', max);
const ofService = (max: number) => limitOf(service1, max);
const ofBoth = (max: number) => limitOf('agent-1', max, { serviceActorId: service1 });

/** Two of `service-1`, one of another service, one without, and two of `service-1` by another agent. */
const mixed = (a: Words): readonly Appointment[] => [
  a.scheduled({ id: 'first', service: booked() }),
  a.scheduled({ id: 'second', service: booked(), organizerId: 'bert', agentIds: ['agent-1'] }),
  a.scheduled({ id: 'third', service: { ...booked(), id: 'service-2' } }),
  a.scheduled({ id: 'fourth' }),
  ...['fifth', 'sixth'].map((id) => a.scheduled({ id, service: booked(), organizerId: 'carla' })),
  a.scheduled({ id: 'elsewhere', applicationId: 'app-2', service: booked(), organizerId: 'carla' }),
];

export const limitsGroup = group('limits count under the commit', [
  { rule: 'limits' },
  counted('a limit counts nothing where nothing stands', () => [], ofAgent, 0),
  counted('a limit counts all of an agent', mixed, ofAgent, 4),
  counted('a limit counts those of an agent with one service', mixed, ofBoth, 2),
  counted('a limit counts those of a service', mixed, ofService, 4),
  counted(
    'a limit counts those of a service of another application',
    mixed,
    (max) => limitOf(serviceActorId('app-2', 'service-1'), max),
    1,
  ),
  counted(
    'a limit counts those of a service that nobody booked',
    mixed,
    (max) => limitOf(serviceActorId('app-1', 'service-9'), max),
    0,
  ),
  counted(
    'an agent who organizes and is assigned counts once',
    (a) => [a.scheduled({ agentIds: ['agent-1'] })],
    ofAgent,
    1,
  ),
  counted(
    'a customer by identity',
    (a) => [a.scheduled({ participants: [customer('customer-1', 'identity-1')] })],
    (max) => limitOf('identity-1', max),
    1,
  ),
  counted(
    'what starts in the window, half-open, however long it is and whatever its buffers',
    (a) =>
      [window.from - 1, window.from, window.to - 1, window.to].map((start) =>
        a.scheduled({ id: `at-${start}`, start, duration: 7 * day, service: booked({ before: day, after: day }) }),
      ),
    ofAgent,
    2,
  ),
  counted(
    'what is completed or was missed counts, what was cancelled or aborted does not',
    (a) => [
      a.activated({ id: 'completed', interaction: { state: 'COMPLETED' }, service: booked() }),
      a.activated({ id: 'no-show', interaction: { state: 'NO_SHOW' }, service: booked() }),
      a.cancelled({ id: 'cancelled', service: booked() }),
      a.aborted({ id: 'aborted', service: booked() }),
    ],
    ofService,
    2,
  ),
  counted(
    'nothing of another organization',
    (a) => [a.of('owner').scheduled({ service: booked() }), a.scheduled({ service: booked() })],
    ofBoth,
    1,
  ),
  it('living holds count under their agents, resources, service and owner', async (store, a) => {
    const holds = [1, 2].map((index) => a.hold({ id: `hold-${index}`, resourceIds: ['room-1'] }));
    await commitAll(store, ...holds.map((hold) => a.holding(hold)));
    await inserted(store, a.scheduled({ service: booked({}, ['room-1']) }));
    for (const [actorId, count] of [
      ['agent-1', 3],
      ['room-1', 3],
      [service1, 3],
      ['owner-1', 2],
    ] as const) {
      for (const rest of [{}, { serviceActorId: service1 }]) {
        expect(await store.commit(booking(a, limitOf(actorId, count, rest)))).toEqual(reached(0), actorId);
        const next = a.scheduled({ id: `next of ${actorId} ${Object.keys(rest).length}`, organizerId: 'nobody' });
        await commitAll(store, insertion(next, { limits: [limitOf(actorId, count + 1, rest)], holdsAt: heldAt }));
      }
      const otherService = limitOf(actorId, 1, { serviceActorId: serviceActorId('app-1', 'service-2') });
      expect((await store.commit({ ...a.change({ limits: [otherService] }), holdsAt: heldAt })).status).toEqual(
        'committed',
      );
    }
  }),
  it('a hold counts until it ends, by the time that is given, where it starts in the window', async (store, a) => {
    const hold = a.hold({ until: heldAt + 5 });
    await commitAll(store, a.holding(hold), a.holding(a.hold({ id: 'outside', start: window.to })));
    await commitAll(store, a.holding(a.hold({ id: 'before', start: window.from - 1 })));
    const asking = { ...a.change({ limits: [limitOf('owner-1', 1)] }), holdsAt: hold.until - 1 };
    expect(await store.commit(asking)).toEqual(reached(0));
    await commitAll(store, { ...asking, holdsAt: hold.until });
    const always = limitOf('owner-1', 3, { window: { from: 0, to: lastInstant } });
    expect(await store.commit({ ...asking, limits: [always] })).toEqual(reached(0));
  }),
  it('a hold counts by the clock of the store where no time is given', async (store, a) => {
    await commitAll(store, a.holding(a.hold({ until: Date.now() - hour })));
    const asking = a.change({ limits: [limitOf('owner-1', 1)] });
    await commitAll(store, asking, a.holding(a.hold({ id: 'alive', until: Date.now() + hour })));
    expect(await store.commit(asking)).toEqual(reached(0));
  }),
  it('the first limit that is reached is told by its place', async (store, a) => {
    await inserted(store, a.scheduled({ service: booked() }));
    const [free, full] = [limitOf('agent-1', 2), limitOf(service1, 1)];
    expect(await store.commit(booking(a, free, full, limitOf('agent-1', 1)))).toEqual(reached(1));
    expect(await store.commit(booking(a, full, full))).toEqual(reached(0));
    expect(await store.commit(booking(a, free, free, full))).toEqual(reached(2));
    await commitAll(store, booking(a, free, free));
  }),
  it('what the change itself writes does not count', async (store, a) => {
    const limits = [limitOf('agent-1', 1), limitOf(service1, 1), limitOf('owner-1', 1)];
    await commitAll(store, a.holding(a.hold(), { limits }));
    await commitAll(store, a.change({ holds: { release: ['hold-1'] } }));
    await commitAll(store, insertion(a.scheduled({ service: booked() }), { limits, holdsAt: heldAt }));
  }),
  it('holds that the change uses or gives up do not count', async (store, a) => {
    const limits = [limitOf('agent-1', 1), limitOf(service1, 1), limitOf('owner-1', 1)];
    const [first, second] = [a.hold(), a.hold({ id: 'hold-2', start: fixtureStart + hour })];
    await commitAll(store, a.holding(first, { limits }));
    expect(await store.commit(a.holding(second, { limits }))).toEqual(reached(0));
    await commitAll(store, a.holding(second, { limits, holds: { add: second, release: ['hold-1'] } }));
    const next = a.scheduled({ start: second.start, service: booked() });
    expect(await store.commit(insertion(next, { limits, holdsAt: heldAt }))).toEqual(reached(0));
    await commitAll(store, insertion(next, { limits, holds: { consume: 'hold-2' }, holdsAt: heldAt }));
  }),
  it('an appointment that moves within the window does not count itself', async (store, a) => {
    const first = await inserted(store, a.scheduled({ service: booked() }));
    const moved = nextVersion(first, {
      schedule: { ...first.schedule, start: fixtureStart + hour, end: fixtureStart + 2 * hour },
    });
    const limits = [limitOf('agent-1', 1), limitOf(service1, 1)];
    await commitAll(store, update(moved, { limits, holdsAt: heldAt }));
    await inserted(store, a.scheduled({ id: 'other', service: booked() }));
    const again = update(nextVersion(moved), { limits, holdsAt: heldAt });
    expect(await store.commit(again)).toEqual(reached(0));
  }),
  { rule: 'code-points' },
  it('actors and services that look alike are counted apart', async (store, a) => {
    const [first, ...others] = lookalikes('b') as [string, ...string[]];
    await inserted(store, a.scheduled({ organizerId: first, service: { ...booked(), id: first } }));
    await commitAll(store, a.holding(a.hold({ agentIds: ['other'], ownerKey: first })));
    expect(await store.commit({ ...a.change({ limits: [limitOf(first, 2)] }), holdsAt: heldAt })).toEqual(reached(0));
    for (const other of others) {
      const ofOther = { serviceActorId: serviceActorId('app-1', other) };
      const limits = [limitOf(other, 1), limitOf(first, 1, ofOther), limitOf(ofOther.serviceActorId, 1)];
      await commitAll(store, { ...a.change({ limits }), holdsAt: heldAt });
    }
  }),
]);
