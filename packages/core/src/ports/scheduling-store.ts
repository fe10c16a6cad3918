import type { Appointment, AppointmentState } from '../appointments/appointment.js';
import type { DomainEvent } from '../appointments/events.js';
import type { Instant } from '../appointments/instant.js';
import type { CustomerProfile } from '../customers/profile.js';
import type { SortOrder } from '../page.js';
import type { AuditStore } from './audit-store.js';
import type { Change, CommitOptions, CommitResult, RequestKey } from './commit.js';
import type { KeyStore } from './key-store.js';
import type { CustomerStore } from './customer-store.js';
import type { NotificationStore, WakeInterests } from './notification-store.js';
import type { TimeRange, TimeWindow } from './time-range.js';

/** Fields that appointments can be sorted by (D31). */
export const appointmentSortFields = ['start', 'end', 'duration', 'title', 'timezone', 'applicationId', 'id'] as const;

/** One of {@link appointmentSortFields}. */
export type AppointmentSortField = (typeof appointmentSortFields)[number];

/**
 * What to list; every filter narrows, the values inside one filter are alternatives.
 *
 * An absent filter lets everything through, one without alternatives (`[]`) nothing.
 */
export interface AppointmentListQuery {
  readonly organizationId: string;
  /** Absent = every application of the organization. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Organizer or AGENT participant, not customers; answered through the actor index (`actorsOf`). */
  readonly agentIds?: readonly string[] | undefined;
  readonly organizerIds?: readonly string[] | undefined;
  /** Durations in milliseconds. */
  readonly durations?: readonly number[] | undefined;
  /** Ranges that the start must lie in (D32). */
  readonly ranges?: readonly TimeRange[] | undefined;
  /** Absent = every state. */
  readonly states?: readonly AppointmentState[] | undefined;
  readonly sortField: AppointmentSortField;
  readonly sortOrder: SortOrder;
  /** 1-based. */
  readonly pageNumber: number;
  readonly pageSize: number;
}

/** A page of appointments and how many there are in all. */
export interface AppointmentList {
  readonly items: readonly Appointment[];
  readonly total: number;
}

/** Which part of the appointments that can be activated; ids compare by code point. */
export interface EligiblePage {
  /** Absent = all applications, `[]` = none. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Only ids greater than this one; absent = from the first on. */
  readonly after?: string | undefined;
  /** 1 or more. */
  readonly limit: number;
}

/** Windows to count in, of one application. */
export interface WindowCountQuery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly windows: readonly TimeWindow[];
}

/** What a store has under the key of a request. */
export interface StoredRequest {
  readonly fingerprint: string;
  /** JSON text; absent while a program of before version 0.2 carries the request out, which reserved its key. */
  readonly answer?: string | undefined;
}

/** A claim on due work: the rows are this worker's until the lease ends. */
export interface Claim {
  readonly now: Instant;
  /** At most so many. */
  readonly limit: number;
  readonly leaseUntil: Instant;
}

/** An appointment whose `wakeAt` has come. */
export interface DueAppointment {
  readonly appointment: Appointment;
  /** The instant that has come, not the end of the lease. */
  readonly wakeAt: Instant;
}

/** Puts the next look at an appointment off, without changing it. */
export interface Postponement {
  readonly organizationId: string;
  readonly appointmentId: string;
  /** Nothing happens when the appointment has another version by now. */
  readonly expectedVersion: number;
  readonly wakeAt: Instant | null;
}

/** An event handed to the relay. */
export interface ClaimedEvent {
  readonly event: DomainEvent;
  /** Fencing token of this claim. */
  readonly token: string;
  /** Deliveries begun, this one included. */
  readonly attempts: number;
}

/** How the delivery of a claimed event ended. */
export interface EventOutcome {
  readonly eventId: string;
  readonly token: string;
  readonly status: 'delivered' | 'retry' | 'parked';
  readonly at: Instant;
}

/** Which events to read back. */
export interface EventQuery {
  readonly organizationId: string;
  readonly appointmentId: string;
}

/** Differences between stores that callers may have to know, as named facts. */
export interface StoreCapabilities {
  /** True when several processes may use the same data at once. */
  readonly sharedBetweenProcesses: boolean;
  /** True when what was committed survives the end of the process. */
  readonly durable: boolean;
}

/** What a store has found out about itself; it may know nothing. */
export interface StoreReport {
  /** The engine of its database; `unproven` is let in, and better not relied on. */
  readonly engine?: { readonly name: string; readonly version: string; readonly standing: string } | undefined;
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
 * Ids, organizations and texts compare by code point: letter case, accents and trailing blanks make a
 * difference. Methods answer copies: what a caller does to them changes nothing stored. Faults are thrown as
 * {@link StoreError}, expected outcomes are results. The package `@calends/store-conformance` holds the cases
 * that every implementation must pass.
 */
export interface SchedulingStore extends NotificationStore, CustomerStore, AuditStore, KeyStore {
  /** What callers may rely on: `durable`, `sharedBetweenProcesses`. */
  readonly capabilities: StoreCapabilities;

  /** The appointment of that organization, or `undefined`; foreign and unknown are the same. */
  findAppointment(organizationId: string, appointmentId: string): Promise<Appointment | undefined>;

  /** The customer's profile, or `undefined`. */
  findCustomer(
    organizationId: string,
    appointmentId: string,
    participantId: string,
  ): Promise<CustomerProfile | undefined>;

  /** A page and the total, from one consistent state. Ties by id in the same direction (D31). */
  listAppointments(query: AppointmentListQuery): Promise<AppointmentList>;

  /**
   * The next SCHEDULED appointments by id, which never changes: whoever walks through all of them meets none twice,
   * whatever changes meanwhile (D69). Fewer than `limit` = there are no more at this moment. Leaves nothing open behind.
   */
  listEligible(organizationId: string, page: EligiblePage): Promise<readonly Appointment[]>;

  /** For each window, how many live appointments (`isLive`) start in it (D27). */
  countStarting(query: WindowCountQuery): Promise<readonly number[]>;

  /** For each window, how many live appointments (`isLive`) intersect it (D29). */
  countOverlapping(query: WindowCountQuery): Promise<readonly number[]>;

  /**
   * Writes a change whole or not at all.
   *
   * Version, overlap guard, proof and request key are checked in the same atomic step as the writing. Concurrent
   * commits may be joined into one database transaction; each still stands or falls by itself. A resolved
   * `committed` is durable as far as `capabilities.durable` says.
   */
  commit(change: Change, options?: CommitOptions): Promise<CommitResult>;

  /** What stands under the key; an answer that has expired by `now` counts as absent. */
  findRequest(key: RequestKey, now: Instant): Promise<StoredRequest | undefined>;

  /** Deletes answers that expired before `now`, at most `limit`; answers how many went. */
  purgeRequests(now: Instant, limit: number): Promise<number>;

  /**
   * Claims appointments whose `wakeAt ≤ now`, earliest first, and moves their `wakeAt` to `leaseUntil`.
   *
   * No row goes to two claimers. The version stays: the lease only spares double work, what decides is the
   * version check of the commit that follows.
   */
  claimDueAppointments(claim: Claim): Promise<readonly DueAppointment[]>;

  /** Sets `wakeAt` without a new version. */
  postpone(postponement: Postponement): Promise<void>;

  /**
   * When something of these kinds can be claimed next, for idle waiting: the earliest `wakeAt` of an appointment or
   * of a channel's notifications, or the instant from which on an undelivered event may be claimed; null = none.
   * Parked events and those held back by an earlier one of their appointment do not count.
   */
  nextWakeAt(interests: WakeInterests): Promise<Instant | null>;

  /**
   * Claims undelivered events: per appointment only the one of the lowest version, and only when it is not
   * claimed, waiting for a retry, or preceded by such a one.
   */
  claimEvents(claim: Claim): Promise<readonly ClaimedEvent[]>;

  /**
   * Records outcomes. A retry waits until `at`.
   *
   * Ignored are outcomes whose token no longer holds the claim: somebody claimed the event since, or an outcome was
   * recorded already. The mere end of the lease does not matter.
   */
  settleEvents(outcomes: readonly EventOutcome[]): Promise<void>;

  /** Events of an appointment in version order, delivered ones included; also after its removal. */
  listEvents(query: EventQuery): Promise<readonly DomainEvent[]>;

  /** Deletes events delivered before `before`, at most `limit`; answers how many went. */
  purgeEvents(before: Instant, limit: number): Promise<number>;

  /** Rejects with a {@link StoreError} when the store is out of reach, its schema is not current, or its engine is refused. */
  check(): Promise<StoreReport>;
}
