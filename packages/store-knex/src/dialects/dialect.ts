import type {
  AuditRefusal,
  AuditSeal,
  Claim,
  EventOutcome,
  Instant,
  NotificationClaim,
  OtpTry,
  QueueRepair,
  TimeRange,
} from '@calends/core/store';
import type { Coalescing } from '../database/coalescer.js';
import type { PreparedChange } from '../commit/prepared-change.js';
import type { Written } from '../commit/write-live.js';
import type { PreparedUpdate } from '../commit/prepared-notifications.js';
import type { Driver } from '../database/driver.js';
import type { Row } from '../database/outcome.js';
import type { Connections } from '../database/connections.js';
import type { Steps } from '../database/steps.js';
import type { Sql, SqlValue } from '../database/sql.js';
import type { EngineWords } from '../engine/engine-words.js';
import type { Fault } from '../faults/store-fault.js';
import type { Fields } from '../tables/fields.js';
import type { TableNames } from '../tables/table.js';
import type { Addition, Table } from '../schema/table.js';

/** Under how much pressure calls are joined, and how many go together. */
export type Pressure = Pick<Coalescing<unknown, unknown>, 'lanes' | 'limit' | 'patience' | 'gathersTurn'>;

/** How the tables of a database are made and who may make them. */
export interface SchemaDialect {
  /**
   * Finds out how to write tables on this server; the statements that make a table with its indices may be
   * repeated after a migration that did not come to its end.
   */
  readonly tableWriter: () => Steps<(table: Table) => readonly string[]>;
  /** Adds to a table that is there; may be repeated like the statements that make tables. */
  readonly add: (addition: Addition) => Steps<void>;
  /** Statements that go on with a transaction after a table was made in it; none where it does not end with that. */
  readonly resume: readonly string[];
  /** True when the overlap guard locks rows of `calends_actor_locks`. */
  readonly locksActorRows: boolean;
  /** True when `calends_notification_queue` tells what is due, see {@link NotificationQueue}. */
  readonly keepsQueueApart: boolean;
  /** Keeps other processes from migrating until `unlock`, or until the transaction or connection ends. */
  readonly lock: () => Steps<void>;
  readonly unlock: () => Steps<void>;
  /** Makes the table in which Knex keeps what was taken, where its own would not do; may be repeated. */
  readonly keepNames: (table: string) => Steps<void>;
  /** Who else holds locks on the tables now, the longest first, as words for an operator. */
  readonly lockHolders: () => Steps<readonly string[]>;
}

/** Pieces of SQL that the databases word differently. */
export interface SqlDialect {
  /** The column has one of the values (at least one). */
  readonly anyOf: (column: string, values: readonly (string | number)[]) => Sql;
  /** The column lies in one of the ranges (at least two), half-open; both sides given. */
  readonly inAnyRange: (column: string, ranges: readonly Required<TimeRange>[]) => Sql;
  /** These rows as a table of the columns that they have values for, and `n`, their place from 1. */
  readonly givenRows: (columns: Fields, rows: readonly (readonly (string | number | null)[])[]) => Sql;
  /** Words after a joined table that keep the database to this index, where its own choice is a bad one; empty = none needed. */
  readonly through: (index: string) => string;
  /** The time by a clock that all processes share, in epoch milliseconds. */
  readonly clock: () => Sql;
  /** The column's text with the letters A to Z in lower case, and no other letter. */
  readonly asciiLower: (column: string) => string;
  /** `insert … values (?, …)` that replaces the row of the same key. */
  readonly upsert: (table: TableNames) => string;
}

/** What is due and what is under way: as the notifications have it, or a narrow table beside them. */
export interface NotificationQueue {
  /** When the next notification of a channel (`?`) is due, as a query of one value. */
  readonly nextDue: string;
  /** Channel, phase and `wake_at` of what is not DONE, as a query in parentheses. */
  readonly undelivered: string;
  /** A statement that carries out an update of notifications and brings the queue in step; absent = the update does. */
  readonly inStep?: (update: string) => string;
}

/** Everything that differs between the databases; queries know nothing of it (architecture, rule 7). */
export interface Dialect {
  readonly driver: Driver;
  readonly schema: SchemaDialect;
  readonly sql: SqlDialect;
  readonly queue: NotificationQueue;
  readonly commits: Pressure;
  /** Commits that are decided on after locks (`isGuarded`), where they cannot share a batch with others; absent = they can. */
  readonly guardedCommits?: Pressure;
  readonly finds: Pressure;
  /** Looks at notifications right before they are sent. */
  readonly looks: Pressure;
  readonly readFault: (error: unknown) => Fault;
  readonly engine: EngineWords;

  /** Rows of the appointments asked for, in any order. */
  readonly findAppointments: (keys: readonly AppointmentKey[]) => Steps<readonly Row[]>;

  /**
   * Writes changes, each whole or not at all and answered for itself; a fault writes none of them.
   *
   * No two of them share an appointment or a request.
   */
  readonly commit: (connections: Connections, changes: readonly PreparedChange[]) => Promise<readonly Written[]>;

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
    updates: readonly PreparedUpdate[],
  ) => Promise<readonly boolean[]>;

  /** Brings a portion of the queue in step, where it lies beside the notifications (`SchemaDialect.keepsQueueApart`). */
  readonly repairQueue?: (after: readonly string[] | undefined) => Steps<QueueRepair>;

  /** Inserts a row; false when its key is taken, with nothing written. */
  readonly insertNew: (table: TableNames, values: readonly SqlValue[]) => Steps<boolean>;

  /** Counts a try at a one-time password; the row as it is then, if there is one to compare with. */
  readonly countOtpTry: (connections: Connections, attempt: OtpTry) => Promise<Row | undefined>;

  /** Appends refused calls to the audit record. */
  readonly recordRefusals: (connections: Connections, refusals: readonly AuditRefusal[]) => Promise<void>;

  /** Appends a seal; false when its number is taken, or an entry is sealed, with nothing written. */
  readonly sealAudit: (connections: Connections, seal: AuditSeal) => Promise<boolean>;

  /** Deletes rows of a table whose instant lies before a time, at most so many; answers how many went. */
  readonly purge: (purge: Purge) => Steps<number>;
}

/** What a claim on notifications gave. */
export interface ClaimedRows {
  readonly now: Instant;
  /**
   * Earliest first, as `selectClaimed` has them, with `found`, `due_at` and `updated_before`: phase, `wake_at` and
   * `updated_at` before the claim.
   */
  readonly rows: readonly Row[];
}

/** Which appointment is asked for. */
export interface AppointmentKey {
  readonly organizationId: string;
  readonly appointmentId: string;
}

/** What is to be deleted; names are of this package. */
export interface Purge {
  readonly table: 'calends_requests' | 'calends_events' | 'calends_otp_challenges';
  readonly key: readonly string[];
  readonly instant: 'expires_at' | 'delivered_at' | 'issued_at';
  readonly before: number;
  readonly limit: number;
}
