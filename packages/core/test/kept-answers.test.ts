import { createHash } from 'node:crypto';
import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import type { OtpVerifier } from '../src/index.js';
import type { RequestCompletion, SchedulingStore } from '../src/store.js';
import {
  agentOne,
  booked,
  booking,
  type Fixture,
  fixture,
  type FixtureOptions,
  secret,
  supervisor,
} from './fixtures.js';
import { errorOf } from './error-of.js';

const credentials = { username: 'maria@example.org', code: '123456' };
const idempotency = { key: 'k-1', operation: 'basic' };
const [older, newer] = [secret, `${secret}, a later one`];

/** A library over a store, and the answers that it keeps there. */
interface Keeping extends Fixture {
  readonly kept: readonly RequestCompletion[];
}

/** Codes are used up by the first call that brings one; all libraries over one store share them. */
const verifiers = new WeakMap<SchedulingStore, OtpVerifier>();

function verifierOf(store: SchedulingStore): OtpVerifier {
  let used = false;
  const made: OtpVerifier = { verify: () => Promise.resolve(!used && (used = true)) };
  const found = verifiers.get(store) ?? made;
  verifiers.set(store, found);
  return found;
}

function keeping(store = memoryStore(), options: FixtureOptions = {}): Keeping {
  const kept: RequestCompletion[] = [];
  const watched: SchedulingStore = {
    ...store,
    commit: (change, commitOptions) => {
      if (change.request !== undefined) kept.push(change.request);
      return store.commit(change, commitOptions);
    },
  };
  return { ...fixture({ otpVerifier: verifierOf(store), ...options, store: watched }), kept };
}

const bareHash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');

describe('The answer that is kept for an Idempotency-Key', () => {
  const bookAsCustomer = async (options: FixtureOptions, applicationId = 'app-1'): Promise<RequestCompletion> => {
    const { appointments, kept } = keeping(memoryStore(), options);
    await appointments.scheduleAsCustomer(credentials, booking({ applicationId }), { idempotency });
    const [request] = kept;
    if (request === undefined) throw new Error('No answer was kept.');
    return request;
  };

  it('the answer that is kept for an Idempotency-Key stands under keyed hashes of the secret, the organization and the application', async () => {
    const requests = await Promise.all([
      bookAsCustomer({}),
      bookAsCustomer({ secret: newer }),
      bookAsCustomer({ applications: { 'app-1': { organizationId: 'org-1' } } }),
      bookAsCustomer({}, 'app-2'),
    ]);
    expect(new Set(requests.map(({ callerId }) => callerId)).size).toBe(4);
    expect(new Set(requests.map(({ fingerprint }) => fingerprint)).size).toBe(4);
    const { username, code } = credentials;
    for (const { callerId, fingerprint } of requests) {
      expect(callerId).not.toContain(bareHash([username, code]));
      expect(fingerprint).not.toBe(bareHash(booking()));
    }
    const same = await bookAsCustomer({});
    expect([same.callerId, same.fingerprint]).toEqual([requests[0].callerId, requests[0].fingerprint]);
  });

  it('the answer that is kept for an Idempotency-Key has nothing that recognises the customer, of whichever call', async () => {
    const { appointments, kept } = keeping();
    const { id, participants } = await booked({ ...fixture(), appointments, newEvents: () => [] });
    const identity = participants[0]?.identity ?? '';
    expect(identity).not.toBe('');
    const answers = [
      await appointments.schedule(agentOne, booking(), { idempotency }),
      await appointments.update(agentOne, { id, title: 'Other' }, { idempotency: { ...idempotency, key: 'k-3' } }),
      await appointments.update(agentOne, { id }, { idempotency: { ...idempotency, key: 'k-2' } }),
    ];
    expect(kept).toHaveLength(3);
    expect(kept.map(({ answer }) => JSON.parse(answer) as unknown)).toEqual(JSON.parse(JSON.stringify(answers)));
    expect(JSON.stringify(kept)).not.toContain(identity);
    expect((await appointments.get(supervisor, id)).participants[0]?.identity).toBe(identity);
  });

  it('the answer that is kept for an Idempotency-Key is found while one secret takes the place of another', async () => {
    const store = memoryStore();
    const before = keeping(store, { secret: older });
    const made = await before.appointments.schedule(agentOne, booking(), { idempotency });
    const bookedOne = await before.appointments.scheduleAsCustomer(credentials, booking(), { idempotency });
    const after = keeping(store, { secret: [newer, older], ids: before.ids });
    expect(await after.appointments.schedule(agentOne, booking(), { idempotency })).toEqual(made);
    expect(await after.appointments.scheduleAsCustomer(credentials, booking(), { idempotency })).toEqual(bookedOne);
    const other = booking({ title: 'Other' });
    const calls = [
      () => after.appointments.schedule(agentOne, other, { idempotency }),
      () => after.appointments.scheduleAsCustomer(credentials, other, { idempotency }),
    ];
    for (const call of calls) expect((await errorOf(call)).code).toBe('idempotency_mismatch');
    expect(after.kept).toEqual([]);
  });

  it('the answer that a program of before 0.2 has kept is found by its caller, and makes another command a mismatch', async () => {
    const store = memoryStore();
    const { appointments, clock, kept } = keeping(store);
    const at = clock.now();
    const { organizationId, id: callerId } = agentOne;
    const request = { organizationId, callerId, ...idempotency, at, expiresAt: at + 1, answer: '{"id":"a"}' };
    const fingerprint = bareHash(booking());
    await store.commit({ organizationId, events: [], request: { ...request, fingerprint } });
    const again = await appointments.schedule(agentOne, booking(), { idempotency });
    expect(again.id).toBe('a');
    const other = () => appointments.schedule(agentOne, booking({ title: 'Other' }), { idempotency });
    expect((await errorOf(other)).code).toBe('idempotency_mismatch');
    expect(kept).toEqual([]);
  });

  it('the answer that a program of before 0.2 has kept of a booking with a code is not found, and nothing is booked twice', async () => {
    const store = memoryStore();
    const { appointments, clock, kept } = keeping(store);
    const at = clock.now();
    const { username, code } = credentials;
    await verifierOf(store).verify({ ...credentials, organizationId: '', applicationId: '', contact: {} });
    const place = { organizationId: 'default', callerId: `otp:${bareHash([username, code])}`, ...idempotency };
    const request = { ...place, fingerprint: bareHash(booking()), at, expiresAt: at + 1, answer: '{"id":"a"}' };
    await store.commit({ organizationId: 'default', events: [], request });
    const again = () => appointments.scheduleAsCustomer(credentials, booking(), { idempotency });
    expect((await errorOf(again)).code).toBe('unauthenticated');
    expect(kept).toEqual([]);
  });
});
