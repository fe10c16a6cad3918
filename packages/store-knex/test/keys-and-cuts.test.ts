import { type Appointment, CalendsError, type Caller, createScheduling, type Scheduling } from '@calends/core';
import { StoreError } from '@calends/core/store';
import type { Knex } from 'knex';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { knexStore, type KnexStore, openKnex } from '../src/index.js';
import { type BreakingNetwork, breakingNetwork, type Way } from './support/breaking-network.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const organizationId = 'org-1';
const agent: Caller = { id: 'agent-1', organizationId, roles: ['ROLE_AGENT'] };
const other: Caller = { ...agent, id: 'agent-2' };
const clock = { now: (): number => Date.parse('2030-05-06T08:00:00Z') };
const half = { duration: 'PT30M', timezone: 'Europe/Athens' };
/** A day of its own for each turn: nobody is in the way of another one. */
const dayAt = (turn: number, time: string): string =>
  `${new Date(Date.parse('2031-01-01T00:00:00Z') + turn * 86_400_000).toISOString().slice(0, 11)}${time}`;

/** What is called with a key: on what, and which events the appointment has in the end. */
interface Operation {
  readonly events: readonly string[];
  readonly begun: boolean;
  call(scheduling: Scheduling, turn: number, id: string, key: string): Promise<Appointment | undefined>;
}

const booking = (turn: number) => ({
  applicationId: 'app-1',
  customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
  start: dayAt(turn, '09:00:00Z'),
  ...half,
});
const keyed = (key: string) => ({ idempotency: { key, operation: 'the test' } });

const operations: Readonly<Record<string, Operation>> = {
  'a creation': {
    begun: false,
    events: ['APCreatedEvent'],
    call: ({ appointments }, turn, _id, key) => appointments.schedule(agent, booking(turn), keyed(key)),
  },
  'a guarded reschedule': {
    begun: true,
    events: ['APCreatedEvent', 'APRescheduledEvent'],
    call: ({ appointments }, turn, id, key) =>
      appointments.reschedule(agent, { id, start: dayAt(turn, '11:00:00Z'), ...half }, keyed(key)),
  },
  'a cancellation': {
    begun: true,
    events: ['APCreatedEvent', 'APCancelledEvent'],
    call: async ({ appointments }, _turn, id, key) => {
      await appointments.cancel(agent, { id }, keyed(key));
      return undefined;
    },
  },
};

/** What a retry is for. */
const isForNow = (error: unknown): boolean =>
  (error instanceof StoreError && error.code === 'unavailable') ||
  (CalendsError.is(error) && (error.code === 'unavailable' || error.code === 'idempotency_in_progress'));
/** So often that every connection of the pool may be found dead. */
const retries = 20;

async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let left = retries; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (left === 0 || !isForNow(error)) throw error;
    }
  }
}

describeEach(
  'a call with a key whose connection is cut at each packet, and its retry',
  (kind) => {
    let database: TestDatabase;
    let network: BreakingNetwork;
    let far: Knex;
    let store: KnexStore;
    let direct: Scheduling;
    let remote: Scheduling;

    beforeEach(async () => {
      database = await openDatabase(kind);
      network = await breakingNetwork(String(database.url));
      far = openKnex(network.url);
      store = knexStore({ knex: database.knex });
      const options = { clock, applications: { 'app-1': { overlap: { mode: 'agent', buffer: 0 } } } } as const;
      const secret = 'a secret of at least thirty-two bytes';
      direct = createScheduling({ ...options, secret, store });
      remote = createScheduling({ ...options, secret, store: knexStore({ knex: far }) });
    });
    afterEach(async () => {
      await direct.close();
      await remote.close();
      await far.destroy();
      await network.close();
      await database.drop();
    });

    const keysOf = async (key: string): Promise<number> =>
      (await database.knex('calends_requests').where({ request_key: key })).length;
    const everyId = async (): Promise<readonly string[]> =>
      (await database.knex('calends_appointments').select('id')).map(({ id }: { readonly id: string }) => id);

    /** Cuts at one packet, then retries; tells whether a cut came, and whether the effect stood before the retry. */
    async function cutAndRetry(operation: Operation, way: Way, packet: number, turn: number) {
      const key = `${turn} ${way} ${packet}`.replaceAll(' ', '-');
      const made = operation.begun ? await direct.appointments.schedule(agent, booking(turn)) : undefined;
      const call = () => operation.call(remote, turn, made?.id ?? '', key);
      // Connections live, and what the store keeps for a moment is kept: what is counted are the packets of the call.
      await untilAnswered(() => remote.appointments.schedule(other, booking(turn), keyed(`warm-${key}`)));
      const before = new Set(await everyId());
      network.cutAt(way, packet);
      const first: unknown = await call().catch((error: unknown) => error);
      const wasCut = network.wasCut();
      if (first instanceof Error && !isForNow(first)) throw first;
      const stood = (await keysOf(key)) === 1;
      const answer = await untilAnswered(call);

      expect(await keysOf(key), key).toBe(1);
      const added = (await everyId()).filter((id) => !before.has(id));
      expect(added, key).toHaveLength(operation.begun ? 0 : 1);
      const appointmentId = made?.id ?? added[0] ?? '';
      if (answer !== undefined) expect(answer.id).toBe(appointmentId);
      const events = await store.events.list({ organizationId, appointmentId });
      expect(
        events.map(({ type }) => type),
        key,
      ).toEqual(operation.events);
      return { wasCut, stood };
    }

    it.each(Object.entries(operations))(
      'a call with a key whose connection is cut and its retry have one effect: %s',
      { timeout: 120_000 },
      async (_, operation) => {
        const seen: Record<Way, boolean[]> = { 'to the server': [], 'from the server': [] };
        let turn = 0;
        for (const way of Object.keys(seen) as Way[]) {
          for (let packet = 1; ; packet += 1) {
            const { wasCut, stood } = await cutAndRetry(operation, way, packet, (turn += 1));
            if (wasCut) seen[way].push(stood);
            else if (way === 'to the server' || seen[way].includes(true)) break;
            // Looks at the schema now and then made the runs differ: the answer to the commit was not met yet.
            else packet = 0;
          }
        }
        // A cut met the look for an answer, which comes first, and the answer to the commit.
        expect(seen['to the server'][0]).toBe(false);
        expect(seen['from the server'][0]).toBe(false);
        expect(seen['from the server']).toContain(true);
      },
    );
  },
  { families: ['postgres', 'mysql'], addressed: true, shared: true },
);
