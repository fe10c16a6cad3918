import type { Appointment } from '../appointments/appointment.js';
import type { DomainEvent } from '../appointments/events.js';
import type { Instant } from '../appointments/instant.js';
import type { EventDraft } from '../appointments/lifecycle.js';
import { assignedAgents } from '../appointments/participants.js';
import { eventSchedule } from '../appointments/schedule.js';
import type { Actor } from '../caller.js';

/** Who made a change, when, and in which call. */
export interface Occasion {
  readonly eventId: string;
  readonly at: Instant;
  readonly actor: Actor;
  readonly correlationId: string;
}

/** Completes an event with the state that the appointment has after the change (D47). */
export function domainEvent(draft: EventDraft, appointment: Appointment, occasion: Occasion): DomainEvent {
  return {
    id: occasion.eventId,
    type: draft.type,
    occurredAt: occasion.at,
    organizationId: appointment.organizationId,
    applicationId: appointment.applicationId,
    appointmentId: appointment.id,
    version: appointment.version,
    actor: occasion.actor,
    correlationId: occasion.correlationId,
    data: {
      state: appointment.state,
      interactionState: appointment.interaction.state,
      schedule: eventSchedule(appointment.schedule),
      organizerId: appointment.organizer.id,
      agentIds: assignedAgents(appointment),
      ...draft.data,
    },
  };
}
