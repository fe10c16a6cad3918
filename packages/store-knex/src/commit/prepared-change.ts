import type {
  Change,
  CommitOptions,
  CustomerProfile,
  Instant,
  NotificationChanges,
  NotificationWrite,
} from '@calends/core/store';
import type { SqlValue } from '../sql/sql.js';
import { actorRows } from '../tables/actors.js';
import { appointmentTable } from '../tables/appointments.js';
import { auditTable } from '../tables/audit.js';
import { customerTable } from '../tables/customers.js';
import { eventTable } from '../tables/events.js';
import { holdRows } from '../tables/holds.js';
import { decidesUnderLocks, endedHolds, holdKeys } from './holds-of-change.js';
import { checkUpdate } from './notification-updates.js';
import { locksFirst, proofKeys } from './proofs-of-change.js';

/** A change as rows, made before any connection is taken. */
export interface PreparedChange {
  readonly change: Change;
  /** Once it is aborted, a change whose writing has not begun is not written. */
  readonly signal?: AbortSignal | undefined;
  /** The appointment to insert or to replace; absent where none is written. */
  readonly appointment?: readonly SqlValue[];
  readonly actors: readonly (readonly SqlValue[])[];
  readonly customers: readonly (readonly SqlValue[])[];
  /** Participants whose profiles go and do not come again in the same change. */
  readonly removedCustomers: readonly string[];
  readonly events: readonly (readonly SqlValue[])[];
  readonly audit: readonly (readonly SqlValue[])[];
  readonly notifications?: NotificationChanges | undefined;
  /** The rows of the hold that is made. */
  readonly holds: readonly (readonly SqlValue[])[];
  /** Ids of holds that are used or given up. */
  readonly endedHolds: readonly string[];
}

const none: readonly never[] = [];

/** The profiles that remain when one is given twice: one statement cannot write a row twice. */
function lastOfEach(customers: readonly CustomerProfile[]): readonly CustomerProfile[] {
  if (customers.length < 2) return customers;
  const byPlace = new Map(
    customers.map((profile) => [`${profile.appointmentId}\u0000${profile.participantId}`, profile]),
  );
  return [...byPlace.values()];
}

/** What a store knows when it writes a change, and how long that may wait. */
export interface Circumstances extends CommitOptions {
  /** Milliseconds by which the clock of this process is fast; 0 where it is not. */
  readonly fastBy: number;
  /** True when some process takes events. */
  readonly eventsAreRead: boolean;
}

/** Nothing is known that would make a difference. */
export const plainCircumstances: Circumstances = { fastBy: 0, eventsAreRead: true };

/** Makes what is due now by a fast clock due now by the clock of the store (D80). */
function inTimeOfStore<Write extends NotificationWrite>(write: Write, now: Instant, fastBy: number): Write {
  const { next } = write;
  if (next.wakeAt === null || next.wakeAt > now) return write;
  return { ...write, next: { ...next, wakeAt: next.wakeAt - fastBy } };
}

function notificationsInTime({ notifications, now }: Change, fastBy: number): NotificationChanges | undefined {
  if (notifications === undefined || now === undefined || fastBy === 0) return notifications;
  const { add, update } = notifications;
  return {
    ...notifications,
    add: add?.map((write) => inTimeOfStore(write, now, fastBy)),
    update: update && inTimeOfStore(update, now, fastBy),
  };
}

/** Turns a change into rows. */
export function prepareChange(
  change: Change,
  { fastBy, eventsAreRead, signal }: Circumstances = plainCircumstances,
): PreparedChange {
  const notifications = notificationsInTime(change, fastBy);
  if (notifications?.update !== undefined) checkUpdate(notifications.update);
  const isDelivered = change.eventsUnread === true && !eventsAreRead;
  const dueEarlier = change.now === undefined ? 0 : fastBy;
  const { appointment, customers = none, removedCustomers = none, events, audit = none, holds } = change;
  const rows = {
    change,
    signal,
    customers: lastOfEach(customers).map((each) => customerTable.values(each)),
    removedCustomers: removedCustomers.filter((id) => customers.every(({ participantId }) => participantId !== id)),
    events: events.map((event) => eventTable.values(event, { dueAt: event.occurredAt - dueEarlier, isDelivered })),
    audit: audit.map((entry) => auditTable.values(entry)),
    notifications,
    holds: holds?.add === undefined ? none : holdRows({ ...holds.add, until: holds.add.until - dueEarlier }),
    endedHolds: endedHolds(change),
  };
  if (appointment === undefined || !('next' in appointment)) return { ...rows, actors: none };
  return {
    ...rows,
    appointment: appointmentTable.values(appointment.next, appointment),
    actors: actorRows(appointment.next),
  };
}

/** Tells whether a change is decided on after locks, one statement after the other: one statement sees no more than was there when it began. */
export const isGuarded = ({ change }: PreparedChange): boolean => decidesUnderLocks(change) || locksFirst(change);

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
export function batchKeys({ change }: PreparedChange): readonly string[] {
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
  for (const key of [...proofKeys(change), ...holdKeys(change)]) keys.push(keyOf(organizationId, ...key));
  return keys;
}
