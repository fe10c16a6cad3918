import assert from 'node:assert/strict';
import type { Notification, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { deliveryEventsOf, expect, sorted, storedNotification } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { adding, cancellation, changed, delivered, written } from '../fixtures/notifications.js';
import { added, atOnce, commitAll, numbers, outcomes, race } from '../steps.js';

const claim = { channel: 'EMAIL', limit: 5, leaseFor: minute, now: fixtureStart } as const;

/** Due notifications of some appointments, six of each. */
function dueRows(a: Words, appointments: number): readonly Notification[] {
  return numbers(appointments * 6).map((index) =>
    a.notificationIn(index % 2 === 0 ? 'READY' : 'RETRY_WAIT', {
      id: `n-${index}`,
      appointmentId: `a-${index % appointments}`,
      wakeAt: fixtureStart - (index % 7),
    }),
  );
}

async function cancelAt(store: SchedulingStore, a: Words, appointmentId: string): Promise<readonly string[]> {
  const result = await store.commit(a.notifying({ cancel: [cancellation({ appointmentId })] }));
  assert.ok(result.status === 'committed');
  return result.sending ?? [];
}

export const notificationConcurrencyGroup = group(
  'commits, claims and outcomes of notifications at the same time lose nothing',
  [
    { rule: 'notification-claims', emptyStore: true },
    it('cancellations and claims at once: each row is claimed and reported, or cancelled and never claimed', async (store, a, organizationId) => {
      const rows = dueRows(a, 20);
      await commitAll(store, adding(...rows));
      const [sending, claims] = await Promise.all([
        atOnce(20, (index) => cancelAt(store, a, `a-${index}`)),
        atOnce(20, () => store.notifications.claim(claim)),
      ]);
      const claimed = claims.flatMap((one) => one.claimed.map((each) => each.notification.id));
      expect(new Set(claimed).size).toEqual(claimed.length);
      expect((await store.notifications.claim(claim)).claimed).toEqual([]);
      expect(sorted(sending.flat())).toEqual(sorted(claimed));
      for (const row of rows) {
        const stored = await storedNotification(store, organizationId, row.id);
        const isClaimed = claimed.includes(row.id);
        const cancelRequestedAt = isClaimed ? fixtureStart : undefined;
        expect([stored.phase, stored.status, stored.cancelRequestedAt]).toEqual(
          isClaimed ? ['SENDING', 'PENDING', cancelRequestedAt] : ['DONE', 'CANCELLED', undefined],
        );
        expect(stored.revision).toEqual(row.revision + (isClaimed ? 2 : 1));
        expect((await deliveryEventsOf(store, row)).length).toEqual(isClaimed ? 1 : 2);
      }
    }),
    it('claims and outcomes at once, until nothing is left: every row is delivered after one attempt', async (store, a) => {
      const rows = numbers(120).map((index) => a.notification({ id: `n-${index}` }));
      await commitAll(store, adding(...rows));
      const worker = async (): Promise<number> => {
        const { claimed } = await store.notifications.claim(claim);
        const answers = await store.notifications.settle(claimed.map((one) => changed(one.notification, delivered)));
        assert.ok(answers.every((isWritten) => isWritten));
        return claimed.length === 0 ? 0 : claimed.length + (await worker());
      };
      const counts = await atOnce(8, worker);
      // A claim may find nothing while others hold what is left: the rest is claimed here.
      const rest = await worker();
      expect(counts.reduce((sum, count) => sum + count, rest)).toEqual(rows.length);
      const { items } = await store.notifications.list(a.notificationQuery());
      assert.ok(items.every((item) => item.notification.status === 'DELIVERED' && item.notification.attempts === 1));
    }),
    { rule: 'outcomes', emptyStore: true },
    it('cancellations and outcomes at once: a row is delivered, or marked and reported, never both from one revision', async (store, a) => {
      const rows = dueRows(a, 20).map(({ id, appointmentId }) => a.notificationIn('SENDING', { id, appointmentId }));
      await commitAll(store, adding(...rows));
      const [sending, answers] = await Promise.all([
        atOnce(20, (index) => cancelAt(store, a, `a-${index}`)),
        Promise.all(rows.map((row) => store.notifications.settle([changed(row, delivered)]))),
      ]);
      const marked = new Set(sending.flat());
      for (const [index, row] of rows.entries()) {
        const isWritten = answers[index]?.[0] === true;
        expect(isWritten).toEqual(!marked.has(row.id));
        const markedRow = { ...row, revision: row.revision + 1, cancelRequestedAt: fixtureStart };
        await expect.notifications(store, isWritten ? changed(row, delivered).next : markedRow);
      }
    }),
    { rule: 'one-by-one', emptyStore: true },
    it('twenty commits that add the same notifications: each is written once', async (store, a) => {
      const results = await atOnce(20, (index) =>
        store.commit(
          adding(...['x', 'y', 'z'].map((dedupeKey) => a.notification({ id: `${dedupeKey}-${index}`, dedupeKey }))),
        ),
      );
      expect(outcomes(results)).toEqual({ committed: 20 });
      const { items, total } = await store.notifications.list(a.notificationQuery());
      expect(items.map((item) => item.notification.dedupeKey)).toEqual(['x', 'y', 'z']);
      expect(total).toEqual(3);
      for (const { notification: row } of items) expect((await deliveryEventsOf(store, row)).length).toEqual(1);
    }),
    it('of twenty commits that update a notification from one revision one is committed, the others write nothing', async (store, a) => {
      const failed = await added(store, a.notificationIn('DONE', { status: 'FAILED' }));
      const retried = { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: fixtureStart, manualRetries: 1 } as const;
      const retrying = (index: number) =>
        a.notifying({
          add: [written(a.notification({ id: `n-${index}` }))],
          update: changed(failed, { ...retried, message: `${index}` }),
        });
      const winner = await race(20, 'stale', retrying, store);
      await expect.notifications(store, changed(failed, { ...retried, message: `${winner}` }).next);
      expect((await store.notifications.list(a.notificationQuery())).total).toEqual(2);
    }),
    it('twenty reschedules of one version at once: the winner’s notifications stand, the old ones are cancelled once', async (store, a) => {
      const first = a.scheduled();
      const old = ['old-1', 'old-2'].map((id) => a.notification({ id }));
      await commitAll(store, insertion(first, { notifications: { add: old.map((row) => written(row)) } }));
      const rescheduling = (index: number) => {
        const add = [written(a.notification({ id: `new-${index}`, type: 'RESCHEDULE' }))];
        const notifications = { cancel: [cancellation()], add };
        return update(nextVersion(first, { title: `${index}` }), { notifications });
      };
      const winner = await race(20, 'stale', rescheduling, store);
      const { items } = await store.notifications.list(a.notificationQuery());
      expect(items.map(({ notification: { id, status, revision } }) => [id, status, revision])).toEqual([
        [`new-${winner}`, 'INITIALIZED', 1],
        ['old-1', 'CANCELLED', 2],
        ['old-2', 'CANCELLED', 2],
      ]);
    }),
    { rule: 'pages', emptyStore: true },
    it('a list during commits is of one state: its items fit its total', async (store, a) => {
      const committing = atOnce(20, (index) =>
        store.commit(adding(...['a', 'b'].map((each) => a.notification({ id: `${each}-${index}` })))),
      );
      const listing = atOnce(20, () => store.notifications.list(a.notificationQuery()));
      const [results, lists] = await Promise.all([committing, listing]);
      expect(outcomes(results)).toEqual({ committed: 20 });
      for (const { items, total } of lists) {
        expect(items.length).toEqual(total);
        expect(total % 2).toEqual(0);
      }
    }),
  ],
);
