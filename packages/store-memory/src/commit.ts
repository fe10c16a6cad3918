import {
  type Change,
  type CommitRefusal,
  commitRefusals,
  type CommitResult,
  type NotificationWrite,
  type RefusalStatus,
  StoreError,
} from '@calends/core/store';
import { additions, allowsUpdate, writeNotifications } from './notification-changes.js';
import { reachedLimit } from './limits.js';
import { conflictsWith } from './overlap-guard.js';
import { sealedCopy } from './sealed-copy.js';
import type { Tables } from './tables.js';

/** Id of the appointment that the change is about. */
function ownIdOf({ appointment }: Change): string | undefined {
  if (appointment === undefined) return undefined;
  return 'next' in appointment ? appointment.next.id : appointment.appointmentId;
}

/** What stands in the way of the change; `undefined` when it may be written. */
function refusal(tables: Tables, change: Change): CommitRefusal | undefined {
  const { appointments, requests, notifications, challenges, tickets, records, holds } = tables;
  const { organizationId, appointment, request, otp, proof, ticket, guard, holdsAt = Date.now() } = change;
  const ownId = ownIdOf(change);
  const inTheWay = () => guard && conflictsWith(tables, organizationId, guard, ownId, holdsAt);
  const limit = () => reachedLimit(tables, change, ownId, holdsAt);
  const isAllowed: Readonly<Record<RefusalStatus, () => boolean>> = {
    requestLost: () => request === undefined || requests.find({ ...request, organizationId }, request.at) === undefined,
    otpUsed: () => otp === undefined || challenges.allows(organizationId, otp),
    proofLost: () => proof === undefined || tickets.holds(organizationId, proof),
    stale: () =>
      (appointment === undefined || appointments.allows(organizationId, appointment)) &&
      allowsUpdate(notifications, organizationId, change.notifications ?? {}) &&
      (ticket === undefined || tickets.allows(ticket)) &&
      (change.records ?? []).every((each) => records.allows(organizationId, each)),
    holdLost: () => holds.allows(organizationId, change.holds ?? {}, holdsAt),
    limitReached: () => limit() === -1,
    slotConflict: () => inTheWay() === undefined,
  };
  const status = commitRefusals.find((each) => !isAllowed[each]());
  if (status === 'slotConflict') return { status, appointmentIds: [], ...inTheWay() };
  if (status === 'limitReached') return { status, limit: limit() };
  return status && { status };
}

function write(tables: Tables, change: Change, added: readonly NotificationWrite[]): CommitResult {
  const { appointments, customers, requests, outbox, notifications, challenges, tickets, audit, records, holds } =
    tables;
  const { organizationId, appointment, request, events } = change;
  const ownId = ownIdOf(change);
  if (ownId !== undefined && appointment !== undefined) {
    if (appointment.kind === 'remove') {
      appointments.remove(organizationId, ownId);
      customers.removeAll(organizationId, ownId);
      tickets.removeManage(organizationId, ownId);
    } else if (appointment.kind !== 'keep') {
      appointments.put(organizationId, appointment.next, appointment.wakeAt);
    }
    for (const participantId of change.removedCustomers ?? []) {
      customers.remove(organizationId, ownId, participantId);
      tickets.removeManage(organizationId, ownId, participantId);
    }
  }
  for (const profile of change.customers ?? []) customers.put(organizationId, profile);
  // What the change issues itself is not among what it revokes.
  for (const revocation of change.revokedTickets ?? []) tickets.revoke(organizationId, revocation);
  if (change.ticket !== undefined) tickets.put(change.ticket.next);
  if (change.otp !== undefined) challenges.consume(organizationId, change.otp);
  audit.add(change.audit ?? []);
  for (const each of change.records ?? []) records.put(organizationId, each);
  holds.apply(organizationId, change.holds ?? {});
  for (const event of events) outbox.add(event, change.eventsUnread === true);
  if (request !== undefined) requests.put({ ...request, organizationId });
  const sending = writeNotifications(notifications, organizationId, change.notifications ?? {}, added);
  return sending.length === 0 ? { status: 'committed' } : { status: 'committed', sending };
}

/**
 * Checks and writes a change in one go.
 *
 * Nothing else runs in between, and whatever can fail does so before the first write: the change is copied,
 * and the ids of events, audit lines, holds and notifications are looked up. That makes it all or nothing.
 */
export function commitChange(tables: Tables, given: Change, signal?: AbortSignal): CommitResult {
  if (signal?.aborted === true) {
    throw new StoreError('unavailable', 'The time of the call passed before its commit began.', { outcome: 'none' });
  }
  const change = sealedCopy(given);
  const refused = refusal(tables, change);
  if (refused !== undefined) return refused;
  const eventIds = change.events.map(({ id }) => id);
  if (new Set(eventIds).size < eventIds.length || eventIds.some((id) => tables.outbox.has(id))) {
    throw new StoreError('unexpected', 'An event with the id of one of these is stored already.');
  }
  tables.audit.check(change.audit ?? []);
  tables.holds.check(change.organizationId, change.holds ?? {});
  const added = additions(tables.notifications, change.organizationId, change.notifications ?? {});
  return write(tables, change, added);
}
