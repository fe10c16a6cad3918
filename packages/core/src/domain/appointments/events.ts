import type { AppointmentState, Instant, InteractionState } from '@calends/model';
import type { Actor } from '../calls/caller.js';

/** Kinds of domain events (D46): exactly one for each successful operation, none for a no-op. */
export const domainEventTypes = [
  'APCreatedEvent',
  'APUpdatedEvent',
  'APActivatedEvent',
  'APRescheduledEvent',
  'APReassignedEvent',
  'APCancelledEvent',
  'APDeletedEvent',
  'APAbortedEvent',
  'APInteractionUpdatedEvent',
  'APParticipantAddedEvent',
  'APParticipantRemovedEvent',
  'APParticipantUpdatedEvent',
] as const;

/** One of {@link domainEventTypes}. */
export type DomainEventType = (typeof domainEventTypes)[number];

/** A schedule as events carry it: timestamps ISO 8601 in UTC. */
export interface EventSchedule {
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
}

/** Thin payload: ids, schedule and state; no personal data (D47). */
export interface DomainEventData {
  readonly state: AppointmentState;
  readonly interactionState: InteractionState;
  readonly schedule: EventSchedule;
  readonly previousSchedule?: EventSchedule | undefined;
  readonly organizerId: string;
  /** Agents who are assigned; empty where nobody is, and the organizer has the appointment. */
  readonly agentIds: readonly string[];
  /**
   * Of a reassignment, the agents who were assigned before, else the organizer where that was an agent; of a move to which a
   * service brought other agents, those before.
   */
  readonly previousAgentIds?: readonly string[] | undefined;
  /** The service that it was booked or moved with. */
  readonly serviceId?: string | undefined;
  /** Ids of the resources that it takes, beside `serviceId`. */
  readonly resources?: readonly string[] | undefined;
  readonly participantId?: string | undefined;
  /** Why it was cancelled or aborted. */
  readonly reason?: string | undefined;
  /** True for the explicit activation call, false when the library activated by itself (D19). */
  readonly explicit?: boolean | undefined;
  /** True when the record is gone (v1 DELETE). */
  readonly removed?: boolean | undefined;
  /** The operation's span (`traceparent` of W3C Trace Context), where a tracer records it. */
  readonly traceParent?: string | undefined;
}

/** What happened to an appointment (D47). */
export interface DomainEvent {
  /** UUIDv7, unique in the whole store; the dedupe key of subscribers (D48). */
  readonly id: string;
  readonly type: DomainEventType;
  readonly occurredAt: Instant;
  readonly organizationId: string;
  readonly applicationId: string;
  readonly appointmentId: string;
  /** The appointment's version after the change; subscribers see it rising. */
  readonly version: number;
  readonly actor: Actor;
  /** Request id of the call, for following it through logs. */
  readonly correlationId: string;
  readonly data: DomainEventData;
}
