import { serviceActorId } from '@calends/core/store';
import {
  aHold,
  aRecord,
  aScheduledAppointment,
  booked,
  fixtureStart,
  guardOf,
  recording,
} from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { actorRows, actorTable } from '../src/tables/people.js';
import { availabilityTable } from '../src/tables/availability.js';
import { holdRows, holdTable } from '../src/tables/holds.js';
import type { TableNames } from '../src/sql/rows.js';
import type { SqlValue } from '../src/sql/sql.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { accessesOf, type TableAccess } from './support/query-plans.js';

const organizationId = 'org-1';
const hour = 3_600_000;
const [agents, stored] = [100, 4000];
const serviceActor = serviceActorId('app-1', 'service-1');

/** What each agent has, every other day; every second one is booked with a service. */
function* bookings(): Generator<readonly SqlValue[]> {
  for (let index = 0; index < stored; index += 1) {
    const [id, organizerId] = [`appointment-${index}`, `agent-${index % agents}`];
    const start = fixtureStart + Math.floor(index / agents) * 48 * hour;
    const plain = aScheduledAppointment({ id, organizerId, start, duration: hour / 2 });
    yield* actorRows(index % 2 === 0 ? plain : { ...plain, service: booked({ before: 60_000 }) });
  }
}

/** Holds that have ended, but for a few. */
function* holds(): Generator<readonly SqlValue[]> {
  for (let index = 0; index < stored; index += 1) {
    const until = index < 40 ? Date.now() + hour : fixtureStart - index;
    yield* holdRows(
      aHold({ id: `hold-${index}`, agentIds: [`agent-${index % agents}`], ownerKey: `owner-${index}`, until }),
    );
  }
}

/** Services of many applications. */
function* records(): Generator<readonly SqlValue[]> {
  for (let index = 0; index < stored; index += 1) {
    yield availabilityTable.values(aRecord({ scopeId: `app-${index % 50}`, id: `service-${index + 2}` }));
  }
}

async function insert(knex: Knex, { name, names }: TableNames, rows: Iterable<readonly SqlValue[]>): Promise<void> {
  const records = Array.from(rows, (row) => Object.fromEntries(names.map((column, index) => [column, row[index]])));
  await knex.batchInsert(name, records, 200);
}

// Statements are explained on a connection of their own.
describeEach(
  'statements about free times',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    let explaining: Knex;

    beforeAll(async () => {
      database = await openDatabase(kind);
      explaining = database.another();
      store = knexStore({ knex: database.knex });
      await insert(database.knex, actorTable, bookings());
      await insert(database.knex, holdTable, holds());
      await insert(database.knex, availabilityTable, records());
      const names = 'calends_actors, calends_holds, calends_availability';
      if (kind.family === 'mysql') await database.knex.raw(`analyze table ${names}`);
      if (kind.family === 'postgres') await database.knex.raw(`vacuum analyze ${names}`);
    });
    afterAll(() => database.drop());

    const accesses = (call: () => Promise<unknown>): Promise<readonly TableAccess[]> =>
      accessesOf(kind, { asks: database.knex, explains: explaining }, call);

    const asked = aHold({ start: fixtureStart + 40 * 24 * hour + 6 * hour });
    const window = { from: asked.start, to: asked.end };
    const guard = { ...guardOf(asked), actorIds: ['agent-1', 'agent-2'] };
    const limits = ['agent-1', serviceActor, 'owner-7'].map((actorId) => ({ actorId, window, max: stored }));
    const buffers = { before: 0, after: hour };
    const days = { from: '2026-05-01', until: '2026-05-31' };
    const many = Array.from({ length: 10 }, (_, index) => `agent-${index}`);
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      'a guard that knows of no buffers': () =>
        store.commit({ organizationId, events: [], guard: { actorIds: guard.actorIds, window } }),
      'a guard that knows of buffers and holds': () => store.commit({ organizationId, events: [], guard }),
      limits: () => store.commit({ organizationId, events: [], limits }),
      'who is busy': () =>
        store.availability?.listBusy({ organizationId, actorIds: many, window }) ?? Promise.resolve(),
      'when actors are taken': () =>
        store.availability?.listTimes({ organizationId, actorIds: many, window, buffers, days }) ?? Promise.resolve(),
      'a hold': () => store.availability?.findHold(organizationId, 'hold-7') ?? Promise.resolve(),
      'a hold that is used': () => store.commit({ organizationId, events: [], holds: { consume: 'hold-7' } }),
      'holds that are given up': () =>
        store.commit({ organizationId, events: [], holds: { release: ['hold-8', 'hold-9'] } }),
      'the end of old holds': () => store.availability?.purgeHolds(fixtureStart - stored + 4, 3) ?? Promise.resolve(),
      'a record': () => store.commit({ organizationId, events: [], records: [recording(aRecord())] }),
    };
    for (const [name, call] of Object.entries(calls)) {
      it(`${name}: no table or index is read from end to end`, async () => {
        const found = await accesses(call);
        expect(found.length).toBeGreaterThan(0);
        expect(found.filter(({ isWhole }) => isWhole)).toEqual([]);
      });
    }

    it.each([
      'a guard that knows of no buffers',
      'a guard that knows of buffers and holds',
      'limits',
      'who is busy',
      'when actors are taken',
    ])('%s: the index of actors answers alone', async (name) => {
      const found = await accesses(calls[name] ?? (() => Promise.reject(new TypeError(name))));
      const ofActors = found.filter(({ detail }) => detail.includes('calends_actors_by_time'));
      expect(ofActors.length).toBeGreaterThan(0);
      for (const { detail } of ofActors) expect(detail).toMatch(/Index Only Scan|COVERING INDEX|Using index(;|$)/);
    });

    // MySQL and MariaDB have no indices of a part of the rows: there is none that could be read.
    it.skipIf(kind.family === 'mysql')(
      'when actors are taken: those for long are read from an index of their own',
      async () => {
        const found = await accesses(calls['when actors are taken'] ?? (() => Promise.reject(new TypeError())));
        expect(found.map(({ detail }) => detail).filter((detail) => detail.includes('actors_long_times'))).toHaveLength(
          1,
        );
      },
    );

    // MariaDB may cut what it joins in one text: there hours, exceptions and busy times are one each.
    it.each([
      ['who is busy', 1],
      ['when actors are taken', kind.family === 'mysql' ? 3 : 1],
    ])('the question %s takes as many statements, whatever the number of actors', async (name, expected) => {
      let statements = 0;
      const count = (): void => {
        statements += 1;
      };
      database.knex.on('query', count);
      await calls[name]?.();
      database.knex.removeListener('query', count);
      expect(statements).toBe(expected);
    });
  },
  { shared: true },
);
