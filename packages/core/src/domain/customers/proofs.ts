import { hours, type Instant, minutes, seconds } from '@calends/model';

/** What a ticket opens: a customer's appointment (D42), or the calendar feed of an agent. */
export type TicketKind = 'MANAGE' | 'CALENDAR_FEED';

/** Whose ticket it is; there is one current ticket for each key. */
export interface TicketKey {
  readonly organizationId: string;
  readonly kind: TicketKind;
  /** MANAGE: the appointment's id; CALENDAR_FEED: the agent's id. */
  readonly subjectId: string;
  /** MANAGE: the participant's id; CALENDAR_FEED: empty. */
  readonly holderId: string;
}

/**
 * A ticket as it is kept. Its secret id is not: it is derived from the nonce with the host's secret, so that every
 * message shows the same link, and what is stored opens nothing.
 */
export interface Ticket extends TicketKey {
  /** 128 random bits, base64url, behind the id of a key and a dot; another one for every rotation. */
  readonly nonce: string;
  readonly issuedAt: Instant;
  /** An end that the issuer set; null = the ticket lasts as long as what it opens. */
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
  /** How often its sessions were ended: those that began before do not hold. Absent = never. */
  readonly sessionsEnded?: number | undefined;
}

/** Issues or rotates a ticket, only while the key has the ticket that was looked at. */
export interface TicketIssue {
  readonly next: Ticket;
  /** Nonce of the ticket that it takes the place of, revoked or not; `undefined` = there was none. */
  readonly expectedNonce: string | undefined;
}

/** Revokes tickets, before the `ticket` of the same change takes its place; those that are revoked already keep their time. */
export interface TicketRevocation {
  readonly kind: TicketKind;
  readonly subjectId: string;
  /** Absent = every holder; `[]` = nobody. */
  readonly holderIds?: readonly string[] | undefined;
  readonly at: Instant;
}

/** The numbers of D44 and D66. */
export const otpRules = {
  digits: 6,
  validFor: minutes(10),
  tries: 5,
  resendAfter: seconds(60),
  /** In an hour, for one user name, asked for from one address; and from all of them. */
  issuesFromOneSource: 5,
  issuesInAnHour: 20,
  hour: hours(1),
} as const;

/** The present one-time password of one user name in one application, as it is kept (D44). */
export interface OtpChallenge {
  readonly organizationId: string;
  /** Keyed hash of application and user name. */
  readonly subject: string;
  /** Another one for every issue. */
  readonly challengeId: string;
  /** Keyed hash of the code, bound to the challenge. */
  readonly codeHash: string;
  readonly issuedAt: Instant;
  /** After `issuedAt`: stores may refuse another one. */
  readonly expiresAt: Instant;
  /** Comparisons begun. */
  readonly tries: number;
  readonly consumedAt: Instant | null;
  /**
   * When codes were issued to this subject recently, this one included; oldest first. An instant is followed by the keyed
   * hash of the address that asked, where one is known. (Programs before D66 look at the instants and skip the rest.)
   */
  readonly issues: readonly (Instant | string)[];
  /**
   * Keyed hash of the address that the code was sent to, where the host's directory named it (D62). Null = not known, or
   * the user name is the address itself.
   */
  readonly sentTo: string | null;
}

/** Uses a one-time password up in the commit that it allows: of any number of commits one at most succeeds. */
export interface OtpConsumption {
  readonly subject: string;
  readonly challengeId: string;
  readonly at: Instant;
}

/** Whose manage ticket. */
export interface TicketHolder {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly participantId: string;
}
