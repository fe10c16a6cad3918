import { knexStore, migrate, openKnex, sqliteKnex } from '@calends/store-knex';
import type { Knex } from 'knex';
import { randomUUID } from 'node:crypto';
import type { OpenStore } from './host.js';
import { openPglite } from './pglite.js';

/** A kind of database that the services run on, or why it cannot be tested here. */
export interface Database {
  readonly name: string;
  readonly missing?: string;
  /** One that is empty; when it is closed, it is emptied and opened again for others: to make one takes up to a second. */
  readonly open: OpenStore;
  /** Ends all that were made. */
  readonly end: () => Promise<void>;
}

const postgresUrl = process.env['CALENDS_TEST_POSTGRES_URL'];
const mariadbUrl = process.env['CALENDS_TEST_MARIADB_URL'];

interface Made {
  readonly knex: Knex;
  readonly remove?: () => Promise<void>;
}

const listTables = {
  pg: 'select table_name as name from information_schema.tables where table_schema = current_schema()',
  mysql2: 'select table_name as name from information_schema.tables where table_schema = database()',
  sqlite: "select name from sqlite_master where type = 'table'",
} as const;

/** Which of the tables of Calends hold rows. */
async function filledTables(knex: Knex, tables: readonly string[]): Promise<readonly string[]> {
  const asked = tables.map((table) => `exists(select 1 from ${table}) as ${table}`);
  const filled = await knex.first<Record<string, number | boolean>>(knex.raw(asked.join(', ')));
  return tables.filter((table) => Number(filled[table]) === 1);
}

function databasesOf(
  family: keyof typeof listTables,
  make: () => Made | Promise<Made>,
): Pick<Database, 'open' | 'end'> {
  const made: Made[] = [];
  const free: { readonly knex: Knex; readonly empty: () => Promise<void> }[] = [];
  const prepare = async () => {
    const database = await make();
    made.push(database);
    const { knex } = database;
    await migrate(knex);
    const names = await knex.select<{ name: string }[]>('name').from(knex.raw(`(${listTables[family]}) as t`));
    const tables = names.map(({ name }) => name).filter((name) => name.startsWith('calends_'));
    // What stands there from the beginning says which tables there are.
    const kept = new Set(await filledTables(knex, tables));
    const empty = async (): Promise<void> => {
      for (const table of await filledTables(knex, tables)) if (!kept.has(table)) await knex(table).del();
    };
    return { knex, empty };
  };
  return {
    async open() {
      const database = free.pop() ?? (await prepare());
      const close = async (): Promise<void> => {
        await database.empty();
        free.push(database);
      };
      return { store: knexStore({ knex: database.knex }), close };
    },
    async end() {
      for (const { knex, remove } of made) {
        await knex.destroy();
        await remove?.();
      }
    },
  };
}

/** A database of its own on a server. */
async function makeOnServer(serverUrl: string): Promise<Made> {
  const name = `calends_http_${randomUUID().replaceAll('-', '')}`;
  const administer = async (statement: string): Promise<void> => {
    const server = openKnex(serverUrl);
    try {
      await server.raw(statement);
    } finally {
      await server.destroy();
    }
  };
  await administer(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { knex: openKnex(url.href), remove: () => administer(`drop database ${name}`) };
}

const makeSqlite = (driver: 'libsql' | 'better-sqlite3') => (): Made => ({
  knex: sqliteKnex({ filename: ':memory:', driver }),
});

/** Every database; the memory store has a test of its own. */
export const databases: readonly Database[] = [
  { name: 'SQLite (libsql)', ...databasesOf('sqlite', makeSqlite('libsql')) },
  {
    name: 'SQLite (better-sqlite3)',
    ...(process.env['CALENDS_TEST_WITHOUT_BETTER_SQLITE3'] === '1' ? { missing: 'better-sqlite3 is left out' } : {}),
    ...databasesOf('sqlite', makeSqlite('better-sqlite3')),
  },
  postgresUrl === undefined
    ? {
        name: 'PostgreSQL in process (PGlite)',
        ...databasesOf('pg', async () => ({ knex: await openPglite() })),
      }
    : { name: 'PostgreSQL', ...databasesOf('pg', () => makeOnServer(postgresUrl)) },
  {
    name: 'MariaDB',
    ...(mariadbUrl === undefined ? { missing: 'CALENDS_TEST_MARIADB_URL is not set' } : {}),
    ...databasesOf('mysql2', () => makeOnServer(mariadbUrl ?? 'mysql://127.0.0.1/')),
  },
];
