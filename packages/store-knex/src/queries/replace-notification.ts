import type { PreparedUpdate } from '../commit/prepared-notifications.js';
import { run, type Steps } from '../database/steps.js';
import { fieldNames } from '../rows/fields.js';
import { notificationFields, notificationKey } from '../rows/notification-row.js';

/** The columns that an update replaces. */
export const replacedColumns = fieldNames(notificationFields).slice(notificationKey.length);

const replace = `update calends_notifications set ${replacedColumns.map((name) => `${name} = ?`).join(', ')}
  where organization_id = ? and id = ? and revision = ?`;

/** Replaces a notification while it has the expected revision; tells whether it had. */
export function* replaceNotification(organizationId: string, update: PreparedUpdate): Steps<boolean> {
  const { values, id, expectedRevision } = update;
  const bound = [...values.slice(notificationKey.length), organizationId, id, expectedRevision];
  return (yield* run(replace, bound)).affected > 0;
}
