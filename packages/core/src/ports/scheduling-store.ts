import type { Appointment, AppointmentState } from '../appointments/appointment.js';
import type { DomainEvent } from '../appointments/events.js';
import type { Instant } from '../appointments/instant.js';
import type { AuditEntry } from '../audit/audit-entry.js';
import type { OtpConsumption } from '../customers/one-time-password.js';
import type { CustomerProfile } from '../customers/profile.js';
import type { TicketIssue, TicketRevocation } from '../customers/ticket.js';
import type { SortOrder } from '../page.js';
import type { AuditStore } from './audit-store.js';
import type { CustomerStore } from './customer-store.js';
import type { NotificationChanges, NotificationStore, WakeInterests } from './notification-store.js';

/** Fields that appointments can be sorted by (D31). */
export const appointmentSortFields = ['start', 'end', 'duration', 'title', 'timezone', 'applicationId', 'id'] as const;

/** One of {@link appointmentSortFields}. */
export type AppointmentSortField = (typeof appointmentSortFields)[number];

/** A half-open span of time, `from ≤ t < to`; an absent side is open. */
export interface TimeRange {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
}

/** A half-open span of time with both ends. */
export interface TimeWindow {
  readonly from: Instant;
  readonly to: Instant;
}

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

/** Windows to count in, of one application. */
export interface WindowCountQuery {
  readonly organizationId: string;
  readonly applicationId: string;
  readonly windows: readonly TimeWindow[];
}

/** Identifies a request that must take effect once (decisions, section 9). */
export interface RequestKey {
  readonly organizationId: string;
  readonly callerId: string;
  readonly operation: string;
  readonly key: string;
}

/** Asks for the right to carry out a request. */
export interface RequestReservation extends RequestKey {
  /** Hash of the body; the same key with another one is a mistake of the client. */
  readonly fingerprint: string;
  /** Made by the caller; whoever holds it may complete or release the reservation. */
  readonly token: string;
  readonly now: Instant;
  /** Until when a reservation without an answer keeps others out. */
  readonly leaseUntil: Instant;
  /** Until when the answer is kept. */
  readonly expiresAt: Instant;
}

/** What became of a reservation. */
export type ReservationResult =
  | { readonly status: 'reserved' }
  | { readonly status: 'inProgress' }
  | { readonly status: 'mismatch' }
  | { readonly status: 'completed'; readonly answer: string };

/** The answer of a reserved request, written in the same commit as its effect. */
export interface RequestCompletion extends RequestKey {
  readonly token: string;
  /** JSON text. */
  readonly answer: string;
}

/** What happens to the appointment row in a commit. */
export type AppointmentChange =
  | { readonly kind: 'insert'; readonly next: Appointment; readonly wakeAt: Instant | null }
  | {
      readonly kind: 'update';
      readonly next: Appointment;
      readonly expectedVersion: number;
      /** When the worker must look at it next; null = never. */
      readonly wakeAt: Instant | null;
    }
  | {
      /** Removes the appointment with its actors, customer profiles and manage tickets; its events and audit record stay. */
      readonly kind: 'remove';
      readonly appointmentId: string;
      readonly expectedVersion: number;
    };

/**
 * Refuses the commit when another appointment of one of the actors stands in the window (D26).
 *
 * In the way is every other appointment of the organization that blocks ({@link blocksTime}), has one of
 * `actorIds` in the actor index, and for which `start < window.to` and `end > window.from`.
 */
export interface OverlapGuard {
  /** Ids as the actor index has them: agent ids, and customers' `identity`. */
  readonly actorIds: readonly string[];
  readonly window: TimeWindow;
}

/** Everything that one operation writes: all of it or nothing. */
export interface Change {
  readonly organizationId: string;
  readonly appointment?: AppointmentChange | undefined;
  /** Profiles to insert or replace, by appointment and participant. */
  readonly customers?: readonly CustomerProfile[] | undefined;
  /** Participants of the changed appointment whose profiles and manage tickets go. */
  readonly removedCustomers?: readonly string[] | undefined;
  readonly events: readonly DomainEvent[];
  readonly notifications?: NotificationChanges | undefined;
  readonly request?: RequestCompletion | undefined;
  /** Lines of the audit record that tell of this change. */
  readonly audit?: readonly AuditEntry[] | undefined;
  readonly otp?: OtpConsumption | undefined;
  /** The whole commit is `stale` when the key has another ticket by now. */
  readonly ticket?: TicketIssue | undefined;
  readonly revokedTickets?: readonly TicketRevocation[] | undefined;
  readonly guard?: OverlapGuard | undefined;
}

/** The expected outcomes of a commit, of several refusals the first of these; faults are thrown as {@link StoreError}. */
export type CommitResult =
  | {
      readonly status: 'committed';
      /** Ids of notifications that were being sent when this commit took them back; absent = none. */
      readonly sending?: readonly string[];
    }
  /** The reservation is not held any more by this token: released, taken over, or completed already. */
  | { readonly status: 'requestLost' }
  /** The one-time password was used up meanwhile, or replaced by another. */
  | { readonly status: 'otpUsed' }
  /** The appointment, the notification or the ticket has another version, or is gone; on insert: its id is taken. */
  | { readonly status: 'stale' }
  /** All that stand in the way, by start, then id. */
  | { readonly status: 'slotConflict'; readonly appointmentIds: readonly string[] };

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

/** Why a store could not do what it was asked to. */
export type StoreErrorCode =
  /** The database does not answer, its disk is full, or the pool is exhausted; the same call may succeed later. */
  | 'unavailable'
  /** Contention did not end after the bounded retries; the same call may succeed later. */
  | 'contention'
  /** Tables are missing or of another version: run the migrations. */
  | 'schema'
  /** Anything else: a defect. */
  | 'unexpected';

/** A fault of a store; its message holds neither SQL nor values. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
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
export interface SchedulingStore extends NotificationStore, CustomerStore, AuditStore {
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
   * SCHEDULED appointments by start, then id (D24), at most `limit` of them; `applicationIds` narrow, absent = all,
   * `[]` = none.
   */
  listEligible(
    organizationId: string,
    applicationIds?: readonly string[],
    limit?: number,
  ): Promise<readonly Appointment[]>;

  /** For each window, how many live appointments start in it (D27). */
  countStarting(query: WindowCountQuery): Promise<readonly number[]>;

  /** For each window, how many live appointments intersect it (D29). */
  countOverlapping(query: WindowCountQuery): Promise<readonly number[]>;

  /**
   * Writes a change whole or not at all.
   *
   * Version, overlap guard and reservation are checked in the same atomic step as the writing. Concurrent
   * commits may be joined into one database transaction; each still stands or falls by itself. A resolved
   * `committed` is durable as far as `capabilities.durable` says.
   */
  commit(change: Change): Promise<CommitResult>;

  /**
   * Reserves a request, or tells what stands in the way; one atomic step.
   *
   * An expired answer and a lapsed lease without an answer count as absent. A lapsed lease that nobody took over
   * may still be completed.
   */
  reserveRequest(reservation: RequestReservation): Promise<ReservationResult>;

  /** Gives a reservation without an answer back; does nothing when the token does not hold it. */
  releaseRequest(key: RequestKey, token: string): Promise<void>;

  /** Deletes answers and abandoned reservations that expired before `now`, at most `limit`; answers how many went. */
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

  /** Rejects with a {@link StoreError} when the store is out of reach or its schema is not current. */
  check(): Promise<void>;
}
