import type { Knex } from 'knex';
import { connectionSource, performOn } from '../database/connections.js';
import { retrying } from '../database/retry.js';
import { drive, run, type Steps } from '../database/steps.js';
import type { SchemaDialect } from '../dialects/dialect.js';
import { dialectOf } from '../dialects/dialect-of.js';
import { storeError } from '../faults/store-fault.js';
import { type Migration, migrations } from '../migrations/migrations.js';
import { migrationsTable } from './schema-state.js';

/** What a migration did. */
export interface MigrationReport {
  /** Names of the steps that were taken now; none when the schema was current. */
  readonly applied: readonly string[];
}

type Perform = <Result>(work: Steps<Result>) => Promise<Result>;

const migrationSource = (
  perform: Perform,
  schema: SchemaDialect,
  steps: readonly Migration[],
): Knex.MigrationSource<Migration> => ({
  getMigrations: () => Promise.resolve([...steps]),
  getMigrationName: ({ name }) => name,
  getMigration: (migration) =>
    Promise.resolve({
      up: () => perform(migration.up(schema)),
      down: () => Promise.reject(new Error('There is no way back.')),
    }),
});

/** Takes the missing steps while the lock of the migrations is held. */
async function takeSteps(
  transaction: Knex.Transaction,
  perform: Perform,
  schema: SchemaDialect,
  steps: readonly Migration[],
): Promise<string[]> {
  const config: Knex.MigratorConfig = {
    tableName: migrationsTable,
    migrationSource: migrationSource(perform, schema, steps),
    disableTransactions: true,
  };
  // Makes Knex's own tables; then a transaction again for its savepoints, where that ended the first.
  await transaction.migrate.list(config);
  for (const statement of schema.resume) await perform(run(statement));
  // Whoever left Knex's own lock behind is dead: ours is held, and ends with its holder.
  await transaction.migrate.forceFreeMigrationsLock(config);
  const [, applied] = (await transaction.migrate.latest(config)) as [number, string[]];
  return applied;
}

/**
 * Brings the tables of Calends (all named `calends_…`) to the version of this package; other tables are not touched.
 *
 * May be called at every start and by several processes at once: one of them works, the others wait and find it
 * done. After a kill in the middle the next call goes on. Takes one connection of the Knex instance.
 *
 * @throws StoreError `unavailable`, `contention`, or `unexpected` for a schema newer than this package
 */
export const migrate = (knex: Knex): Promise<MigrationReport> => migrateThrough(knex, migrations);

/** Brings the tables to the version that these steps lead to: the first ones, in order. */
export async function migrateThrough(knex: Knex, steps: readonly Migration[]): Promise<MigrationReport> {
  const { driver, schema, readFault } = dialectOf(knex);
  const work = (): Promise<readonly string[]> =>
    // MySQL commits every table by itself: there the transaction only keeps the connection that holds the lock.
    knex.transaction(async (transaction) => {
      const source = connectionSource(transaction);
      const connection = await source.acquireConnection();
      const perform: Perform = (steps) => drive(steps, performOn(source, driver, connection));
      await perform(schema.lock());
      try {
        return await takeSteps(transaction, perform, schema, steps);
      } finally {
        await perform(schema.unlock());
      }
    });
  try {
    return { applied: await retrying((error) => readFault(error).code === 'contention', work) };
  } catch (error) {
    throw storeError(error, readFault);
  }
}
