import assert from 'node:assert/strict';
import type { RequestCompletion, SchedulingStore } from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll, expectStale, outcomes } from '../expectations.js';
import { aScheduledAppointment, day, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { listQuery } from '../fixtures/list-query.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';

const requestLost = { status: 'requestLost' };
const fifty = Array.from({ length: 50 }, (_, index) => index);

/** Expects the answer to be what stands under the key. */
async function expectAnswer(store: SchedulingStore, request: RequestCompletion, now = request.at): Promise<void> {
  const { fingerprint, answer } = request;
  assert.deepEqual(await store.findRequest(keyOf(request), now), { fingerprint, answer });
}

export const requestsGroup: ConformanceGroup = {
  name: 'a request takes effect once (decisions, section 9; D74)',
  cases: [
    {
      name: 'nothing stands under a key before its answer is written, in the commit of its effect',
      async run({ store, organizationId }) {
        const request = aRequest(organizationId, { answer: '"made"' });
        const appointment = aScheduledAppointment({ organizationId });
        assert.equal(await store.findRequest(keyOf(request), fixtureStart), undefined);
        await commitAll(store, insertion(appointment, { events: [anEvent(appointment)], request }));
        assert.deepStrictEqual(await store.findAppointment(organizationId, appointment.id), appointment);
        await expectAnswer(store, request);
      },
    },
    {
      name: 'an answer comes back exactly, long and foreign texts too, with the fingerprint of its request',
      async run({ store, organizationId }) {
        const answers = [
          '{"status":201,"body":{"title":"𝒜 é \\u0000 \\"q\\" \'"}}',
          '""',
          'null',
          `"${'𝒜é'.repeat(60_000)}"`,
        ];
        for (const [index, answer] of answers.entries()) {
          const request = aRequest(organizationId, { key: `key-${index}`, fingerprint: `f-${index}`, answer });
          await commitAll(store, completing(request));
          await expectAnswer(store, request, fixtureStart + day / 2);
        }
      },
    },
    {
      name: 'a request is completed once, whatever a second commit asks for',
      async run({ store, organizationId }) {
        const request = aRequest(organizationId, { answer: '"first"' });
        await commitAll(store, completing(request));
        const appointment = aScheduledAppointment({ organizationId });
        for (const second of [
          { ...request, answer: '"second"' },
          { ...request, fingerprint: 'fingerprint-2' },
        ]) {
          assert.deepEqual(await store.commit(completing(second)), requestLost);
          assert.deepEqual(await store.commit(insertion(appointment, { request: second })), requestLost);
        }
        assert.equal(await store.findAppointment(organizationId, appointment.id), undefined);
        await expectAnswer(store, request);
      },
    },
    {
      name: 'a commit that is refused leaves its key free, for another body too',
      async run({ store, organizationId }) {
        const appointment = aScheduledAppointment({ organizationId });
        const request = aRequest(organizationId);
        await commitAll(store, insertion(appointment));
        await expectStale(store, update({ ...nextVersion(appointment), version: 9 }, { request }));
        assert.equal(await store.findRequest(keyOf(request), fixtureStart), undefined);
        await commitAll(store, update(nextVersion(appointment), { request: { ...request, fingerprint: 'other' } }));
      },
    },
    {
      name: 'an expired answer counts as absent, and gives its place to another body',
      async run({ store, organizationId }) {
        const old = aRequest(organizationId, { answer: '"old"' });
        await commitAll(store, completing(old));
        await expectAnswer(store, old, old.expiresAt - 1);
        const at = old.expiresAt;
        assert.equal(await store.findRequest(keyOf(old), at), undefined);
        assert.deepEqual(await store.commit(completing({ ...old, at: at - 1 })), requestLost);
        const next = { ...old, fingerprint: 'fingerprint-2', answer: '"new"', at, expiresAt: at + day };
        const appointment = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(appointment, { request: next }));
        await expectAnswer(store, next);
        assert.deepEqual(await store.commit(completing(next)), requestLost);
      },
    },
    {
      name: 'fifty parallel effects of one request: one is committed, and its answer stands',
      async run({ store, organizationId }) {
        const results = await Promise.all(
          fifty.map((index) => {
            const request = aRequest(organizationId, { answer: `"${index}"` });
            return store.commit(insertion(aScheduledAppointment({ organizationId, id: `at-${index}` }), { request }));
          }),
        );
        assert.deepEqual(outcomes(results), { committed: 1, requestLost: 49 });
        const winner = results.findIndex(({ status }) => status === 'committed');
        await expectAnswer(store, aRequest(organizationId, { answer: `"${winner}"` }));
        assert.equal((await store.listAppointments(listQuery(organizationId))).total, 1);
      },
    },
    {
      name: 'fifty parallel effects in the place of an expired answer: one is committed',
      async run({ store, organizationId }) {
        const old = aRequest(organizationId);
        await commitAll(store, completing(old));
        const results = await Promise.all(
          fifty.map((index) => {
            const request = { ...old, answer: `"${index}"`, at: old.expiresAt, expiresAt: old.expiresAt + day };
            const next = aScheduledAppointment({ organizationId, id: `at-${index}`, organizerId: `agent-${index}` });
            const window = { from: next.schedule.start, to: next.schedule.end };
            // Some under a guard, which is decided on another way in some stores.
            const guard = index % 2 === 0 ? { actorIds: [`agent-${index}`], window } : undefined;
            return store.commit(insertion(next, { request, guard }));
          }),
        );
        assert.deepEqual(outcomes(results), { committed: 1, requestLost: 49 });
        assert.equal((await store.listAppointments(listQuery(organizationId))).total, 1);
      },
    },
    {
      name: 'a purge deletes what expired before its time, bounded, and nothing else',
      emptyStore: true,
      async run({ store, organizationId, organization }) {
        const expiries = [1, 2, 3, 4, 5].map((step) => fixtureStart + step * minute);
        for (const [index, expiresAt] of expiries.entries()) {
          const organizationOfIt = index % 2 === 0 ? organizationId : organization('other');
          await commitAll(store, completing(aRequest(organizationOfIt, { key: `key-${index}`, expiresAt })));
        }
        const now = fixtureStart + 4 * minute;
        assert.equal(await store.purgeRequests(now, 2), 2);
        assert.equal(await store.purgeRequests(now, 100), 1);
        assert.equal(await store.purgeRequests(now, 100), 0);
        await expectAnswer(store, aRequest(organizationId, { key: 'key-4' }));
      },
    },
  ],
};
