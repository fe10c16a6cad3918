import type { Appointment } from '@calends/core';
import type { CustomerProfile, ListedNotification } from '@calends/core/store';
import type { Row } from '../sql/rows.js';
import { readAppointment } from '../tables/appointments.js';
import { customerTable, readCustomer } from '../tables/people.js';
import { notificationTable, readNotification } from '../tables/notifications.js';

/** A notification `n` and its addressed customer `c`. */
export const notificationAndCustomer = `${notificationTable.as('n')}, ${customerTable.as('c')}`;

/** A notification `n` with its appointment `a` and the addressed customer `c`; the appointment under its own names. */
export const notificationParts = `${notificationAndCustomer}, a.*`;

/** Joins the profile of the addressed customer; for other addressees no database looks for one. */
export const withCustomer = `left join calends_customers c
  on c.organization_id = n.organization_id and c.appointment_id = n.appointment_id
    and c.participant_id = case when n.addressee_type = 'CUSTOMER' then n.addressee_id end`;

/** Joins the appointment and the profile of the addressed customer, where they are. */
export const withAppointmentAndCustomer = `left join calends_appointments a
  on a.organization_id = n.organization_id and a.id = n.appointment_id
  ${withCustomer}`;

/** The appointment of a joined row, if there is one. */
export const joinedAppointment = (row: Row): Appointment | undefined =>
  row['id'] === null ? undefined : readAppointment(row);

/** The profile of a joined row, if there is one. */
export const joinedCustomer = (row: Row): CustomerProfile | undefined =>
  row['c_participant_id'] === null ? undefined : readCustomer(row);

/** A notification with its appointment and customer. */
export const readListed = (row: Row): ListedNotification => ({
  notification: readNotification(row),
  appointment: joinedAppointment(row),
  customer: joinedCustomer(row),
});
