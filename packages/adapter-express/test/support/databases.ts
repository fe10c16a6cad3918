import { knexStore, migrate, openKnex, sqliteKnex } from '@calends/store-knex';
import type { Knex } from 'knex';
import { randomUUID } from 'node:crypto';
import type { OpenStore } from './host.js';
import { openPglite } from './pglite.js';

/** A kind of database that the services run on, or why it cannot be tested here. */
export interface Database {
  readonly name: string;
  readonly missing?: string;
  readonly open: OpenStore;
}

const postgresUrl = process.env['CALENDS_TEST_POSTGRES_URL'];
const mariadbUrl = process.env['CALENDS_TEST_MARIADB_URL'];

async function storeOver(knex: Knex, remove: () => Promise<void> = () => Promise.resolve()) {
  await migrate(knex);
  const close = async (): Promise<void> => {
    await knex.destroy();
    await remove();
  };
  return { store: knexStore({ knex }), close };
}

/** A database of its own on a server. */
async function openOnServer(serverUrl: string) {
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
  return storeOver(openKnex(url.href), () => administer(`drop database ${name}`));
}

/** Every database; the memory store has a test of its own. */
export const databases: readonly Database[] = [
  { name: 'SQLite (libsql)', open: () => storeOver(sqliteKnex({ filename: ':memory:', driver: 'libsql' })) },
  {
    name: 'SQLite (better-sqlite3)',
    ...(process.env['CALENDS_TEST_WITHOUT_BETTER_SQLITE3'] === '1' ? { missing: 'better-sqlite3 is left out' } : {}),
    open: () => storeOver(sqliteKnex({ filename: ':memory:', driver: 'better-sqlite3' })),
  },
  postgresUrl === undefined
    ? { name: 'PostgreSQL in process (PGlite)', open: async () => storeOver(await openPglite()) }
    : { name: 'PostgreSQL', open: () => openOnServer(postgresUrl) },
  {
    name: 'MariaDB',
    ...(mariadbUrl === undefined ? { missing: 'CALENDS_TEST_MARIADB_URL is not set' } : {}),
    open: () => openOnServer(mariadbUrl ?? 'mysql://127.0.0.1/'),
  },
];
