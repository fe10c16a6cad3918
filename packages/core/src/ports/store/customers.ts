import type { Instant } from '@calends/model';
import type { OtpChallenge, Ticket, TicketKey } from '../../domain/customers/proofs.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';

/** A try at a one-time password. */
export interface OtpTry extends Pick<OtpChallenge, 'organizationId' | 'subject'> {
  readonly now: Instant;
  /** Tries that a challenge allows. */
  readonly limit: number;
}

/** Where the code of a challenge went. */
export interface OtpContactNote extends Pick<OtpChallenge, 'organizationId' | 'subject' | 'challengeId'> {
  /** Keyed hash of the address. */
  readonly sentTo: string;
}

/** Which tickets hold a key. */
export interface TicketsOfKey {
  readonly keyId: string;
  /** Tickets that expired by then do not count. */
  readonly now: Instant;
  /** Nor do manage tickets of appointments that ended by then. */
  readonly endedBy: Instant;
}

/** Whose profiles to find: every one that has one of these, in the organization. */
export interface CustomerSearch {
  readonly organizationId: string;
  /** Compared by code point. */
  readonly username?: string | undefined;
  /** Compared without regard to the case of ASCII letters. */
  readonly primaryEmail?: string | undefined;
  readonly primaryPhone?: string | undefined;
  /** Only those that come after this one; absent = from the first on. */
  readonly after?: Pick<CustomerProfile, 'appointmentId' | 'participantId'> | undefined;
  /** At most so many. */
  readonly limit: number;
}

/** The customers of a store: their profiles, one-time passwords and manage tickets. */
export interface CustomerStore {
  /** The customer's profile, or `undefined`. */
  find(organizationId: string, appointmentId: string, participantId: string): Promise<CustomerProfile | undefined>;

  /** Profiles of all customers of an appointment, in any order. */
  list(organizationId: string, appointmentId: string): Promise<readonly CustomerProfile[]>;

  /** Profiles that carry one of the addresses, by appointment id, then participant id; without those whose data was removed. */
  findByContact(search: CustomerSearch): Promise<readonly CustomerProfile[]>;

  /** The present challenge of a subject, used, expired or not. */
  findChallenge(organizationId: string, subject: string): Promise<OtpChallenge | undefined>;

  /**
   * Puts a challenge in the place of the one that was looked at (`undefined` = none); one atomic step.
   *
   * Answers false, and writes nothing, when there is another one by now.
   */
  putChallenge(next: OtpChallenge, expectedChallengeId: string | undefined): Promise<boolean>;

  /**
   * Counts a try before anything is compared, in one conditional step: only while the challenge is not used up, not
   * expired (`now < expiresAt`) and has fewer than `limit` tries.
   *
   * Answers the challenge with the try counted, or `undefined` when there is none to compare with.
   */
  countTry(attempt: OtpTry): Promise<OtpChallenge | undefined>;

  /** Sets `sentTo` of this challenge and nothing else of it; does nothing when the subject has another one, or none. */
  noteContact(note: OtpContactNote): Promise<void>;

  /** Deletes challenges that were issued before `before`, at most `limit`; answers how many went. */
  purgeChallenges(before: Instant, limit: number): Promise<number>;

  /** The current ticket of a key, revoked or not. Tickets of a removed appointment or participant are gone. */
  findTicket(key: TicketKey): Promise<Ticket | undefined>;

  /**
   * Sets how often the sessions of a key's ticket were ended, never lower than it is; does nothing without a ticket. The number
   * stays with the key: a ticket that is issued later, without a number of its own, takes it over.
   */
  endSessions(key: TicketKey, sessionsEnded: number): Promise<void>;

  /**
   * How many tickets of all organizations may have been made under the key and hold: their nonce begins with its id and a
   * dot, or has no dot; they are not revoked and not expired (`now < expiresAt`); and what a manage ticket opens is a live
   * appointment with `end > endedBy`.
   */
  countTickets(tickets: TicketsOfKey): Promise<number>;
}
