import { aScheduledAppointment, insertion } from '@calends/store-conformance';
import makeKnex, { type Knex } from 'knex';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { drive, type Steps } from '../src/sql/steps.js';
import { dialectOf } from '../src/dialects/dialect-of.js';
import { probeSteps } from '../src/engine/engine-words.js';
import { knexStore } from '../src/index.js';
import { forgetSigns } from '../src/migrations/signs-of-life.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const book = (id: string): ReturnType<typeof insertion> => insertion(aScheduledAppointment({ id }));
const refused = { name: 'StoreError', code: 'engine' };

describeEach('the engine of a database (D72)', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openDatabase(kind);
  });
  afterEach(() => database.drop());

  it('the engine of a database is named by check, with its version and servers, as proven', async () => {
    const { engine } = await knexStore({ knex: database.knex }).check();
    const topology = kind.family === 'sqlite' || !kind.shared ? {} : { topology: 'one server' };
    const name = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MariaDB' }[kind.family];
    expect(engine).toEqual({ name, version: expect.stringMatching(/^\d+\.\d+/), standing: 'proven', ...topology });
  });

  it('the engine of a database is found out beside the pool: a host that holds every connection waits for nobody', async () => {
    const { knex } = database;
    const store = knexStore({ knex });
    await knex.transaction(async (transaction) => {
      expect(await store.joining(transaction).commit(book('joined'))).toEqual({ status: 'committed' });
    });
    expect(await store.appointments.find('org-1', 'joined')).toBeDefined();
  });

  it('the engine of a database keeps nothing of the probe', async () => {
    const store = knexStore({ knex: database.knex });
    await store.check();
    expect(await database.knex('calends_processes').where('version', '>', 1_000_000)).toEqual([]);
  });
});

describeEach(
  'what better were set up otherwise',
  (kind) => {
    it('what better were set up otherwise is a commit that does not wait for the disk, and check tells it', async () => {
      const database = await openDatabase(kind);
      try {
        expect((await knexStore({ knex: database.knex }).check()).warnings).toBeUndefined();
        const name = new URL(String(database.url)).pathname.slice(1);
        await database.knex.raw(`alter database ${name} set synchronous_commit = off`);
        const { warnings } = await knexStore({ knex: database.another() }).check();
        expect(warnings).toEqual([expect.stringContaining('synchronous_commit is off')]);
      } finally {
        await database.drop();
      }
    });
  },
  { families: ['postgres'], shared: true },
);

describeEach(
  'the probe of an engine (D72)',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await openDatabase(kind);
    });
    afterEach(() => database.drop());

    it('the probe of an engine refuses nothing where it finds no connection, whatever the database says to that, and comes again', async () => {
      const { knex } = database;
      const store = knexStore({ knex });
      await store.appointments.find('org-1', 'none');
      const refusal = Object.assign(new Error('no'), { code: 'XX999', errno: 9999, sqlState: 'HY000' });
      Reflect.set(knex.client, 'acquireRawConnection', () => Promise.reject(refusal));
      await expect(store.check()).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
      Reflect.deleteProperty(knex.client, 'acquireRawConnection');
      expect((await store.check()).engine).toMatchObject({ standing: 'proven' });
    });

    it('the probe of an engine is not disturbed by another process that deletes signs of what is long gone', async () => {
      const { engine, sql, driver } = dialectOf(database.knex);
      if (engine.probes === undefined) throw new Error('a server has probes');
      const source = database.knex.client as { acquireRawConnection(): Promise<object> };
      const connection = await source.acquireRawConnection();
      const on = <Result>(steps: Steps<Result>) => drive(steps, (statement) => driver.run(connection, statement));
      const steps = probeSteps(engine.probes, 'probe', sql.clock());
      await on(steps.write());
      await on(forgetSigns(Date.now()));
      expect(await on(steps.sees())).toBe(true);
      await on(steps.end());
      expect(await on(steps.sees())).toBe(false);
      await (database.knex.client as { destroyRawConnection(given: object): Promise<void> }).destroyRawConnection(
        connection,
      );
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);

/** What a session is told so that it may change nothing, as one of a standby. */
const onlyReads = {
  postgres: 'set default_transaction_read_only = on',
  mysql: 'set session transaction read only',
} as const;

interface Session {
  query(statement: string, done: (error: Error | null) => void): void;
}

describeEach(
  'a database that takes no changes',
  (kind) => {
    it('a database that takes no changes is told by check and to whoever writes, until it takes them again', async () => {
      const database = await openDatabase(kind);
      const statement = onlyReads[kind.family === 'mysql' ? 'mysql' : 'postgres'];
      let standsBy = true;
      const afterCreate = (session: Session, done: (error: Error | null, session: Session) => void): void => {
        session.query(standsBy ? statement : 'select 1', (error) => {
          done(error, session);
        });
      };
      const { config } = database.knex.client as { readonly config: Knex.Config };
      const knex = makeKnex({ ...config, pool: { min: 0, max: 1, afterCreate } });
      try {
        const readOnly = { name: 'StoreError', code: 'unavailable', reason: 'readOnly', outcome: 'none' };
        const store = knexStore({ knex });
        await expect(store.check()).rejects.toMatchObject(readOnly);
        await expect(store.commit(book('refused'))).rejects.toMatchObject(readOnly);
        expect(await store.appointments.find('org-1', 'refused')).toBeUndefined();
        standsBy = false;
        await store.check().catch(() => undefined);
        expect(await store.check()).toMatchObject({ engine: { standing: 'proven' } });
        expect(await store.commit(book('taken'))).toEqual({ status: 'committed' });
      } finally {
        await knex.destroy();
        await database.drop();
      }
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);

/** Makes PostgreSQL answer as another engine does: functions of the database stand before those of the system. */
async function pretend({ knex, url = '' }: TestDatabase, definition: string): Promise<void> {
  await knex.raw(`create function public.${definition}`);
  const name = new URL(url).pathname.slice(1);
  await knex.raw(`alter database ${name} set search_path = public, pg_catalog`);
}

describeEach(
  'an engine that promises less (D72)',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await openDatabase(kind);
    });
    afterEach(() => database.drop());

    it.each([
      ['by its name', `version() returns text language sql as $$ select 'PostgreSQL 11.2-YB-2.20.1.0-b0'::text $$`],
      [
        'by advisory locks that keep nobody out',
        `pg_try_advisory_xact_lock(int, int) returns boolean language sql as $$ select true $$`,
      ],
    ])('an engine that promises less is told %s, refused, and let in where the host says so', async (_, definition) => {
      await pretend(database, definition);
      const knex = database.another();
      const store = knexStore({ knex });
      await expect(store.commit(book('refused'))).rejects.toMatchObject(refused);
      await expect(store.check()).rejects.toMatchObject(refused);
      const letIn = knexStore({ knex, engine: 'unproven' });
      expect(await letIn.commit(book('let-in'))).toEqual({ status: 'committed' });
      await letIn.check();
    });
  },
  { families: ['postgres'], shared: true },
);
