import { migrate } from '@calends/store-knex';
import { PGlite } from '@electric-sql/pglite';
import makeKnex, { type Knex } from 'knex';
import PgliteClient from 'knex-pglite';

const over = (pglite: PGlite): Knex =>
  makeKnex({ client: PgliteClient, dialect: 'postgres', connection: { pglite } as Knex.StaticConnectionConfig });

async function dump(): Promise<Blob> {
  const pglite = new PGlite();
  const knex = over(pglite);
  await migrate(knex);
  const files = await pglite.dumpDataDir('none');
  await knex.destroy();
  return files;
}

let files: Promise<Blob> | undefined;

/** PostgreSQL in this process, with its tables: a copy of one that was made once, which takes a fraction of making it. */
export async function openPglite(): Promise<Knex> {
  files ??= dump();
  return over(new PGlite({ loadDataDir: await files }));
}
