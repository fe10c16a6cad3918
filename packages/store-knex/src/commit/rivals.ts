import type { Change, NotificationChanges } from '@calends/core/store';
import type { PreparedChange } from './prepared-change.js';
import { holdActors } from '../tables/holds.js';

const none: readonly never[] = [];

/** Tells whether a change is decided on after locks, one statement after the other: one statement sees no more than was there when it began. */
export const isGuarded = ({ change }: PreparedChange): boolean =>
  asksForTime(change) || (change.records ?? none).length > 0 || locksFirst(change);

/** The id of the appointment that a change is about. */
export function appointmentIdOf({ appointment }: Change): string | undefined {
  if (appointment === undefined) return undefined;
  return 'next' in appointment ? appointment.next.id : appointment.appointmentId;
}

function addAppointmentIds(ids: Set<string>, { cancel = none, add = none, update }: NotificationChanges): void {
  for (const { appointmentId } of cancel) ids.add(appointmentId);
  for (const { next } of add) ids.add(next.appointmentId);
  if (update !== undefined) ids.add(update.next.appointmentId);
}

/**
 * What two changes must not share to be written in one batch: an appointment (as such, or through the profiles,
 * events, notifications and tickets of it that they carry), a request, another ticket, a one-time password, a hold, and a record
 * of services and hours.
 */
export function batchKeys(prepared: PreparedChange): readonly string[] {
  const { change } = prepared;
  const { organizationId, request, customers = none, events, notifications } = change;
  // No text of a request holds NUL: it is refused at the edge.
  const keyOf = (...parts: readonly string[]): string => parts.join('\u0000');
  const appointmentIds = new Set<string>();
  const own = appointmentIdOf(change);
  if (own !== undefined) appointmentIds.add(own);
  for (const { appointmentId } of customers) appointmentIds.add(appointmentId);
  for (const { appointmentId } of events) appointmentIds.add(appointmentId);
  if (notifications !== undefined) addAppointmentIds(appointmentIds, notifications);
  const keys = Array.from(appointmentIds, (id) => keyOf(organizationId, id));
  if (request !== undefined) {
    keys.push(keyOf(request.organizationId, request.callerId, request.operation, request.key));
  }
  for (const key of [...proofKeys(change), ...holdKeys(prepared)]) keys.push(keyOf(organizationId, ...key));
  return keys;
}

/**
 * The actors under whose locks a change is decided on: those whose time it takes, for whom it is counted, and under whom its hold
 * is found.
 */
export function lockedActors({ guard, limits, holds }: Change): readonly string[] {
  const held = holds?.add === undefined ? none : holdActors(holds.add).keys();
  return [...new Set([...(guard?.actorIds ?? none), ...(limits ?? none).map(({ actorId }) => actorId), ...held])];
}

/** Tells whether times, limits or holds decide on a change, which are looked at before anything is written. */
export const asksForTime = ({ guard, limits = none, holds }: Change): boolean =>
  guard !== undefined || limits.length > 0 || holds !== undefined;

/** What two changes must not share to be written in one batch: a hold, and a record. */
function holdKeys({ change, endedHolds }: PreparedChange): readonly (readonly string[])[] {
  const { holds, records = none } = change;
  if (holds === undefined && records.length === 0) return none;
  const ids = [...(holds?.add === undefined ? none : [holds.add.id]), ...endedHolds];
  return [...ids.map((id) => ['hold', id]), ...records.map(({ kind, scopeId, id }) => ['record', kind, scopeId, id])];
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
function proofKeys({ otp, ticket, revokedTickets = none }: Change): readonly (readonly string[])[] {
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
