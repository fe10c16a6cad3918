import type { Instant } from '../appointments/instant.js';
import type { OtpChallenge } from '../customers/one-time-password.js';
import type { CustomerProfile } from '../customers/profile.js';
import type { Ticket, TicketKey } from '../customers/ticket.js';

/** A try at a one-time password. */
export interface OtpTry {
  readonly organizationId: string;
  readonly subject: string;
  readonly now: Instant;
  /** Tries that a challenge allows. */
  readonly limit: number;
}

/** Where the code of a challenge went. */
export interface OtpContactNote {
  readonly organizationId: string;
  readonly subject: string;
  readonly challengeId: string;
  /** Keyed hash of the address. */
  readonly sentTo: string;
}

/** Whose profiles to find: every one that has one of these, in the organization. */
export interface CustomerSearch {
  readonly organizationId: string;
  /** Compared by code point. */
  readonly username?: string | undefined;
  /** Compared without regard to the case of ASCII letters. */
  readonly primaryEmail?: string | undefined;
  readonly primaryPhone?: string | undefined;
  /** At most so many. */
  readonly limit: number;
}

/** The part of the store that keeps customers' proofs and finds their data. Scope, copies and faults as in `SchedulingStore`. */
export interface CustomerStore {
  /** The present challenge of a subject, used, expired or not. */
  findOtpChallenge(organizationId: string, subject: string): Promise<OtpChallenge | undefined>;

  /**
   * Puts a challenge in the place of the one that was looked at (`undefined` = none); one atomic step.
   *
   * Answers false, and writes nothing, when there is another one by now.
   */
  putOtpChallenge(next: OtpChallenge, expectedChallengeId: string | undefined): Promise<boolean>;

  /**
   * Counts a try before anything is compared, in one conditional step: only while the challenge is not used up, not
   * expired (`now < expiresAt`) and has fewer than `limit` tries.
   *
   * Answers the challenge with the try counted, or `undefined` when there is none to compare with.
   */
  countOtpTry(attempt: OtpTry): Promise<OtpChallenge | undefined>;

  /** Sets `sentTo` of this challenge and nothing else of it; does nothing when the subject has another one, or none. */
  noteOtpContact(note: OtpContactNote): Promise<void>;

  /** Deletes challenges that were issued before `before`, at most `limit`; answers how many went. */
  purgeOtpChallenges(before: Instant, limit: number): Promise<number>;

  /** The current ticket of a key, revoked or not. Tickets of a removed appointment or participant are gone. */
  findTicket(key: TicketKey): Promise<Ticket | undefined>;

  /** Sets how often the sessions of a key's ticket were ended, never lower than it is; does nothing without a ticket. */
  endSessions(key: TicketKey, sessionsEnded: number): Promise<void>;

  /** Profiles that carry one of the addresses, by appointment id, then participant id; without those whose data was removed. */
  findCustomersByContact(search: CustomerSearch): Promise<readonly CustomerProfile[]>;
}
