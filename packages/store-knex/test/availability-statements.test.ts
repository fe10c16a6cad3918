import type { Change } from '@calends/core/store';
import {
  aHold,
  anEvent,
  type AppointmentOverrides,
  aScheduledAppointment,
  booked,
  fixtureStart,
  guardOf,
  insertion,
  nextVersion,
  update,
} from '@calends/store-conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { type DatabaseKind, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { isOfProgramVersion } from './support/program-version.js';

const organizationId = 'org-1';
const [minute, hour] = [60_000, 3_600_000];
const ofTransaction = /^(begin|commit|rollback|set transaction|start transaction)/;

/** Statements of each kind of commit, by database; those that begin and end transactions are left out. */
const expected: Readonly<Record<string, Readonly<Record<DatabaseKind['family'], number>>>> = {
  // The appointment, its actor, its event, and what it counts.
  'without a guard': { sqlite: 4, postgres: 1, mysql: 4 },
  // Besides, looks at its id and its time; on servers first a lock of the actor.
  'with a guard that knows of no buffers': { sqlite: 6, postgres: 4, mysql: 7 },
  // Besides, a look at holds, and its room and service: rows of the index, and on MariaDB a lock of the room.
  'with a service': { sqlite: 9, postgres: 5, mysql: 11 },
  // Looks at limits, time and holds; then its rows for agent, room, service and owner, whom MariaDB locks one by one.
  'of a hold under a limit': { sqlite: 7, postgres: 5, mysql: 8 },
  // As with a service, and looks at the hold and limits; then the hold goes.
  'of a booking with its hold under a limit': { sqlite: 12, postgres: 7, mysql: 14 },
};

describeEach('what a commit asks the database for', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;
  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
    await store.commit({ organizationId, events: [] });
  });
  afterAll(() => database.drop());

  async function statementsOf(change: Change): Promise<readonly string[]> {
    const seen: string[] = [];
    const listener = ({ sql }: { sql: string }): void => {
      if (!isOfProgramVersion(sql) && !ofTransaction.test(sql)) seen.push(sql);
    };
    database.knex.on('query', listener);
    try {
      expect(await store.commit(change)).toEqual({ status: 'committed' });
    } finally {
      database.knex.removeListener('query', listener);
    }
    return seen;
  }

  const at = (hours: number): number => fixtureStart + hours * hour;
  const service = booked({ before: 10 * minute, after: 20 * minute }, ['room-1']);
  const booking = (overrides: AppointmentOverrides, extras: Partial<Change> = {}): Change => {
    const next = aScheduledAppointment({ organizationId, ...overrides });
    return { ...insertion(next, { events: [anEvent(next)] }), ...extras };
  };
  const withService = aScheduledAppointment({ organizationId, id: 'with-service', start: at(6), service });
  const limits = [{ actorId: 'agent-1', window: { from: 0, to: fixtureStart }, max: 1 }];
  const hold = aHold({ start: at(9), resourceIds: ['room-1'], until: Date.now() + 10 * minute });
  const guard = { ...guardOf(hold), exceptHoldIds: [hold.id] };
  const commits: Readonly<Record<string, Change>> = {
    'without a guard': booking({ id: 'plain' }),
    'with a guard that knows of no buffers': booking(
      { id: 'guarded', start: at(3) },
      { guard: { actorIds: ['agent-1'], window: { from: at(3), to: at(4) } } },
    ),
    'with a service': booking(withService, { guard: guardOf(withService) }),
    'of a hold under a limit': { organizationId, events: [], guard: guardOf(hold), limits, holds: { add: hold } },
    'of a booking with its hold under a limit': booking(
      { id: 'held', start: at(9), service },
      { guard, limits, holds: { consume: hold.id } },
    ),
  };

  for (const [name, change] of Object.entries(commits)) {
    it(`a commit ${name}: so many statements, and none about holds that it knows nothing of`, async () => {
      const asked = await statementsOf(change);
      expect(asked).toHaveLength(expected[name]?.[kind.family] ?? 0);
      const knowsOfHolds = change.holds !== undefined || change.guard?.span !== undefined;
      expect(asked.some((text) => text.includes('calends_holds'))).toBe(knowsOfHolds);
      expect(asked.some((text) => text.includes('calends_availability'))).toBe(false);
    });
  }

  it('a commit without a service writes a row for each of its actors as before, and nothing of busy time', async () => {
    const actors = await database.knex('calends_actors').where({ appointment_id: 'guarded' });
    expect(actors).toHaveLength(1);
    expect(actors[0]).toMatchObject({ busy_from: null, busy_to: null, service_actor: null });
    expect(await database.knex('calends_appointments').where({ id: 'guarded' }).first()).toMatchObject({
      service: null,
    });
  });

  it('a move of what is booked with a service moves its busy time in the row of each actor', async () => {
    const schedule = { ...withService.schedule, start: at(24), end: at(25) };
    expect(await store.commit(update(nextVersion(withService, { schedule })))).toEqual({ status: 'committed' });
    const rows = await database.knex('calends_actors').where({ appointment_id: withService.id });
    expect(rows.map(({ relations, blocks }) => [Number(relations), Number(blocks)]).sort()).toEqual([
      [1, 1],
      [4, 0],
      [4, 1],
    ]);
    const busy = [at(24) - 10 * minute, at(25) + 20 * minute];
    for (const row of rows) expect([Number(row.busy_from), Number(row.busy_to)]).toEqual(busy);
  });
});
