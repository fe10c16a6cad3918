import type {
  Change,
  CommitOptions,
  CustomerProfile,
  Instant,
  NotificationChanges,
  NotificationWrite,
} from '@calends/core/store';
import type { SqlValue } from '../sql/sql.js';
import { actorRows, customerTable } from '../tables/people.js';
import { appointmentTable } from '../tables/appointments.js';
import { auditTable } from '../tables/audit.js';
import { countRows } from '../tables/counts.js';
import { eventTable } from '../tables/events.js';
import { holdRows } from '../tables/holds.js';
import { checkUpdate } from '../tables/notifications.js';

/** A change as rows, made before any connection is taken. */
export interface PreparedChange {
  readonly change: Change;
  /** Once it is aborted, a change whose writing has not begun is not written. */
  readonly signal?: AbortSignal | undefined;
  /** The appointment to insert or to replace; absent where none is written. */
  readonly appointment?: readonly SqlValue[];
  readonly actors: readonly (readonly SqlValue[])[];
  /** What the change counts. */
  readonly counts: readonly (readonly SqlValue[])[];
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

/** Ids of the holds that a change uses or gives up, each once. */
function endedHolds({ holds }: Change): readonly string[] {
  if (holds === undefined) return none;
  const { consume, release = none } = holds;
  return [...new Set(consume === undefined ? release : [consume, ...release])];
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
    counts: countRows(change.organizationId, appointment),
    customers: lastOfEach(customers).map((each) => customerTable.values(each)),
    removedCustomers: removedCustomers.filter((id) => customers.every(({ participantId }) => participantId !== id)),
    events: events.map((event) => eventTable.values(event, { dueAt: event.occurredAt - dueEarlier, isDelivered })),
    audit: audit.map((entry) => auditTable.values(entry)),
    notifications,
    holds: holds?.add === undefined ? none : holdRows({ ...holds.add, until: holds.add.until - dueEarlier }),
    endedHolds: endedHolds(change),
  };
  if (appointment === undefined || !('next' in appointment)) return { actors: none, ...rows };
  return {
    appointment: appointmentTable.values(appointment.next, appointment),
    actors: actorRows(appointment.next),
    ...rows,
  };
}
