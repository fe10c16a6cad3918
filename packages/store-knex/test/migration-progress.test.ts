import { aScheduledAppointment } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MigrationProgress, openKnex } from '../src/index.js';
import { migrations } from '../src/migrations/migrations.js';
import { migrateThrough } from '../src/migrations/migrate.js';
import { tellingPercent } from '../src/migrations/progress.js';
import { actorRows, actorTable } from '../src/tables/people.js';
import type { TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const stored = 3000;

/** Columns that 0006 has added. */
const later = ['busy_from', 'busy_to', 'service_actor'];

async function fill(knex: Knex): Promise<void> {
  const rows = Array.from({ length: stored }, (_, index) =>
    actorRows(aScheduledAppointment({ id: `at-${index}` })),
  ).flat();
  const records = rows.map((row) =>
    Object.fromEntries(
      actorTable.names.flatMap((name, index) => (later.includes(name) ? [] : [[name, row[index]] as const])),
    ),
  );
  await knex.batchInsert(actorTable.name, records, 200);
}

describeEach('The progress of a migration', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await kind.openBare();
  });
  afterEach(() => database.drop());

  const toldOf = async (steps = migrations): Promise<readonly MigrationProgress[]> => {
    const told: MigrationProgress[] = [];
    await migrateThrough(database.knex, steps, { onProgress: (progress) => told.push(progress) });
    return told;
  };

  it('the progress of a migration tells the rows that a step will go through before it begins, and whether writes wait', async () => {
    await migrateThrough(database.knex, migrations.slice(0, 5));
    await fill(database.knex);
    if (kind.family !== 'sqlite')
      await database.knex.raw(`analyze ${kind.family === 'mysql' ? 'table' : ''} calends_actors`);
    // Later steps wait for processes that may still be of the program of the first five.
    const [first, ...others] = await toldOf(migrations.slice(0, 6));
    expect(first).toMatchObject({ type: 'rows', name: '0006_availability', table: 'calends_actors' });
    const { rows, writesWait } = first as Extract<MigrationProgress, { type: 'rows' }>;
    // Servers know about how many there are.
    expect(Math.abs(rows - stored)).toBeLessThan(stored / 5);
    // PostgreSQL in this process has one connection, and no other to build beside others on.
    expect(writesWait === undefined).toBe(kind.family !== 'sqlite' && kind.shared);
    expect(others).toContainEqual({ type: 'step', name: '0006_availability' });
  });

  it('the progress of a migration tells of no rows where the tables are new', async () => {
    expect((await toldOf()).filter(({ type }) => type === 'rows')).toEqual([]);
  });
});

describeEach(
  'The progress of a migration behind a pooler',
  (kind) => {
    it('the progress of a migration behind a pooler tells that writes wait: nothing can be built beside them', async () => {
      const database = await kind.openBare();
      await migrateThrough(database.knex, migrations.slice(0, 5));
      await fill(database.knex);
      await database.knex.raw('analyze calends_actors');
      const told: MigrationProgress[] = [];
      const pooled = openKnex(String(database.url), { pooler: 'transaction' });
      await migrateThrough(pooled, migrations.slice(0, 6), { onProgress: (progress) => told.push(progress) });
      await pooled.destroy();
      await database.drop();
      expect(told[0]).toMatchObject({ type: 'rows', name: '0006_availability', writesWait: expect.any(Number) });
    });
  },
  { families: ['postgres'], shared: true },
);

it('The progress of work is asked for while it lasts, and what cannot be asked is not told', async () => {
  const told: MigrationProgress[] = [];
  const answers = [() => Promise.resolve(7), () => Promise.resolve(undefined), () => Promise.reject(new Error('away'))];
  let [asked, end] = [0, (): void => undefined];
  const percent = (): Promise<number | undefined> => {
    const answer = answers[asked]?.() ?? Promise.resolve(undefined);
    asked += 1;
    if (asked === answers.length) end();
    return answer;
  };
  const work = (): Promise<void> => new Promise((resolve) => (end = resolve));
  await tellingPercent(percent, (progress) => told.push(progress), work, 1);
  expect(told).toEqual([{ type: 'percent', percent: 7 }]);
});
