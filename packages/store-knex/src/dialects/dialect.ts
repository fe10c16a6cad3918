import type {
  AuditRefusal,
  AuditSeal,
  Claim,
  EventOutcome,
  NotificationClaim,
  NotificationUpdate,
  OtpTry,
  QueueRepair,
} from '@calends/core/store';
import type { CommitDialect } from '../commit/commit-queue.js';
import type { Connections } from '../database/connections.js';
import type { EngineDialect } from '../engine/engine-check.js';
import type { FindDialect } from '../queries/find-queue.js';
import type { InsertNew } from '../queries/insert-new.js';
import type { LookDialect } from '../queries/look-queue.js';
import type { ClaimedRows } from '../queries/notification-claims.js';
import type { NotificationQueue } from '../queries/notification-queue.js';
import type { Purge } from '../queries/purges.js';
import type { SchemaDialect } from '../schema/schema-dialect.js';
import type { Row } from '../sql/rows.js';
import type { Steps } from '../sql/steps.js';

/** Everything that differs between the databases; queries know nothing of it (architecture, rule 7). */
export interface Dialect extends CommitDialect, FindDialect, LookDialect, EngineDialect {
  readonly schema: SchemaDialect;
  readonly queue: NotificationQueue;
  /** Claims due appointments; rows with the `wake_at` that had come as `woken_at`. */
  readonly claimAppointments: (connections: Connections, claim: Claim) => Promise<readonly Row[]>;

  /** Claims events under a token; rows as they are after the claim. */
  readonly claimEvents: (connections: Connections, claim: Claim, token: string) => Promise<readonly Row[]>;

  readonly settleEvents: (connections: Connections, outcomes: readonly EventOutcome[]) => Promise<void>;

  /** Claims due notifications; rows as they are after the claim. */
  readonly claimNotifications: (connections: Connections, claim: NotificationClaim) => Promise<ClaimedRows>;

  /** Writes outcomes (at least one), each only while its notification has the expected revision; tells which were. */
  readonly settleNotifications: (
    connections: Connections,
    updates: readonly NotificationUpdate[],
  ) => Promise<readonly boolean[]>;

  /** Brings a portion of the queue in step, where it lies beside the notifications (`SchemaDialect.keepsQueueApart`). */
  readonly repairQueue?: (after: readonly string[] | undefined) => Steps<QueueRepair>;

  readonly insertNew: InsertNew;

  /** Counts a try at a one-time password; the row as it is then, if there is one to compare with. */
  readonly countOtpTry: (connections: Connections, attempt: OtpTry) => Promise<Row | undefined>;

  /** Appends refused calls to the audit record. */
  readonly recordRefusals: (connections: Connections, refusals: readonly AuditRefusal[]) => Promise<void>;

  /** Appends a seal; false when its number is taken, or an entry is sealed, with nothing written. */
  readonly sealAudit: (connections: Connections, seal: AuditSeal) => Promise<boolean>;

  /** Deletes rows of a table whose instant lies before a time, at most so many; answers how many went. */
  readonly purge: (purge: Purge) => Steps<number>;
}
