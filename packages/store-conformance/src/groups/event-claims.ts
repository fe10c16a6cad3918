import assert from 'node:assert/strict';
import type { Claim, ClaimedEvent, EventOutcome, Instant, SchedulingStore } from '@calends/core/store';
import { history } from '../fixtures/events.js';
import { group, it } from '../conformance-case.js';
import { expect, sorted } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, removal } from '../fixtures/changes.js';
import { atOnce, commitAll, numbers } from '../steps.js';

const lease = minute;
const claimAt = (now: Instant, limit = 100): Claim => ({ now, limit, leaseUntil: now + lease });
const places = (claimed: readonly ClaimedEvent[]): readonly string[] =>
  sorted(claimed.map(({ event }) => `${event.appointmentId} ${event.version}`));

const outcomeOf = ({ event, token }: ClaimedEvent, status: EventOutcome['status'], at: Instant): EventOutcome => ({
  eventId: event.id,
  token,
  status,
  at,
});

const interests = { appointments: true, events: true, channels: [] };

const settle = (store: SchedulingStore, claimed: ClaimedEvent, status: EventOutcome['status'], at: Instant) =>
  store.events.settle([outcomeOf(claimed, status, at)]);

/** Claims the one event that can be claimed. */
async function claimOne(store: SchedulingStore, at = fixtureStart): Promise<ClaimedEvent> {
  const claimed = await store.events.claim(claimAt(at));
  const [first] = claimed;
  assert.ok(first !== undefined && claimed.length === 1, `expected one event, got ${claimed.length}`);
  return first;
}

export const eventClaimsGroup = group('events go to one relay at a time, in version order (D48)', [
  { rule: 'event-order', emptyStore: true },
  it('the lowest undelivered version of each appointment is claimed, exactly as committed, as the first attempt', async (store, a) => {
    const other = a.of('other').organizationId;
    await commitAll(store, ...a.history('a', 3), ...history(other, 'a', 2), ...history(other, 'b', 1));
    const claimed = await store.events.claim(claimAt(fixtureStart));
    expect(places(claimed)).toEqual(['a 1', 'a 1', 'b 1']);
    for (const { event, attempts, token } of claimed) {
      const { organizationId: of, appointmentId: id } = event;
      expect(event).toEqual(a.event(a.scheduled({ organizationId: of, id })));
      expect(attempts).toEqual(1);
      assert.notEqual(token, '');
    }
  }),
  it('the lowest version goes first, whatever its id, its time and its place among the commits', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    // Ids and times in the reverse order of the versions; the versions in no order, and of two lengths.
    const events = [10, 2, 9, 1].map((version) =>
      a.event(appointment, {
        version,
        id: `event-${organizationId}-${100 - version}`,
        occurredAt: fixtureStart - minute - version,
      }),
    );
    await commitAll(store, { organizationId, events: events.slice(0, 3) }, { organizationId, events: events.slice(3) });
    for (const version of [1, 2, 9, 10]) {
      const claimed = await claimOne(store);
      expect(claimed.event).toEqual(events.find((each) => each.version === version));
      await settle(store, claimed, 'delivered', fixtureStart);
    }
  }),
  it('a leased event holds later ones of its appointment back, and no others', async (store, a) => {
    await commitAll(store, ...a.history('a', 3));
    await store.events.claim(claimAt(fixtureStart));
    await commitAll(store, ...a.history('b', 2));
    expect(places(await store.events.claim(claimAt(fixtureStart + 1)))).toEqual(['b 1']);
    expect(await store.events.claim(claimAt(fixtureStart + 2))).toEqual([]);
  }),
  it('a delivered event lets the next one go', async (store, a) => {
    await commitAll(store, ...a.history('a', 3));
    for (const version of [1, 2, 3]) {
      const claimed = await claimOne(store);
      expect(claimed.event.version).toEqual(version);
      await settle(store, claimed, 'delivered', fixtureStart);
    }
    expect(await store.events.claim(claimAt(fixtureStart + 10 * lease))).toEqual([]);
    expect(await store.nextWakeAt(interests)).toEqual(null);
  }),
  it('a retry waits until its time and holds later ones of its appointment back', async (store, a) => {
    await commitAll(store, ...a.history('a', 2), ...a.history('b', 2));
    const claimed = await store.events.claim(claimAt(fixtureStart));
    const retryAt = fixtureStart + 5 * lease;
    await store.events.settle(
      claimed.map((event) => outcomeOf(event, event.event.appointmentId === 'a' ? 'retry' : 'delivered', retryAt)),
    );
    expect(places(await store.events.claim(claimAt(retryAt - 1)))).toEqual(['b 2']);
    const again = await claimOne(store, retryAt);
    expect(again.event.version).toEqual(1);
    expect(again.attempts).toEqual(2);
  }),
  it('a retry counts its attempts on from as many as its outcome says, and from all of them where it says nothing', async (store, a) => {
    await commitAll(store, ...a.history('a', 1));
    const counted: number[] = [];
    for (const attempts of [undefined, undefined, 1, 7, undefined]) {
      const claimed = await claimOne(store);
      counted.push(claimed.attempts);
      await store.events.settle([{ ...outcomeOf(claimed, 'retry', fixtureStart), attempts }]);
    }
    expect([...counted, (await claimOne(store)).attempts]).toEqual([1, 2, 3, 2, 8, 9]);
  }),
  it('an event that comes behind a leased one of a removed appointment waits its turn', async (store, a) => {
    const appointment = a.scheduled({ id: 'a' });
    await commitAll(store, a.creation(appointment));
    const first = await claimOne(store);
    const deleted = a.event(appointment, { version: 2, type: 'APDeletedEvent' });
    await commitAll(store, removal(appointment, { events: [deleted] }));
    expect(await store.events.claim(claimAt(fixtureStart))).toEqual([]);
    await settle(store, first, 'delivered', fixtureStart);
    expect((await claimOne(store)).event).toEqual(deleted);
  }),
  { rule: 'event-parking', emptyStore: true },
  it('a parked event is not claimed again, nor any later one of its appointment, while others go on', async (store, a) => {
    const other = a.of('other').organizationId;
    await commitAll(store, ...a.history('a', 2));
    await settle(store, await claimOne(store), 'parked', fixtureStart);
    expect(await store.events.claim(claimAt(fixtureStart + 100 * lease))).toEqual([]);
    expect(await store.nextWakeAt(interests)).toEqual(null);
    await commitAll(store, ...a.history('b', 1), ...history(other, 'a', 1));
    expect(places(await store.events.claim(claimAt(fixtureStart + 100 * lease)))).toEqual(['a 1', 'b 1']);
  }),
  it('a parked event that is released for a retry is due then, as if for the first time, and later ones follow it', async (store, a, organizationId) => {
    await commitAll(store, ...a.history('a', 2));
    await settle(store, await claimOne(store), 'retry', fixtureStart);
    await settle(store, await claimOne(store), 'parked', fixtureStart);
    const at = fixtureStart + lease;
    expect(await store.events.release({ organizationId, appointmentId: 'a', as: 'retry', at })).toEqual(1);
    expect(await store.nextWakeAt(interests)).toEqual(at);
    expect(await store.events.claim(claimAt(at - 1))).toEqual([]);
    const again = await claimOne(store, at);
    expect([again.event.version, again.attempts]).toEqual([1, 1]);
    await settle(store, again, 'delivered', at);
    expect((await claimOne(store, at)).event.version).toEqual(2);
  }),
  it('a parked event that is released as delivered is left out, and goes with the retention', async (store, a, organizationId) => {
    await commitAll(store, ...a.history('a', 2));
    await settle(store, await claimOne(store), 'parked', fixtureStart);
    const at = fixtureStart + lease;
    expect(await store.events.release({ organizationId, appointmentId: 'a', as: 'delivered', at })).toEqual(1);
    expect((await claimOne(store, at)).event.version).toEqual(2);
    expect(await store.events.purge(at, 100)).toEqual(0);
    expect(await store.events.purge(at + 1, 100)).toEqual(1);
  }),
  it('a release reaches what is parked, of that appointment or of the whole organization, and nothing else', async (store, a, organizationId) => {
    const other = a.of('other').organizationId;
    const release = (appointmentId?: string) =>
      store.events.release({ organizationId, appointmentId, as: 'retry', at: fixtureStart });
    await commitAll(store, ...['a', 'b', 'c', 'waiting', 'leased'].flatMap((id) => a.history(id, 1)));
    await commitAll(store, ...history(other, 'a', 1));
    for (const claimed of await store.events.claim(claimAt(fixtureStart))) {
      const { appointmentId } = claimed.event;
      if (appointmentId === 'waiting') await settle(store, claimed, 'retry', fixtureStart + lease);
      else if (appointmentId !== 'leased') await settle(store, claimed, 'parked', fixtureStart);
    }
    const claimable = async () => places(await store.events.claim(claimAt(fixtureStart)));
    for (const nothing of ['waiting', 'leased', 'unknown']) expect(await release(nothing)).toEqual(0);
    expect(await claimable()).toEqual([]);
    expect(await release('a')).toEqual(1);
    expect(await claimable()).toEqual(['a 1']);
    expect(await release()).toEqual(2);
    expect(await claimable()).toEqual(['b 1', 'c 1']);
    expect(await release()).toEqual(0);
  }),
  { rule: 'events-unread', emptyStore: true },
  it('what nobody takes in the process that commits it waits where events have been claimed (D79)', async (store, a) => {
    await store.events.claim(claimAt(fixtureStart));
    const unread = a.history('a', 1).map((change) => ({ ...change, eventsUnread: true }));
    await commitAll(store, ...unread);
    expect(places(await store.events.claim(claimAt(fixtureStart)))).toEqual(['a 1']);
  }),
  { rule: 'event-claims', emptyStore: true },
  it('a retry may be due before the lease would have ended', async (store, a) => {
    await commitAll(store, ...a.history('a', 1));
    const first = await claimOne(store);
    await settle(store, first, 'retry', fixtureStart + 1);
    expect((await claimOne(store, fixtureStart + 1)).attempts).toEqual(2);
  }),
  it('a lapsed lease lets the event be claimed again under another token, and counts the attempt', async (store, a) => {
    await commitAll(store, ...a.history('a', 2));
    const first = await claimOne(store);
    expect(await store.events.claim(claimAt(fixtureStart + lease - 1))).toEqual([]);
    const second = await claimOne(store, fixtureStart + lease);
    expect(second.event.id).toEqual(first.event.id);
    assert.notEqual(second.token, first.token);
    expect([first.attempts, second.attempts]).toEqual([1, 2]);
  }),
  it('no more than the limit, the rest with the next claim', async (store, a) => {
    const all = ['a', 'b', 'c', 'd', 'e'];
    await commitAll(store, ...all.flatMap((id) => a.history(id, 2)));
    const claims = [];
    for (const size of [2, 2, 1, 0]) {
      const claimed = await store.events.claim(claimAt(fixtureStart, 2));
      expect(claimed.length).toEqual(size);
      claims.push(...claimed);
    }
    expect(places(claims)).toEqual(all.map((id) => `${id} 1`));
  }),
  it('where more can be claimed than the limit, those go first that could be claimed for longest', async (store, a, organizationId) => {
    const order = ['c', 'a', 'd', 'b'];
    const events = order.map((id, index) => a.event(a.scheduled({ id }), { occurredAt: fixtureStart - 10 + index }));
    await commitAll(store, { organizationId, events: events.toReversed() });
    const claims = [];
    for (const _ of [1, 2]) claims.push(places(await store.events.claim(claimAt(fixtureStart, 2))));
    expect(claims).toEqual([
      ['a 1', 'c 1'],
      ['b 1', 'd 1'],
    ]);
  }),
  it('parallel claimers share no event and leave none', async (store, a) => {
    const all = numbers(40).map((index) => `parallel-${index}`);
    await Promise.all(all.flatMap((id) => a.history(id, 1)).map((change) => store.commit(change)));
    const claims = await atOnce(8, () => store.events.claim(claimAt(fixtureStart, 5)));
    const rest = await store.events.claim(claimAt(fixtureStart));
    expect(places([...claims.flat(), ...rest])).toEqual(sorted(all.map((id) => `${id} 1`)));
  }),
  { rule: 'event-outcomes', emptyStore: true },
  it('an outcome under a token that was overtaken is ignored', async (store, a) => {
    await commitAll(store, ...a.history('a', 2));
    const slow = await claimOne(store);
    const later = fixtureStart + 2 * lease;
    const current = await claimOne(store, later);
    for (const status of ['delivered', 'parked', 'retry'] as const) {
      await settle(store, slow, status, fixtureStart);
      expect(await store.events.claim(claimAt(later + 1))).toEqual([]);
    }
    await settle(store, current, 'delivered', later);
    expect((await claimOne(store, later + 1)).event.version).toEqual(2);
  }),
  it('an outcome is recorded once; unknown events and tokens are ignored', async (store, a) => {
    await commitAll(store, ...a.history('a', 2));
    const first = await claimOne(store);
    await store.events.settle([]);
    await store.events.settle([
      { ...outcomeOf(first, 'delivered', fixtureStart), eventId: 'unknown' },
      { ...outcomeOf(first, 'delivered', fixtureStart), token: 'unknown' },
    ]);
    expect(await store.events.claim(claimAt(fixtureStart))).toEqual([]);
    await settle(store, first, 'delivered', fixtureStart);
    await settle(store, first, 'retry', fixtureStart);
    expect((await claimOne(store)).event.version).toEqual(2);
  }),
  it('a claim that ended in a retry cannot be settled again', async (store, a) => {
    await commitAll(store, ...a.history('a', 2));
    const first = await claimOne(store);
    await settle(store, first, 'retry', fixtureStart + 1);
    await settle(store, first, 'delivered', fixtureStart);
    expect((await claimOne(store, fixtureStart + 1)).event.version).toEqual(1);
  }),
  it('an outcome after the lease ended counts as long as nobody claimed the event since', async (store, a) => {
    await commitAll(store, ...a.history('a', 1));
    const slow = await claimOne(store);
    await settle(store, slow, 'delivered', fixtureStart + 9 * lease);
    expect(await store.events.claim(claimAt(fixtureStart + 9 * lease))).toEqual([]);
  }),
  { rule: 'next-wake', emptyStore: true },
  it('the next instant tells when an event can be claimed: at once, after its lease, at its retry', async (store, a) => {
    await commitAll(store, ...a.history('a', 2));
    const fresh = await store.nextWakeAt(interests);
    assert.ok(fresh !== null && fresh <= fixtureStart);
    const first = await claimOne(store);
    // The second version is held back by the first: it must not keep an idle worker awake.
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart + lease);
    await settle(store, first, 'retry', fixtureStart + 7 * lease);
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart + 7 * lease);
    const due = a.scheduled({ id: 'due' });
    await commitAll(store, insertion(due, { wakeAt: fixtureStart + 3 * lease }));
    expect(await store.nextWakeAt(interests)).toEqual(fixtureStart + 3 * lease);
  }),
  { rule: 'purges', emptyStore: true },
  it('a purge deletes what was delivered before its time, bounded, and nothing undelivered or parked', async (store, a, organizationId) => {
    const all = ['a', 'b', 'c', 'd', 'parked', 'leased', 'waiting'];
    await commitAll(store, ...all.flatMap((id) => a.history(id, 1)));
    const claimed = await store.events.claim(claimAt(fixtureStart));
    const settled: Readonly<Record<string, readonly [EventOutcome['status'], Instant]>> = {
      a: ['delivered', fixtureStart + 1],
      b: ['delivered', fixtureStart + 2],
      c: ['delivered', fixtureStart + 3],
      d: ['delivered', fixtureStart + 4],
      parked: ['parked', fixtureStart + 1],
      waiting: ['retry', fixtureStart + 1],
    };
    await store.events.settle(
      claimed.flatMap((event) => {
        const outcome = settled[event.event.appointmentId];
        return outcome === undefined ? [] : [outcomeOf(event, ...outcome)];
      }),
    );
    await commitAll(store, ...a.history('fresh', 1));
    expect(await store.events.purge(fixtureStart + 4, 2)).toEqual(2);
    expect(await store.events.purge(fixtureStart + 4, 100)).toEqual(1);
    expect(await store.events.purge(fixtureStart + 4, 100)).toEqual(0);
    for (const appointmentId of [...all, 'fresh']) {
      const events = await store.events.list({ organizationId, appointmentId });
      expect(events.length).toEqual(['a', 'b', 'c'].includes(appointmentId) ? 0 : 1, appointmentId);
    }
  }),
]);
