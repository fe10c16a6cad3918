import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { expect, sorted, storedNotification } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { adding, cancellation, changed, delivered } from '../fixtures/notifications.js';
import { consumptionOf, firstIssue } from '../fixtures/proofs.js';
import { atOnce, commitAll, inserted, numbers, put, race } from '../steps.js';

const forty = numbers(40);
const guard = { actorIds: ['agent-1'], window: { from: fixtureStart, to: fixtureStart + hour } };
const claim = { now: fixtureStart, limit: 5, leaseUntil: fixtureStart + minute };

export const severalProcessesGroup = group('several stores on the same data decide together', [
  { rule: 'shared', requires: 'sharedBetweenProcesses' },
  it('what one wrote the other reads at once', async (store, a, organizationId, context) => {
    const second = await context.secondWriter();
    const appointment = await inserted(store, a.scheduled());
    expect(await second.appointments.find(organizationId, appointment.id)).toEqual(appointment);
    await commitAll(second, update(nextVersion(appointment)));
    await expect.appointments(store, nextVersion(appointment));
  }),
  it('guarded inserts of both for one agent: one is committed', async (store, a, _organizationId, context) => {
    const second = await context.secondWriter();
    await race(40, 'slotConflict', (index) => insertion(a.scheduled({ id: `at-${index}` }), { guard }), store, second);
  }),
  it('unrelated commits of both are all committed', async (store, a, _organizationId, context) => {
    const stores = [store, await context.secondWriter()];
    await Promise.all(
      stores.flatMap((each, one) =>
        numbers(20).map((index) => inserted(each, a.scheduled({ id: `at-${one}-${index}` }))),
      ),
    );
    expect((await store.appointments.list(a.listQuery())).total).toEqual(40);
  }),
  { rule: 'shared', level: 'events', requires: 'sharedBetweenProcesses' },
  it('updates of one version by both: one is committed, with its one event', async (store, a, organizationId, context) => {
    const first = await inserted(store, a.scheduled());
    const updating = (index: number) => {
      const next = nextVersion(first, { title: `${index}` });
      return update(next, { events: [a.event(next, { id: `e-${organizationId}-${index}` })] });
    };
    await race(40, 'stale', updating, store, await context.secondWriter());
    expect((await store.events.list({ organizationId, appointmentId: first.id })).length).toEqual(1);
  }),
  { rule: 'shared', level: 'requests', requires: 'sharedBetweenProcesses' },
  it('effects of one request by both: one is committed', async (store, a, _organizationId, context) => {
    const effect = (index: number) =>
      insertion(a.scheduled({ id: `at-${index}` }), { request: a.request({ answer: `"${index}"` }) });
    await race(40, 'requestLost', effect, store, await context.secondWriter());
    expect((await store.appointments.list(a.listQuery())).total).toEqual(1);
  }),
  { rule: 'shared', level: 'events', emptyStore: true, requires: 'sharedBetweenProcesses' },
  it('claims of both share no row and leave none', async (store, a, _organizationId, context) => {
    const second = await context.secondWriter();
    const stores = [store, second, store, second, store, second, store, second];
    const appointments = forty.map((index) => a.scheduled({ id: `at-${index}` }));
    await commitAll(store, ...appointments.map((each, wakeAt) => insertion(each, { wakeAt, events: [a.event(each)] })));
    const expected = sorted(appointments.map(({ id }) => id));

    const due = await Promise.all(stores.map((claimer) => claimer.appointments.claimDue(claim)));
    const restDue = await store.appointments.claimDue({ ...claim, limit: 100 });
    expect(sorted([...due.flat(), ...restDue].map(({ appointment }) => appointment.id))).toEqual(expected);

    const claimed = await Promise.all(stores.map((claimer) => claimer.events.claim(claim)));
    const restEvents = await store.events.claim({ ...claim, limit: 100 });
    const events = [...claimed.flat(), ...restEvents];
    expect(sorted(events.map(({ event }) => event.appointmentId))).toEqual(expected);
    expect(new Set(events.map(({ event, token }) => `${event.id} ${token}`)).size).toEqual(40);
  }),
  { rule: 'shared', level: 'notifications', emptyStore: true, requires: 'sharedBetweenProcesses' },
  it('claims of notifications by both share no row and leave none, and the clock is one', async (store, a, _organizationId, context) => {
    const second = await context.secondWriter();
    const stores = [store, second, store, second, store, second, store, second];
    const rows = forty.map((index) => a.notification({ id: `n-${index}`, wakeAt: index }));
    await commitAll(store, adding(...rows));
    const asked = { channel: 'EMAIL', limit: 4, leaseFor: 10 * minute } as const;
    const claims = await Promise.all(stores.map((claimer) => claimer.notifications.claim(asked)));
    const rest = await store.notifications.claim({ ...asked, limit: 100 });
    const claimed = [...claims, rest].flatMap((one) => one.claimed.map((each) => each.notification));
    expect(sorted(claimed.map(({ id }) => id))).toEqual(sorted(rows.map(({ id }) => id)));
    const times = [...claims, rest].map(({ now }) => now);
    assert.ok(Math.max(...times) - Math.min(...times) < minute);

    const updates = claimed.map((row) => changed(row, delivered));
    const [first, other] = await Promise.all([
      store.notifications.settle(updates),
      second.notifications.settle(updates),
    ]);
    expect(first.map((isWritten, index) => isWritten !== other[index])).toEqual(updates.map(() => true));
  }),
  it('cancellations by one and claims by the other: each row is claimed and reported, or cancelled', async (store, a, organizationId, context) => {
    const second = await context.secondWriter();
    const rows = forty.map((index) => a.notification({ id: `n-${index}`, appointmentId: `a-${index}` }));
    await commitAll(store, adding(...rows));
    const asked = { channel: 'EMAIL', limit: 3, leaseFor: minute, now: fixtureStart } as const;
    const cancelling = forty.map((index) => {
      return store.commit(a.notifying({ cancel: [cancellation({ appointmentId: `a-${index}` })] }));
    });
    const claiming = forty.slice(0, 10).map(() => second.notifications.claim(asked));
    const [results, claims] = await Promise.all([Promise.all(cancelling), Promise.all(claiming)]);
    const sending = results.flatMap((result) => (result.status === 'committed' ? (result.sending ?? []) : []));
    const claimed = claims.flatMap((one) => one.claimed.map((each) => each.notification.id));
    expect(sorted(sending)).toEqual(sorted(claimed));
    for (const { id } of rows) {
      const { status } = await storedNotification(store, organizationId, id);
      expect(status).toEqual(claimed.includes(id) ? 'PENDING' : 'CANCELLED');
    }
  }),
  { rule: 'shared', level: 'audit', requires: 'sharedBetweenProcesses' },
  it('bookings of both with one one-time password: one is committed, and of all tries of both five are counted', async (store, a, organizationId, context) => {
    const second = await context.secondWriter();
    const [used, tried] = [a.challenge(), a.challenge({ subject: 'tried' })];
    await put(store, used);
    expect(await second.customers.putChallenge(tried, undefined)).toEqual(true);
    const booking = (index: number) =>
      insertion(a.scheduled({ id: `at-${index}` }), {
        otp: consumptionOf(used),
        audit: [a.entry({ id: `entry-${index}` })],
      });
    await race(40, 'otpUsed', booking, store, second);
    expect(await second.audit.countUnsealed(organizationId)).toEqual(1);
    const attempt = { organizationId, subject: tried.subject, now: fixtureStart, limit: 5 };
    const answers = await atOnce(40, (index) => (index % 2 === 0 ? store : second).customers.countTry(attempt));
    expect(answers.filter((answer) => answer !== undefined).length).toEqual(5);
    expect((await store.customers.findChallenge(organizationId, tried.subject))?.tries).toEqual(5);
  }),
  it('challenges, tickets and seals of both in one place: one of each stands', async (store, a, organizationId, context) => {
    const second = await context.secondWriter();
    const storeOf = (index: number) => (index % 2 === 0 ? store : second);
    await commitAll(store, a.change({ audit: forty.map((index) => a.entry({ id: `entry-${index}` })) }));
    const put = await atOnce(40, (index) =>
      storeOf(index).customers.putChallenge(a.challenge({ challengeId: `challenge-${index}` }), undefined),
    );
    expect(put.filter(Boolean).length).toEqual(1);
    const issue = (index: number) => a.change({ ticket: firstIssue(a.ticket({ nonce: `nonce-${index}` })) });
    await race(40, 'stale', issue, store, second);
    const sealed = await atOnce(40, (index) => storeOf(index).audit.seal(a.seal({ entryIds: [`entry-${index}`] })));
    expect(sealed.filter(Boolean).length).toEqual(1);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(39);
  }),
]);
