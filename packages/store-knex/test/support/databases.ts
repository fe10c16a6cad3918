import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { expect } from 'vitest';
import { migrate, openKnex, sqliteKnex } from '../../src/index.js';
import { barePglite, preparedPglite } from './pglite.js';

/** A database of its own for a test, prepared and empty. */
export interface TestDatabase {
  readonly knex: Knex;
  /** Address for another process; absent where no other process can reach it. */
  readonly url?: string | undefined;
  /** Another Knex instance on the same data, as another process would have it. */
  readonly another: () => Knex;
  /** Ends the first instance and opens the data again. */
  readonly reopen: () => Promise<Knex>;
  /** Ends every instance and takes the database away. */
  readonly drop: () => Promise<void>;
}

/** A kind of database that the store runs on. */
export interface DatabaseKind {
  readonly name: string;
  readonly family: 'sqlite' | 'postgres' | 'mysql';
  /** Why it cannot be tested here. */
  readonly missing?: string;
  /** Why it stands here for a server, which can do more. */
  readonly inPlaceOfServer?: string;
  /** Outlives its connections. */
  readonly durable: boolean;
  /** Several connections share it. */
  readonly shared: boolean;
  /** Other processes reach it by its address, through `openKnex`. */
  readonly addressed: boolean;
  /** Opens an empty database without tables. */
  readonly openBare: () => Promise<TestDatabase>;
  /** Opens an empty database with its tables; absent where migrating takes no time to speak of. */
  readonly openPrepared?: () => Promise<TestDatabase>;
}

const required = process.env['CALENDS_REQUIRE_DATABASES'] === '1';
const postgresUrl = process.env['CALENDS_TEST_POSTGRES_URL'];
const mariadbUrl = process.env['CALENDS_TEST_MARIADB_URL'];
const withoutBetterSqlite = process.env['CALENDS_TEST_WITHOUT_BETTER_SQLITE3'] === '1';

/** The drivers of SQLite that are tested; one of them has to be compiled. */
export const sqliteDrivers: readonly ('libsql' | 'better-sqlite3')[] = withoutBetterSqlite
  ? ['libsql']
  : ['libsql', 'better-sqlite3'];

/** Instances over one database, made by a function, ended together. */
function instances(make: () => Knex, remove: () => Promise<void>, url?: string): TestDatabase {
  const opened: Knex[] = [];
  const another = (): Knex => {
    const knex = make();
    opened.push(knex);
    return knex;
  };
  let current = another();
  return {
    get knex() {
      return current;
    },
    url,
    another,
    async reopen() {
      await current.destroy();
      current = another();
      return current;
    },
    async drop() {
      for (const knex of opened) await knex.destroy();
      await remove();
    },
  };
}

async function openSqliteFile(driver: 'libsql' | 'better-sqlite3'): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'calends-store-'));
  return instances(
    () => sqliteKnex({ filename: join(folder, 'calends.db'), driver }),
    () => rm(folder, { recursive: true, force: true }),
    `sqlite:${join(folder, 'calends.db')}`,
  );
}

const openSqliteMemory = (): Promise<TestDatabase> =>
  Promise.resolve(
    instances(
      () => sqliteKnex({ filename: ':memory:' }),
      () => Promise.resolve(),
    ),
  );

const openPglite = async (copies: typeof barePglite): Promise<TestDatabase> =>
  instances(await copies(), () => Promise.resolve());

/** Milliseconds; on a busy machine a test holds its locks longer than a service should. */
const statementTimeout = 60_000;

/** A database of its own on a server. */
async function openOnServer(serverUrl: string): Promise<TestDatabase> {
  const name = `calends_test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const administer = async (statement: string): Promise<void> => {
    const server = openKnex(serverUrl, { statementTimeout });
    try {
      await server.raw(statement);
    } finally {
      await server.destroy();
    }
  };
  await administer(`create database ${name}`);
  return instances(
    () => openKnex(url.href, { statementTimeout }),
    () => administer(`drop database ${name}`),
    url.href,
  );
}

const postgres: DatabaseKind =
  postgresUrl === undefined
    ? {
        name: 'PostgreSQL in process (PGlite)',
        family: 'postgres',
        durable: false,
        shared: false,
        addressed: false,
        inPlaceOfServer: 'CALENDS_TEST_POSTGRES_URL is not set',
        ...(required ? { missing: 'CALENDS_TEST_POSTGRES_URL is required' } : {}),
        openBare: () => openPglite(barePglite),
        openPrepared: () => openPglite(preparedPglite),
      }
    : {
        name: 'PostgreSQL',
        family: 'postgres',
        durable: true,
        shared: true,
        addressed: true,
        openBare: () => openOnServer(postgresUrl),
      };

const mariadb: DatabaseKind = {
  name: 'MariaDB',
  family: 'mysql',
  durable: true,
  shared: true,
  addressed: true,
  ...(mariadbUrl === undefined ? { missing: 'CALENDS_TEST_MARIADB_URL is not set' } : {}),
  openBare: () => openOnServer(mariadbUrl ?? 'mysql://127.0.0.1/'),
};

/** Every kind of database that the store must behave the same on. */
export const databaseKinds: readonly DatabaseKind[] = [
  {
    name: 'SQLite file through libsql',
    family: 'sqlite',
    durable: true,
    shared: true,
    addressed: true,
    openBare: () => openSqliteFile('libsql'),
  },
  {
    name: 'SQLite file through better-sqlite3',
    family: 'sqlite',
    durable: true,
    shared: true,
    addressed: false,
    ...(withoutBetterSqlite ? { missing: 'better-sqlite3 is left out' } : {}),
    openBare: () => openSqliteFile('better-sqlite3'),
  },
  {
    name: 'SQLite in memory through libsql',
    family: 'sqlite',
    durable: false,
    shared: false,
    addressed: false,
    openBare: openSqliteMemory,
  },
  postgres,
  mariadb,
];

if (required) {
  const missing = databaseKinds.flatMap((kind) => kind.missing ?? []);
  if (missing.length > 0) throw new Error(`CALENDS_REQUIRE_DATABASES=1: ${missing.join(', ')}`);
}

/** Opens an empty database with its tables. */
export async function openDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind.openPrepared !== undefined) return kind.openPrepared();
  const database = await kind.openBare();
  await migrate(database.knex);
  return database;
}

const tables = [
  'appointments',
  'actors',
  'customers',
  'events',
  'requests',
  'notifications',
  'delivery_events',
  'endpoints',
  'otp_challenges',
  'tickets',
  'audit',
  'audit_seals',
  'keys',
  'holds',
  'leases',
  'availability',
  'counts',
  'duration_counts',
  'count_changes',
].map((name) => `calends_${name}`);

const queue = 'calends_notification_queue';

/** Fails where the queue that lies beside the notifications has come out of step with them. */
export async function expectQueueInStep(knex: Knex): Promise<void> {
  const columns = ['organization_id', 'id', 'channel', 'phase'];
  const awake = await knex('calends_notifications')
    .select([...columns, 'wake_at'])
    .whereNot({ phase: 'DONE' })
    .orderBy(['organization_id', 'id']);
  expect(
    await knex(queue)
      .select([...columns, knex.raw('coalesce(held_until, due_at) as wake_at')])
      .whereNot({ phase: 'DONE' })
      .orderBy(['organization_id', 'id']),
    'the queue beside the notifications',
  ).toEqual(awake);
  const silent = await knex(queue).where({ phase: 'DONE' }).whereRaw('coalesce(held_until, due_at) is not null');
  expect(silent, 'entries of what is over that would wake somebody').toEqual([]);
}

/** Deletes a notification with all that is stored of it. */
export async function deleteNotification(knex: Knex, id: string): Promise<void> {
  await knex('calends_notifications').where({ id }).del();
  await knex('calends_delivery_events').where({ notification_id: id }).del();
  if (await knex.schema.hasTable(queue)) await knex(queue).where({ id }).del();
}

/** Deletes every row; looks first whether the test has left them in step. */
export async function emptyTables(knex: Knex): Promise<void> {
  const hasQueue = await knex.schema.hasTable(queue);
  if (hasQueue) await expectQueueInStep(knex);
  const present = hasQueue ? [...tables, queue] : tables;
  // A test writes to few of them, and a question about all costs as much as one about one of them.
  const asked = present.map((table) => `exists(select 1 from ${table}) as ${table}`);
  const filled = await knex.first<Record<string, number | boolean>>(knex.raw(asked.join(', ')));
  for (const table of present.filter((name) => Number(filled[name]) === 1)) await knex(table).del();
}
