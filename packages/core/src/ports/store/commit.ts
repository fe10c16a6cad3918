import type { Instant, TimeWindow } from '@calends/model';
import type { Appointment, CountedPlace } from '../../domain/appointments/appointment.js';
import type { DomainEvent } from '../../domain/appointments/events.js';
import type { AuditEntry } from '../../domain/audit/audit-entry.js';
import type { OtpConsumption, TicketIssue, TicketKey, TicketRevocation } from '../../domain/customers/proofs.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { AvailabilityKey, AvailabilityRecord, Hold } from './availability.js';
import type { NotificationChanges } from './notifications.js';
import type { RequestCompletion } from './requests.js';

/** What happens to the appointment row in a commit. */
export type AppointmentChange =
  | { readonly kind: 'insert'; readonly next: Appointment; readonly wakeAt: Instant | null }
  | {
      readonly kind: 'update';
      readonly next: Appointment;
      readonly expectedVersion: number;
      /** Of the version that is expected. */
      readonly before: CountedPlace;
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
      /** Of the version that is expected. */
      readonly before: CountedPlace;
    };

/**
 * Refuses the commit when another appointment of one of the actors stands in the window (D26).
 *
 * In the way is every other appointment of the organization that blocks ({@link blocksTime}), has one of
 * `actorIds` in the actor index, and for which `start < window.to` and `end > window.from`.
 */
export interface OverlapGuard {
  /** Ids as the actor index has them: agent ids, ids of resources, and customers' `identity`. */
  readonly actorIds: readonly string[];
  /** The appointment's time and the buffers around it. */
  readonly window: TimeWindow;
  /**
   * The appointment's own time, where buffers differ between appointments: then what has its busy span ({@link BookedService})
   * in this time stands in the way as well, so that the gap is the larger of two buffers and not their sum. Absent = `window`.
   */
  readonly span?: TimeWindow | undefined;
  /** Holds that are in nobody's way: those that the change itself uses or gives up. */
  readonly exceptHoldIds?: readonly string[] | undefined;
}

/**
 * Refuses the commit when so many are there already: appointments of an actor whose start lies in the window, in any state but
 * CANCELLED and ABORTED, and living holds. Counted under the lock of `actorId`.
 */
export interface LimitGuard {
  /** As the actor index has it: an agent, a service (`serviceActorId`), or who holds (`Hold.ownerKey`). */
  readonly actorId: string;
  /** Only those of this service, `serviceActorId`; absent = all. */
  readonly serviceActorId?: string | undefined;
  /** By start, half-open. */
  readonly window: TimeWindow;
  /** Refused when there are so many or more, without what the change itself writes, uses up or gives up. */
  readonly max: number;
}

/** What a commit does to holds. */
export interface HoldChanges {
  /**
   * Written with a row for each actor, its service and its owner. Its id is new in the organization: one under which a hold of one
   * of these stands already makes the commit reject with a `StoreError`.
   */
  readonly add?: Hold | undefined;
  /**
   * It must be alive by the clock of the store, read after the locks, and goes with the commit; else the commit is refused as
   * `holdLost`.
   */
  readonly consume?: string | undefined;
  /** Ids of holds that go with the commit; those that are gone already are no matter. */
  readonly release?: readonly string[] | undefined;
}

/** Writes or deletes one record of services and hours, over the version that was looked at. */
export interface AvailabilityRecordChange extends AvailabilityKey {
  /** 0 = there must be none yet; another version makes the commit `stale`. */
  readonly expectedVersion: number;
  /** Absent = it goes. */
  readonly next?: AvailabilityRecord | undefined;
}

/**
 * Refuses the commit when the ticket that the caller proved to have does not hold any more (D65).
 *
 * It holds while its key, in the organization of the change, has this nonce and is not revoked, and its sessions were not ended since
 * the proof's began. That is read under a lock that ends with the commit, after the
 * appointment of the change is locked, and before the change revokes or issues tickets itself.
 */
export interface ProofGuard extends Pick<TicketKey, 'kind' | 'subjectId' | 'holderId'> {
  readonly nonce: string;
  /** How often sessions of the key may have been ended (`sessionsEnded`); absent = however often: the proof is no session. */
  readonly session?: number | undefined;
}

/** Everything that one operation writes: all of it or nothing. */
export interface Change {
  /** Every part of the change is of this organization: who commits sees to that, and a store need not look. */
  readonly organizationId: string;
  /**
   * What the caller holds for now (D80): notifications and events that are due by then are due at once, by the clock of
   * the store. Where that clock is behind, the `wakeAt` of a notification that is added or updated, where it is not after `now`,
   * the time from which an event may be claimed (else its `occurredAt`), and the `until` of a hold are earlier by the difference;
   * one of up to a second may count for none. Absent = all times stand as they are.
   */
  readonly now?: Instant | undefined;
  /**
   * True = nobody in this process takes events (D79). Where nobody else has claimed any in the last 30 days either, they
   * are born delivered, at their `occurredAt`: kept and purged like all that was delivered then, and never claimed; else they
   * wait as ever.
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
  /**
   * Lines of the audit record that tell of this change. Their ids are unique in the organization: one that stands there at the
   * same `at` makes the commit reject with a `StoreError`.
   */
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
  /** Limits, each under the lock of its actor; the first that is reached is told. */
  readonly limits?: readonly LimitGuard[] | undefined;
  /** Holds to write, to use and to give up. */
  readonly holds?: HoldChanges | undefined;
  /** The time by which holds live, where the host has a clock of its own; absent = by the clock of the store, read after the locks. */
  readonly holdsAt?: Instant | undefined;
  /** Services, hours and exceptions to write. */
  readonly records?: readonly AvailabilityRecordChange[] | undefined;
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
  /** The hold that is to be used has ended, was used or was given up. */
  | { readonly status: 'holdLost' }
  /** Place of the first limit of the change that is reached. */
  | { readonly status: 'limitReached'; readonly limit: number }
  /** All that stand in the way, by start, then id; `isHeld` = a living hold stands in the way, alone or besides. */
  | { readonly status: 'slotConflict'; readonly appointmentIds: readonly string[]; readonly isHeld?: true };

/** The expected outcomes of a commit; faults are thrown as `StoreError`. */
export type CommitResult =
  | {
      readonly status: 'committed';
      /** Ids of notifications that were being sent when this commit took them back; absent = none. */
      readonly sending?: readonly string[];
      /**
       * How far a copy of the data must be to have this commit, where the store marks them (`capabilities.marksCommits`): 1 to 64
       * letters and digits of ASCII. Of two marks the greater text stands for both.
       */
      readonly mark?: string;
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
  'holdLost',
  'limitReached',
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
