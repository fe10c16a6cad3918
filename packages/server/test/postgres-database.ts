import { openKnex } from '@calends/store-knex';
import { it } from 'vitest';

/** Address of a PostgreSQL server that the tests own. */
const postgresUrl = process.env['CALENDS_TEST_POSTGRES_URL'] ?? '';

/** A case on PostgreSQL: without a server it shows as skipped; with CALENDS_REQUIRE_DATABASES=1 the run has failed before. */
export const itOnPostgres: ReturnType<typeof it.skipIf> = it.skipIf(postgresUrl === '');

/** A database of its own on the server of the tests, made empty. */
export async function makeDatabase(name: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const unique = `calends_${name}_${process.pid}`;
  const knex = openKnex(postgresUrl);
  const drop = async (): Promise<void> => {
    await knex.raw(`drop database if exists ${unique} with (force)`);
  };
  await drop();
  await knex.raw(`create database ${unique}`);
  const url = new URL(postgresUrl);
  url.pathname = `/${unique}`;
  return {
    url: url.href,
    drop: async () => {
      await drop();
      await knex.destroy();
    },
  };
}
