import { describe, expect, it } from 'vitest';
import { hours } from '@calends/model';
import type { Appointment, CallOptions } from '../src/index.js';
import { withoutIdentities } from '../src/domain/appointments/participants.js';
import type { IdempotencyOptions } from '../src/operations.js';
import {
  agentOne,
  agentTwo,
  booked,
  booking,
  type Fixture,
  fixture,
  foreignSupervisor,
  supervisor,
} from './fixtures.js';
import { manageFixture } from './customers/manage-fixture.js';
import { errorOf } from './error-of.js';

const key: IdempotencyOptions = { key: 'k-1', operation: 'POST /appointments' };
const withKey = { idempotency: key };

const total = async ({ appointments }: Fixture): Promise<number> => (await appointments.list(supervisor, {})).total;

describe('A call with an Idempotency-Key (decisions, Across all)', () => {
  it('a call with an Idempotency-Key takes effect once: a replay gives the stored answer and says so', async () => {
    const base = fixture();
    const first = await base.appointments.schedule(agentOne, booking(), withKey);
    let replays = 0;
    const idempotency = { ...key, onReplay: () => void (replays += 1) };
    base.clock.advance(hours(1));
    const again = await base.appointments.schedule(agentOne, booking(), { idempotency });
    expect(again).toEqual(first);
    expect(replays).toBe(1);
    expect(base.newEvents()).toEqual(['APCreatedEvent']);
    expect(await total(base)).toBe(1);
  });

  const itself: Record<string, unknown> = {};
  itself['again'] = itself;
  it.each<[string, unknown]>([
    ['a BigInt', 5n],
    ['an object that holds itself', itself],
  ])(
    'a call with an Idempotency-Key refuses a command that no fingerprint can be made of: %s',
    async (_what, value) => {
      const base = fixture();
      for (const command of [booking({ metadata: { value } }), { ...booking(), unknown: value }]) {
        const { code, issues } = await errorOf(() => base.appointments.schedule(agentOne, command, withKey));
        expect([code, issues.map(({ pointer }) => pointer)]).toEqual(['validation_failed', ['']]);
      }
      expect(base.newEvents()).toEqual([]);
      await base.appointments.schedule(agentOne, booking(), withKey);
    },
  );

  it('a call with an Idempotency-Key gives the stored answer also when the appointment has changed or gone since', async () => {
    const base = fixture();
    const first = await base.appointments.schedule(agentOne, booking(), withKey);
    await base.appointments.update(agentOne, { id: first.id, title: 'Other' });
    expect(await base.appointments.schedule(agentOne, booking(), withKey)).toEqual(first);
    await base.appointments.remove(agentOne, first.id);
    expect(await base.appointments.schedule(agentOne, booking(), withKey)).toEqual(first);
  });

  it('a call with an Idempotency-Key gives no stored answer to a token that does not cover its application (D34)', async () => {
    const base = fixture();
    const first = await base.appointments.schedule(agentOne, booking(), withKey);
    const update = { id: first.id, title: 'Other' };
    await base.appointments.update(agentOne, update, { idempotency: { ...key, operation: 'update' } });
    const [inside, outside] = [['app-1'], ['app-9']].map((applicationIds) => ({ ...agentOne, applicationIds }));
    const replay = (by = agentOne) => [
      () => base.appointments.schedule(by, booking(), withKey),
      () => base.appointments.update(by, update, { idempotency: { ...key, operation: 'update' } }),
    ];
    for (const call of replay(inside)) expect((await call()).id).toBe(first.id);
    for (const call of replay(outside)) expect((await errorOf(call)).code).toBe('forbidden');
  });

  it('a call with an Idempotency-Key with another body is a mismatch', async () => {
    const base = fixture();
    await base.appointments.schedule(agentOne, booking(), withKey);
    const other = await errorOf(() => base.appointments.schedule(agentOne, booking({ title: 'x' }), withKey));
    expect(other.code).toBe('idempotency_mismatch');
    expect(await total(base)).toBe(1);
  });

  it('a call with an Idempotency-Key belongs to the caller, the organization, the operation and the key', async () => {
    const base = fixture();
    await base.appointments.schedule(agentOne, booking(), withKey);
    await base.appointments.schedule(agentTwo, booking(), withKey);
    await base.appointments.schedule({ ...agentOne, organizationId: 'org-2' }, booking(), withKey);
    await base.appointments.schedule(agentOne, booking(), { idempotency: { ...key, operation: 'other' } });
    for (const other of ['K-1', 'k-1.', 'k-2']) {
      await base.appointments.schedule(agentOne, booking(), { idempotency: { ...key, key: other } });
    }
    expect(await total(base)).toBe(6);
    expect((await base.appointments.list(foreignSupervisor, {})).total).toBe(1);
  });

  it('a call with an Idempotency-Key holds for 24 hours', async () => {
    const base = fixture();
    const first = await base.appointments.schedule(agentOne, booking({ start: '2030-06-01T10:00:00Z' }), withKey);
    const again = (): Promise<Appointment> =>
      base.appointments.schedule(agentOne, booking({ start: '2030-06-01T10:00:00Z' }), withKey);
    base.clock.advance(hours(24) - 1);
    expect((await again()).id).toBe(first.id);
    base.clock.advance(1);
    expect((await again()).id).not.toBe(first.id);
  });

  it.each(['', 'x'.repeat(256), 'a b', 'a\u0000b', '\u00e4'])(
    'a call with an Idempotency-Key has a key of 1 to 255 visible ASCII characters: %j',
    async (text) => {
      const base = fixture();
      const call = (): Promise<Appointment> =>
        base.appointments.schedule(agentOne, booking(), { idempotency: { ...key, key: text } });
      expect((await errorOf(call)).code).toBe('validation_failed');
      const longest = { idempotency: { ...key, key: 'x'.repeat(255) } };
      await expect(base.appointments.schedule(agentOne, booking(), longest)).resolves.toBeDefined();
    },
  );

  it('a call with an Idempotency-Key that fails gives the key back', async () => {
    const base = fixture();
    const past = booking({ start: '2020-01-01T00:00:00Z' });
    expect((await errorOf(() => base.appointments.schedule(agentOne, past, withKey))).code).toBe('invalid_schedule');
    await expect(base.appointments.schedule(agentOne, booking(), withKey)).resolves.toBeDefined();
    expect(await total(base)).toBe(1);
  });

  /** A second library over the same data, whose answers about agents come when they are told to. */
  function slow(base: Fixture): { readonly library: Fixture; readonly begun: Promise<void>; readonly go: () => void } {
    let go = (): void => undefined;
    let asked = (): void => undefined;
    const begun = new Promise<void>((resolve) => (asked = resolve));
    const standingOf = (): Promise<'agent'> => {
      asked();
      return new Promise((resolve) => {
        go = () => {
          resolve('agent');
        };
      });
    };
    const { store, clock, ids } = base;
    return {
      library: fixture({ store, clock, ids, agentDirectory: { standingOf } }),
      begun,
      go: () => {
        go();
      },
    };
  }
  const targeted = booking({ targetAssignment: { id: 'agent-7' } });

  it('a call with an Idempotency-Key that is under way keeps others in the same process out, whatever time passes', async () => {
    const base = fixture();
    const { library, begun, go } = slow(base);
    const first = library.appointments.schedule(agentOne, targeted, withKey);
    await begun;
    base.clock.advance(hours(1));
    const second = (): Promise<Appointment> => library.appointments.schedule(agentOne, targeted, withKey);
    expect((await errorOf(second)).code).toBe('idempotency_in_progress');
    const other = (): Promise<Appointment> => library.appointments.schedule(agentOne, booking(), withKey);
    expect((await errorOf(other)).code).toBe('idempotency_mismatch');
    go();
    expect((await first).id).toBe((await second()).id);
    expect(await total(base)).toBe(1);
  });

  it('a call with an Idempotency-Key that another process carries out meanwhile has its answer, and one effect', async () => {
    const base = fixture();
    const { library, begun, go } = slow(base);
    const first = library.appointments.schedule(agentOne, targeted, withKey);
    await begun;
    const made = await base.appointments.schedule(agentOne, targeted, withKey);
    go();
    expect((await first).id).toBe(made.id);
    expect(await total(base)).toBe(1);
  });

  it('a call whose key another process has used for something else meanwhile is a mismatch', async () => {
    const base = fixture();
    const { library, begun, go } = slow(base);
    const first = library.appointments.schedule(agentOne, targeted, withKey);
    await begun;
    await base.appointments.schedule(agentOne, booking(), withKey);
    go();
    expect((await errorOf(() => first)).code).toBe('idempotency_mismatch');
    expect(await total(base)).toBe(1);
  });

  it('a call with an Idempotency-Key that comes 50 times in parallel has one effect', async () => {
    const base = fixture();
    const calls = Array.from({ length: 50 }, () => base.appointments.schedule(agentOne, booking(), withKey));
    const outcomes = await Promise.allSettled(calls);
    const ids = new Set(outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.id] : [])));
    const errors = outcomes.flatMap((each) =>
      each.status === 'rejected' ? [(each.reason as { code: string }).code] : [],
    );
    expect(ids.size).toBe(1);
    expect(new Set(errors)).toEqual(new Set(['idempotency_in_progress']));
    expect(await total(base)).toBe(1);
    expect(base.newEvents()).toEqual(['APCreatedEvent']);
  });
});

describe('Activation with a key', () => {
  it('Activation with a key is replayed with its answer', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const first = await base.appointments.activate(agentOne, id, withKey);
    await base.appointments.cancel(agentOne, { id });
    expect(await base.appointments.activate(agentOne, id, withKey)).toEqual(first);
    expect(base.newEvents()).toEqual(['APActivatedEvent', 'APCancelledEvent']);
  });

  it('Activation with a key that changes nothing is stored too', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const first = await base.appointments.activate(agentOne, id);
    // What is kept has nothing that recognises customers, and the first answer is as each later one.
    expect(await base.appointments.activate(agentOne, id, withKey)).toEqual(withoutIdentities(first));
    let replays = 0;
    await base.appointments.activate(agentOne, id, { idempotency: { ...key, onReplay: () => void (replays += 1) } });
    expect(replays).toBe(1);
  });

  it('Activation with a key of another appointment is a mismatch', async () => {
    const base = fixture();
    const [one, other] = [await booked(base), await booked(base)];
    await base.appointments.activate(agentOne, one.id, withKey);
    const error = await errorOf(() => base.appointments.activate(agentOne, other.id, withKey));
    expect(error.code).toBe('idempotency_mismatch');
  });

  it('activation with a key whose room was refused for good fails again when it is replayed', async () => {
    const accessProvider = {
      conferenceIsAppointment: true,
      openRoom: async () => Promise.resolve({ status: 'refused', reason: 'no licence' } as const),
      details: () => ({ secureToken: '', roomUrl: '', expires: 0 }),
    };
    const base = fixture({ accessProvider });
    const { id } = await booked(base);
    for (let time = 0; time < 2; time += 1) {
      expect((await errorOf(() => base.appointments.activate(agentOne, id, withKey))).code).toBe('invalid_state');
    }
    expect(base.newEvents()).toEqual(['APAbortedEvent']);
  });
});

const moved = { start: '2030-06-03T10:00:00Z', duration: 'PT1H', timezone: 'UTC' };

type Keyed = (base: Fixture, id: string, options: CallOptions) => Promise<unknown>;

/** Every change of an appointment that takes a key, and the same with something else in it. */
const changes: readonly (readonly [name: string, change: Keyed, other: Keyed])[] = [
  [
    'update',
    ({ appointments }, id, options) => appointments.update(agentOne, { id, title: 'One' }, options),
    ({ appointments }, id, options) => appointments.update(agentOne, { id, title: 'Two' }, options),
  ],
  [
    'reschedule',
    ({ appointments }, id, options) => appointments.reschedule(agentOne, { id, ...moved }, options),
    ({ appointments }, id, options) => appointments.reschedule(agentOne, { id, ...moved, duration: 'PT2H' }, options),
  ],
  [
    'reassign',
    ({ appointments }, id, options) => appointments.reassign(supervisor, { id, userId: 'agent-5' }, options),
    ({ appointments }, id, options) => appointments.reassign(supervisor, { id, userId: 'agent-6' }, options),
  ],
  [
    'cancel',
    ({ appointments }, id, options) => appointments.cancel(agentOne, { id }, options),
    ({ appointments }, id, options) => appointments.cancel(agentOne, { id, cancelReason: 'x' }, options),
  ],
  [
    'the v2 delete',
    ({ appointments }, id, options) => appointments.softDelete(agentOne, id, options),
    ({ appointments }, _, options) => appointments.softDelete(agentOne, 'another', options),
  ],
  [
    'the v1 delete',
    ({ appointments }, id, options) => appointments.remove(agentOne, id, options),
    ({ appointments }, _, options) => appointments.remove(agentOne, 'another', options),
  ],
];

describe.each(changes)('%s with a key (D74)', (_name, change, other) => {
  it('a call with a key takes effect once, and is not refused by the version that it made itself', async () => {
    const base = fixture();
    const { id } = await booked(base);
    let replays = 0;
    const options = { expectedVersions: [1], idempotency: { ...key, onReplay: () => void (replays += 1) } };
    const first = await change(base, id, options);
    expect(await change(base, id, options)).toEqual(first);
    expect(replays).toBe(1);
    expect(base.newEvents()).toHaveLength(1);
  });

  it('a call with the same key and something else in it is a mismatch', async () => {
    const base = fixture();
    const { id } = await booked(base);
    await change(base, id, withKey);
    expect((await errorOf(() => other(base, id, withKey))).code).toBe('idempotency_mismatch');
  });

  it('a call with a key that is refused leaves the key free', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const stale = { ...withKey, expectedVersions: [7] };
    expect((await errorOf(() => change(base, id, stale))).code).toBe('version_mismatch');
    await change(base, id, withKey);
    expect(base.newEvents()).toHaveLength(1);
  });

  it('a call with a key is answered as the one of another process that was quicker, where its effect would refuse this one', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const { store, clock, ids } = base;
    const options = { ...withKey, expectedVersions: [1] };
    let answer: unknown;
    const late = fixture({
      store: {
        ...store,
        // Looked at before the other one began.
        requests: {
          ...store.requests,
          find: async (request, now) => {
            const found = await store.requests.find(request, now);
            answer ??= (await change(base, id, options)) ?? null;
            return found;
          },
        },
      },
      clock,
      ids,
    });
    expect((await change(late, id, options)) ?? null).toEqual(answer);
    expect(base.newEvents()).toHaveLength(1);
    expect(late.newEvents()).toEqual([]);
  });
});

describe('A change under a manage link with a key (D65, D74)', () => {
  it('a change under a manage link with a key is replayed while the link holds, as the customer may see it, and not afterwards', async () => {
    const base = await manageFixture();
    const caller = await base.open(await base.issue());
    const { id } = base.made;
    const move = (): Promise<Appointment> => base.appointments.reschedule(caller, { id, ...moved }, withKey);
    const first = await move();
    expect(first.participants.map((each) => each.id)).toEqual([base.mariasId]);
    expect(await move()).toEqual(first);
    await base.issue();
    expect((await errorOf(move)).code).toBe('stale_ticket');
  });
});
