import type { EventOutcome, QueueRepair } from '@calends/core/store';
import type { CommitDialect } from '../commit/commit-queue.js';
import type { Connections } from '../database/connections.js';
import type { EngineDialect } from '../engine/engine-check.js';
import type { FindDialect } from '../queries/find-queue.js';
import type { InsertNew, Steps } from '../sql/steps.js';
import type { DeliveryDialect, LookDialect } from '../queries/delivery.js';
import type { ProofDialect } from '../queries/proofs.js';
import type { ClaimDialect } from '../queries/events.js';
import type { NotificationQueue } from '../queries/notification-queue.js';
import type { Purge } from '../queries/purges.js';
import type { SchemaDialect } from '../schema/schema-dialect.js';

/** Everything that differs between the databases; queries know nothing of it (architecture, rule 7). */
export interface Dialect
  extends CommitDialect, FindDialect, LookDialect, EngineDialect, ClaimDialect, DeliveryDialect, ProofDialect {
  readonly schema: SchemaDialect;
  readonly queue: NotificationQueue;
  readonly settleEvents: (connections: Connections, outcomes: readonly EventOutcome[]) => Promise<void>;

  /** Brings a portion of the queue in step, where it lies beside the notifications (`SchemaDialect.keepsQueueApart`). */
  readonly repairQueue?: (after: readonly string[] | undefined) => Steps<QueueRepair>;

  readonly insertNew: InsertNew;

  /** What a `select` of retention ends with that locks its rows. */
  readonly locking: string;

  /** Deletes rows of a table whose instant lies before a time, at most so many; answers how many went. */
  readonly purge: (purge: Purge) => Steps<number>;
}

/** What may be told about a database beyond what its Knex says. */
export interface DialectOptions {
  readonly preparedStatements: boolean;
  /** True = commits tell their mark, by which readers are asked; on PostgreSQL only. */
  readonly marksCommits?: boolean;
}
