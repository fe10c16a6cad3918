import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const bounds = {
  postgres: {
    query: `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
    rows: [{ statement: '30s', lock: '10s' }],
  },
  mysql: {
    query: 'select @@session.innodb_lock_wait_timeout as row_lock, @@session.lock_wait_timeout as table_lock',
    rows: [{ row_lock: 3, table_lock: 10 }],
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
      const answer: unknown = await database.knex.raw(query);
      expect(Array.isArray(answer) ? answer[0] : (answer as { rows: unknown }).rows).toEqual(rows);
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);
