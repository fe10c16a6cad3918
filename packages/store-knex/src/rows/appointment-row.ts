import type { Appointment, AppointmentFields, Interaction, Metadata, Participant } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, integer, json, optionalText, text } from './fields.js';

/** What is written of an appointment; `wake_at` comes from the change. */
export const appointmentFields = {
  organization_id: 'text',
  id: 'text',
  application_id: 'text',
  version: 'integer',
  schedule_version: 'integer',
  state: 'text',
  title: 'text',
  notes: 'text',
  metadata: 'text',
  locale: 'text',
  start_at: 'integer',
  end_at: 'integer',
  duration: 'integer',
  timezone: 'text',
  notification_headers: 'text',
  notification_headers_by: 'text',
  notifications_active: 'integer',
  organizer: 'text',
  participants: 'text',
  target_assignment: 'text',
  interaction: 'text',
  customer_reschedules: 'integer',
  created_at: 'integer',
  updated_at: 'integer',
  activated_at: 'integer',
  conference_id: 'text',
  room_url: 'text',
  cancelled_at: 'integer',
  cancelled_by: 'text',
  cancel_reason: 'text',
  aborted_at: 'integer',
  abort_reason: 'text',
  wake_at: 'integer',
} as const satisfies Fields;

/** The values of an appointment in the order of {@link appointmentFields}. */
export function appointmentValues(appointment: Appointment, wakeAt: number | null): readonly SqlValue[] {
  const { schedule, targetAssignment } = appointment;
  const access = appointment.state === 'SCHEDULED' ? undefined : appointment.access;
  const cancellation = appointment.state === 'CANCELLED' ? appointment.cancellation : undefined;
  const abortion = appointment.state === 'ABORTED' ? appointment : undefined;
  return [
    appointment.organizationId,
    appointment.id,
    appointment.applicationId,
    appointment.version,
    appointment.scheduleVersion,
    appointment.state,
    appointment.title,
    appointment.notes,
    JSON.stringify(appointment.metadata),
    appointment.locale,
    schedule.start,
    schedule.end,
    schedule.end - schedule.start,
    schedule.timezone,
    JSON.stringify(appointment.notificationHeaders),
    appointment.notificationHeadersBy ?? null,
    appointment.notificationsActive ? 1 : 0,
    JSON.stringify(appointment.organizer),
    JSON.stringify(appointment.participants),
    targetAssignment === undefined ? null : JSON.stringify(targetAssignment),
    JSON.stringify(appointment.interaction),
    appointment.customerReschedules,
    appointment.createdAt,
    appointment.updatedAt,
    appointment.state === 'ACTIVATED' ? appointment.activatedAt : null,
    access?.conferenceId ?? null,
    access?.roomUrl ?? null,
    cancellation?.at ?? null,
    cancellation?.by ?? null,
    cancellation?.reason ?? null,
    abortion?.abortedAt ?? null,
    abortion?.abortReason ?? null,
    wakeAt,
  ];
}

/** The appointment of a row, exactly as it was committed; optional fields that were absent stay absent. */
export function readAppointment(row: Row): Appointment {
  const target = optionalText(row, 'target_assignment');
  const fields: Draft = {
    id: text(row, 'id'),
    organizationId: text(row, 'organization_id'),
    applicationId: text(row, 'application_id'),
    version: integer(row, 'version'),
    scheduleVersion: integer(row, 'schedule_version'),
    title: text(row, 'title'),
    notes: text(row, 'notes'),
    metadata: json(row, 'metadata') as Metadata,
    locale: text(row, 'locale'),
    schedule: { start: integer(row, 'start_at'), end: integer(row, 'end_at'), timezone: text(row, 'timezone') },
    notificationHeaders: json(row, 'notification_headers') as Readonly<Record<string, string>>,
    notificationsActive: integer(row, 'notifications_active') === 1,
    organizer: json(row, 'organizer') as Participant,
    participants: json(row, 'participants') as readonly Participant[],
    interaction: json(row, 'interaction') as Interaction,
    customerReschedules: integer(row, 'customer_reschedules'),
    createdAt: integer(row, 'created_at'),
    updatedAt: integer(row, 'updated_at'),
  };
  if (optionalText(row, 'notification_headers_by') !== undefined) fields.notificationHeadersBy = 'CUSTOMER';
  if (target !== undefined) fields.targetAssignment = JSON.parse(target) as Participant;
  return inState(fields, row);
}

/** Adds what belongs to the state, to the same object: copies of it are what a list would mostly cost. */
function inState(fields: Draft, row: Row): Appointment {
  const state = text(row, 'state');
  const conferenceId = optionalText(row, 'conference_id');
  const access = conferenceId === undefined ? undefined : { conferenceId, roomUrl: text(row, 'room_url') };
  switch (state) {
    case 'SCHEDULED':
      return Object.assign(fields, { state } as const);
    case 'ACTIVATED':
      if (access === undefined) break;
      return Object.assign(fields, { state, activatedAt: integer(row, 'activated_at'), access } as const);
    case 'CANCELLED': {
      const reason = optionalText(row, 'cancel_reason');
      const cancellation = {
        at: integer(row, 'cancelled_at'),
        by: text(row, 'cancelled_by'),
        ...(reason === undefined ? undefined : { reason }),
      };
      return Object.assign(fields, {
        state,
        cancellation,
        ...(access === undefined ? undefined : { access }),
      } as const);
    }
    case 'ABORTED': {
      const [abortedAt, abortReason] = [integer(row, 'aborted_at'), text(row, 'abort_reason')];
      const aborted = { state, abortedAt, abortReason, ...(access === undefined ? undefined : { access }) } as const;
      return Object.assign(fields, aborted);
    }
    default:
  }
  // The checks of the table keep such rows out.
  throw new TypeError('An appointment is in no state that there is.');
}

type Draft = { -readonly [Field in keyof AppointmentFields]: AppointmentFields[Field] };
