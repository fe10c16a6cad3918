import assert from 'node:assert/strict';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll, outcomes } from '../expectations.js';
import { aScheduledAppointment, day, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { aReservation, completing, completionOf, keyOf } from '../fixtures/requests.js';

const reserved = { status: 'reserved' };
const inProgress = { status: 'inProgress' };
const mismatch = { status: 'mismatch' };

export const requestsGroup: ConformanceGroup = {
  name: 'a request takes effect once (decisions, section 9)',
  cases: [
    {
      name: 'the first reservation holds, a second one is in progress',
      async run({ store, organizationId }) {
        const first = aReservation(organizationId);
        assert.deepEqual(await store.reserveRequest(first), reserved);
        assert.deepEqual(await store.reserveRequest({ ...first, token: 'token-2' }), inProgress);
        const later = { ...first, token: 'token-2', now: first.leaseUntil - 1 };
        assert.deepEqual(await store.reserveRequest(later), inProgress);
      },
    },
    {
      name: 'another body under the same key is a mismatch, in progress and completed',
      async run({ store, organizationId }) {
        const first = aReservation(organizationId);
        const other = { ...first, token: 'token-2', fingerprint: 'fingerprint-2' };
        await store.reserveRequest(first);
        assert.deepEqual(await store.reserveRequest(other), mismatch);
        await commitAll(store, completing(first, '{}'));
        assert.deepEqual(await store.reserveRequest(other), mismatch);
        assert.deepEqual(await store.reserveRequest(first), { status: 'completed', answer: '{}' });
      },
    },
    {
      name: 'a completed request replays its answer exactly, long and foreign texts too',
      async run({ store, organizationId }) {
        const answers = ['{"status":201,"body":{"title":"𝒜 é \\u0000 \\"q\\" \'"}}', '""', `"${'𝒜é'.repeat(60_000)}"`];
        for (const [index, answer] of answers.entries()) {
          const reservation = aReservation(organizationId, { key: `key-${index}` });
          await store.reserveRequest(reservation);
          await commitAll(store, completing(reservation, answer));
          const replay = { ...reservation, token: 'token-2', now: reservation.leaseUntil + day / 2 };
          assert.deepEqual(await store.reserveRequest(replay), { status: 'completed', answer });
        }
      },
    },
    {
      name: 'the answer is written in the commit of its effect',
      async run({ store, organizationId }) {
        const reservation = aReservation(organizationId);
        const appointment = aScheduledAppointment({ organizationId });
        await store.reserveRequest(reservation);
        const request = completionOf(reservation, '"made"');
        await commitAll(store, insertion(appointment, { events: [anEvent(appointment)], request }));
        assert.deepStrictEqual(await store.findAppointment(organizationId, appointment.id), appointment);
        assert.deepEqual(await store.reserveRequest(reservation), { status: 'completed', answer: '"made"' });
      },
    },
    {
      name: 'a commit whose reservation is not held any more is lost and writes nothing',
      async run({ store, organizationId }) {
        const lapsed = aReservation(organizationId);
        const taken = {
          ...lapsed,
          token: 'token-2',
          now: lapsed.leaseUntil + 1,
          leaseUntil: lapsed.leaseUntil + minute,
        };
        await store.reserveRequest(lapsed);
        assert.deepEqual(await store.reserveRequest(taken), reserved);
        const appointment = aScheduledAppointment({ organizationId });
        const request = completionOf(lapsed, '"late"');
        const result = await store.commit(insertion(appointment, { events: [anEvent(appointment)], request }));
        assert.deepEqual(result, { status: 'requestLost' });
        assert.equal(await store.findAppointment(organizationId, appointment.id), undefined);
        assert.deepEqual(await store.listEvents({ organizationId, appointmentId: appointment.id }), []);
        await commitAll(store, completing(taken, '"mine"'));
        assert.deepEqual(await store.reserveRequest(taken), { status: 'completed', answer: '"mine"' });
      },
    },
    {
      name: 'a commit for a request that was never reserved is lost',
      async run({ store, organizationId }) {
        const result = await store.commit(completing(aReservation(organizationId), '{}'));
        assert.deepEqual(result, { status: 'requestLost' });
      },
    },
    {
      name: 'a request is completed once',
      async run({ store, organizationId }) {
        const reservation = aReservation(organizationId);
        await store.reserveRequest(reservation);
        await commitAll(store, completing(reservation, '"first"'));
        assert.deepEqual(await store.commit(completing(reservation, '"second"')), { status: 'requestLost' });
        assert.deepEqual(await store.reserveRequest(reservation), { status: 'completed', answer: '"first"' });
      },
    },
    {
      name: 'a lapsed lease may be taken over, with another body too',
      async run({ store, organizationId }) {
        for (const fingerprint of ['fingerprint-1', 'fingerprint-2']) {
          const lapsed = aReservation(organizationId, { key: fingerprint });
          const now = lapsed.leaseUntil + 1;
          const taken = { ...lapsed, fingerprint, token: 'token-2', now, leaseUntil: now + minute };
          await store.reserveRequest(lapsed);
          assert.deepEqual(await store.reserveRequest(taken), reserved);
          assert.deepEqual(await store.reserveRequest({ ...taken, token: 'token-3' }), inProgress);
        }
      },
    },
    {
      name: 'a lapsed lease that nobody took over still completes',
      async run({ store, organizationId }) {
        const reservation = aReservation(organizationId, { leaseUntil: fixtureStart - day });
        await store.reserveRequest(reservation);
        await commitAll(store, completing(reservation, '"late but alone"'));
      },
    },
    {
      name: 'an expired answer counts as absent, with another body too',
      async run({ store, organizationId }) {
        const reservation = aReservation(organizationId);
        await store.reserveRequest(reservation);
        await commitAll(store, completing(reservation, '"old"'));
        const now = reservation.expiresAt + 1;
        const again = { ...reservation, fingerprint: 'fingerprint-2', token: 'token-2', now, leaseUntil: now + minute };
        assert.deepEqual(await store.reserveRequest({ ...again, expiresAt: now + day }), reserved);
        assert.deepEqual(await store.reserveRequest({ ...again, expiresAt: now + day }), inProgress);
        assert.deepEqual(await store.commit(completing(reservation, '"older"')), { status: 'requestLost' });
        await commitAll(store, completing(again, '"new"'));
        assert.deepEqual(await store.reserveRequest(again), { status: 'completed', answer: '"new"' });
      },
    },
    {
      name: 'a released reservation is free again',
      async run({ store, organizationId }) {
        const reservation = aReservation(organizationId);
        await store.reserveRequest(reservation);
        await store.releaseRequest(keyOf(reservation), reservation.token);
        const other = { ...reservation, token: 'token-2', fingerprint: 'fingerprint-2' };
        assert.deepEqual(await store.commit(completing(reservation, '{}')), { status: 'requestLost' });
        assert.deepEqual(await store.reserveRequest(other), reserved);
      },
    },
    {
      name: 'a release by a foreign token, of an unknown request or of an answer does nothing',
      async run({ store, organizationId }) {
        const reservation = aReservation(organizationId);
        await store.releaseRequest(keyOf(reservation), reservation.token);
        await store.reserveRequest(reservation);
        await store.releaseRequest(keyOf(reservation), 'token-2');
        assert.deepEqual(await store.reserveRequest({ ...reservation, token: 'token-2' }), inProgress);
        await commitAll(store, completing(reservation, '"kept"'));
        await store.releaseRequest(keyOf(reservation), reservation.token);
        assert.deepEqual(await store.reserveRequest(reservation), { status: 'completed', answer: '"kept"' });
      },
    },
    {
      name: 'fifty parallel reservations of one request: one holds',
      async run({ store, organizationId }) {
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            store.reserveRequest(aReservation(organizationId, { token: `token-${index}` })),
          ),
        );
        assert.deepEqual(outcomes(results), { reserved: 1, inProgress: 49 });
        const holder = results.findIndex(({ status }) => status === 'reserved');
        await commitAll(store, completing(aReservation(organizationId, { token: `token-${holder}` }), '{}'));
      },
    },
    {
      name: 'fifty parallel take-overs of a lapsed lease: one holds',
      async run({ store, organizationId }) {
        const lapsed = aReservation(organizationId);
        await store.reserveRequest(lapsed);
        const [now, leaseUntil] = [lapsed.leaseUntil + 1, lapsed.leaseUntil + minute];
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            store.reserveRequest({ ...lapsed, token: `taker-${index}`, now, leaseUntil }),
          ),
        );
        assert.deepEqual(outcomes(results), { reserved: 1, inProgress: 49 });
      },
    },
    {
      name: 'a purge deletes what expired before its time, bounded, and nothing else',
      emptyStore: true,
      async run({ store, organizationId, organization }) {
        const expiries = [1, 2, 3, 4, 5].map((step) => fixtureStart + step * minute);
        for (const [index, expiresAt] of expiries.entries()) {
          const organizationOfIt = index % 2 === 0 ? organizationId : organization('other');
          const reservation = aReservation(organizationOfIt, { key: `key-${index}`, expiresAt });
          await store.reserveRequest(reservation);
          await commitAll(store, completing(reservation, '{}'));
        }
        const now = fixtureStart + 4 * minute;
        assert.equal(await store.purgeRequests(now, 2), 2);
        assert.equal(await store.purgeRequests(now, 100), 1);
        assert.equal(await store.purgeRequests(now, 100), 0);
        const kept = aReservation(organizationId, { key: 'key-4' });
        assert.deepEqual(await store.reserveRequest(kept), { status: 'completed', answer: '{}' });
      },
    },
    {
      name: 'a purge deletes reservations that were abandoned and expired',
      emptyStore: true,
      async run({ store, organizationId }) {
        await store.reserveRequest(aReservation(organizationId));
        assert.equal(await store.purgeRequests(fixtureStart + day / 2, 100), 0);
        assert.equal(await store.purgeRequests(fixtureStart + 2 * day, 100), 1);
        assert.deepEqual(await store.reserveRequest(aReservation(organizationId)), reserved);
      },
    },
  ],
};
