import type { Change } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { availabilityOf, expect, spoil } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { booked, busyOf, guardOf, heldAt, service1 } from '../fixtures/availability.js';
import { lookalikes } from '../fixtures/awkward-values.js';
import { insertion, removal } from '../fixtures/changes.js';
import type { Words } from '../fixtures/words.js';
import { commitAll, inserted } from '../steps.js';

/** The change that books the held hour and uses the hold up. */
function using(a: Words, consume = 'hold-1', extras: Partial<Change> = {}): Change {
  const next = a.scheduled({ service: booked() });
  const guard = { ...guardOf(next), exceptHoldIds: [consume] };
  return { ...insertion(next, { guard, holds: { consume }, holdsAt: heldAt }), ...extras };
}

export const holdsGroup = group('a hold keeps a time for who is about to book', [
  { rule: 'round-trip' },
  it('a hold comes back as it was written, alive or not', async (store, a, organizationId) => {
    const buffers = { before: minute, after: 2 * minute };
    const holds = [
      a.hold({ buffers, agentIds: ['bert', 'anna'], resourceIds: ['room-2', 'room-1'] }),
      a.hold({ id: 'hold-2', agentIds: [], resourceIds: ['room-1'], start: fixtureStart + 1, end: fixtureStart + 2 }),
      a.hold({ id: 'ended', until: 1 }),
    ];
    await commitAll(store, ...holds.map((hold) => a.holding(hold)));
    for (const hold of holds) expect(await availabilityOf(store).findHold(organizationId, hold.id)).toEqual(hold);
  }),
  { rule: 'copies' },
  it('what a caller does to a hold that was handed over or answered changes nothing stored', async (store, a, organizationId) => {
    const written = structuredClone(a.hold());
    await commitAll(store, a.holding(written));
    spoil(written);
    spoil(await availabilityOf(store).findHold(organizationId, 'hold-1'));
    expect(await availabilityOf(store).findHold(organizationId, 'hold-1')).toEqual(a.hold());
  }),
  { rule: 'holds' },
  it('a hold is used up by the booking that it was made for, and nobody else’s way is barred any more', async (store, a, organizationId) => {
    await commitAll(store, a.holding(a.hold()), using(a));
    await expect.appointments(store, a.scheduled({ service: booked() }));
    expect(await availabilityOf(store).findHold(organizationId, 'hold-1')).toEqual(undefined);
    const actorIds = ['agent-1', 'owner-1', service1];
    const entries = await availabilityOf(store).listBusy(a.busyQuery({ actorIds }));
    expect(entries.map(({ actorId, holdId }) => [actorId, holdId])).toEqual([
      ['agent-1', undefined],
      [service1, undefined],
    ]);
  }),
  it('a hold that is unknown, was used or was given up is lost', async (store, a) => {
    const lost = { status: 'holdLost' };
    expect(await store.commit(using(a))).toEqual(lost);
    await commitAll(store, a.holding(a.hold()), using(a));
    const again = a.scheduled({ id: 'again', start: fixtureStart + hour });
    const usingAgain = insertion(again, { holds: { consume: 'hold-1' }, holdsAt: heldAt });
    expect(await store.commit(usingAgain)).toEqual(lost);
    await commitAll(store, a.holding(a.hold()), a.change({ holds: { release: ['hold-1'] } }));
    expect(await store.commit(usingAgain)).toEqual(lost);
  }),
  it('a hold can be used until it ends and not then, by the time that is given', async (store, a, organizationId) => {
    const hold = a.hold();
    await commitAll(store, a.holding(hold));
    for (const late of [hold.until, hold.until + 1]) {
      expect(await store.commit(using(a, hold.id, { holdsAt: late }))).toEqual({ status: 'holdLost' });
    }
    expect(await availabilityOf(store).findHold(organizationId, hold.id)).toEqual(hold);
    await commitAll(store, using(a, hold.id, { holdsAt: hold.until - 1 }));
  }),
  it('a hold can be used by the clock of the store where no time is given', async (store, a) => {
    await commitAll(store, a.holding(a.hold({ until: Date.now() - hour })));
    expect(await store.commit(using(a, 'hold-1', { holdsAt: undefined }))).toEqual({ status: 'holdLost' });
    await commitAll(store, a.holding(a.hold({ id: 'alive', until: Date.now() + hour })));
    await commitAll(store, using(a, 'alive', { holdsAt: undefined }));
  }),
  it('holds that are given up go, and those that are gone are no matter', async (store, a, organizationId) => {
    const [first, second] = [a.hold(), a.hold({ id: 'hold-2', until: 1 })];
    await commitAll(store, a.holding(first), a.holding(second), a.holding(a.hold({ id: 'kept' })));
    const giving = a.change({ holds: { release: ['hold-1', 'unknown', 'hold-2'] } });
    await commitAll(store, giving, giving);
    expect(await availabilityOf(store).findHold(organizationId, 'hold-1')).toEqual(undefined);
    expect(await availabilityOf(store).findHold(organizationId, 'hold-2')).toEqual(undefined);
    expect(await availabilityOf(store).listBusy(a.busyQuery())).toEqual([busyOf(a.hold({ id: 'kept' }))]);
  }),
  it('a hold takes the place of an older one in one commit', async (store, a) => {
    const [older, newer] = [a.hold(), a.hold({ id: 'hold-2', start: fixtureStart + 30 * minute })];
    const guard = { ...guardOf(newer), exceptHoldIds: ['hold-1'] };
    await commitAll(store, a.holding(older, { guard: guardOf(older) }));
    await commitAll(store, a.holding(newer, { guard, holds: { add: newer, release: ['hold-1'] } }));
    expect(await availabilityOf(store).listBusy(a.busyQuery())).toEqual([busyOf(newer)]);
  }),
  it('a booking uses one hold and gives up another in one commit', async (store, a) => {
    const other = a.hold({ id: 'hold-2', start: fixtureStart + 5 * hour });
    await commitAll(store, a.holding(a.hold()), a.holding(other));
    await commitAll(store, using(a, 'hold-1', { holds: { consume: 'hold-1', release: ['hold-2'] } }));
    const entries = await availabilityOf(store).listBusy(a.busyQuery());
    expect(entries.map(({ appointmentId }) => appointmentId)).toEqual(['appointment-1']);
  }),
  it('a hold stays when its time is booked by who did not look, and when appointments go', async (store, a, organizationId) => {
    const appointment = await inserted(store, a.scheduled());
    await commitAll(store, a.holding(a.hold()), removal(appointment));
    expect(await availabilityOf(store).findHold(organizationId, 'hold-1')).toEqual(a.hold());
  }),
  it('a hold whose id is taken makes the commit reject, and nothing of it is written', async (store, a, organizationId) => {
    await commitAll(store, a.holding(a.hold()));
    const taken = a.holding(a.hold({ start: fixtureStart + hour }), { records: [] });
    const outcome = await store.commit({ ...taken, ...insertion(a.scheduled()), holds: taken.holds }).then(
      ({ status }) => status,
      () => 'rejected',
    );
    expect(outcome).toEqual('rejected');
    expect(await store.appointments.find(organizationId, 'appointment-1')).toEqual(undefined);
    expect(await availabilityOf(store).findHold(organizationId, 'hold-1')).toEqual(a.hold());
  }),
  { rule: 'purges', emptyStore: true },
  it('holds that ended before are purged, at most so many, of all organizations', async (store, a, organizationId) => {
    const b = a.of('other');
    const ended = [1, 2, 3].map((until) => b.hold({ id: `ended-${9 - until}`, until }));
    const given = b.hold({ id: 'ended-0', until: 3 });
    const kept = a.hold({ id: 'a-kept', until: 4 });
    await commitAll(store, ...[given, ...ended, kept].map((hold) => a.holding(hold)));
    await commitAll(store, b.change({ holds: { release: [given.id] } }));
    expect(await availabilityOf(store).purgeHolds(1, 9)).toEqual(0);
    expect(await availabilityOf(store).purgeHolds(4, 2)).toEqual(2);
    expect(await availabilityOf(store).purgeHolds(4, 2)).toEqual(1);
    expect(await availabilityOf(store).purgeHolds(4, 2)).toEqual(0);
    for (const { organizationId: other, id } of ended) {
      expect(await availabilityOf(store).findHold(other, id)).toEqual(undefined);
    }
    expect(await availabilityOf(store).findHold(organizationId, kept.id)).toEqual(kept);
    const query = a.busyQuery({ actorIds: ['agent-1', service1, 'owner-1'], now: 0 });
    expect((await availabilityOf(store).listBusy(query)).length).toEqual(3);
    expect(await availabilityOf(store).listBusy({ ...query, ...b.busyQuery({ now: 0 }) })).toEqual([]);
  }),
  it('holds of the same id in two organizations are purged one by one, and counted so', async (store, a) => {
    const both = [a, a.of('other')].map((each) => each.hold({ until: 1 }));
    await commitAll(store, ...both.map((hold) => a.holding(hold)));
    const left = async () => {
      const found = both.map((hold) => availabilityOf(store).findHold(hold.organizationId, hold.id));
      return (await Promise.all(found)).filter((hold) => hold !== undefined).length;
    };
    for (const rest of [1, 0]) {
      expect(await availabilityOf(store).purgeHolds(2, 1)).toEqual(1);
      expect(await left()).toEqual(rest);
    }
    expect(await availabilityOf(store).purgeHolds(2, 1)).toEqual(0);
  }),
  { rule: 'organization-first' },
  it('a hold of another organization is not there: it cannot be found, used or given up', async (store, a, organizationId) => {
    const foreign = a.of('owner').hold();
    await commitAll(store, a.holding(foreign));
    expect(await availabilityOf(store).findHold(organizationId, foreign.id)).toEqual(undefined);
    expect(await store.commit(using(a))).toEqual({ status: 'holdLost' });
    await commitAll(store, a.change({ holds: { release: [foreign.id] } }), a.holding(a.hold()), using(a));
    expect(await availabilityOf(store).findHold(foreign.organizationId, foreign.id)).toEqual(foreign);
  }),
  { rule: 'code-points' },
  it('holds whose ids look alike are others', async (store, a, organizationId) => {
    const ids = lookalikes('h');
    await commitAll(store, ...ids.map((id) => a.holding(a.hold({ id }))));
    const [used, given, ...kept] = ids as [string, string, ...string[]];
    await commitAll(store, using(a, used, { guard: undefined }), a.change({ holds: { release: [given] } }));
    for (const id of [used, given]) expect(await availabilityOf(store).findHold(organizationId, id)).toEqual(undefined);
    for (const id of kept) expect(await availabilityOf(store).findHold(organizationId, id)).toEqual(a.hold({ id }));
  }),
  it('a guard passes over the holds that it names, and over none that looks like one', async (store, a) => {
    const [id = '', ...others] = lookalikes('h');
    const hold = a.hold({ id });
    await commitAll(store, a.holding(hold));
    const guarded = (exceptHoldIds: readonly string[]) =>
      store.commit(a.change({ guard: { ...guardOf(hold), exceptHoldIds }, holdsAt: heldAt }));
    expect(await guarded(others)).toEqual({ status: 'slotConflict', appointmentIds: [], isHeld: true });
    expect(await guarded([id])).toEqual({ status: 'committed' });
  }),
  it('agents, resources and owners of holds that look alike are others: for what is busy, for guards and for limits', async (store, a) => {
    const [mine = '', ...others] = lookalikes('x');
    const hold = a.hold({ agentIds: [`agent-${mine}`], resourceIds: [`room-${mine}`], ownerKey: `owner-${mine}` });
    await commitAll(store, a.holding(hold));
    const actors = (name: string) => ['agent-', 'room-', 'owner-'].map((stem) => stem + name);
    const window = { from: hold.start, to: hold.end };
    const refused = async (name: string) => {
      const changes = actors(name).flatMap((actorId) => [
        { guard: { actorIds: [actorId], window, span: window } },
        { limits: [{ actorId, window, max: 1 }] },
      ]);
      const results = await Promise.all(changes.map((each) => store.commit(a.change({ ...each, holdsAt: heldAt }))));
      return results.filter(({ status }) => status !== 'committed').length;
    };
    const busy = async (actorIds: readonly string[]) =>
      (await availabilityOf(store).listBusy(a.busyQuery({ actorIds }))).length;
    // An owner only counts: no guard knows of it.
    expect([await refused(mine), await busy(actors(mine))]).toEqual([5, 3]);
    for (const other of others) expect(await refused(other)).toEqual(0, other);
    expect(await busy(others.flatMap(actors))).toEqual(0);
  }),
]);
