// `node scripts/availability-races.mjs <memory|sqlite|postgres|mariadb> <races> [seed]`: so many races of 2 to 16 callers for one
// time over a store, and the figures. PostgreSQL and MariaDB as for tests (CALENDS_TEST_POSTGRES_URL, CALENDS_TEST_MARIADB_URL).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const kinds = {
  memory: 'in memory',
  sqlite: 'file through libsql',
  postgres: 'on PostgreSQL',
  mariadb: 'on MariaDB',
};
const [store = 'memory', races = '2500', seed = '1'] = process.argv.slice(2);
if (!Object.hasOwn(kinds, store)) throw new Error(`There are no races over ${store}.`);
const test = join('packages', 'store-knex', 'test', 'availability-races.test.ts');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(
  process.execPath,
  [vitest, 'run', test, '-t', `time ${store === 'memory' ? '' : '.*'}${kinds[store]}`],
  {
    cwd: root,
    env: { ...process.env, CALENDS_RACES: races, CALENDS_RACES_SEED: seed },
    stdio: 'inherit',
  },
);
child.on('close', (code) => (process.exitCode = code ?? 1));
