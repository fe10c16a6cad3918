import { type NotificationUpdate, type NotificationWrite, StoreError } from '@calends/core/store';
import type { SqlValue } from '../sql/sql.js';
import { deliveryEventTable } from '../tables/delivery-events.js';

/** The rows of a notification's further events. */
export const eventRows = ({ next, events }: NotificationWrite): readonly (readonly SqlValue[])[] =>
  events.map((event) => deliveryEventTable.values(event, next));

/** @throws StoreError `unexpected` when an update does not number the revision on */
export function checkUpdate({ next, expectedRevision }: NotificationUpdate): void {
  if (next.revision !== expectedRevision + 1) {
    throw new StoreError('unexpected', 'A notification is changed without numbering its revision on.');
  }
}

/** @throws StoreError `unexpected` also when two updates are of one notification */
export function checkUpdates(updates: readonly NotificationUpdate[]): void {
  const names = new Set(updates.map(({ next }) => `${next.organizationId}\u0000${next.id}`));
  if (names.size < updates.length) {
    throw new StoreError('unexpected', 'Several outcomes of one notification in one call.');
  }
  updates.forEach(checkUpdate);
}
