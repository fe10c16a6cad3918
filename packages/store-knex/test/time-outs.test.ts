import { describe, expect, it } from 'vitest';
import { openKnex } from '../src/index.js';

const postgresUrl = process.env['CALENDS_TEST_POSTGRES_URL'];
const mariadbUrl = process.env['CALENDS_TEST_MARIADB_URL'];

describe('a stuck table does not hold requests for ever: openKnex bounds statements and waits for locks', () => {
  it.skipIf(postgresUrl === undefined)('on PostgreSQL', async () => {
    const knex = openKnex(postgresUrl ?? '');
    try {
      const { rows } = await knex.raw<{ rows: object[] }>(
        `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`,
      );
      expect(rows).toEqual([{ statement: '30s', lock: '10s' }]);
    } finally {
      await knex.destroy();
    }
  });

  it.skipIf(mariadbUrl === undefined)('on MariaDB', async () => {
    const knex = openKnex(mariadbUrl ?? '');
    try {
      const [rows] = await knex.raw<[object[]]>(
        'select @@session.innodb_lock_wait_timeout as row_lock, @@session.lock_wait_timeout as table_lock',
      );
      expect(rows).toEqual([{ row_lock: 3, table_lock: 10 }]);
    } finally {
      await knex.destroy();
    }
  });
});
