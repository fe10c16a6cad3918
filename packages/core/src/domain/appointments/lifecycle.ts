import type { Instant } from '@calends/model';
import type { Actor } from '../calls/caller.js';
import { CalendsError } from '../calls/errors.js';
import {
  type AccessGrant,
  type Appointment,
  type AppointmentFields,
  isConcluded,
  isLive,
  type LiveAppointment,
  type Participant,
  type Schedule,
} from './appointment.js';
import type { DomainEventData, DomainEventType } from './events.js';
import { endInteraction, type InteractionMove, moveInteraction } from './interaction.js';
import { assignedAgents } from './participants.js';
import { eventSchedule, sameSchedule } from './schedule.js';

/** The event of a transition, before it gets its id, time and actor. */
export interface EventDraft {
  readonly type: DomainEventType;
  /** What the appointment itself does not say. */
  readonly data?: Partial<DomainEventData>;
}

/** The next state of an appointment and the one event that tells of it (D46). */
export interface Transition {
  readonly next: Appointment;
  readonly event: EventDraft;
}

/** Fields that a change leaves as they are. */
type Kept = 'id' | 'organizationId' | 'applicationId' | 'version' | 'createdAt' | 'updatedAt';

/** A change of fields, same state, next version. */
export function revise<State extends AppointmentFields>(
  appointment: State,
  changes: Partial<Omit<AppointmentFields, Kept>>,
  at: Instant,
): State {
  return { ...appointment, ...changes, version: appointment.version + 1, updatedAt: at };
}

/** What an appointment that ends early keeps: its fields, its room, and its interaction, which ends too. */
function ending(live: LiveAppointment, at: Instant): AppointmentFields & { readonly access: AccessGrant | undefined } {
  const { state, activatedAt, access, ...fields } = { activatedAt: undefined, access: undefined, ...live };
  return { access, ...revise(fields, { interaction: endInteraction(live.interaction) }, at) };
}

/**
 * The appointment, known to be neither cancelled nor aborted.
 *
 * @throws CalendsError `invalid_state` when it is not
 */
export function requireLive(appointment: Appointment): LiveAppointment {
  if (isLive(appointment)) return appointment;
  throw new CalendsError('invalid_state', 'The appointment is cancelled or aborted.');
}

/** scheduled → activated; an activated appointment stays as it is (spec: States; D18). */
export function activate(
  appointment: Appointment,
  by: { readonly grant: AccessGrant; readonly at: Instant; readonly explicit: boolean },
): Transition | undefined {
  const live = requireLive(appointment);
  if (live.state === 'ACTIVATED') return undefined;
  return {
    next: { ...revise(live, {}, by.at), state: 'ACTIVATED', activatedAt: by.at, access: by.grant },
    event: { type: 'APActivatedEvent', data: { explicit: by.explicit } },
  };
}

/** How an appointment is cancelled. */
export interface Cancelling {
  readonly at: Instant;
  readonly actor: Actor;
  readonly reason?: string | undefined;
  /** The cancel operation and the deprecated v2 DELETE differ in the event only (spec: Events, 1 and 2). */
  readonly event: 'APCancelledEvent' | 'APDeletedEvent';
}

/** → CANCELLED; what is cancelled or aborted already stays as it is (D16, D17). */
export function cancel(appointment: Appointment, by: Cancelling): Transition | undefined {
  if (!isLive(appointment)) return undefined;
  if (isConcluded(appointment)) {
    throw new CalendsError('invalid_state', 'The appointment has taken place or was missed.');
  }
  return {
    next: {
      state: 'CANCELLED',
      cancellation: { at: by.at, by: by.actor.id, reason: by.reason },
      ...ending(appointment, by.at),
    },
    event: { type: by.event, data: { reason: by.reason } },
  };
}

/** → ABORTED; what is cancelled or aborted already stays as it is (D15). */
export function abort(
  appointment: Appointment,
  by: { readonly at: Instant; readonly reason: string },
): Transition | undefined {
  if (!isLive(appointment)) return undefined;
  return {
    next: {
      state: 'ABORTED',
      abortedAt: by.at,
      abortReason: by.reason,
      ...ending(appointment, by.at),
    },
    event: { type: 'APAbortedEvent', data: { reason: by.reason } },
  };
}

/** A new schedule, and what comes with it. */
export interface Rescheduling {
  readonly schedule: Schedule;
  readonly locale?: string | undefined;
  readonly at: Instant;
  readonly byCustomer: boolean;
  /** The service that staff names; one that it was not booked with is a change by itself. */
  readonly serviceId?: string | undefined;
}

/** Moves a live appointment; an identical schedule changes nothing (D20). */
export function reschedule(appointment: Appointment, to: Rescheduling): Transition | undefined {
  const live = requireReschedulable(appointment, to.at);
  const locale = to.locale ?? live.locale;
  const moved = !sameSchedule(live.schedule, to.schedule);
  const isRebooked = to.serviceId !== undefined && to.serviceId !== live.service?.id;
  if (!moved && !isRebooked && locale === live.locale) {
    return undefined;
  }
  return {
    next: revise(
      live,
      {
        schedule: to.schedule,
        locale,
        scheduleVersion: live.scheduleVersion + (moved ? 1 : 0),
        customerReschedules: live.customerReschedules + (to.byCustomer ? 1 : 0),
      },
      to.at,
    ),
    event: {
      type: 'APRescheduledEvent',
      data: { previousSchedule: eventSchedule(live.schedule) },
    },
  };
}

/** @throws CalendsError `invalid_schedule` for an appointment that is not moved any more */
export function requireReschedulable(appointment: Appointment, now: Instant): LiveAppointment {
  if (isLive(appointment) && isReschedulable(appointment, now)) return appointment;
  throw new CalendsError('invalid_schedule', 'The appointment can no longer be rescheduled.');
}

function isReschedulable(appointment: LiveAppointment, now: Instant): boolean {
  const { state } = appointment.interaction;
  if (state === 'FAILED') return now < appointment.schedule.end;
  return state === 'PENDING' || state === 'INITIATED';
}

/** Gives a live appointment to an agent; the agent assigned already changes nothing (D22). */
export function reassign(
  appointment: Appointment,
  to: { readonly agentId: string; readonly at: Instant },
): Transition | undefined {
  const live = requireLive(appointment);
  const agent: Participant = { id: to.agentId, type: 'AGENT' };
  const { targetAssignment, organizer } = live;
  const target = targetAssignment?.type === 'AGENT' ? agent : targetAssignment;
  const previousAgentIds = assignedAgents(live);
  const others = live.participants.filter(({ type }) => type !== 'AGENT');
  const participants = previousAgentIds.length === 0 ? others : [...others, agent];
  const responsible = previousAgentIds.length === 0 && organizer.type === 'AGENT' ? [organizer.id] : previousAgentIds;
  if (responsible.length > 0 && responsible.every((id) => id === agent.id)) return undefined;
  return {
    next: revise(live, { organizer: agent, participants, targetAssignment: target }, to.at),
    event: { type: 'APReassignedEvent', data: { previousAgentIds: responsible } },
  };
}

/** Moves the interaction of a live appointment (D14); a repeated move changes nothing. */
export function interact(appointment: Appointment, move: InteractionMove): Transition | undefined {
  const live = requireLive(appointment);
  if (move.to === 'PENDING' && move.at >= live.schedule.end) {
    throw new CalendsError('invalid_state', 'A failed interaction is retried before the end only.');
  }
  const interaction = moveInteraction(live.interaction, move);
  if (interaction === live.interaction) return undefined;
  return {
    next: revise(live, { interaction }, move.at),
    event: { type: 'APInteractionUpdatedEvent' },
  };
}
