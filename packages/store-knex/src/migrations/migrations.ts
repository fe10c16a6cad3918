import { run, type Steps } from '../database/steps.js';
import type { SchemaDialect } from '../dialects/dialect.js';
import type { Table } from '../schema/table.js';
import { firstSchema } from './0001-first-schema.js';
import { notificationTables } from './0002-notifications.js';
import { proofAdditions, proofTables } from './0003-customers-and-audit.js';
import { historyInItsOrder, notificationQueue, separateQueue } from './0004-notification-queue.js';

/** One step of the schema; its name stands in `calends_migrations` once it was taken. */
export interface Migration {
  readonly name: string;
  readonly up: (schema: SchemaDialect) => Steps<void>;
}

function* makeTables(schema: SchemaDialect, tables: readonly Table[]): Steps<void> {
  const statementsFor = yield* schema.tableWriter();
  for (const table of tables) {
    for (const statement of statementsFor(table)) yield* run(statement);
  }
}

/** Every step, in order. Released ones never change. */
export const migrations: readonly Migration[] = [
  {
    name: '0001_first_schema',
    up: (schema) =>
      makeTables(
        schema,
        firstSchema.filter(({ name }) => name !== 'calends_actor_locks' || schema.locksActorRows),
      ),
  },
  { name: '0002_notifications', up: (schema) => makeTables(schema, notificationTables) },
  {
    name: '0003_customers_and_audit',
    *up(schema) {
      yield* makeTables(schema, proofTables);
      for (const addition of proofAdditions) yield* schema.add(addition);
    },
  },
  {
    name: '0004_notification_queue',
    *up(schema) {
      if (!schema.keepsQueueApart) return;
      yield* makeTables(schema, [notificationQueue]);
      for (const statement of [...separateQueue, ...historyInItsOrder]) yield* run(statement);
    },
  },
];
