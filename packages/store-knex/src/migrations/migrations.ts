import { run, type Steps } from '../database/steps.js';
import type { SchemaDialect } from '../dialects/dialect.js';
import { firstSchema } from './0001-first-schema.js';

/** One step of the schema; its name stands in `calends_migrations` once it was taken. */
export interface Migration {
  readonly name: string;
  readonly up: (schema: SchemaDialect) => Steps<void>;
}

/** Every step, in order. Released ones never change. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_first_schema',
    *up(schema) {
      const statementsFor = yield* schema.tableWriter();
      for (const table of firstSchema) {
        if (table.name === 'calends_actor_locks' && !schema.locksActorRows) continue;
        for (const statement of statementsFor(table)) yield* run(statement);
      }
    },
  },
];
