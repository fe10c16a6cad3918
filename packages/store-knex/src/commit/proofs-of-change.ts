import type { Change } from '@calends/core/store';

const none: readonly never[] = [];

/** Participants whose manage tickets go with them; not the one that gets a ticket in the same change. */
export function forfeitsOf({ ticket, removedCustomers = none }: Change): readonly string[] {
  const holder = ticket?.next.kind === 'MANAGE' ? ticket.next.holderId : undefined;
  return [...new Set(removedCustomers)].filter((id) => id !== holder);
}

const mayMeetRival = ({ ticket, request, records = none }: Change): boolean =>
  request !== undefined ||
  (ticket !== undefined && ticket.expectedNonce === undefined) ||
  records.some(({ expectedVersion }) => expectedVersion === 0);

/**
 * Writes once more where only a unique key could tell that a rival was quicker: for the first ticket of a key, for the key of a
 * request, and for a new record of services and hours. The duplicate undoes the attempt, and the next one finds the rival's.
 */
export async function despiteRivals<Result>(
  changes: readonly { readonly change: Change }[],
  isDuplicateKey: (error: unknown) => boolean,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isDuplicateKey(error) || !changes.some(({ change }) => mayMeetRival(change))) throw error;
    return write();
  }
}

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
