import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Knex } from 'knex';
import oldestPg from 'pg-oldest';
import { knexStore, migrate, openKnex } from '../src/index.js';
import type { TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const bounds = {
  postgres: {
    query: `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`,
    rows: [{ statement: '5s', lock: '4s', idle: '6s' }],
  },
  mysql: {
    query: `select @@session.innodb_lock_wait_timeout as row_lock, @@session.lock_wait_timeout as table_lock,
      @@session.max_statement_time as statement, @@session.idle_transaction_timeout as idle`,
    rows: [{ row_lock: 1, table_lock: 4, statement: 5, idle: 6 }],
  },
} as const;

describeEach(
  'a stuck table does not hold requests for ever',
  (kind) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await kind.openBare();
    });
    afterAll(() => database.drop());

    it('openKnex bounds statements and waits for locks', async () => {
      const { query, rows } = bounds[kind.family === 'mysql' ? 'mysql' : 'postgres'];
      const knex = openKnex(String(database.url));
      const answer: unknown = await knex.raw(query);
      await knex.destroy();
      expect(Array.isArray(answer) ? answer[0] : (answer as { rows: unknown }).rows).toEqual(rows);
    });

    it('openKnex bounds the statements that follow a failure of retention, whose own may take longer', async () => {
      const { query, rows } = bounds[kind.family === 'mysql' ? 'mysql' : 'postgres'];
      const another = await kind.openBare();
      const knex = openKnex(String(another.url));
      await migrate(knex);
      const store = knexStore({ knex });
      expect(await store.requests.purge(0, 1)).toBe(0);
      await knex.schema.dropTable('calends_requests');
      await expect(store.requests.purge(0, 1)).rejects.toMatchObject({ name: 'StoreError' });
      const answer: unknown = await knex.raw(query);
      await knex.destroy();
      await another.drop();
      expect(Array.isArray(answer) ? answer[0] : (answer as { rows: unknown }).rows).toEqual(rows);
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);

describeEach(
  'the oldest pg that the package lets in',
  (kind) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await kind.openBare();
    });
    afterAll(() => database.drop());

    it('the oldest pg that the package lets in bounds statements and waits for locks as others do', async () => {
      const knex = openKnex(String(database.url));
      Object.assign(knex.client as object, { driver: oldestPg });
      const { rows } = await knex.raw<{ rows: unknown }>(bounds.postgres.query);
      await knex.destroy();
      expect(rows).toEqual(bounds.postgres.rows);
    });
  },
  { families: ['postgres'], shared: true },
);

describe('a pooler', () => {
  it.each(['mysql://u:p@h/d', 'sqlite::memory:'])('a pooler is refused before %s', (url) => {
    expect(() => openKnex(url, { pooler: 'transaction' })).toThrow(/^options\.pooler: /);
  });

  it('a pooler is refused where it is no known one', () => {
    // @ts-expect-error -- another one
    expect(() => openKnex('postgres://u:p@h/d', { pooler: 'session' })).toThrow(/^options\.pooler: /);
  });
});

describeEach(
  'a connection that a pooler may give to others',
  (kind) => {
    let database: TestDatabase;
    let knex: Knex;
    beforeEach(async () => {
      database = await kind.openBare();
      knex = openKnex(String(database.url), { pooler: 'transaction' });
    });
    afterEach(async () => {
      await knex.destroy();
      await database.drop();
    });

    it('a connection that a pooler may give to others gets no time-outs, and check warns where the server has none of its own', async () => {
      const { rows } = await knex.raw<{ rows: unknown }>(bounds.postgres.query);
      expect(rows).toEqual([{ statement: '0', lock: '0', idle: '0' }]);
      await migrate(knex);
      expect((await knexStore({ knex }).check()).warnings).toEqual([
        expect.stringMatching(/^statement_timeout is not set: /),
        expect.stringMatching(/^idle_in_transaction_session_timeout is not set: /),
      ]);
    });

    it.each([
      { prepared: 'none', options: {} },
      { prepared: 'some where the host says so', options: { preparedStatements: true } },
    ])('a connection that a pooler may give to others keeps statements prepared: $prepared', async ({ options }) => {
      await migrate(knex);
      await knexStore({ knex, ...options }).appointments.find('org-1', 'none');
      const { rows } = await knex.raw<{ rows: unknown[] }>('select name from pg_prepared_statements');
      expect(rows.length > 0).toBe('preparedStatements' in options);
    });
  },
  { families: ['postgres'], shared: true },
);
