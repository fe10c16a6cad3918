import type { AccessDetails, Appointment, Participant, Scheduling, WindowCount } from '@calends/core';
import { describeDuration, formatInstant } from '@calends/core/operations';
import { lastInstant } from '@calends/model';
import type { ActorStamp, Interaction } from '@calends/core/store';
import type {
  AppointmentActivationResponse,
  AppointmentCountResponse,
  AppointmentResponse,
  AppointmentResponseV1,
} from '@calends/http-contract';

/**
 * An appointment in v2 answers (spec: Appointment).
 *
 * Fields without a value are `null`, except `secureToken`, which is there only with access details, and
 * `serviceId`, which is there only where a service was booked. The cancellation
 * fields are always there and filled once it is cancelled. There is no state field (D13).
 */
export function presentAppointment(appointment: Appointment, access?: AccessDetails): AppointmentResponse {
  const { schedule, targetAssignment } = appointment;
  const { start, end, timezone } = schedule;
  const cancellation = appointment.state === 'CANCELLED' ? appointment.cancellation : undefined;
  // Named one by one: a spread makes an object that grows, and lists make twenty of these at a time.
  const shown: AppointmentResponse = {
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
    cancellationReason: cancellation?.reason ?? null,
    cancelledAt: cancellation === undefined ? null : formatInstant(cancellation.at),
    cancelledBy: cancellation?.by ?? null,
    interaction: presentInteraction(appointment.interaction),
    organizer: presentParticipant(appointment.organizer),
    participants: appointment.participants.map(presentParticipant),
    targetAssignment: targetAssignment === undefined ? null : presentParticipant(targetAssignment),
  };
  if (access !== undefined) shown.secureToken = access.secureToken;
  if (appointment.service !== undefined) shown.serviceId = appointment.service.id;
  return shown;
}

function presentInteraction(interaction: Interaction): AppointmentResponse['interaction'] {
  const { acceptedBy, initiatedBy, errorData, routing } = interaction;
  return {
    customFields: interaction.customFields,
    properties: interaction.properties,
    routing: routing === undefined ? null : { type: routing.type, properties: routing.properties },
    state: interaction.state,
    acceptedBy: acceptedBy.map(presentActor),
    initiatedBy: initiatedBy === undefined ? null : presentActor(initiatedBy),
    errorData:
      errorData === undefined ? null : { systemMessage: errorData.systemMessage, userMessage: errorData.userMessage },
  };
}

function presentActor({ id, timestamp, type }: ActorStamp): AppointmentResponse['interaction']['acceptedBy'][number] {
  return { id, timestamp: formatInstant(timestamp), type };
}

/**
 * An appointment in v1 answers (spec: v1 shape differences): `participantIds`, an organizer with a state, `roomAccess`;
 * no target assignment, no cancellation fields, no service, and an interaction without actors and error.
 */
export function presentAppointmentV1(appointment: Appointment, access?: AccessDetails): AppointmentResponseV1 {
  const v2 = presentAppointment(appointment);
  const { cancellationReason, cancelledAt, cancelledBy, targetAssignment, participants, serviceId, ...shared } = v2;
  const { acceptedBy, initiatedBy, errorData, ...interaction } = v2.interaction;
  const shown: AppointmentResponseV1 = {
    ...shared,
    interaction,
    organizer: { ...v2.organizer, state: 'ACTIVE' },
    participantIds: participants,
  };
  if (access !== undefined) shown.roomAccess = presentActivation(access);
  return shown;
}

/** Answer of v1 activation, and `roomAccess` of v1 appointments. */
export function presentActivation({ expires, roomUrl }: AccessDetails): AppointmentActivationResponse {
  // A provider of the host may say a time after the last year that can be written (D3).
  return { expires: formatInstant(Math.min(expires, lastInstant)), url: roomUrl };
}

/** A participant or organizer: id and type, and never who a customer is across appointments (D26). */
function presentParticipant({ id, type }: Participant): AppointmentResponse['organizer'] {
  return { id, type };
}

/** Access details of an activated appointment, `undefined` in every other state (D41). */
export async function accessOf(scheduling: Scheduling, appointment: Appointment): Promise<AccessDetails | undefined> {
  return appointment.state === 'ACTIVATED' ? scheduling.access.detailsOf(appointment) : undefined;
}

/**
 * Counted windows (spec: Count item; D27).
 *
 * `timeFrame` was accepted by the core and is answered as given, without a plain-language part in parentheses.
 */
export function presentCounts(counts: readonly WindowCount[], timeFrame: string): AppointmentCountResponse[] {
  const plain = timeFrame.indexOf(' (');
  const duration = plain === -1 ? timeFrame : timeFrame.slice(0, plain);
  return counts.map(({ count, start, end }) => ({
    count,
    duration,
    end: formatInstant(end),
    start: formatInstant(start),
    timezone: 'UTC',
  }));
}
