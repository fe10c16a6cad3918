import type { Instant } from '@calends/model';
import type { JoinClaims } from './access/signed-access.js';
import type { AppointmentOperations } from './operations/appointments/appointments.js';
import type { Appointment } from './domain/appointments/appointment.js';
import type { DomainEvent } from './domain/appointments/events.js';
import type { AvailabilityOperations } from './operations/availability/operations.js';
import type { SealingOperations } from './keys/sealing.js';
import type { AuditOperations } from './operations/audit/audit.js';
import type { CalendarFeedOperations } from './operations/calendar/calendar-feeds.js';
import type { ConsistentCalls } from './operations/consistency.js';
import type { CustomerOperations } from './operations/customers/customers.js';
import type { NotificationOperations } from './operations/notifications/notifications.js';
import type { AccessDetails } from './ports/access-provider.js';
import type { Workers } from './background/workers.js';
import type { StoreReport } from './ports/store/store.js';

/** Access details for answers. */
export interface AccessOperations {
  /**
   * Details of an activated appointment, `undefined` in every other state (D41), and where they cannot be made: the observer
   * is told of that (`accessDetailsFailed`).
   */
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
  /** True when a wrong join claim can be told from the appointment's id only, without a look-up (D43). */
  readonly conferenceIsAppointment: boolean;
}

/** Following domain events (D46 to D48), and what becomes of those that nobody could take. */
export interface EventOperations {
  /**
   * Calls `handler` for every event of every organization, at least once, in version order for one
   * appointment, after the commit; needs running workers. A rejection means "again later".
   *
   * @returns a function that ends the subscription
   * @throws TypeError for a handler that is no function
   */
  subscribe(handler: (event: DomainEvent) => Promise<void> | void): () => void;
  /**
   * Has parked events tried again, as if for the first time: that of one appointment, or without `appointmentId` all of
   * the organization. What waits behind them follows.
   *
   * @returns how many were parked
   * @throws CalendsError `validation_failed` for ids that are none, and for fields that are misspelt
   */
  retryParked(parked: {
    readonly organizationId: string;
    readonly appointmentId?: string | undefined;
  }): Promise<number>;
  /**
   * Leaves out the parked event of an appointment: it counts as delivered, and what waits behind it follows.
   *
   * @returns false where none was parked
   * @throws CalendsError `validation_failed` without the id of an appointment, and for fields that are misspelt
   */
  skipParked(parked: { readonly organizationId: string; readonly appointmentId: string }): Promise<boolean>;
}

/** What a check found that does not stop anything. */
export interface CheckReport {
  /**
   * What is to be done next, a sentence each: which step of a rotation of `secret` is due (D67), that messages to
   * customers have nowhere to lead (D61), and that an application with services lets others book over them.
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
 * transaction again. What follows a change waits for the commit: signals to the observer, the wake of the workers, and
 * the wait for messages that are being sent while a change takes them back.
 */
export interface SchedulingWithin {
  /** Without `scheduleAsCustomer`: a rollback would take back the count of wrong tries at a one-time password (D66). */
  readonly appointments: Omit<AppointmentOperations, 'scheduleAsCustomer'>;
  readonly availability: AvailabilityOperations;
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
  /** Schedules, lists, activates, moves and cancels appointments. */
  readonly appointments: AppointmentOperations;
  /** How messages were delivered; retries, receipts of providers, and web hook endpoints. */
  readonly notifications: NotificationOperations;
  /** Who may join an activated appointment, and when. */
  readonly access: AccessOperations;
  /** Subscribers of events in this process, and events that nobody could take. */
  readonly events: EventOperations;
  /** One-time passwords, manage links, and erasing and export of customers' data. */
  readonly customers: CustomerOperations;
  /** Secret addresses under which calendar programs read the appointments of an agent. */
  readonly calendarFeeds: CalendarFeedOperations;
  /** The record of who did what, and whether its chain of seals holds. */
  readonly audit: AuditOperations;
  /** When can I come? Every operation rejects with `not_found` until the option `availability` turns it on. */
  readonly availability: AvailabilityOperations;
  /** For what a page leaves with a browser between one request and the next; no state is kept. */
  readonly sealing: SealingOperations;
  /** The background work: activation, delivery, events to subscribers, removal of what is over. Nothing of it runs before `start()`. */
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
   * Calls that follow others of the same caller: they see what the token stands for, though copies of the data may answer what
   * is only shown. Within one process calls of one caller see each other's writes without it. Anything may be given as a token:
   * what is none has the store itself answer. There only where the store has copies to ask (`knexStore({ readers })`).
   */
  consistent?(token?: string): ConsistentCalls;
  /**
   * Rejects with a `StoreError` when the store is out of reach or not migrated, and with the code `unavailable` and a
   * `MissingKeyError` as its cause when this process lacks a secret that is in use (D67).
   */
  check(): Promise<CheckReport>;
  /**
   * Stops the workers and waits for what they do, and for what calls have begun; leaves the store, which the host opened,
   * open. Calls that come later work, too: a second `close()` waits for what they begin.
   *
   * It waits for subscribers too. One that does not answer holds it up until its 30 s are over. A subscriber that awaits `close()`
   * waits for itself, as long: let it begin the end, and await it elsewhere.
   */
  close(): Promise<void>;
}
