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
  const cancellation = appointment.state === 'CANCELLED' ? appointment.cancellation : undefined;
  const shared = presentFields(appointment);
  // Named one by one: a spread makes an object that grows, and lists make twenty of these at a time.
  const shown: AppointmentResponse = {
    applicationId: shared.applicationId,
    duration: shared.duration,
    end: shared.end,
    id: shared.id,
    locale: shared.locale,
    metadata: shared.metadata,
    notes: shared.notes,
    notificationHeaders: shared.notificationHeaders,
    notificationsActive: shared.notificationsActive,
    start: shared.start,
    timezone: shared.timezone,
    title: shared.title,
    cancellationReason: cancellation?.reason ?? null,
    cancelledAt: cancellation === undefined ? null : formatInstant(cancellation.at),
    cancelledBy: cancellation?.by ?? null,
    interaction: presentInteraction(appointment.interaction),
    organizer: presentParticipant(appointment.organizer),
    participants: appointment.participants.map(presentParticipant),
    targetAssignment: targetAssignment === undefined ? null : presentParticipant(targetAssignment),
  };
  if (access !== undefined) shown.secureToken = access.secureToken;
  return shown;
}

function presentInteraction(interaction: Interaction): AppointmentResponse['interaction'] {
  const { acceptedBy, initiatedBy, errorData } = interaction;
  const { customFields, properties, routing, state } = presentInteractionFields(interaction);
  return {
    customFields,
    properties,
    routing,
    state,
    acceptedBy: acceptedBy.map(presentActor),
    initiatedBy: initiatedBy === undefined ? null : presentActor(initiatedBy),
    errorData:
      errorData === undefined ? null : { systemMessage: errorData.systemMessage, userMessage: errorData.userMessage },
  };
}

function presentActor({ id, timestamp, type }: ActorStamp): AppointmentResponse['interaction']['acceptedBy'][number] {
  return { id, timestamp: formatInstant(timestamp), type };
}
