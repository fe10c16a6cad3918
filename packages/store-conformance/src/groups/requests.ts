import type { RequestCompletion, SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { day, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';
import { commitAll, race } from '../steps.js';

const requestLost = { status: 'requestLost' };

/** Expects the answer to be what stands under the key. */
async function expectAnswer(store: SchedulingStore, request: RequestCompletion, now = request.at): Promise<void> {
  const { fingerprint, answer } = request;
  expect(await store.requests.find(keyOf(request), now)).toEqual({ fingerprint, answer });
}

export const requestsGroup = group('a request takes effect once (decisions, Across all; D74)', [
  { rule: 'requests', level: 'events' },
  it('nothing stands under a key before its answer is written, in the commit of its effect', async (store, a) => {
    const request = a.request({ answer: '"made"' });
    const appointment = a.scheduled();
    expect(await store.requests.find(keyOf(request), fixtureStart)).toEqual(undefined);
    await commitAll(store, insertion(appointment, { events: [a.event(appointment)], request }));
    await expect.appointments(store, appointment);
    await expectAnswer(store, request);
  }),
  { rule: 'requests' },
  it('a request is completed once, whatever a second commit asks for', async (store, a, organizationId) => {
    const request = a.request({ answer: '"first"' });
    await commitAll(store, completing(request));
    const appointment = a.scheduled();
    for (const second of [
      { ...request, answer: '"second"' },
      { ...request, fingerprint: 'fingerprint-2' },
    ]) {
      expect(await store.commit(completing(second))).toEqual(requestLost);
      expect(await store.commit(insertion(appointment, { request: second }))).toEqual(requestLost);
    }
    expect(await store.appointments.find(organizationId, appointment.id)).toEqual(undefined);
    await expectAnswer(store, request);
  }),
  it('a commit that is refused leaves its key free, for another body too', async (store, a) => {
    const appointment = a.scheduled();
    const request = a.request();
    await commitAll(store, insertion(appointment));
    await expect.stale(store, update({ ...appointment, version: 9 }, { before: appointment, request }));
    expect(await store.requests.find(keyOf(request), fixtureStart)).toEqual(undefined);
    await commitAll(store, update(nextVersion(appointment), { request: { ...request, fingerprint: 'other' } }));
  }),
  it('fifty parallel effects of one request: one is committed, and its answer stands', async (store, a) => {
    const effect = (index: number) =>
      insertion(a.scheduled({ id: `at-${index}` }), { request: a.request({ answer: `"${index}"` }) });
    const winner = await race(50, 'requestLost', effect, store);
    await expectAnswer(store, a.request({ answer: `"${winner}"` }));
    expect((await store.appointments.list(a.listQuery())).total).toEqual(1);
  }),
  { rule: 'round-trip' },
  it('an answer comes back exactly, long and foreign texts too, with the fingerprint of its request', async (store, a) => {
    const answers = [
      '{"status":201,"body":{"title":"𝒜 é \\u0000 \\"q\\" \'"}}',
      '""',
      'null',
      `"${'𝒜é'.repeat(60_000)}"`,
    ];
    for (const [index, answer] of answers.entries()) {
      const request = a.request({ key: `key-${index}`, fingerprint: `f-${index}`, answer });
      await commitAll(store, completing(request));
      await expectAnswer(store, request, fixtureStart + day / 2);
    }
  }),
  { rule: 'request-expiry' },
  it('an expired answer counts as absent, and gives its place to another body', async (store, a) => {
    const old = a.request({ answer: '"old"' });
    await commitAll(store, completing(old));
    await expectAnswer(store, old, old.expiresAt - 1);
    const at = old.expiresAt;
    expect(await store.requests.find(keyOf(old), at)).toEqual(undefined);
    expect(await store.commit(completing({ ...old, at: at - 1 }))).toEqual(requestLost);
    const next = { ...old, fingerprint: 'fingerprint-2', answer: '"new"', at, expiresAt: at + day };
    const appointment = a.scheduled();
    await commitAll(store, insertion(appointment, { request: next }));
    await expectAnswer(store, next);
    expect(await store.commit(completing(next))).toEqual(requestLost);
  }),
  it('fifty parallel effects in the place of an expired answer: one is committed', async (store, a) => {
    const old = a.request();
    await commitAll(store, completing(old));
    const effect = (index: number) => {
      const request = { ...old, answer: `"${index}"`, at: old.expiresAt, expiresAt: old.expiresAt + day };
      const next = a.scheduled({ id: `at-${index}`, organizerId: `agent-${index}` });
      const window = { from: next.schedule.start, to: next.schedule.end };
      // Some under a guard, which is decided on another way in some stores.
      const guard = index % 2 === 0 ? { actorIds: [`agent-${index}`], window } : undefined;
      return insertion(next, { request, guard });
    };
    await race(50, 'requestLost', effect, store);
    expect((await store.appointments.list(a.listQuery())).total).toEqual(1);
  }),
  { rule: 'purges', emptyStore: true },
  it('a purge deletes what expired before its time, bounded, and nothing else', async (store, a, organizationId) => {
    const expiries = [1, 2, 3, 4, 5].map((step) => fixtureStart + step * minute);
    for (const [index, expiresAt] of expiries.entries()) {
      const organizationOfIt = index % 2 === 0 ? organizationId : a.of('other').organizationId;
      await commitAll(store, completing(aRequest(organizationOfIt, { key: `key-${index}`, expiresAt })));
    }
    const now = fixtureStart + 4 * minute;
    expect(await store.requests.purge(now, 2)).toEqual(2);
    expect(await store.requests.purge(now, 100)).toEqual(1);
    expect(await store.requests.purge(now, 100)).toEqual(0);
    await expectAnswer(store, a.request({ key: 'key-4' }));
  }),
  it('answers under the same key in two organizations are purged one by one, and counted so', async (store, a) => {
    const both = [a, a.of('other')].map((each) => each.request());
    await commitAll(store, ...both.map(completing));
    for (const purged of [1, 1, 0]) expect(await store.requests.purge(fixtureStart + 2 * day, 1)).toEqual(purged);
  }),
  it('a purge leaves an answer that took the place of an expired one', async (store, a) => {
    const old = a.request({ answer: '"old"' });
    const at = old.expiresAt;
    const next = { ...old, answer: '"new"', at, expiresAt: at + day };
    await commitAll(store, completing(old), completing(next));
    expect(await store.requests.purge(at + 1, 100)).toEqual(0);
    await expectAnswer(store, next);
  }),
]);
