import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { availabilityOf, expect, retentionOf } from '../expectations.js';
import { day, fixtureStart, hour } from '../fixtures/appointments.js';
import { guardOf, heldAt } from '../fixtures/availability.js';
import { insertion } from '../fixtures/changes.js';
import { changed } from '../fixtures/notifications.js';
import { completing, keyOf } from '../fixtures/requests.js';
import { added, commitAll, inserted, put } from '../steps.js';

/** No whole second: what cuts or rounds an instant has it elsewhere, before or behind. */
const odd = fixtureStart + 501;
const lease = 1_001;

const claimAt = (now: number) => ({ now, limit: 100, leaseUntil: now + lease });

export const millisecondsGroup = group('an instant is exact to the millisecond', [
  { rule: 'milliseconds' },
  it('an appointment stands in the way, and counts, from its first millisecond to its last', async (store, a, organizationId) => {
    const { schedule, applicationId } = await inserted(store, a.scheduled({ start: odd, duration: lease }));
    const { start, end } = schedule;
    const windows = [
      { from: start - hour, to: start },
      { from: start - hour, to: start + 1 },
      { from: end - 1, to: end + hour },
      { from: end, to: end + hour },
    ];
    for (const [index, window] of windows.entries()) {
      const next = a.scheduled({ id: `next-${index}`, organizerId: 'agent-2' });
      const { status } = await store.commit(insertion(next, { guard: { actorIds: ['agent-1'], window } }));
      expect(status).toEqual(index === 1 || index === 2 ? 'slotConflict' : 'committed', `window ${index}`);
    }
    const counting = { organizationId, applicationId, windows };
    // Those of the windows that were free stand at the beginning of all fixtures, which is in none but the first two.
    expect(await store.appointments.countStarting(counting)).toEqual([2, 3, 0, 0]);
    expect(await store.appointments.countOverlapping(counting)).toEqual([2, 3, 3, 2]);
  }),
  { rule: 'milliseconds', emptyStore: true },
  it('an appointment is due at its millisecond, and its lease ends at its own', async (store, a) => {
    const appointment = a.scheduled();
    await commitAll(store, insertion(appointment, { wakeAt: odd }));
    for (const wakeAt of [odd, odd + lease, odd + 2 * lease]) {
      expect(await store.appointments.claimDue(claimAt(wakeAt - 1))).toEqual([]);
      expect(await store.appointments.claimDue(claimAt(wakeAt))).toEqual([{ appointment, wakeAt }]);
    }
  }),
  { rule: 'milliseconds', level: 'requests', emptyStore: true },
  it('the answer of a request holds until its millisecond, and is purged after it', async (store, a) => {
    const request = a.request({ expiresAt: odd + day });
    const { expiresAt } = request;
    const next = { ...request, fingerprint: 'next', at: expiresAt, expiresAt: expiresAt + lease };
    await commitAll(store, completing(request));
    const found = async (now: number) => (await store.requests.find(keyOf(request), now))?.fingerprint;
    expect([await found(expiresAt - 1), await found(expiresAt)]).toEqual([request.fingerprint, undefined]);
    expect(await store.commit(completing({ ...next, at: expiresAt - 1 }))).toEqual({ status: 'requestLost' });
    await commitAll(store, completing(next));
    expect(await store.requests.purge(next.expiresAt, 10)).toEqual(0);
    expect(await store.requests.purge(next.expiresAt + 1, 10)).toEqual(1);
  }),
  { rule: 'milliseconds', level: 'customers' },
  it('a one-time password can be tried until its millisecond', async (store, a, organizationId) => {
    const { subject } = await put(store, a.challenge({ expiresAt: odd }));
    const triesAt = async (now: number) =>
      (await store.customers.countTry({ organizationId, subject, now, limit: 5 }))?.tries;
    expect([await triesAt(odd - 1), await triesAt(odd)]).toEqual([1, undefined]);
  }),
  { rule: 'milliseconds', level: 'events', emptyStore: true },
  it('an event can be claimed from its millisecond on, after its lease, at its retry and at its release', async (store, a, organizationId) => {
    const event = a.event(a.scheduled(), { occurredAt: odd });
    await commitAll(store, { organizationId, events: [event] });
    const claimFrom = async (at: number) => {
      expect(await store.events.claim(claimAt(at - 1))).toEqual([]);
      const [claimed] = await store.events.claim(claimAt(at));
      assert.ok(claimed !== undefined, `nothing to be claimed at ${at}`);
      return { eventId: event.id, token: claimed.token };
    };
    await claimFrom(odd);
    const leased = await claimFrom(odd + lease);
    await store.events.settle([{ ...leased, status: 'retry', at: odd + 3 * lease }]);
    const retried = await claimFrom(odd + 3 * lease);
    await store.events.settle([{ ...retried, status: 'parked', at: odd }]);
    await store.events.release({ organizationId, as: 'retry', at: odd + 5 * lease });
    await claimFrom(odd + 5 * lease);
  }),
  { rule: 'milliseconds', level: 'notifications', emptyStore: true },
  it('a notification is due at its millisecond, after its lease, and at its retry', async (store, a) => {
    await added(store, a.notification({ wakeAt: odd }));
    const claimFrom = async (at: number) => {
      const claim = { channel: 'EMAIL', limit: 100, leaseFor: lease } as const;
      expect((await store.notifications.claim({ ...claim, now: at - 1 })).claimed).toEqual([]);
      const [one] = (await store.notifications.claim({ ...claim, now: at })).claimed;
      expect(one?.dueAt).toEqual(at);
      return one?.notification;
    };
    await claimFrom(odd);
    const sending = await claimFrom(odd + lease);
    assert.ok(sending !== undefined);
    const retryAt = odd + 3 * lease;
    const waiting = changed(sending, { phase: 'RETRY_WAIT', wakeAt: retryAt, nextRetryAt: retryAt });
    expect(await store.notifications.settle([waiting])).toEqual([true]);
    await claimFrom(retryAt);
  }),
  { rule: 'milliseconds', level: 'availability' },
  it('a hold lives until its millisecond: for guards, for limits, for what is busy, and for who uses it', async (store, a) => {
    const hold = a.hold({ until: heldAt + lease });
    await commitAll(store, a.holding(hold));
    const [before, then] = [hold.until - 1, hold.until];
    const busyAt = async (now: number) => (await availabilityOf(store).listBusy(a.busyQuery({ now }))).length;
    expect([await busyAt(before), await busyAt(then)]).toEqual([1, 0]);
    const window = { from: hold.start, to: hold.end };
    const limited = { limits: [{ actorId: 'agent-1', window, max: 1 }] };
    for (const [asked, status] of [
      [{ guard: guardOf(hold) }, 'slotConflict'],
      [limited, 'limitReached'],
    ] as const) {
      expect((await store.commit(a.change({ ...asked, holdsAt: before }))).status).toEqual(status);
      await commitAll(store, a.change({ ...asked, holdsAt: then }));
    }
    const using = { holds: { consume: hold.id } };
    expect(await store.commit(a.change({ ...using, holdsAt: then }))).toEqual({ status: 'holdLost' });
    await commitAll(store, a.change({ ...using, holdsAt: before }));
  }),
  { rule: 'milliseconds', level: 'retention', emptyStore: true },
  it('who has a job has it until the millisecond at which the lease ends', async (store) => {
    const claims = (holder: string, now: number) =>
      retentionOf(store).claim({ job: 'retention', leaseFor: lease, holder, now });
    expect(await claims('one', odd)).toEqual(true);
    expect(await claims('two', odd + lease - 1)).toEqual(false);
    expect(await claims('two', odd + lease)).toEqual(true);
  }),
]);
