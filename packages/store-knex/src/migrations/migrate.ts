import { checkOptionNames } from '@calends/core/store';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { changesConnections } from '../connect/pooler.js';
import { connectionSource, performOn } from '../database/connections.js';
import { drive, run, type Steps } from '../sql/steps.js';
import { dialectOf } from '../dialects/dialect-of.js';
import { noteUnconnected, storeError } from '../faults/store-fault.js';
import { type Migration, migrations } from './migrations.js';
import { type MigrationProgress, withLockRetries } from './lock-retries.js';
import { rowsAhead, tellingPercent } from './progress.js';
import { planSteps, raiseFloor, type StepsToTake } from './plan-steps.js';
import { migrationsTable } from './schema-state.js';
import { lookHolds } from './write-gate.js';
import type { SchemaDialect } from '../schema/schema-dialect.js';

/** What a migration did. */
export interface MigrationReport {
  /** Names of the steps that were taken now; none when the schema was current. */
  readonly applied: readonly string[];
  /** Contracting steps that wait for older programs to end; absent = none. */
  readonly waiting?: readonly string[];
}

/** How to migrate. */
export interface MigrateOptions {
  /**
   * Take contracting steps though older programs gave a sign of life within the last minute: they write nothing more
   * from then on. Default false: such steps wait, and the report names them.
   */
  readonly contract?: boolean | undefined;
  /** Told of each step, and of who holds up the migration. Default: nobody. */
  readonly onProgress?: ((progress: MigrationProgress) => void) | undefined;
  /**
   * Milliseconds that it tries to get its locks before it gives up. It waits for each half a second (MariaDB and MySQL: a
   * second), lets go of everything, pauses and tries again: nobody behind it is held up for longer. Default 60,000.
   */
  readonly lockPatience?: number | undefined;
}

type Perform = <Result>(work: Steps<Result>) => Promise<Result>;

/** A connection that holds the lock of the migrations. */
interface Holder {
  readonly transaction: Knex.Transaction;
  readonly perform: Perform;
  readonly schema: SchemaDialect;
  readonly onProgress: (progress: MigrationProgress) => void;
}

const ignored = (): void => undefined;

/** Longer than a look of another program holds, and than what it began to write before it looked again may take. */
const contractPause = 12 * lookHolds;

const migrationSource = (
  { perform, schema, onProgress }: Holder,
  steps: readonly Migration[],
): Knex.MigrationSource<Migration> => ({
  getMigrations: () => Promise.resolve([...steps]),
  getMigrationName: ({ name }) => name,
  getMigration: (migration) =>
    Promise.resolve({
      up: () => {
        onProgress({ type: 'step', name: migration.name });
        return perform(migration.up(schema));
      },
      down: () => Promise.reject(new Error('There is no way back.')),
    }),
});

const configFor = (holder: Holder, steps: readonly Migration[]): Knex.MigratorConfig => ({
  tableName: migrationsTable,
  migrationSource: migrationSource(holder, steps),
  disableTransactions: true,
  // A newer program may have taken steps that this one does not know.
  disableMigrationsListValidation: true,
});

/** Makes Knex's own tables; then a transaction again for its savepoints, where that ended the first. */
async function prepare(holder: Holder): Promise<void> {
  const { transaction, perform, schema } = holder;
  const config = configFor(holder, []);
  await perform(schema.keepNames(migrationsTable));
  await transaction.migrate.list(config);
  for (const statement of schema.resume) await perform(run(statement));
  // The process that left Knex's own lock behind is dead: ours is held, and ends with its holder.
  await transaction.migrate.forceFreeMigrationsLock(config);
}

/** Rows a second that an index is built of in the transaction of a step: the same as on SQLite, so that nobody waits for longer. */
const builtInTransaction = 150_000;

/** True where so many connections can be had beside the one that holds the lock. */
const hasOthers = (knex: Knex, count: number): boolean => {
  const { pool } = knex.client as { readonly pool?: { readonly max?: unknown } };
  return typeof pool?.max === 'number' && pool.max > count;
};

/** Takes those of the steps that were not taken; contracting ones are told to programs of before at least now. */
async function takeSteps(holder: Holder, steps: readonly Migration[]): Promise<readonly string[]> {
  const { transaction, perform } = holder;
  const [, applied] = (await transaction.migrate.latest(configFor(holder, steps))) as [number, string[]];
  for (const step of steps) await perform(raiseFloor(step));
  return applied;
}

/** @throws TypeError that names the option: `contract: 'false'` would shut older programs out for good */
function checkOptions(options: MigrateOptions): void {
  checkOptionNames('options', options, ['contract', 'onProgress', 'lockPatience']);
  const demand = (name: keyof MigrateOptions, holds: boolean, rule: string): void => {
    if (!holds) throw new TypeError(`options.${name}: ${rule}.`);
  };
  const { contract = false, onProgress = ignored, lockPatience = 0 } = options;
  demand('contract', typeof contract === 'boolean', 'must be a boolean');
  demand('onProgress', typeof onProgress === 'function', 'must be a function');
  const isPatience = Number.isSafeInteger(lockPatience) && lockPatience >= 0 && lockPatience < 2 ** 31;
  demand('lockPatience', isPatience, 'must be a number of milliseconds');
}

/**
 * Brings the tables of Calends (all named `calends_…`) to the version of this package; other tables are not touched.
 *
 * May be called at every start and by several processes at once: one of them works, the others wait and find it
 * done. After a kill in the middle the next call goes on. Takes one connection of the Knex instance, and on PostgreSQL a second, where
 * there is one, to build an index beside those who write: without it, and behind a pooler ({@link openKnex}), writes wait for the index.
 * A Knex of your own must not lead through such a pooler here. Older programs
 * that are writing go on: a step that takes away what they need waits until none of them gave a sign of life for a
 * minute, or until it is told to come (D76). It then comes some seconds after they were told to write no more.
 *
 * @throws TypeError for what is no Knex instance, and for an option that is misspelt or unusable
 * @throws StoreError `unavailable`, `contention` when others hold its tables, and the message says who, or `schema` when only newer versions of this package may write
 */
export async function migrate(knex: Knex, options: MigrateOptions = {}): Promise<MigrationReport> {
  // A function too, but no instance of it: hosts in plain JavaScript have no compiler that tells them.
  if (typeof knex !== 'function' || knex.client === undefined) throw new TypeError('knex: must be a Knex instance.');
  checkOptions(options);
  return migrateThrough(knex, migrations, options);
}

/** How to migrate in a test. */
export interface SteppedOptions extends MigrateOptions {
  /** Milliseconds between telling older programs and a contracting step. */
  readonly contractAfter?: number;
}

/** Brings the tables to the version that these steps lead to: the first ones, in order. */
export async function migrateThrough(
  knex: Knex,
  steps: readonly Migration[],
  { contract = false, contractAfter = contractPause, onProgress = ignored, lockPatience = 60_000 }: SteppedOptions = {},
): Promise<MigrationReport> {
  // It runs none often enough to keep it prepared, and behind a pooler the name would be taken.
  const { driver, schema, sql, readFault } = dialectOf(knex, { preparedStatements: false });
  const onAnother = async <Result>(work: () => Steps<Result>): Promise<Result> => {
    const source = connectionSource(knex);
    const connection = await source.acquireConnection();
    try {
      return await drive(work(), performOn(source, driver, connection));
    } finally {
      await source.releaseConnection(connection);
    }
  };
  const lockHolders = (): Promise<readonly string[]> => onAnother(() => schema.lockHolders());
  // What an index beside others needs is set for the connection: behind a pooler that would be anybody's.
  const add = hasOthers(knex, 1) && !changesConnections(knex) ? schema.addBeside : undefined;
  const rowsASecond = add === schema.addBeside ? schema.buildsAlone : builtInTransaction;
  /** New tables are empty: what is added to them takes no time. */
  const addBeside = async (missing: readonly Migration[]): Promise<void> => {
    if (add === undefined || missing.length === steps.length) return;
    const build = async (): Promise<void> => {
      for (const addition of missing.flatMap(({ beside = [] }) => beside)) await onAnother(() => add(addition));
    };
    const { percentBuilt } = schema;
    if (percentBuilt === undefined || !hasOthers(knex, 2)) await build();
    else await tellingPercent(() => onAnother(percentBuilt), onProgress, build);
  };
  const attempt = { isConnected: false };
  const holding = <Result>(work: (holder: Holder) => Promise<Result>): Promise<Result> =>
    withLockRetries({ readFault, onProgress, patience: lockPatience, holders: lockHolders }, () =>
      // MySQL commits every table by itself: there the transaction only keeps the connection that holds the lock.
      knex.transaction(async (transaction) => {
        attempt.isConnected = true;
        const source = connectionSource(transaction);
        const connection = await source.acquireConnection();
        const perform: Perform = (steps) => drive(steps, performOn(source, driver, connection));
        await perform(schema.lock());
        try {
          const holder = { transaction, perform, schema, onProgress };
          await prepare(holder);
          return await work(holder);
        } finally {
          await perform(schema.unlock());
        }
      }),
    );
  try {
    const begun = await holding(async (holder) => {
      const plan: StepsToTake = await holder.perform(planSteps(sql, { steps, contract }));
      if (plan.now.length < steps.length) {
        for (const told of await holder.perform(rowsAhead(schema, plan.now, rowsASecond))) onProgress(told);
      }
      if (schema.letGo !== undefined) await holder.perform(schema.letGo());
      await addBeside(plan.now);
      const applied = await takeSteps(holder, plan.now);
      for (const step of plan.later) await holder.perform(raiseFloor(step));
      return { applied, later: plan.later, waiting: plan.waiting.map(({ name }) => name) };
    });
    const waiting = begun.waiting.length === 0 ? undefined : { waiting: begun.waiting };
    if (begun.later.length === 0) return { applied: begun.applied, ...waiting };
    await pause(contractAfter);
    for (const { fill } of begun.later) {
      let after: readonly string[] | undefined;
      do {
        const filled = fill && (await holding(({ perform }) => perform(fill(sql, after))));
        after = filled?.next;
      } while (after !== undefined);
    }
    const applied = await holding((holder) => takeSteps(holder, begun.later));
    return { applied: [...begun.applied, ...applied], ...waiting };
  } catch (error) {
    if (!attempt.isConnected) noteUnconnected(error);
    throw storeError(error, readFault);
  }
}
