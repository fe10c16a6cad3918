import type { PreparedUpdate } from '../commit/prepared-notifications.js';
import { run, type Steps } from '../database/steps.js';
import { notificationTable } from '../tables/notifications.js';

const replace = `${notificationTable.replace} ${notificationTable.isKey} and revision = ?`;

/** Replaces a notification while it has the expected revision; tells whether it had. */
export function* replaceNotification(organizationId: string, update: PreparedUpdate): Steps<boolean> {
  const { values, id, expectedRevision } = update;
  const bound = [...values.slice(notificationTable.key.length), organizationId, id, expectedRevision];
  return (yield* run(replace, bound)).affected > 0;
}
