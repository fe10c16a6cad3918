import { afterAll, beforeAll, expect, it } from 'vitest';
import { openKnex } from '../src/index.js';
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
  },
  { families: ['postgres', 'mysql'], shared: true },
);
