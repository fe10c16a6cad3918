import { aScheduledAppointment, insertion } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { knexStore, migrate, type MigrationProgress, openKnex } from '../src/index.js';
import { migrations } from '../src/migrations/migrations.js';
import { migrateThrough } from '../src/migrations/migrate.js';
import type { TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

/** What holds the table of notifications as a backup does. */
const holding = {
  postgres: 'lock table calends_notifications in access share mode',
  mysql: 'select count(*) from calends_appointments',
} as const;
/** Steps before the one that needs that table for itself. */
const before = { postgres: 3, mysql: 4 } as const;
const needing = { postgres: '0004_notification_queue', mysql: '0005_first_mend' } as const;

describeEach(
  'A migration behind a backup',
  (kind) => {
    const family = kind.family === 'mysql' ? 'mysql' : 'postgres';
    let database: TestDatabase;
    beforeEach(async () => {
      database = await kind.openBare();
      await migrateThrough(database.knex, migrations.slice(0, before[family]));
    });
    afterEach(() => database.drop());

    /** Holds the table until it is told to let go. */
    async function backup(): Promise<() => Promise<void>> {
      const transaction = await openedBy('backup').transaction();
      await transaction.raw(holding[family]);
      return async () => {
        await transaction.commit();
      };
    }
    const openedBy = (name: string): ReturnType<TestDatabase['another']> => {
      if (family === 'mysql') return database.another();
      const knex = openKnex(`${String(database.url)}?application_name=${name}`, { statementTimeout: 60_000 });
      opened.push(knex);
      return knex;
    };
    const opened: ReturnType<TestDatabase['another']>[] = [];
    afterEach(async () => {
      for (const knex of opened.splice(0)) await knex.destroy();
    });

    it('a migration behind a backup waits for it in short tries, names it, lets others work meanwhile, and comes to its end', async () => {
      const end = await backup();
      const told: MigrationProgress[] = [];
      const other = database.another();
      const lists: Promise<unknown>[] = [];
      const report = await migrate(database.knex, {
        onProgress: (progress) => {
          told.push(progress);
          if (progress.type !== 'waiting') return;
          // Right after a try: nothing of it is locked any more.
          lists.push(other('calends_notifications').select('id').then());
          if (lists.length === 2) void end();
        },
      });
      await Promise.all(lists);
      expect(report.applied).toContain(needing[family]);
      const waits = told.filter((progress) => progress.type === 'waiting');
      expect(waits.length).toBeGreaterThanOrEqual(2);
      expect(waits[0]?.holders.join()).toContain(
        family === 'postgres' ? '(backup, idle in transaction' : 'connection ',
      );
      const others = knexStore({ knex: other });
      await others.check();
      await others.commit(insertion(aScheduledAppointment()));
    });

    it('a migration behind a backup that gives up says what is in the way, and leaves the tables as they were', async () => {
      const end = await backup();
      const given = migrate(database.knex, { lockPatience: 1 });
      await expect(given).rejects.toMatchObject({ code: 'contention' });
      await expect(given).rejects.toThrow(/The migration does not get its locks: (process|connection) /);
      await end();
      expect((await migrate(database.knex)).applied).not.toEqual([]);
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);

describeEach(
  'An index of a table that others use',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await kind.openBare();
      await migrateThrough(database.knex, migrations.slice(0, 5));
    });
    afterEach(() => database.drop());

    const statements = (): readonly string[] => {
      const seen: string[] = [];
      database.knex.on('query', ({ sql }: { sql: string }) => seen.push(sql));
      return seen;
    };
    const toAvailability = (knex: Knex) => migrateThrough(knex, migrations.slice(0, 6));
    const isValid = async (): Promise<unknown> => {
      const query = `select indisvalid from pg_index where indexrelid = 'calends_actors_by_time'::regclass`;
      return (await database.knex.raw<{ rows: readonly object[] }>(query)).rows;
    };

    it('an index of a table that others use is built beside them, by one of several processes', async () => {
      const seen = statements();
      const reports = await Promise.all([database.knex, database.another()].map(toAvailability));
      expect(reports.flatMap(({ applied }) => applied)).toEqual(['0006_availability']);
      expect(await isValid()).toEqual([{ indisvalid: true }]);
      const building = seen.findIndex((text) => text.startsWith('create index concurrently'));
      const locking = seen.findIndex((text) => text.startsWith('alter table calends_appointments'));
      expect(building).toBeLessThan(locking === -1 ? Infinity : locking);
    });

    it('an index of a table that others use that was not built to its end is built again', async () => {
      await database.knex.raw('create index calends_actors_by_time on calends_actors (organization_id)');
      await database.knex.raw(
        `update pg_index set indisvalid = false where indexrelid = 'calends_actors_by_time'::regclass`,
      );
      const seen = statements();
      await toAvailability(database.knex);
      expect(await isValid()).toEqual([{ indisvalid: true }]);
      expect(seen.filter((text) => /^(drop|create) index concurrently/.test(text))).toHaveLength(2);
    });
  },
  { families: ['postgres'], shared: true },
);

describeEach(
  'What was migrated when',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await kind.openBare();
    });
    afterEach(() => database.drop());

    it('the time of a migration can be written after 2038, also where it was a timestamp', async () => {
      const knex = database.knex;
      await knex.raw(
        'create table calends_migrations (id int unsigned auto_increment primary key, name varchar(255), batch int, migration_time timestamp null)',
      );
      await migrate(knex);
      await knex('calends_migrations').update({ migration_time: '2038-01-20 05:14:08' });
      expect(await knexStore({ knex }).check()).toMatchObject({ unknown: [] });
    });
  },
  { families: ['mysql'], shared: true },
);
