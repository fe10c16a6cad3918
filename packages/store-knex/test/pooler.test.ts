import { aScheduledAppointment, insertion, nextVersion, update } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { missingForPooler, type OwnPooler, startPgBouncer } from '../../../scripts/own-postgres.mjs';
import { knexStore, migrate, openKnex, type OpenKnexOptions } from '../src/index.js';
import { migrations } from '../src/migrations/migrations.js';
import { migrateThrough } from '../src/migrations/migrate.js';
import { type BreakingNetwork, breakingNetwork } from './support/breaking-network.js';
import { databaseKinds, type TestDatabase } from './support/databases.js';

const isMissing = missingForPooler.length > 0;
if (isMissing && process.env['CALENDS_REQUIRE_POOLER'] === '1') {
  throw new Error('CALENDS_REQUIRE_POOLER=1: pgbouncer is not installed');
}
const kind = databaseKinds.find(({ family, shared, missing }) => family === 'postgres' && shared && !missing);
const why = isMissing ? 'pgbouncer is not installed' : 'no PostgreSQL server';
const title = `PgBouncer in transaction mode${isMissing || kind === undefined ? ` (left out: ${why})` : ''}`;

const appointment = aScheduledAppointment({ id: 'a', organizationId: 'org-1' });
const guard = { actorIds: ['agent-1'], window: { from: 0, to: 1 } };
const unavailable = { name: 'StoreError', code: 'unavailable' };
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );
const times = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<readonly Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

describe.skipIf(isMissing || kind === undefined)(title, () => {
  let database: TestDatabase;
  let name: string;
  /** Between the pooler and its server. */
  let network: BreakingNetwork;
  let pooler: OwnPooler;
  const opened: Knex[] = [];

  const open = (url: string, options: OpenKnexOptions = {}): Knex => {
    const knex = openKnex(url, options);
    opened.push(knex);
    return knex;
  };
  const through = (options: OpenKnexOptions = {}): Knex =>
    open(pooler.urlOf(name), { pooler: 'transaction', ...options });

  beforeEach(async () => {
    if (kind === undefined) return;
    database = await kind.openBare();
    name = new URL(String(database.url)).pathname.slice(1);
    network = await breakingNetwork(String(database.url));
    pooler = await startPgBouncer(Number(new URL(network.url).port));
  });
  afterEach(async () => {
    for (const knex of opened.splice(0)) await knex.destroy();
    await pooler.end();
    await network.close();
    await database.drop();
  });

  it('refuses what sets a session up, and the fault says what to do', async () => {
    const fault = await outcomeOf(migrate(open(pooler.urlOf(name))));
    expect(fault).toMatchObject({ ...unavailable, reason: 'sessionNotKept' });
  });

  it('takes a new schema, commits with and without guard, and nothing stays behind on its connections', async () => {
    const knex = through();
    await migrate(knex);
    const store = knexStore({ knex });
    await times(20, (index) => store.commit(insertion(aScheduledAppointment({ id: `many-${String(index)}` }))));
    expect(await store.commit(insertion(appointment, { guard }))).toEqual({ status: 'committed' });
    expect(await store.commit(update(nextVersion(appointment), { guard }))).toEqual({ status: 'committed' });
    const left = await times(8, () =>
      knex.raw(`select current_setting('statement_timeout') as limit, (select count(*)::int from pg_prepared_statements) as prepared,
        (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks, pg_sleep(0.02)`),
    );
    const rows = left.map((answer) => (answer as { readonly rows: readonly unknown[] }).rows[0]);
    expect(rows).toMatchObject(rows.map(() => ({ limit: '0', prepared: 0, locks: 0 })));
  });

  it('gives a commit that stands alone one statement, and a transaction its limits in the message that begins it', async () => {
    await migrate(database.knex);
    const knex = through();
    const store = knexStore({ knex });
    await store.commit(insertion(appointment));
    const asked: string[] = [];
    knex.on('query', ({ sql }: { readonly sql: string }) => void asked.push(sql));
    await store.commit(update(nextVersion(appointment)));
    expect(asked).toHaveLength(1);
    asked.length = 0;
    await store.commit(insertion(aScheduledAppointment({ id: 'b' }), { guard }));
    expect(asked.filter((text) => text.includes('set local'))).toEqual([asked[0]]);
    expect(asked[0]).toMatch(/^begin/);
  });

  it('bounds how long a transaction waits for a lock', async () => {
    await migrate(database.knex);
    const store = knexStore({ knex: through({ statementTimeout: 500 }) });
    await store.commit(insertion(appointment, { guard }));
    const blocking = await database.knex.transaction();
    await blocking.raw('lock table calends_appointments in exclusive mode');
    const fault = await outcomeOf(store.commit(insertion(aScheduledAppointment({ id: 'b' }), { guard })));
    await blocking.rollback();
    expect(fault).toMatchObject({ ...unavailable, outcome: 'none', cause: { sign: '55P03' } });
  });

  it('is told by check, which warns until the role has the time-outs', async () => {
    await migrate(database.knex);
    const told = await knexStore({ knex: through() }).check();
    expect(told.engine).toMatchObject({ topology: 'one server, behind a pooler in transaction mode' });
    expect(told.warnings).toEqual([
      expect.stringContaining('no statement_timeout, lock_timeout, idle_in_transaction_session_timeout'),
    ]);
    for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
      await database.knex.raw(`alter database ${name} set ${limit} = '5s'`);
    }
    // Connections that stand keep what they began with.
    network.cut();
    await outcomeOf(knexStore({ knex: through() }).check());
    expect((await knexStore({ knex: through() }).check()).warnings).toBeUndefined();
  });

  it('takes no step that needs a session for tables that have rows', async () => {
    const expanding = migrations.filter(({ kind: step }) => step === 'expand');
    await migrateThrough(database.knex, expanding.slice(0, 3));
    const refused = { ...unavailable, reason: 'sessionNotKept', outcome: 'none' };
    expect(await outcomeOf(migrateThrough(through(), expanding))).toMatchObject(refused);
    await migrateThrough(database.knex, expanding);
    expect(await migrateThrough(through(), expanding)).toEqual({ applied: [] });
  });

  describe('and a network that falls silent', () => {
    const answerTimeout = 1200;
    let near: BreakingNetwork;
    beforeEach(async () => {
      await migrate(database.knex);
      for (const limit of ['statement_timeout', 'lock_timeout']) {
        await database.knex.raw(`alter database ${name} set ${limit} = '1s'`);
      }
      near = await breakingNetwork(pooler.urlOf(name));
    });
    afterEach(() => near.close());

    it.each([
      ['before it', () => near],
      ['behind it', () => network],
    ])(
      '%s keeps no call longer than its time-out, loses nothing acknowledged, and is over when it passes again',
      async (_, broken) => {
        const knex = open(near.url, { pooler: 'transaction', statementTimeout: 1000, connectTimeout: 1500 });
        const store = knexStore({ knex, answerTimeout });
        const acknowledged: string[] = [];
        const create = async (id: string): Promise<unknown> => {
          await store.commit(insertion(aScheduledAppointment({ id, organizationId: 'org-1' })));
          acknowledged.push(id);
          return 'done';
        };
        for (let round = 0; round < 2; round += 1) {
          await times(10, () => store.check());
          broken().fallSilent();
          const began = performance.now();
          const during = await times(20, (index) => outcomeOf(create(`${String(round)}-${String(index)}`)));
          expect(during).toMatchObject(during.map(() => unavailable));
          expect(performance.now() - began).toBeLessThan(3 * answerTimeout);
          broken().passAgain();
          for (let turn = 0; (await outcomeOf(create(`${String(round)}-try-${String(turn)}`))) !== 'done'; turn += 1) {
            expect(turn).toBeLessThan(20);
          }
          await times(10, (index) => create(`${String(round)}-after-${String(index)}`));
        }
        const found = await times(acknowledged.length, (index) =>
          store.appointments.find('org-1', String(acknowledged[index])),
        );
        expect(found.filter((one) => one === undefined)).toEqual([]);
      },
    );
  });
});

describe('A pooler', () => {
  let sqlite: Knex;
  beforeAll(() => {
    sqlite = openKnex('sqlite::memory:');
  });
  afterAll(() => sqlite.destroy());

  it('stands before PostgreSQL only', () => {
    expect(() => openKnex('mysql://root@127.0.0.1/d', { pooler: 'transaction' })).toThrow(TypeError);
    expect(() => knexStore({ knex: sqlite, pooler: 'transaction' })).toThrow(TypeError);
  });
});
