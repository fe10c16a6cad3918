import type { KeptSearch, Notification } from '@calends/core/store';
import { allOf, concat, sql } from '../sql/sql.js';
import { listRows, type Steps } from '../sql/steps.js';
import { notificationTable, readNotification } from '../tables/notifications.js';
import type { NotificationQueue } from './notification-queue.js';

// An outer join: MariaDB would go through all appointments for `not exists`.
const isKept = `n.phase in ('READY', 'RETRY_WAIT', 'SENDING') and n.addressee_type = 'CUSTOMER' and n.kept is not null and a.id is null`;

/** What is to be sent to customers of removed records; without an appointment it reads all that waits in the organization. */
export function listKept(
  { notDone }: NotificationQueue,
  { organizationId, appointmentId, after, limit }: KeptSearch,
): Steps<readonly Notification[]> {
  const place = appointmentId === undefined ? notDone : { tables: 'calends_notifications n', where: ofAppointment };
  const query = concat(
    sql(`select ${notificationTable.as('n')} from ${place.tables}
      left join calends_appointments a on a.organization_id = n.organization_id and a.id = n.appointment_id where `),
    allOf([
      sql(place.where, organizationId, ...(appointmentId === undefined ? [] : [appointmentId])),
      sql(isKept),
      ...(after === undefined ? [] : [sql('n.id > ?', after)]),
    ]),
    sql(' order by n.id limit ?', limit),
  );
  return listRows(query, readNotification);
}

const ofAppointment = 'n.organization_id = ? and n.appointment_id = ?';
