import type { Instant } from '@calends/model';
import type { AuditSeal } from '../../domain/audit/audit-entry.js';

/** What one process asks for, so that no other one does the same at that time. */
export interface JobClaim {
  readonly job: 'retention';
  /** Another one for each process, at every start. */
  readonly holder: string;
  /** Milliseconds. */
  readonly leaseFor: number;
  /** Absent = the store's own clock, which is the same for all processes. */
  readonly now?: Instant | undefined;
}

/** Which notifications are to go. */
export interface NotificationPurge {
  readonly before: Instant;
  /** So many go at most. */
  readonly limit: number;
  /** Where the step before ended; absent = the first of a round. */
  readonly after?: readonly string[] | undefined;
}

/** What a step of a round did. */
export interface RetentionStep {
  readonly removed: number;
  /** Where the next step begins; absent = the round is through. */
  readonly next?: readonly string[] | undefined;
}

/** Up to which seal the audit record of an organization goes. */
export interface AuditTrim {
  readonly organizationId: string;
  /** Number of the last seal whose entries go. */
  readonly upTo: number;
  /** What that seal says from then on, see {@link AuditSeal.anchor}. */
  readonly anchor: string;
}

/** What removes by the policy of the host; a store without it serves everything, and keeps all that. */
export interface RetentionStore {
  /** Takes a job, or keeps it, in one atomic step; false while the lease of another holder lasts. */
  claim(claim: JobClaim): Promise<boolean>;

  /**
   * A step of a round over the notifications of all organizations: deletes those that are over, with their delivery events.
   *
   * Over is what is DONE, has a `createdAt` and an `updatedAt` before `before`, belongs to an appointment that ended before
   * it or has no record, and of which no event waits for its delivery. One that somebody changes meanwhile stays.
   */
  purgeNotifications(purge: NotificationPurge): Promise<RetentionStep>;

  /** The first seal without an anchor of the first organization, by id, that comes after `after` and has one. */
  nextSealed(after?: string): Promise<AuditSeal | undefined>;

  /**
   * Removes the entries under the seals up to this one, and the seals before it, in one atomic step: it stays, without
   * entries and with the anchor. False, and nothing is done, when it is not there or has one.
   */
  trimAudit(trim: AuditTrim): Promise<boolean>;
}
