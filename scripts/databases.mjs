// Which databases the tests can use here, said in words.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
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

/** Where npm compiles it, and where a copy is kept for other clones of this user: for this version of it, on such a Node and system alone. */
function bindings() {
  const manifest = requireFromStore.resolve('better-sqlite3/package.json');
  const { version } = requireFromStore(manifest);
  const { glibcVersionRuntime } = process.report.getReport().header;
  const libc = glibcVersionRuntime === undefined ? 'no-glibc' : `glibc-${glibcVersionRuntime}`;
  const built = [
    'better-sqlite3',
    version,
    `abi-${process.versions.modules}`,
    process.platform,
    process.arch,
    libc,
  ].join('-');
  const caches = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return {
    compiled: join(dirname(manifest), 'build', 'Release', 'better_sqlite3.node'),
    kept: join(caches, 'calends', `${built}.node`),
  };
}

/** Under another name first: whoever looks meanwhile sees a whole file or none. False where it cannot be: what is to be copied is missing, or the disk is read-only. */
function copied(from, to) {
  const unfinished = `${to}.${process.pid}`;
  try {
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, unfinished);
    renameSync(unfinished, to);
    return true;
  } catch {
    if (existsSync(unfinished)) rmSync(unfinished);
    return false;
  }
}

/** better-sqlite3 is the one driver that must be compiled, which only its own tests need: done here, once for all clones of a user. */
export async function prepareBetterSqlite() {
  if (await betterSqliteLoads()) return true;
  const { compiled, kept } = bindings();
  if (copied(kept, compiled) && (await betterSqliteLoads())) {
    say(`better-sqlite3 is a copy of what was compiled before: ${kept}`);
    return true;
  }
  const output = await compileBetterSqlite();
  if (await betterSqliteLoads()) {
    copied(compiled, kept);
    return true;
  }
  console.error(output.split('\n').slice(-15).join('\n'));
  return false;
}

async function compileBetterSqlite() {
  say('compiling better-sqlite3 for its tests (about a minute, once)');
  // Its install script is denied in package.json, as all are: npm 11 wants to be told twice, older ones know no denial.
  const allowed = ['--ignore-scripts=false', '--dangerously-allow-all-scripts'];
  // Tests need no fast SQLite, and to optimize it takes the compiler most of the time. The last of such words holds.
  const env = { ...process.env };
  for (const name of ['CFLAGS', 'CXXFLAGS']) env[name] = `${env[name] ?? ''} -O1`.trim();
  const { output } = await npm(['rebuild', 'better-sqlite3', ...allowed], { capture: true, env });
  return output;
}
