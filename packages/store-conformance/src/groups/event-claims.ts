import assert from 'node:assert/strict';
import type { Claim, ClaimedEvent, EventOutcome, Instant } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, sorted } from '../expectations.js';
import { aScheduledAppointment, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, removal } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { history } from '../fixtures/history.js';

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

/** The one event that was claimed. */
function only(claimed: readonly ClaimedEvent[]): ClaimedEvent {
  const [first] = claimed;
  assert.ok(first !== undefined && claimed.length === 1, `expected one event, got ${claimed.length}`);
  return first;
}

const claiming: readonly Omit<ConformanceCase, 'emptyStore'>[] = [
  {
    name: 'the lowest undelivered version of each appointment is claimed, exactly as committed, as the first attempt',
    async run({ store, organizationId, organization }) {
      const other = organization('other');
      await commitAll(store, ...history(organizationId, 'a', 3), ...history(other, 'a', 2), ...history(other, 'b', 1));
      const claimed = await store.claimEvents(claimAt(fixtureStart));
      assert.deepEqual(places(claimed), ['a 1', 'a 1', 'b 1']);
      for (const { event, attempts, token } of claimed) {
        const { organizationId: of, appointmentId: id } = event;
        assert.deepStrictEqual(event, anEvent(aScheduledAppointment({ organizationId: of, id })));
        assert.equal(attempts, 1);
        assert.notEqual(token, '');
      }
    },
  },
  {
    name: 'what nobody takes in the process that commits it waits where events have been claimed (D79)',
    rule: '`eventsUnread` lets events be born delivered only while nobody has claimed any in the last 30 days; every claim counts, also one that found nothing',
    async run({ store, organizationId }) {
      await store.claimEvents(claimAt(fixtureStart));
      const unread = history(organizationId, 'a', 1).map((change) => ({ ...change, eventsUnread: true }));
      await commitAll(store, ...unread);
      assert.deepEqual(places(await store.claimEvents(claimAt(fixtureStart))), ['a 1']);
    },
  },
  {
    name: 'a leased event holds later ones of its appointment back, and no others',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 3));
      await store.claimEvents(claimAt(fixtureStart));
      await commitAll(store, ...history(organizationId, 'b', 2));
      assert.deepEqual(places(await store.claimEvents(claimAt(fixtureStart + 1))), ['b 1']);
      assert.deepEqual(await store.claimEvents(claimAt(fixtureStart + 2)), []);
    },
  },
  {
    name: 'a delivered event lets the next one go',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 3));
      for (const version of [1, 2, 3]) {
        const claimed = only(await store.claimEvents(claimAt(fixtureStart)));
        assert.equal(claimed.event.version, version);
        await store.settleEvents([outcomeOf(claimed, 'delivered', fixtureStart)]);
      }
      assert.deepEqual(await store.claimEvents(claimAt(fixtureStart + 10 * lease)), []);
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), null);
    },
  },
  {
    name: 'a retry waits until its time and holds later ones of its appointment back',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 2), ...history(organizationId, 'b', 2));
      const claimed = await store.claimEvents(claimAt(fixtureStart));
      const retryAt = fixtureStart + 5 * lease;
      await store.settleEvents(
        claimed.map((event) => outcomeOf(event, event.event.appointmentId === 'a' ? 'retry' : 'delivered', retryAt)),
      );
      assert.deepEqual(places(await store.claimEvents(claimAt(retryAt - 1))), ['b 2']);
      const again = only(await store.claimEvents(claimAt(retryAt)));
      assert.equal(again.event.version, 1);
      assert.equal(again.attempts, 2);
    },
  },
  {
    name: 'a retry may be due before the lease would have ended',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 1));
      const first = only(await store.claimEvents(claimAt(fixtureStart)));
      await store.settleEvents([outcomeOf(first, 'retry', fixtureStart + 1)]);
      assert.equal(only(await store.claimEvents(claimAt(fixtureStart + 1))).attempts, 2);
    },
  },
  {
    name: 'a parked event is not claimed again and lets later ones of its appointment go',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 2));
      const first = only(await store.claimEvents(claimAt(fixtureStart)));
      await store.settleEvents([outcomeOf(first, 'parked', fixtureStart)]);
      const second = only(await store.claimEvents(claimAt(fixtureStart)));
      assert.equal(second.event.version, 2);
      await store.settleEvents([outcomeOf(second, 'parked', fixtureStart)]);
      assert.deepEqual(await store.claimEvents(claimAt(fixtureStart + 100 * lease)), []);
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), null);
    },
  },
  {
    name: 'a lapsed lease lets the event be claimed again under another token, and counts the attempt',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 2));
      const first = only(await store.claimEvents(claimAt(fixtureStart)));
      assert.deepEqual(await store.claimEvents(claimAt(fixtureStart + lease - 1)), []);
      const second = only(await store.claimEvents(claimAt(fixtureStart + lease)));
      assert.equal(second.event.id, first.event.id);
      assert.notEqual(second.token, first.token);
      assert.deepEqual([first.attempts, second.attempts], [1, 2]);
    },
  },
  {
    name: 'an outcome under a token that was overtaken is ignored',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 2));
      const slow = only(await store.claimEvents(claimAt(fixtureStart)));
      const later = fixtureStart + 2 * lease;
      const current = only(await store.claimEvents(claimAt(later)));
      for (const status of ['delivered', 'parked', 'retry'] as const) {
        await store.settleEvents([outcomeOf(slow, status, fixtureStart)]);
        assert.deepEqual(await store.claimEvents(claimAt(later + 1)), []);
      }
      await store.settleEvents([outcomeOf(current, 'delivered', later)]);
      assert.equal(only(await store.claimEvents(claimAt(later + 1))).event.version, 2);
    },
  },
  {
    name: 'an outcome is recorded once; unknown events and tokens are ignored',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 2));
      const first = only(await store.claimEvents(claimAt(fixtureStart)));
      await store.settleEvents([]);
      await store.settleEvents([
        { ...outcomeOf(first, 'delivered', fixtureStart), eventId: 'unknown' },
        { ...outcomeOf(first, 'delivered', fixtureStart), token: 'unknown' },
      ]);
      assert.deepEqual(await store.claimEvents(claimAt(fixtureStart)), []);
      await store.settleEvents([outcomeOf(first, 'delivered', fixtureStart)]);
      await store.settleEvents([outcomeOf(first, 'retry', fixtureStart)]);
      assert.equal(only(await store.claimEvents(claimAt(fixtureStart))).event.version, 2);
    },
  },
  {
    name: 'a claim that ended in a retry cannot be settled again',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 2));
      const first = only(await store.claimEvents(claimAt(fixtureStart)));
      await store.settleEvents([outcomeOf(first, 'retry', fixtureStart + 1)]);
      await store.settleEvents([outcomeOf(first, 'delivered', fixtureStart)]);
      assert.equal(only(await store.claimEvents(claimAt(fixtureStart + 1))).event.version, 1);
    },
  },
  {
    name: 'an outcome after the lease ended counts as long as nobody claimed the event since',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 1));
      const slow = only(await store.claimEvents(claimAt(fixtureStart)));
      await store.settleEvents([outcomeOf(slow, 'delivered', fixtureStart + 9 * lease)]);
      assert.deepEqual(await store.claimEvents(claimAt(fixtureStart + 9 * lease)), []);
    },
  },
  {
    name: 'no more than the limit, the rest with the next claim',
    async run({ store, organizationId }) {
      const all = ['a', 'b', 'c', 'd', 'e'];
      await commitAll(store, ...all.flatMap((id) => history(organizationId, id, 2)));
      const claims = [];
      for (const size of [2, 2, 1, 0]) {
        const claimed = await store.claimEvents(claimAt(fixtureStart, 2));
        assert.equal(claimed.length, size);
        claims.push(...claimed);
      }
      assert.deepEqual(
        places(claims),
        all.map((id) => `${id} 1`),
      );
    },
  },
  {
    name: 'an event that comes behind a leased one of a removed appointment waits its turn',
    async run({ store, organizationId }) {
      const appointment = aScheduledAppointment({ organizationId, id: 'a' });
      await commitAll(store, insertion(appointment, { events: [anEvent(appointment)] }));
      const first = only(await store.claimEvents(claimAt(fixtureStart)));
      const deleted = anEvent(appointment, { version: 2, type: 'APDeletedEvent' });
      await commitAll(store, removal(appointment, { events: [deleted] }));
      assert.deepEqual(await store.claimEvents(claimAt(fixtureStart)), []);
      await store.settleEvents([outcomeOf(first, 'delivered', fixtureStart)]);
      assert.deepStrictEqual(only(await store.claimEvents(claimAt(fixtureStart))).event, deleted);
    },
  },
  {
    name: 'parallel claimers share no event and leave none',
    async run({ store, organizationId }) {
      const all = Array.from({ length: 40 }, (_, index) => `parallel-${index}`);
      await Promise.all(all.flatMap((id) => history(organizationId, id, 1)).map((change) => store.commit(change)));
      const claims = await Promise.all(Array.from({ length: 8 }, () => store.claimEvents(claimAt(fixtureStart, 5))));
      const rest = await store.claimEvents(claimAt(fixtureStart));
      assert.deepEqual(places([...claims.flat(), ...rest]), sorted(all.map((id) => `${id} 1`)));
    },
  },
  {
    name: 'the next instant tells when an event can be claimed: at once, after its lease, at its retry',
    async run({ store, organizationId }) {
      await commitAll(store, ...history(organizationId, 'a', 2));
      const fresh = await store.nextWakeAt({ appointments: true, events: true, channels: [] });
      assert.ok(fresh !== null && fresh <= fixtureStart);
      const first = only(await store.claimEvents(claimAt(fixtureStart)));
      // The second version is held back by the first: it must not keep an idle worker awake.
      assert.equal(await store.nextWakeAt({ appointments: true, events: true, channels: [] }), fixtureStart + lease);
      await store.settleEvents([outcomeOf(first, 'retry', fixtureStart + 7 * lease)]);
      assert.equal(
        await store.nextWakeAt({ appointments: true, events: true, channels: [] }),
        fixtureStart + 7 * lease,
      );
      const due = aScheduledAppointment({ organizationId, id: 'due' });
      await commitAll(store, insertion(due, { wakeAt: fixtureStart + 3 * lease }));
      assert.equal(
        await store.nextWakeAt({ appointments: true, events: true, channels: [] }),
        fixtureStart + 3 * lease,
      );
    },
  },
  {
    name: 'a purge deletes what was delivered before its time, bounded, and nothing undelivered or parked',
    async run({ store, organizationId }) {
      const all = ['a', 'b', 'c', 'd', 'parked', 'leased', 'waiting'];
      await commitAll(store, ...all.flatMap((id) => history(organizationId, id, 1)));
      const claimed = await store.claimEvents(claimAt(fixtureStart));
      const settled: Readonly<Record<string, readonly [EventOutcome['status'], Instant]>> = {
        a: ['delivered', fixtureStart + 1],
        b: ['delivered', fixtureStart + 2],
        c: ['delivered', fixtureStart + 3],
        d: ['delivered', fixtureStart + 4],
        parked: ['parked', fixtureStart + 1],
        waiting: ['retry', fixtureStart + 1],
      };
      await store.settleEvents(
        claimed.flatMap((event) => {
          const outcome = settled[event.event.appointmentId];
          return outcome === undefined ? [] : [outcomeOf(event, ...outcome)];
        }),
      );
      await commitAll(store, ...history(organizationId, 'fresh', 1));
      assert.equal(await store.purgeEvents(fixtureStart + 4, 2), 2);
      assert.equal(await store.purgeEvents(fixtureStart + 4, 100), 1);
      assert.equal(await store.purgeEvents(fixtureStart + 4, 100), 0);
      for (const appointmentId of [...all, 'fresh']) {
        const events = await store.listEvents({ organizationId, appointmentId });
        assert.equal(events.length, ['a', 'b', 'c'].includes(appointmentId) ? 0 : 1, appointmentId);
      }
    },
  },
];

export const eventClaimsGroup: ConformanceGroup = {
  name: 'events go to one relay at a time, in version order (D48)',
  cases: claiming.map((candidate): ConformanceCase => ({ ...candidate, emptyStore: true })),
};
