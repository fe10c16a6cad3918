import type { Instant, NotificationChannel } from '@calends/model';
import type { AppointmentStore } from './appointments.js';
import type { AvailabilityStore } from './availability.js';
import type { AuditStore } from './audit.js';
import type { Change, CommitOptions, CommitResult } from './commit.js';
import type { CustomerStore } from './customers.js';
import type { EventStore } from './events.js';
import type { KeyStore } from './keys.js';
import type { NotificationStore } from './notifications.js';
import type { RequestStore } from './requests.js';
import type { RetentionStore } from './retention.js';

/** Which kinds of work a wake-up is asked for. */
export interface WakeInterests {
  readonly appointments: boolean;
  readonly events: boolean;
  readonly channels: readonly NotificationChannel[];
}

/** Differences between stores that callers may have to know, as named facts. */
export interface StoreCapabilities {
  /** True when several processes may use the same data at once. */
  readonly sharedBetweenProcesses: boolean;
  /** True when what was committed survives the end of the process. */
  readonly durable: boolean;
  /**
   * True when copies of the data may answer reads that only show ({@link ShownRead}); then a commit tells its `mark`.
   * Absent = every read sees every commit that has ended before it.
   */
  readonly marksCommits?: boolean;
}

/** What a store has found out about itself; it may know nothing. */
export interface StoreReport {
  /** The engine of its database; `unproven` is let in, and better not relied on. `topology`: the servers that it is made of, in words. */
  readonly engine?:
    | { readonly name: string; readonly version: string; readonly standing: string; readonly topology?: string }
    | undefined;
  /** What better were set up otherwise, in sentences; absent = nothing. */
  readonly warnings?: readonly string[] | undefined;
  /** How each reader stood when it was last asked, in the order in which they were given. */
  readonly readers?: readonly string[] | undefined;
  /** The time by its clock, where all processes share that. */
  readonly now?: Instant | undefined;
  /** Contracting steps of its schema that wait for older programs to end. */
  readonly waiting?: readonly string[] | undefined;
  /** Steps of its schema that a newer program has taken. */
  readonly unknown?: readonly string[] | undefined;
}

/**
 * Keeps appointments, customer profiles, events, notifications and request answers.
 *
 * Every method is scoped to an organization (except the claims, which serve the worker of all of them).
 * Ids, organizations and other strings compare by code point: letter case, accents and trailing blanks make a
 * difference. Instants are whole milliseconds, and compare exactly. Methods answer copies: what a caller does to them
 * changes nothing stored. Faults are thrown as {@link StoreError}, expected outcomes are results. The package
 * `@calends/store-conformance` holds the cases that every implementation must pass.
 */
export interface SchedulingStore {
  /** What callers may rely on: `durable`, `sharedBetweenProcesses`; and `marksCommits`, where copies answer what is only shown. */
  readonly capabilities: StoreCapabilities;

  /** Appointments, and which of them need attention. */
  readonly appointments: AppointmentStore;

  /** Profiles of customers, and what they prove. */
  readonly customers: CustomerStore;

  /** Notifications, their delivery, and how endpoints fare. */
  readonly notifications: NotificationStore;

  /** Events, and which of them are delivered. */
  readonly events: EventStore;

  /** Answers of requests that take effect once. */
  readonly requests: RequestStore;

  /** The audit record. */
  readonly audit: AuditStore;

  /** Services, hours, holds and busy times; a store without it serves everything but availability. */
  readonly availability?: AvailabilityStore | undefined;

  /** Names of the keys in use. */
  readonly keys: KeyStore;

  /** What removes by the policy of the host; a store without it keeps notifications and the audit record for ever. */
  readonly retention?: RetentionStore | undefined;

  /**
   * Writes a change whole or not at all.
   *
   * Everything that can refuse it (`commitRefusals`) is looked at in the same atomic step as the writing. Concurrent
   * commits may be joined into one database transaction; each still stands or falls by itself. A resolved
   * `committed` is durable as far as `capabilities.durable` says.
   */
  commit(change: Change, options?: CommitOptions): Promise<CommitResult>;

  /**
   * When something of these kinds can be claimed next, for idle waiting: the earliest `wakeAt` of an appointment or
   * of a channel's notifications, or the instant from which on an undelivered event may be claimed; null = none.
   * Parked events and those held back by an earlier one of their appointment do not count.
   */
  nextWakeAt(interests: WakeInterests): Promise<Instant | null>;

  /** Rejects with a {@link StoreError} when the store is out of reach, its schema is not current, or its engine is refused. */
  check(): Promise<StoreReport>;
}

/** A store inside a transaction of the host: what it writes is committed or rolled back with the host's own rows. */
export interface JoinedStore extends SchedulingStore {
  /**
   * Resolves once the outermost transaction was committed, rejects once it was rolled back; absent where only the host
   * knows. A database may answer a commit well that was none: it is looked at again.
   */
  readonly ended?: Promise<unknown> | undefined;
}

/** A store that can work inside transactions of the host (`scheduling.within`). */
export interface JoinableStore extends SchedulingStore {
  /**
   * The same store inside a transaction that the host has opened and will end.
   *
   * @throws TypeError for what is no transaction that the store knows
   */
  joining(transaction: object): JoinedStore;
}
