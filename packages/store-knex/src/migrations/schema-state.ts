import { StoreError } from '@calends/core/store';
import { run, runSingle, type Steps } from '../sql/steps.js';
import type { Migration } from './migrations.js';
import { integer, text } from '../sql/rows.js';

/** Where Knex keeps which steps were taken; apart from the host's own migrations. */
export const migrationsTable = 'calends_migrations';

/** What a program finds that another version may have migrated for. */
export interface SchemaState {
  /** Contracting steps that this program knows and that were not taken: older programs may still write. */
  readonly waiting: readonly string[];
  /** Steps that this program does not know: a newer one has taken them, and this one may go on. */
  readonly unknown: readonly string[];
}

/** Names of the steps that were taken. */
export function* takenSteps(): Steps<readonly string[]> {
  const { rows } = yield* run(`select name from ${migrationsTable} order by name`, []);
  return rows.map((row) => text(row, 'name'));
}

/** From which program version on may be written. */
export function* writtenFrom(): Steps<number> {
  const row = yield* runSingle('select coalesce(max(written_from), 0) as written_from from calends_schema', []);
  return row === undefined ? 0 : integer(row, 'written_from');
}

/**
 * Makes sure that every expanding step of this program was taken.
 *
 * @throws StoreError `schema` when some are missing
 */
export function* requireCurrentSchema(steps: readonly Migration[]): Steps<SchemaState> {
  const taken = yield* takenSteps();
  const missing = steps.filter(({ name }) => !taken.includes(name));
  if (missing.some(({ kind }) => kind === 'expand')) {
    throw new StoreError('schema', 'The tables of the database are of an older version: run the migrations.');
  }
  const known = steps.map(({ name }) => name);
  return { waiting: missing.map(({ name }) => name), unknown: taken.filter((name) => !known.includes(name)) };
}
