import assert from 'node:assert/strict';
import type { Change, CommitResult, SchedulingStore } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, outcomes, sorted, storedNotification } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { anEntry, aSeal } from '../fixtures/audit.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { adding, changed, notification, notifying } from '../fixtures/notifications.js';
import { aChallenge, aTicket, consumptionOf, firstIssue, proving } from '../fixtures/proofs.js';
import { aRequest } from '../fixtures/requests.js';

const forty = Array.from({ length: 40 }, (_, index) => index);
const guard = { actorIds: ['agent-1'], window: { from: fixtureStart, to: fixtureStart + hour } };
const claim = { now: fixtureStart, limit: 5, leaseUntil: fixtureStart + minute };

const alternating = (
  [first, second]: readonly [SchedulingStore, SchedulingStore],
  changes: readonly Change[],
): Promise<readonly CommitResult[]> =>
  Promise.all(changes.map((change, index) => (index % 2 === 0 ? first : second).commit(change)));

const cases: readonly Omit<ConformanceCase, 'requires'>[] = [
  {
    name: 'what one wrote the other reads at once',
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const appointment = aScheduledAppointment({ organizationId });
      await commitAll(store, insertion(appointment));
      assert.deepStrictEqual(await second.findAppointment(organizationId, appointment.id), appointment);
      await commitAll(second, update(nextVersion(appointment)));
      assert.deepStrictEqual(await store.findAppointment(organizationId, appointment.id), nextVersion(appointment));
    },
  },
  {
    name: 'guarded inserts of both for one agent: one is committed',
    async run({ store, organizationId, secondWriter }) {
      const appointments = forty.map((index) => aScheduledAppointment({ organizationId, id: `at-${index}` }));
      const results = await alternating(
        [store, await secondWriter()],
        appointments.map((appointment) => insertion(appointment, { guard })),
      );
      assert.deepEqual(outcomes(results), { committed: 1, slotConflict: 39 });
    },
  },
  {
    name: 'updates of one version by both: one is committed, with its one event',
    async run({ store, organizationId, secondWriter }) {
      const first = aScheduledAppointment({ organizationId });
      await commitAll(store, insertion(first));
      const changes = forty.map((index) => {
        const next = nextVersion(first, { title: `${index}` });
        return update(next, { events: [anEvent(next, { id: `e-${organizationId}-${index}` })] });
      });
      const results = await alternating([store, await secondWriter()], changes);
      assert.deepEqual(outcomes(results), { committed: 1, stale: 39 });
      assert.equal((await store.listEvents({ organizationId, appointmentId: first.id })).length, 1);
    },
  },
  {
    name: 'unrelated commits of both are all committed',
    async run({ store, organizationId, secondWriter }) {
      const changes = forty.map((index) => insertion(aScheduledAppointment({ organizationId, id: `at-${index}` })));
      const results = await alternating([store, await secondWriter()], changes);
      assert.deepEqual(outcomes(results), { committed: 40 });
      assert.equal((await store.listAppointments(listQuery(organizationId))).total, 40);
    },
  },
  {
    name: 'effects of one request by both: one is committed',
    async run({ store, organizationId, secondWriter }) {
      const changes = forty.map((index) =>
        insertion(aScheduledAppointment({ organizationId, id: `at-${index}` }), {
          request: aRequest(organizationId, { answer: `"${index}"` }),
        }),
      );
      const results = await alternating([store, await secondWriter()], changes);
      assert.deepEqual(outcomes(results), { committed: 1, requestLost: 39 });
      assert.equal((await store.listAppointments(listQuery(organizationId))).total, 1);
    },
  },
  {
    name: 'claims of both share no row and leave none',
    emptyStore: true,
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const stores = [store, second, store, second, store, second, store, second];
      const appointments = forty.map((index) => aScheduledAppointment({ organizationId, id: `at-${index}` }));
      await Promise.all(
        appointments.map((appointment, wakeAt) =>
          store.commit(insertion(appointment, { wakeAt, events: [anEvent(appointment)] })),
        ),
      );
      const expected = sorted(appointments.map(({ id }) => id));

      const due = await Promise.all(stores.map((claimer) => claimer.claimDueAppointments(claim)));
      const restDue = await store.claimDueAppointments({ ...claim, limit: 100 });
      assert.deepEqual(sorted([...due.flat(), ...restDue].map(({ appointment }) => appointment.id)), expected);

      const claimed = await Promise.all(stores.map((claimer) => claimer.claimEvents(claim)));
      const restEvents = await store.claimEvents({ ...claim, limit: 100 });
      const events = [...claimed.flat(), ...restEvents];
      assert.deepEqual(sorted(events.map(({ event }) => event.appointmentId)), expected);
      assert.equal(new Set(events.map(({ event, token }) => `${event.id} ${token}`)).size, 40);
    },
  },
  {
    name: 'claims of notifications by both share no row and leave none, and the clock is one',
    emptyStore: true,
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const stores = [store, second, store, second, store, second, store, second];
      const rows = forty.map((index) => notification({ organizationId, id: `n-${index}`, wakeAt: index }));
      await commitAll(store, adding(...rows));
      const asked = { channel: 'EMAIL', limit: 4, leaseFor: 10 * minute } as const;
      const claims = await Promise.all(stores.map((claimer) => claimer.claimNotifications(asked)));
      const rest = await store.claimNotifications({ ...asked, limit: 100 });
      const claimed = [...claims, rest].flatMap((one) => one.claimed.map((each) => each.notification));
      assert.deepEqual(sorted(claimed.map(({ id }) => id)), sorted(rows.map(({ id }) => id)));
      const times = [...claims, rest].map(({ now }) => now);
      assert.ok(Math.max(...times) - Math.min(...times) < minute);

      const updates = claimed.map((row) => changed(row, { phase: 'DONE', status: 'DELIVERED', wakeAt: null }));
      const [first, other] = await Promise.all([
        store.settleNotifications(updates),
        second.settleNotifications(updates),
      ]);
      assert.deepEqual(
        first.map((isWritten, index) => isWritten !== other[index]),
        updates.map(() => true),
      );
    },
  },
  {
    name: 'cancellations by one and claims by the other: each row is claimed and reported, or cancelled',
    emptyStore: true,
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const rows = forty.map((index) =>
        notification({ organizationId, id: `n-${index}`, appointmentId: `a-${index}` }),
      );
      await commitAll(store, adding(...rows));
      const asked = { channel: 'EMAIL', limit: 3, leaseFor: minute, now: fixtureStart } as const;
      const cancelling = forty.map((index) => {
        const cancel = [{ appointmentId: `a-${index}`, message: 'Moved.', at: fixtureStart }];
        return store.commit(notifying(organizationId, { cancel }));
      });
      const claiming = forty.slice(0, 10).map(() => second.claimNotifications(asked));
      const [results, claims] = await Promise.all([Promise.all(cancelling), Promise.all(claiming)]);
      const sending = results.flatMap((result) => (result.status === 'committed' ? (result.sending ?? []) : []));
      const claimed = claims.flatMap((one) => one.claimed.map((each) => each.notification.id));
      assert.deepEqual(sorted(sending), sorted(claimed));
      for (const { id } of rows) {
        const { status } = await storedNotification(store, organizationId, id);
        assert.equal(status, claimed.includes(id) ? 'PENDING' : 'CANCELLED');
      }
    },
  },
  {
    name: 'bookings of both with one one-time password: one is committed, and of all tries of both five are counted',
    async run({ store, organizationId, secondWriter }) {
      const second = await secondWriter();
      const [used, tried] = [aChallenge({ organizationId }), aChallenge({ organizationId, subject: 'tried' })];
      assert.equal(await store.putOtpChallenge(used, undefined), true);
      assert.equal(await second.putOtpChallenge(tried, undefined), true);
      const bookings = forty.map((index) => {
        const audit = [anEntry({ organizationId, id: `entry-${index}` })];
        const appointment = aScheduledAppointment({ organizationId, id: `at-${index}` });
        return insertion(appointment, { otp: consumptionOf(used), audit });
      });
      assert.deepEqual(outcomes(await alternating([store, second], bookings)), { committed: 1, otpUsed: 39 });
      assert.equal(await second.countUnsealedAudit(organizationId), 1);
      const attempt = { organizationId, subject: tried.subject, now: fixtureStart, limit: 5 };
      const answers = await Promise.all(forty.map((index) => (index % 2 === 0 ? store : second).countOtpTry(attempt)));
      assert.equal(answers.filter((answer) => answer !== undefined).length, 5);
      assert.equal((await store.findOtpChallenge(organizationId, tried.subject))?.tries, 5);
    },
  },
  {
    name: 'challenges, tickets and seals of both in one place: one of each stands',
    async run({ store, organizationId, secondWriter }) {
      const both = [store, await secondWriter()] as const;
      const audit = forty.map((index) => anEntry({ organizationId, id: `entry-${index}` }));
      await commitAll(store, proving(organizationId, { audit }));
      const challenges = forty.map((index) => aChallenge({ organizationId, challengeId: `challenge-${index}` }));
      const put = await Promise.all(
        challenges.map((next, index) => both[index % 2 === 0 ? 0 : 1].putOtpChallenge(next, undefined)),
      );
      assert.equal(put.filter(Boolean).length, 1);
      const issues = forty.map((index) =>
        proving(organizationId, { ticket: firstIssue(aTicket({ organizationId, nonce: `nonce-${index}` })) }),
      );
      assert.deepEqual(outcomes(await alternating(both, issues)), { committed: 1, stale: 39 });
      const sealed = await Promise.all(
        audit.map(({ id }, index) =>
          both[index % 2 === 0 ? 0 : 1].sealAudit(aSeal(organizationId, { entryIds: [id] })),
        ),
      );
      assert.equal(sealed.filter(Boolean).length, 1);
      assert.equal(await store.countUnsealedAudit(organizationId), 39);
    },
  },
];

export const severalProcessesGroup: ConformanceGroup = {
  name: 'several stores on the same data decide together',
  cases: cases.map((candidate): ConformanceCase => ({ ...candidate, requires: 'sharedBetweenProcesses' })),
};
