import type { Appointment } from './appointments/appointment.js';
import type {
  AbortCommand,
  AddParticipantCommand,
  CallOptions,
  CancelCommand,
  ConfirmParticipantCommand,
  CountQuery,
  ListAppointmentsQuery,
  MoveInteractionCommand,
  ReassignCommand,
  RemoveParticipantCommand,
  RescheduleCommand,
  ScheduleCommand,
  ScheduleOptions,
  UpdateCommand,
  UpdateParticipantCommand,
  WindowCount,
} from './appointments/commands.js';
import type { Instant } from './appointments/instant.js';
import type { DomainEvent } from './appointments/events.js';
import type { AuditOperations } from './audit/audit-operations.js';
import type { CalendarFeedOperations } from './calendar/calendar-feeds.js';
import type { Caller } from './caller.js';
import type { CustomerOperations } from './customers/customer-operations.js';
import type { NotificationOperations } from './notifications/notification-operations.js';
import type { Page } from './page.js';
import type { AccessDetails } from './ports/access-provider.js';
import type { AppointmentSortField } from './ports/scheduling-store.js';
import type { Workers } from './workers/workers.js';
import type { StoreReport } from './ports/scheduling-store.js';

/** Basic credentials of a customer who books with a one-time password (D44). */
export interface CustomerCredentials {
  readonly username: string;
  readonly code: string;
}

/**
 * Every operation on appointments.
 *
 * All reject with a `CalendsError`: `validation_failed` and its kin for bad input, `not_found` for what is
 * unknown or of another organization, `forbidden` or `not_assigned` where the access policy says no; faults
 * of the store are `StoreError`. Concurrent calls on one appointment are decided one after the other; an
 * operation that changes nothing answers the appointment as it is and emits no event.
 */
export interface AppointmentOperations {
  /** Schedules an appointment (spec: Endpoints, rule 2). */
  schedule(caller: Caller, command: ScheduleCommand, options?: ScheduleOptions): Promise<Appointment>;
  /**
   * Schedules an appointment for a customer who proves to be one of its customers (spec: Endpoints, rule 5).
   *
   * Rejects with `forbidden` when the user name is not that of the first customer, `unauthenticated` when the
   * code is wrong, expired or used (D44).
   */
  scheduleAsCustomer(
    credentials: CustomerCredentials,
    command: ScheduleCommand,
    options?: ScheduleOptions,
  ): Promise<Appointment>;
  /** The appointment; a customer with manage claims sees only their own participant (D42, D43). */
  get(caller: Caller, id: string, options?: CallOptions): Promise<Appointment>;
  /** A page of appointments; total 0 is an empty page here, the HTTP adapter makes it 404 (D30). */
  list(caller: Caller, query: ListAppointmentsQuery): Promise<Page<Appointment, AppointmentSortField>>;
  /**
   * All scheduled appointments that are not activated, by id, as they are read; `timeFrame` does not narrow (D24).
   *
   * Reads a page when it is asked for more, and holds no connection between two pages. What changes meanwhile may be
   * there or not, never twice (D69). Faults, `validation_failed` too, come when the first or the next one is asked for.
   *
   * @example
   * ```ts
   * import { createScheduling } from '@calends/core';
   * import { memoryStore } from '@calends/store-memory';
   *
   * const scheduling = createScheduling({
   *   store: memoryStore(),
   *   secret: 'at least thirty-two bytes, the same everywhere',
   * });
   * const caller = { id: 'service-1', organizationId: 'org-1', roles: ['ROLE_CLIENT_SERVICE'] } as const;
   * for await (const { id } of scheduling.appointments.listEligible(caller)) console.log(id);
   * ```
   */
  listEligible(caller: Caller, query?: { readonly timeFrame?: string | undefined }): AsyncIterable<Appointment>;
  /** Live appointments that start in each window (D27). */
  count(caller: Caller, query: CountQuery): Promise<readonly WindowCount[]>;
  /** Live appointments that intersect each window (D29). */
  countOverlapping(caller: Caller, query: CountQuery): Promise<readonly WindowCount[]>;
  /** Changes title, notes, metadata, headers, or a customer's profile (spec: Endpoints, rule 3). */
  update(caller: Caller, command: UpdateCommand, options?: CallOptions): Promise<Appointment>;
  /** Opens the appointment for joining (spec: States; D18). */
  activate(caller: Caller, id: string, options?: CallOptions): Promise<Appointment>;
  /** Moves the appointment (spec: Endpoints, rule 7; D20). */
  reschedule(caller: Caller, command: RescheduleCommand, options?: CallOptions): Promise<Appointment>;
  /** Gives the appointment to another agent (spec: Endpoints, rule 6; D22). */
  reassign(caller: Caller, command: ReassignCommand, options?: CallOptions): Promise<Appointment>;
  /** Cancels and emits APCancelledEvent (spec: Endpoints, rule 10; D16). */
  cancel(caller: Caller, command: CancelCommand, options?: CallOptions): Promise<Appointment>;
  /** Cancels and emits APDeletedEvent: the deprecated v2 DELETE (spec: Endpoints, rule 8). */
  softDelete(caller: Caller, id: string, options?: CallOptions): Promise<Appointment>;
  /** Removes the record for good, from any state: v1 DELETE (spec: States; D25). */
  remove(caller: Caller, id: string, options?: CallOptions): Promise<void>;
  /** Moves the interaction (D14). No HTTP route. */
  moveInteraction(caller: Caller, command: MoveInteractionCommand, options?: CallOptions): Promise<Appointment>;
  /** Ends the appointment as failed (D15). No HTTP route. */
  abort(caller: Caller, command: AbortCommand, options?: CallOptions): Promise<Appointment>;
  /** Adds an agent or a customer. No HTTP route. */
  addParticipant(caller: Caller, command: AddParticipantCommand, options?: CallOptions): Promise<Appointment>;
  /** Removes an agent or a customer; the last customer stays. No HTTP route. */
  removeParticipant(caller: Caller, command: RemoveParticipantCommand, options?: CallOptions): Promise<Appointment>;
  /** Changes a customer's profile. No HTTP route. */
  updateParticipant(caller: Caller, command: UpdateParticipantCommand, options?: CallOptions): Promise<Appointment>;
  /**
   * Confirms a customer of a customer-create: from then on messages go over every address of theirs, and the address
   * recognises them in the overlap guard (D62, D64). One APParticipantUpdatedEvent, none for who is confirmed.
   *
   * Rejects with `not_found` for whoever is no customer of the appointment, `invalid_state` when it was cancelled or
   * aborted. No HTTP route of its own: an update with that `customer.id` does the same.
   */
  confirmParticipant(caller: Caller, command: ConfirmParticipantCommand, options?: CallOptions): Promise<Appointment>;
}

/** What a join token says (D41). */
export interface JoinClaims {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly conferenceId: string;
  readonly notBefore: Instant;
  readonly expiresAt: Instant;
}

/** Access details for answers. */
export interface AccessOperations {
  /** Details of an activated appointment, `undefined` in every other state (D41). */
  detailsOf(appointment: Appointment): Promise<AccessDetails | undefined>;
  /**
   * When a scheduled appointment opens by itself (D18), epoch milliseconds; `undefined` in every other state, and where only
   * a call opens it.
   */
  opensAt(appointment: Appointment): Promise<Instant | undefined>;
  /**
   * What a v2 `secureToken` of the built-in access provider stands for, or `undefined` for whatever is not valid now
   * (D41). For the host's room; whether the appointment still stands is told by `appointments.get`.
   */
  verifyJoinToken(token: string): JoinClaims | undefined;
  /** True when a wrong join claim can be told from the appointment's id alone, without a look-up (D43). */
  readonly conferenceIsAppointment: boolean;
}

/** Reading and following domain events (D46 to D48). */
export interface EventOperations {
  /**
   * Calls `handler` for every event of every organization, at least once, in version order for one
   * appointment, after the commit; needs running workers. A rejection means "again later".
   *
   * @returns a function that ends the subscription
   */
  subscribe(handler: (event: DomainEvent) => Promise<void> | void): () => void;
}

/** What a check found that does not stop anything. */
export interface CheckReport {
  /**
   * What is to be done next, a sentence each: which step of a rotation of `secret` is due (D67), and that messages to
   * customers have nowhere to lead (D61).
   */
  readonly advice: readonly string[];
  /** What the store has found out about itself. */
  readonly store: StoreReport;
  /** Milliseconds by which the clock of this process is ahead of the store's; absent where there is but one (D80). */
  readonly clockAheadBy?: number | undefined;
}

/**
 * The library inside a transaction of the host: what it writes is committed or rolled back with the host's own rows.
 *
 * Inside the transaction nothing is tried again: a `StoreError` `contention` means that the host should run its
 * transaction anew. What follows a change waits for the commit: signals to the observer, the wake of the workers, and
 * the wait for messages that are being sent while a change takes them back.
 */
export interface SchedulingWithin {
  /** Without `scheduleAsCustomer`: a rollback would take back the count of wrong tries at a one-time password (D66). */
  readonly appointments: Omit<AppointmentOperations, 'scheduleAsCustomer'>;
  readonly customers: Pick<CustomerOperations, 'issueManageLink' | 'revokeManageLink' | 'erase' | 'export'>;
  /**
   * To be called after the commit. Tells the observer of what stands, wakes the workers, and resolves once messages have
   * ended that a change took back while they were being sent, at most `worker.settleWait` later; never rejects.
   *
   * Where the library sees the end of the transaction by itself (Knex) it does so anyway, and this only waits: not to be
   * awaited before the commit then. Elsewhere, without this call, events and messages go out with the next look of the
   * workers (`worker.interval`, 1 s), and the observer is told nothing.
   */
  committed(): Promise<void>;
  /** To be called after a rollback: forgets what waits for the commit. Where the library sees it by itself, does nothing. */
  rolledBack(): void;
}

/** The library as a host holds it. */
export interface Scheduling {
  readonly appointments: AppointmentOperations;
  readonly notifications: NotificationOperations;
  readonly access: AccessOperations;
  readonly events: EventOperations;
  readonly customers: CustomerOperations;
  readonly calendarFeeds: CalendarFeedOperations;
  readonly audit: AuditOperations;
  readonly workers: Workers;
  /**
   * The library inside a transaction that the host has opened and will end; costs next to nothing.
   *
   * What a transaction is, the store says: with `@calends/store-knex` a transaction of Knex, the driver's own connection with
   * one open, or on PostgreSQL whatever runs `query(text, values)` in one.
   *
   * @throws TypeError where the store knows no such transactions
   */
  within(transaction: object): SchedulingWithin;
  /**
   * Rejects with a `StoreError` when the store is out of reach or not migrated, and with the code `unavailable` and a
   * `MissingKeyError` as its cause when this process lacks a secret that is in use (D67).
   */
  check(): Promise<CheckReport>;
  /** Stops the workers and waits for what they do; leaves the store, which the host opened, open. */
  close(): Promise<void>;
}
