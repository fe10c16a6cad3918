import type { Change, OtpConsumption, TicketIssue, TicketRevocation } from '@calends/core/store';
import type { SqlValue } from '../sql/sql.js';
import { ticketTable } from '../tables/tickets.js';

/** A ticket to be issued or rotated. */
export interface PreparedTicket {
  readonly values: readonly SqlValue[];
  /** Nonce of the ticket that it takes the place of; null = there is none. */
  readonly expectedNonce: string | null;
}

/** What a commit does to one-time passwords and tickets. */
export interface PreparedProofs {
  readonly otp?: OtpConsumption;
  readonly ticket?: PreparedTicket;
  /** Applied in their order, before the ticket is issued. */
  readonly revocations: readonly TicketRevocation[];
  /** Participants whose manage tickets go with them; not the one that gets a ticket in the same change. */
  readonly forfeits: readonly string[];
}

const none: readonly never[] = [];

const prepareTicket = ({ next, expectedNonce }: TicketIssue): PreparedTicket => ({
  values: ticketTable.values(next),
  expectedNonce: expectedNonce ?? null,
});

/** Turns what a change does to proofs into rows; `undefined` = nothing. */
export function prepareProofs(change: Change): PreparedProofs | undefined {
  const { otp, ticket, revokedTickets: revocations = none, removedCustomers = none } = change;
  if (otp === undefined && ticket === undefined && revocations.length === 0 && removedCustomers.length === 0) {
    return undefined;
  }
  const holder = ticket?.next.kind === 'MANAGE' ? ticket.next.holderId : undefined;
  return {
    revocations,
    forfeits: [...new Set(removedCustomers)].filter((id) => id !== holder),
    ...(otp === undefined ? undefined : { otp }),
    ...(ticket === undefined ? undefined : { ticket: prepareTicket(ticket) }),
  };
}

/**
 * Tells whether only a unique key can tell that a rival was quicker: for the first ticket of a key, and for the key of a request.
 * The duplicate undoes the attempt, and the next one finds the rival's.
 */
export const mayMeetRival = ({ ticket, request }: Change): boolean =>
  request !== undefined || (ticket !== undefined && ticket.expectedNonce === undefined);

/** What two changes must not share to be written in one batch: a subject's one-time password, and a ticket's subject. */
export function proofKeys({ otp, ticket, revokedTickets = none }: Change): readonly (readonly string[])[] {
  if (otp === undefined && ticket === undefined && revokedTickets.length === 0) return none;
  const ofTickets = [...(ticket === undefined ? none : [ticket.next]), ...revokedTickets];
  return [
    ...(otp === undefined ? none : [['otp', otp.subject]]),
    // The manage tickets of an appointment go with it: its own key is theirs.
    ...ofTickets.map(({ kind, subjectId }) => (kind === 'MANAGE' ? [subjectId] : [kind, subjectId])),
  ];
}

/**
 * Tells whether a change must see what was committed before its appointment was locked: the tickets that it depends on,
 * or takes away, may be issued, replaced or revoked until then.
 *
 * Anyone who locks both locks the appointment first, and its tickets then (D65).
 */
export function locksFirst({
  appointment,
  proof,
  ticket,
  revokedTickets = none,
  removedCustomers = none,
}: Change): boolean {
  if (proof !== undefined) return true;
  if (appointment?.kind === 'remove') return true;
  if (appointment?.kind !== 'update') return false;
  // An appointment that ends revokes all its tickets; one that is issued at that moment opens nothing.
  const revokesSome = revokedTickets.some(({ holderIds }) => holderIds !== undefined);
  return ticket !== undefined || removedCustomers.length > 0 || revokesSome;
}
