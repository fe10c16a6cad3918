import type { Appointment, DomainEvent } from '@calends/core';
import type { SchedulingStore } from '@calends/core/store';
import { knexStore, openKnex } from '@calends/store-knex';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { itOnPostgres, makeDatabase } from './postgres-database.js';
import { agentToken, organizationId, SchedulingClient, secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();

const kills = 20;
const clients = 8;
/** Ends what hangs: twenty servers begin, and each takes six seconds for that on a machine with much other work. */
const timeout = 300_000;

/** What the clients were told. */
interface Told {
  /** About their appointments, by id. */
  readonly acknowledged: Map<string, 'created' | 'cancelling' | 'cancelled'>;
  /** Keys of the requests that nothing was heard of: anyone who finds one asks the next server again. */
  readonly unanswered: Set<string>;
}

/** Creates appointments and cancels every second one, until the server is gone. */
async function work(client: SchedulingClient, told: Told, onAnswer: () => void): Promise<void> {
  const { acknowledged, unanswered } = told;
  try {
    for (let turn = 0; ; turn += 1) {
      const [again] = unanswered;
      const key = again ?? randomUUID();
      unanswered.delete(key);
      const id = await client.schedule(key).catch((error: unknown) => {
        unanswered.add(key);
        throw error;
      });
      acknowledged.set(id, 'created');
      onAnswer();
      if (turn % 2 === 1) continue;
      acknowledged.set(id, 'cancelling');
      await client.cancel(id);
      acknowledged.set(id, 'cancelled');
      onAnswer();
    }
  } catch (error) {
    // fetch rejects with a TypeError when the connection breaks; any other fault is one of the server.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Starts the server, lets the clients work, and kills it in the midst of it: after another number of answers each time. */
async function killUnderLoad(databaseUrl: string, round: number, told: Told): Promise<void> {
  const server = calends(['serve'], { ...secrets, PORT: '0', DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' }, folder());
  const client = new SchedulingClient(await server.listening(), await agentToken());
  let answersLeft = 10 + ((round * 37) % 100);
  const onAnswer = (): void => {
    answersLeft -= 1;
    if (answersLeft === 0) void server.signal('SIGKILL');
  };
  await Promise.all(Array.from({ length: clients }, () => work(client, told, onAnswer)));
  expect(await server.ended).toMatchObject({ code: null, stderr: '' });
}

async function everyAppointment(store: SchedulingStore, agentIds?: readonly string[]): Promise<readonly Appointment[]> {
  const found: Appointment[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const page = { sortField: 'id', sortOrder: 'asc', pageNumber, pageSize: 100 } as const;
    const { items, total } = await store.appointments.list({ organizationId, agentIds, ...page });
    found.push(...items);
    if (items.length === 0 || found.length === total) return found;
  }
}

/** The appointment is what its events say, and nothing of it is missing. */
async function expectWhole(store: SchedulingStore, appointment: Appointment): Promise<void> {
  const { id, version, state, participants } = appointment;
  const events = await store.events.list({ organizationId, appointmentId: id });
  expect(events.map((event: DomainEvent) => event.version)).toEqual(events.map((_, index) => index + 1));
  expect(events.length).toBe(version);
  expect(events.map(({ type }) => type)).toEqual(
    state === 'CANCELLED' ? ['APCreatedEvent', 'APCancelledEvent'] : ['APCreatedEvent'],
  );
  for (const participant of participants) {
    expect(await store.customers.find(organizationId, id, participant.id)).toBeDefined();
  }
}

async function torture(databaseUrl: string): Promise<void> {
  const told: Told = { acknowledged: new Map(), unanswered: new Set() };
  const { acknowledged, unanswered } = told;
  for (let round = 0; round < kills; round += 1) await killUnderLoad(databaseUrl, round, told);

  const knex = openKnex(databaseUrl);
  try {
    const store = knexStore({ knex });
    const kept = new Map((await everyAppointment(store)).map((appointment) => [appointment.id, appointment]));
    for (const [id, state] of acknowledged) {
      expect(kept.has(id)).toBe(true);
      if (state !== 'cancelling') expect(kept.get(id)?.state).toBe(state === 'created' ? 'SCHEDULED' : 'CANCELLED');
    }
    // Also those that were in flight when the server was killed: all of them or nothing of them.
    for (const appointment of kept.values()) await expectWhole(store, appointment);
    // Through the actor index the same ones are found.
    expect((await everyAppointment(store, ['agent-1'])).map(({ id }) => id)).toEqual([...kept.keys()]);
    // What was in flight was asked for again with its key, and took effect once: only the last round left some over.
    expect(unanswered.size).toBeLessThanOrEqual(clients);
    expect(kept.size - acknowledged.size).toBeLessThanOrEqual(unanswered.size);
    expect(acknowledged.size).toBeGreaterThan(kills * 10);
  } finally {
    await knex.destroy();
  }
}

describe('kill -9 under load, twenty times: nothing acknowledged is lost, nothing is half-written, and a key has one effect', () => {
  it('nothing acknowledged is lost on SQLite', { timeout }, async () => {
    await torture(`sqlite:${join(folder(), 'killed', 'calends.db')}`);
  });

  itOnPostgres('nothing acknowledged is lost on PostgreSQL (CALENDS_TEST_POSTGRES_URL)', { timeout }, async () => {
    const { url, drop } = await makeDatabase('killed');
    try {
      await torture(url);
    } finally {
      await drop();
    }
  });
});
