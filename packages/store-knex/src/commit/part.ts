import type { CommitRefusal, NotificationWrite, RefusalStatus } from '@calends/core/store';
import { type InsertNew, runSingle, type Steps } from '../sql/steps.js';
import type { TableNames } from '../sql/rows.js';
import type { Sql, SqlValue } from '../sql/sql.js';
import type { SqlDialect } from '../sql/sql-dialect.js';
import type { PreparedChange } from './prepared-change.js';

/** What the look for refusals needs to know of a database. */
export interface LookingDialect {
  readonly sql: SqlDialect;
  /** Follows a `select` whose rows must stay as they are until the transaction ends. */
  readonly locking: string;
  /** The same for what every database of several writers locks. */
  readonly lockingProofs: string;
  /**
   * Tells whether a row of a table fulfils a condition, and keeps it as it is until the transaction ends: where commits of a cluster
   * are compared by what they wrote, it is written.
   */
  readonly stands: (table: 'calends_appointments' | 'calends_tickets', condition: Sql) => Steps<boolean>;
}

/** {@link LookingDialect.stands} where a lock, or none, is enough. */
export const standsUnder = (lock: string): LookingDialect['stands'] =>
  function* (table, { text, values }) {
    return (yield* runSingle(`select 1 as stands from ${table} where ${text}${lock}`, values)) !== undefined;
  };

/** What the step-by-step commit needs to know of a database. */
export interface WriteDialect extends LookingDialect {
  /** Keeps other guarded commits of these actors waiting; deadlock-free for any order of ids. */
  readonly lockActors: (organizationId: string, actorIds: readonly string[]) => Steps<void>;
  readonly insertNew: InsertNew;
  /** Inserts notifications but those whose `dedupeKey` is taken, in their order; answers what was written. */
  readonly insertNotifications: (notifications: readonly NotificationWrite[]) => Steps<readonly NotificationWrite[]>;
  readonly insertRows: (table: TableNames, rows: readonly (readonly SqlValue[])[]) => Steps<void>;
}

/** A change while it is written step by step. */
export interface Writing {
  readonly dialect: WriteDialect;
  readonly prepared: PreparedChange;
  readonly organizationId: string;
  /** Ids of the notifications that were being sent when they were taken back. */
  readonly sending: Set<string>;
}

/** A refusal that has no more to say than that it is one; rows that it depends on are locked as they are looked at. */
interface PlainRefusal {
  readonly status: PlainStatus;
  readonly isRefused: (dialect: LookingDialect, prepared: PreparedChange) => Steps<boolean>;
}

/** One that says more, where it applies. */
interface ToldRefusal {
  readonly status: Exclude<RefusalStatus, PlainStatus>;
  readonly look: (dialect: LookingDialect, prepared: PreparedChange) => Steps<CommitRefusal | undefined>;
}

/** One of the things that a commit is made of: what refuses it, and how it is written step by step. */
export interface CommitPart {
  readonly refusal?: PlainRefusal | ToldRefusal;
  readonly write?: (writing: Writing) => Steps<void>;
}

/** Refusals that say no more than that they are one. */
export type PlainStatus = {
  [Status in RefusalStatus]: keyof Extract<CommitRefusal, { status: Status }> extends 'status' ? Status : never;
}[RefusalStatus];

export const isPlain = (status: RefusalStatus): status is PlainStatus =>
  status !== 'limitReached' && status !== 'slotConflict';
