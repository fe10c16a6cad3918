import type { Appointment, CustomerProfile, ListedNotification } from '@calends/core';
import type { Row } from '../database/outcome.js';
import { readAppointment } from '../rows/appointment-row.js';
import { customerFields, readCustomer } from '../rows/customer-row.js';
import { fieldNames } from '../rows/fields.js';
import { notificationColumns, readNotification } from '../rows/notification-row.js';

const customerPrefix = 'c_';
const customerColumns = fieldNames(customerFields)
  .map((name) => `c.${name} as ${customerPrefix}${name}`)
  .join(', ');

/** A notification `n` and its addressed customer `c`. */
export const notificationAndCustomer = `${notificationColumns('n')}, ${customerColumns}`;

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
  row[`${customerPrefix}participant_id`] === null ? undefined : readCustomer(row, customerPrefix);

/** A notification with its appointment and customer. */
export const readListed = (row: Row): ListedNotification => ({
  notification: readNotification(row),
  appointment: joinedAppointment(row),
  customer: joinedCustomer(row),
});
