import type { SchemaDialect } from '../schema/schema-dialect.js';
import type { Steps } from '../sql/steps.js';
import type { MigrationProgress } from './lock-retries.js';
import type { Migration } from './migrations.js';

/** Milliseconds between two looks at how far an index is. */
const lookEvery = 2000;

/** What steps will go through, told before they do; writes wait for so many rows a second, or for none. */
export function* rowsAhead(
  schema: SchemaDialect,
  steps: readonly Migration[],
  rowsASecond: number | undefined,
): Steps<readonly MigrationProgress[]> {
  const told: MigrationProgress[] = [];
  for (const { name, goesThrough } of steps) {
    for (const table of goesThrough?.(schema) ?? []) {
      const rows = yield* schema.rowsIn(table);
      if (rows === 0) continue;
      const waits = rowsASecond === undefined ? undefined : { writesWait: Math.round((rows * 1000) / rowsASecond) };
      told.push({ type: 'rows', name, table, rows, ...waits });
    }
  }
  return told;
}

/** Does work, and tells now and then how far it is, as far as `percent` knows. */
export async function tellingPercent<Result>(
  percent: () => Promise<number | undefined>,
  onProgress: (progress: MigrationProgress) => void,
  work: () => Promise<Result>,
  every = lookEvery,
): Promise<Result> {
  const look = async (): Promise<void> => {
    const found = await percent().catch(() => undefined);
    if (found !== undefined) onProgress({ type: 'percent', percent: found });
  };
  const timer = setInterval(() => void look(), every).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
