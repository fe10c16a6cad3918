import { PGlite } from '@electric-sql/pglite';
import makeKnex, { type Knex } from 'knex';
import PgliteClient from 'knex-pglite';
import { silentLog } from '../../src/connect/silent-log.js';
import { migrate } from '../../src/index.js';

const over = (pglite: PGlite): Knex =>
  makeKnex({
    client: PgliteClient,
    dialect: 'postgres',
    connection: { pglite } as Knex.StaticConnectionConfig,
    log: silentLog,
  });

/** Makes databases as one was after it had been prepared: to load them takes a fraction of what it takes to make them. */
function copiesOf(prepare: (knex: Knex) => Promise<void>): () => Promise<() => Knex> {
  let files: Promise<Blob> | undefined;
  const dump = async (): Promise<Blob> => {
    const pglite = new PGlite();
    const knex = over(pglite);
    await prepare(knex);
    const dumped = await pglite.dumpDataDir('none');
    await knex.destroy();
    return dumped;
  };
  return async () => {
    const loadDataDir = await (files ??= dump());
    return () => over(new PGlite({ loadDataDir }));
  };
}

/** PostgreSQL in this process, without tables. */
export const barePglite = copiesOf(async (knex) => {
  await knex.raw('select 1');
});

/** PostgreSQL in this process, with every table. */
export const preparedPglite = copiesOf(async (knex) => {
  await migrate(knex);
});
