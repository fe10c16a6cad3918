import {
  type AccessDetails,
  type Appointment,
  describeDuration,
  formatInstant,
  type Interaction,
  type Participant,
  type Scheduling,
} from '@calends/core';
import type { AppointmentResponse } from '@calends/http-contract';

/** The fields that both families show alike. */
export type SharedFields = Pick<
  AppointmentResponse,
  | 'applicationId'
  | 'duration'
  | 'end'
  | 'id'
  | 'locale'
  | 'metadata'
  | 'notes'
  | 'notificationHeaders'
  | 'notificationsActive'
  | 'start'
  | 'timezone'
  | 'title'
>;

/** Fields of an appointment in both families (spec: Appointment; D3, D4, D6, D7). */
export function presentFields(appointment: Appointment): SharedFields {
  const { start, end, timezone } = appointment.schedule;
  return {
    applicationId: appointment.applicationId,
    duration: describeDuration(end - start),
    end: formatInstant(end),
    id: appointment.id,
    locale: appointment.locale.replaceAll('-', '_'),
    metadata: appointment.metadata,
    notes: appointment.notes,
    notificationHeaders: JSON.stringify(appointment.notificationHeaders),
    notificationsActive: appointment.notificationsActive,
    start: formatInstant(start),
    timezone,
    title: appointment.title,
  };
}

/** A participant or organizer: id and type, and never who a customer is across appointments (D26). */
export function presentParticipant({ id, type }: Participant): AppointmentResponse['organizer'] {
  return { id, type };
}

/** Fields of an interaction in both families. */
export function presentInteractionFields({ customFields, properties, routing, state }: Interaction) {
  return {
    customFields,
    properties,
    routing: routing === undefined ? null : { type: routing.type, properties: routing.properties },
    state,
  };
}

/** Access details of an activated appointment, `undefined` in every other state (D41). */
export async function accessOf(scheduling: Scheduling, appointment: Appointment): Promise<AccessDetails | undefined> {
  return appointment.state === 'ACTIVATED' ? scheduling.access.detailsOf(appointment) : undefined;
}
