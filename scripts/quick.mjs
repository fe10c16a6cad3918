// What `npm test` and `npm run check` do without, so that they are short: each is said, and is part of `npm test -- --all`.
import { readFileSync } from 'node:fs';

export const leftOut = JSON.parse(readFileSync(new URL('only-with-all.json', import.meta.url), 'utf8'));

export const environment = {
  CALENDS_ONLY_QUICK: '1',
  CALENDS_TEST_WITHOUT_BETTER_SQLITE3: '1',
  CALENDS_TEST_POSTGRES_URL: undefined,
  CALENDS_TEST_MARIADB_URL: undefined,
};

export const sentences = [
  'SQLite is tested through libsql, PostgreSQL as PGlite, inside the process',
  'left out: better-sqlite3 (the other driver of SQLite), MariaDB, and PostgreSQL on a server',
  `left out: ${leftOut.join(', ')}`,
  '`npm test -- --all` leaves nothing out',
];
