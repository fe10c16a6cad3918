// Which databases the tests can use here, said in words.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { npm, root, run, say } from './prepare.mjs';

const requireFromStore = createRequire(join(root, 'packages', 'store-knex', 'package.json'));

async function withoutThrowing(attempt) {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : String(error.code ?? error);
  }
}

async function askPostgres(url) {
  const { Client } = requireFromStore('pg');
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select 1');
  } finally {
    await client.end();
  }
}

async function askMariaDb(url) {
  const { createConnection } = requireFromStore('mysql2/promise');
  const connection = await createConnection({ uri: url, connectTimeout: 5000 });
  try {
    await connection.query('select 1');
  } finally {
    await connection.end();
  }
}

const servers = [
  {
    name: 'PostgreSQL',
    variable: 'CALENDS_TEST_POSTGRES_URL',
    ask: askPostgres,
    otherwise: 'PostgreSQL tests run on the embedded PGlite',
  },
  {
    name: 'MariaDB',
    variable: 'CALENDS_TEST_MARIADB_URL',
    ask: askMariaDb,
    otherwise: 'MariaDB is left out',
  },
];

/** One finding for each database server: tested, replaced or left out, or a fault (asked for and not there). */
export async function askServers({ required }) {
  return Promise.all(
    servers.map(async ({ name, variable, ask, otherwise }) => {
      const url = process.env[variable];
      if (url === undefined || url === '') {
        const text = `${otherwise} (${variable} is not set)`;
        return required ? { fault: `${name} is required and ${variable} is not set` } : { text };
      }
      const fault = await withoutThrowing(() => ask(url));
      return fault === undefined
        ? { text: `${name} is tested on the server of ${variable}` }
        : { fault: `the ${name} server of ${variable} does not answer: ${fault}` };
    }),
  );
}

// In a process of its own: a binding that was compiled for another Node may end the process that loads it.
async function betterSqliteLoads() {
  const program = `new (require(${JSON.stringify(requireFromStore.resolve('better-sqlite3'))}))(':memory:').close()`;
  const { code } = await run(process.execPath, ['-e', program], { capture: true });
  return code === 0;
}

/** better-sqlite3 is the one driver that must be compiled, which only its own tests need: done here, once. */
export async function prepareBetterSqlite() {
  if (await betterSqliteLoads()) return true;
  say('compiling better-sqlite3 for its tests (about a minute, once)');
  // Its install script is denied in package.json, as all are: npm 11 wants to be told twice, older ones know no denial.
  const allowed = ['--ignore-scripts=false', '--dangerously-allow-all-scripts'];
  // Tests need no fast SQLite, and to optimize it takes the compiler most of the time. The last of such words holds.
  const env = { ...process.env };
  for (const name of ['CFLAGS', 'CXXFLAGS']) env[name] = `${env[name] ?? ''} -O1`.trim();
  const { output } = await npm(['rebuild', 'better-sqlite3', ...allowed], { capture: true, env });
  if (await betterSqliteLoads()) return true;
  console.error(output.split('\n').slice(-15).join('\n'));
  return false;
}
