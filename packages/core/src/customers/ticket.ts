import type { Instant } from '../appointments/instant.js';

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
