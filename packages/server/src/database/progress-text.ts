import type { MigrationProgress } from '@calends/store-knex';

/** What a migration is doing, as a sentence for an operator. */
export function progressText(progress: MigrationProgress): string {
  if (progress.type === 'step') return `Migrating: ${progress.name}`;
  const { attempt, holders } = progress;
  const who = holders.length === 0 ? 'somebody' : holders.join(', ');
  return `Waiting for ${who} to let go of tables (try ${attempt}); nobody is held up meanwhile.`;
}
