import { done, run, type Steps } from '../sql/steps.js';
import type { Addition, Table } from '../schema/table.js';
import { firstSchema } from './0001-first-schema.js';
import { notificationTables } from './0002-notifications.js';
import { proofAdditions, proofTables } from './0003-customers-and-audit.js';
import { historyInItsOrder, notificationQueue, separateQueue } from './0004-notification-queue.js';
import { deleteOrphanTickets, mendAdditions, mendTables } from './0005-first-mend.js';
import { availabilityAdditions, availabilityTables, replacedIndex } from './0006-availability.js';
import { countTables } from './0007-counts.js';
import { repairCounts, repairSums } from '../queries/repair-counts.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import { historyIndex, retentionAdditions, retentionTables } from './0009-retention.js';
import { guardRevisions } from './0010-guard-revisions.js';
import { longTimes } from './0011-long-times.js';
import { countedDuration, durationCountTables } from './0012-duration-counts.js';
import type { SchemaDialect } from '../schema/schema-dialect.js';

/** One step of the schema; its name stands in `calends_migrations` once it was taken. */
export interface Migration {
  readonly name: string;
  /**
   * `expand` adds what programs of before need not know: they go on beside it. `contract` takes away what they need:
   * it says from which program version on may be written then (D76), and waits until no older one is there.
   */
  readonly kind: 'expand' | { readonly contract: { readonly writtenFrom: number } };
  readonly up: (schema: SchemaDialect) => Steps<void>;
  /** Tables of before that it goes through from end to end; absent = none. */
  readonly goesThrough?: (schema: SchemaDialect) => readonly string[];
  /** Of what the step adds, that which goes through all rows of a big table: done before it where nobody needs to wait for that. */
  readonly beside?: readonly Addition[];
  /**
   * Of a contracting step: fills what programs of before have left out, a portion at a time, each in a transaction of its own,
   * once they write no more. May be repeated.
   */
  readonly fill?: (sql: SqlDialect, after: readonly string[] | undefined) => Steps<Filled>;
}

/** What a portion has left; absent = nothing. */
interface Filled {
  readonly next?: readonly string[] | undefined;
}

/** The step since which lists and counts are answered from what commits have counted. */
export const countsLead = '0008_counts_lead';

/** The step since which lists by duration are answered from them, too. */
export const durationCountsLead = '0013_duration_counts_lead';

/** The step since which programs give signs of life and look whether they may write. */
export const firstWithSigns = '0005_first_mend';

function* makeTables(schema: SchemaDialect, tables: readonly Table[]): Steps<void> {
  const statementsFor = yield* schema.tableWriter();
  for (const table of tables) {
    for (const statement of statementsFor(table)) yield* run(statement);
  }
}

/**
 * Every step, in order. Released ones never change, not even in their number: it is the version of programs.
 *
 * The first four were made before programs looked: one of before the fourth must not write beside it.
 */
export const migrations: readonly Migration[] = [
  {
    name: '0001_first_schema',
    kind: 'expand',
    up: (schema) =>
      makeTables(
        schema,
        firstSchema.filter(({ name }) => name !== 'calends_actor_locks' || schema.locksActorRows),
      ),
  },
  { name: '0002_notifications', kind: 'expand', up: (schema) => makeTables(schema, notificationTables) },
  {
    name: '0003_customers_and_audit',
    kind: 'expand',
    *up(schema) {
      yield* makeTables(schema, proofTables);
      for (const addition of proofAdditions) yield* schema.add(addition);
    },
  },
  {
    name: '0004_notification_queue',
    kind: 'expand',
    *up(schema) {
      if (!schema.keepsQueueApart) return;
      yield* makeTables(schema, [notificationQueue]);
      for (const statement of [...separateQueue, ...historyInItsOrder]) yield* run(statement);
    },
  },
  {
    name: firstWithSigns,
    kind: 'expand',
    *up(schema) {
      yield* makeTables(schema, mendTables);
      for (const addition of mendAdditions) {
        if (addition.table !== 'calends_actor_locks' || schema.locksActorRows) yield* schema.add(addition);
      }
      yield* deleteOrphanTickets();
    },
  },
  {
    name: '0006_availability',
    kind: 'expand',
    goesThrough: () => ['calends_actors'],
    beside: availabilityAdditions.filter(({ table }) => table === 'calends_actors'),
    *up(schema) {
      yield* makeTables(schema, availabilityTables);
      for (const addition of availabilityAdditions) yield* schema.add(addition);
      yield* schema.dropIndex(replacedIndex);
    },
  },
  { name: '0007_counts', kind: 'expand', up: (schema) => makeTables(schema, countTables) },
  {
    name: countsLead,
    // No program that knows fewer steps counts what it writes.
    kind: { contract: { writtenFrom: 10 } },
    fill: repairSums,
    up: () => done(undefined),
  },
  {
    name: '0009_retention',
    kind: 'expand',
    goesThrough: ({ keepsQueueApart }) => (keepsQueueApart ? [historyIndex.table] : []),
    beside: [historyIndex],
    *up(schema) {
      yield* makeTables(schema, retentionTables);
      for (const addition of retentionAdditions) yield* schema.add(addition);
      if (schema.keepsQueueApart) yield* schema.add(historyIndex);
    },
  },
  {
    name: '0010_guard_revisions',
    kind: 'expand',
    *up(schema) {
      if (!schema.locksActorRows) return;
      for (const addition of guardRevisions) yield* schema.add(addition);
    },
  },
  {
    name: '0011_long_times',
    kind: 'expand',
    goesThrough: ({ indexesParts }) => (indexesParts ? [longTimes.table] : []),
    beside: [longTimes],
    *up(schema) {
      if (schema.indexesParts) yield* schema.add(longTimes);
    },
  },
  {
    name: '0012_duration_counts',
    kind: 'expand',
    *up(schema) {
      yield* makeTables(schema, durationCountTables);
      yield* schema.add(countedDuration);
    },
  },
  {
    name: durationCountsLead,
    // No program that knows fewer steps counts durations.
    kind: { contract: { writtenFrom: 13 } },
    fill: repairCounts,
    up: () => done(undefined),
  },
];
