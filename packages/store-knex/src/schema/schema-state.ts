import { StoreError } from '@calends/core';
import { run, type Steps } from '../database/steps.js';
import { migrations } from '../migrations/migrations.js';
import { text } from '../rows/fields.js';

/** Where Knex keeps which steps were taken; apart from the host's own migrations. */
export const migrationsTable = 'calends_migrations';

/**
 * Makes sure that exactly the steps of this package were taken.
 *
 * @throws StoreError `schema` when some are missing, or when a newer version was here
 */
export function* requireCurrentSchema(): Steps<void> {
  const { rows } = yield* run(`select name from ${migrationsTable} order by name`, []);
  const taken = rows.map((row) => text(row, 'name'));
  const wanted = migrations.map(({ name }) => name);
  if (taken.length !== wanted.length || !wanted.every((name) => taken.includes(name))) {
    throw new StoreError('schema', 'The tables of the database are of another version: run the migrations.');
  }
}
