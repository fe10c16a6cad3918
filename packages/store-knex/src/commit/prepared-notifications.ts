import {
  type NotificationCancellation,
  type NotificationChanges,
  type NotificationUpdate,
  type NotificationWrite,
  StoreError,
} from '@calends/core/store';
import type { SqlValue } from '../sql/sql.js';
import { deliveryEventTable } from '../tables/delivery-events.js';
import { notificationTable } from '../tables/notifications.js';

/** A notification and its further events as rows. */
export interface PreparedNotification {
  readonly organizationId: string;
  readonly id: string;
  readonly dedupeKey: string;
  readonly write: NotificationWrite;
  /** Made when it is asked for. */
  readonly values: readonly SqlValue[];
  /** Made when they are asked for. */
  readonly events: readonly (readonly SqlValue[])[];
}

/** A notification to be replaced while it has a revision. */
export interface PreparedUpdate extends PreparedNotification {
  readonly expectedRevision: number;
}

/** What a commit does to notifications, in this order. */
export interface PreparedNotifications {
  readonly cancel: readonly NotificationCancellation[];
  readonly add: readonly PreparedNotification[];
  readonly update?: PreparedUpdate;
}

class Prepared implements PreparedNotification {
  readonly write: NotificationWrite;

  constructor(write: NotificationWrite) {
    this.write = write;
  }

  get organizationId(): string {
    return this.write.next.organizationId;
  }

  get id(): string {
    return this.write.next.id;
  }

  get dedupeKey(): string {
    return this.write.next.dedupeKey;
  }

  get values(): readonly SqlValue[] {
    return notificationTable.values(this.write.next);
  }

  get events(): readonly (readonly SqlValue[])[] {
    const { next, events } = this.write;
    return events.map((event) => deliveryEventTable.values(event, next));
  }
}

class PreparedReplacement extends Prepared implements PreparedUpdate {
  readonly expectedRevision: number;

  constructor(update: NotificationUpdate) {
    super(update);
    this.expectedRevision = update.expectedRevision;
  }
}

/**
 * Turns an update into rows.
 *
 * @throws StoreError `unexpected` when it does not number the revision on
 */
export function prepareUpdate(update: NotificationUpdate): PreparedUpdate {
  const { next, expectedRevision } = update;
  if (next.revision !== expectedRevision + 1) {
    throw new StoreError('unexpected', 'A notification is changed without numbering its revision on.');
  }
  return new PreparedReplacement(update);
}

/**
 * Turns updates into rows.
 *
 * @throws StoreError `unexpected` also when two of them are of one notification
 */
export function prepareUpdates(updates: readonly NotificationUpdate[]): readonly PreparedUpdate[] {
  const names = new Set(updates.map(({ next }) => `${next.organizationId}\u0000${next.id}`));
  if (names.size < updates.length) {
    throw new StoreError('unexpected', 'Several outcomes of one notification in one call.');
  }
  return updates.map(prepareUpdate);
}

const none: readonly never[] = [];

/** Turns changes of notifications into rows. */
export function prepareNotifications({
  cancel = none,
  add = none,
  update,
}: NotificationChanges): PreparedNotifications {
  const prepared = { cancel, add: add.map((write) => new Prepared(write)) };
  return update === undefined ? prepared : { ...prepared, update: prepareUpdate(update) };
}
