import type { Instant, TimeWindow } from '@calends/model';
import type { Appointment } from '../../domain/appointments/appointment.js';
import type { DomainEvent } from '../../domain/appointments/events.js';
import type { AuditEntry } from '../../domain/audit/audit-entry.js';
import type { OtpConsumption, TicketIssue, TicketKey, TicketRevocation } from '../../domain/customers/proofs.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { NotificationChanges } from './notifications.js';
import type { RequestCompletion } from './requests.js';

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
      /** Writes nothing to it: the change is `stale` when it is gone or over, and it stays as it is until it is written. */
      readonly kind: 'keep';
      readonly appointmentId: string;
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

/**
 * Refuses the commit when the ticket that the caller proved to have does not hold any more (D65).
 *
 * It holds while its key, in the organization of the change, has this nonce and is not revoked. That is read under a lock that ends with the commit, after the
 * appointment of the change is locked, and before the change revokes or issues tickets itself.
 */
export interface ProofGuard extends Pick<TicketKey, 'kind' | 'subjectId' | 'holderId'> {
  readonly nonce: string;
}

/** Everything that one operation writes: all of it or nothing. */
export interface Change {
  /** Every part of the change is of this organization. */
  readonly organizationId: string;
  /**
   * What the caller holds for now (D80): notifications and events that are due by then are due at once, by the clock of
   * the store. Absent = all times stand as they are.
   */
  readonly now?: Instant | undefined;
  /**
   * True = nobody in this process takes events (D79). Where nobody else has claimed any in the last 30 days either, they
   * are born delivered, at their `occurredAt`; else they wait as ever.
   */
  readonly eventsUnread?: boolean | undefined;
  /** The row of the appointment, over the version that was looked at. */
  readonly appointment?: AppointmentChange | undefined;
  /** Profiles to insert or replace, by appointment and participant. */
  readonly customers?: readonly CustomerProfile[] | undefined;
  /** Participants of the changed appointment whose profiles and manage tickets go. */
  readonly removedCustomers?: readonly string[] | undefined;
  /**
   * Events to append. Ids of events are unique in the whole store: one that is taken is no expected outcome, so the commit
   * rejects with a `StoreError`, writes nothing, and leaves the store working.
   */
  readonly events: readonly DomainEvent[];
  /** Notifications to take back, to add and to change, in this order. */
  readonly notifications?: NotificationChanges | undefined;
  /** The answer to keep under the key of the request. */
  readonly request?: RequestCompletion | undefined;
  /** Lines of the audit record that tell of this change. */
  readonly audit?: readonly AuditEntry[] | undefined;
  /** The one-time password that is used up. */
  readonly otp?: OtpConsumption | undefined;
  /** The ticket that the caller proved to have; it must still hold. */
  readonly proof?: ProofGuard | undefined;
  /** A ticket to issue; the whole commit is `stale` when the key has another one by now. */
  readonly ticket?: TicketIssue | undefined;
  /** Tickets to revoke, after the look at `proof`. */
  readonly revokedTickets?: readonly TicketRevocation[] | undefined;
  /** The window in which nothing else of its actors may stand. */
  readonly guard?: OverlapGuard | undefined;
}

/** What refuses a commit; nothing of it is written then. */
export type CommitRefusal =
  /** A request with this key has an answer already, or an older program carries it out. */
  | { readonly status: 'requestLost' }
  /** The one-time password was used up meanwhile, or replaced by another. */
  | { readonly status: 'otpUsed' }
  /** The ticket that the caller proved to have was revoked, replaced or taken away. */
  | { readonly status: 'proofLost' }
  /** The appointment, the notification or the ticket has another version, or is gone; on insert: its id is taken. */
  | { readonly status: 'stale' }
  /** All that stand in the way, by start, then id. */
  | { readonly status: 'slotConflict'; readonly appointmentIds: readonly string[] };

/** The expected outcomes of a commit; faults are thrown as `StoreError`. */
export type CommitResult =
  | {
      readonly status: 'committed';
      /** Ids of notifications that were being sent when this commit took them back; absent = none. */
      readonly sending?: readonly string[];
    }
  | CommitRefusal;

/** The kinds of refusals. */
export type RefusalStatus = CommitRefusal['status'];

/**
 * The refusals of a commit in the order in which they are told: where several apply, the first of these (D75).
 *
 * Stores look for them in this order, so that all of them answer the same.
 */
export const commitRefusals = [
  'requestLost',
  'otpUsed',
  'proofLost',
  'stale',
  'slotConflict',
] as const satisfies readonly RefusalStatus[];

/** What a commit may be told besides its change. */
export interface CommitOptions {
  /**
   * A commit that has not begun when it is aborted never begins: the call rejects with a `StoreError` `unavailable`
   * whose outcome is `none`. One that has begun goes on to its end.
   */
  readonly signal?: AbortSignal | undefined;
}
