import type { Appointment, Participant } from '@calends/core';
import {
  type AppointmentFields,
  type BookedService,
  type Interaction,
  liveAppointmentStates,
  type Metadata,
} from '@calends/core/store';
import { integer, json, optionalText, type Row, text } from '../sql/rows.js';
import { columnsOf, tableOf } from './table.js';

/** When an appointment is due; said by the change, not by the appointment. */
interface Due {
  readonly wakeAt: number | null;
}

const is = columnsOf<Appointment, Due>();

const accessOf = (appointment: Appointment) => (appointment.state === 'SCHEDULED' ? undefined : appointment.access);
const cancellationOf = (appointment: Appointment) =>
  appointment.state === 'CANCELLED' ? appointment.cancellation : undefined;
const abortionOf = (appointment: Appointment) => (appointment.state === 'ABORTED' ? appointment : undefined);

export const appointmentTable = tableOf<Appointment, Due>('calends_appointments')(
  { organization_id: is.text('organizationId'), id: is.text('id') },
  {
    application_id: is.text('applicationId'),
    version: is.integer('version'),
    schedule_version: is.integer('scheduleVersion'),
    state: is.text('state'),
    title: is.text('title'),
    notes: is.text('notes'),
    metadata: is.json('metadata'),
    locale: is.text('locale'),
    start_at: is.written('integer', ({ schedule }) => schedule.start),
    end_at: is.written('integer', ({ schedule }) => schedule.end),
    duration: is.written('integer', ({ schedule }) => schedule.end - schedule.start),
    timezone: is.written('text', ({ schedule }) => schedule.timezone),
    notification_headers: is.json('notificationHeaders'),
    notification_headers_by: is.optionalText('notificationHeadersBy'),
    notifications_active: is.flag('notificationsActive'),
    organizer: is.json('organizer'),
    participants: is.json('participants'),
    target_assignment: is.optionalJson('targetAssignment'),
    service: is.optionalJson('service'),
    interaction: is.json('interaction'),
    customer_reschedules: is.integer('customerReschedules'),
    created_at: is.integer('createdAt'),
    updated_at: is.integer('updatedAt'),
    activated_at: is.written('integer', (appointment) =>
      appointment.state === 'ACTIVATED' ? appointment.activatedAt : null,
    ),
    conference_id: is.written('text', (appointment) => accessOf(appointment)?.conferenceId),
    room_url: is.written('text', (appointment) => accessOf(appointment)?.roomUrl),
    cancelled_at: is.written('integer', (appointment) => cancellationOf(appointment)?.at),
    cancelled_by: is.written('text', (appointment) => cancellationOf(appointment)?.by),
    cancel_reason: is.written('text', (appointment) => cancellationOf(appointment)?.reason),
    aborted_at: is.written('integer', (appointment) => abortionOf(appointment)?.abortedAt),
    abort_reason: is.written('text', (appointment) => abortionOf(appointment)?.abortReason),
    wake_at: is.written('integer', (_, { wakeAt }) => wakeAt),
  },
);

/** Columns of which the appointment itself says nothing. */
const unread: ReadonlySet<string> = new Set(['duration', 'wake_at']);
const readNames = appointmentTable.names.filter((name) => !unread.has(name));

/** What {@link readAppointment} reads of the row `a`, as columns of a statement. */
export const appointmentColumns = readNames.map((name) => `a.${name}`).join(', ');

/** Whether an appointment is live, as a condition on its row. */
export const isInLiveState = `state in (${liveAppointmentStates.map((state) => `'${state}'`).join(', ')})`;

/** Whether the appointment `a` is live, as a condition. */
export const isLive = `a.${isInLiveState}`;

/** The appointment of a row, exactly as it was committed; optional fields that were absent stay absent. */
export function readAppointment(row: Row): Appointment {
  const target = optionalText(row, 'target_assignment');
  const service = optionalText(row, 'service');
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
  if (service !== undefined) fields.service = JSON.parse(service) as BookedService;
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
