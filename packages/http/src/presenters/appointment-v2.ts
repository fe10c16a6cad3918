import { type AccessDetails, type ActorStamp, type Appointment, formatInstant, type Interaction } from '@calends/core';
import type { AppointmentResponse } from '@calends/http-contract';
import { presentFields, presentInteractionFields, presentParticipant } from './appointment.js';

/**
 * An appointment in v2 answers (spec: Appointment).
 *
 * Fields without a value are `null`, except `secureToken`, which is there only with access details. The cancellation
 * fields are always there and filled once it is cancelled. There is no state field (D13).
 */
export function presentAppointment(appointment: Appointment, access?: AccessDetails): AppointmentResponse {
  const { targetAssignment } = appointment;
  return {
    ...presentFields(appointment),
    ...presentCancellation(appointment),
    interaction: presentInteraction(appointment.interaction),
    organizer: presentParticipant(appointment.organizer),
    participants: appointment.participants.map(presentParticipant),
    ...(access === undefined ? undefined : { secureToken: access.secureToken }),
    targetAssignment: targetAssignment === undefined ? null : presentParticipant(targetAssignment),
  };
}

type CancellationFields = Pick<AppointmentResponse, 'cancellationReason' | 'cancelledAt' | 'cancelledBy'>;

const notCancelled: CancellationFields = { cancellationReason: null, cancelledAt: null, cancelledBy: null };

function presentCancellation(appointment: Appointment): CancellationFields {
  if (appointment.state !== 'CANCELLED') return notCancelled;
  const { at, by, reason } = appointment.cancellation;
  return { cancellationReason: reason ?? null, cancelledAt: formatInstant(at), cancelledBy: by };
}

function presentInteraction(interaction: Interaction): AppointmentResponse['interaction'] {
  const { acceptedBy, initiatedBy, errorData } = interaction;
  return {
    acceptedBy: acceptedBy.map(presentActor),
    initiatedBy: initiatedBy === undefined ? null : presentActor(initiatedBy),
    ...presentInteractionFields(interaction),
    errorData:
      errorData === undefined ? null : { systemMessage: errorData.systemMessage, userMessage: errorData.userMessage },
  };
}

function presentActor({ id, timestamp, type }: ActorStamp): AppointmentResponse['interaction']['acceptedBy'][number] {
  return { id, timestamp: formatInstant(timestamp), type };
}
