import { type AccessDetails, type Appointment, formatInstant } from '@calends/core';
import type { AppointmentActivationResponse, AppointmentResponseV1 } from '@calends/http-contract';
import { presentFields, presentInteractionFields, presentParticipant } from './appointment.js';

/**
 * An appointment in v1 answers (spec: v1 shape differences): `participantIds`, an organizer with a state, `roomAccess`;
 * no target assignment, no cancellation fields, and an interaction without actors and error.
 */
export function presentAppointmentV1(appointment: Appointment, access?: AccessDetails): AppointmentResponseV1 {
  const { id, type } = appointment.organizer;
  const shown: AppointmentResponseV1 = {
    ...presentFields(appointment),
    interaction: presentInteractionFields(appointment.interaction),
    organizer: { id, type, state: 'ACTIVE' },
    participantIds: appointment.participants.map(presentParticipant),
  };
  if (access !== undefined) shown.roomAccess = presentActivation(access);
  return shown;
}

/** Answer of v1 activation, and `roomAccess` of v1 appointments. */
export function presentActivation({ expires, roomUrl }: AccessDetails): AppointmentActivationResponse {
  return { expires: formatInstant(expires), url: roomUrl };
}
