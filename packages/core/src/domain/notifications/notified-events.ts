import type { NotificationType } from '@calends/model';
import type { DomainEvent, DomainEventData, DomainEventType } from '../appointments/events.js';

/** Types that wait for their time; the rest is sent at once. */
export const timedTypes = ['REMINDER', 'FOLLOW_UP'] as const satisfies readonly NotificationType[];

/** Types that customers are told of, by mail and SMS; web hooks get every type (D49). */
export const customerMessageTypes = ['CREATE', 'RESCHEDULE', 'ROOM', 'REMINDER', 'CANCELLED', 'FOLLOW_UP'] as const;

/** A type of message that customers get by e-mail and SMS (D49). */
export type CustomerMessageType = (typeof customerMessageTypes)[number];

export function tellsCustomers(type: NotificationType): type is CustomerMessageType {
  return customerMessageTypes.some((told) => told === type);
}

/** Reminders and invitations are of no use once the appointment has begun (D54). */
export function endsAtStart(type: NotificationType): boolean {
  return type === 'REMINDER' || type === 'ROOM';
}

/** The type of message that each event causes at once, if any (D49). */
const caused: Readonly<
  Record<DomainEventType, NotificationType | ((data: DomainEventData) => NotificationType | undefined)>
> = {
  APCreatedEvent: 'CREATE',
  APUpdatedEvent: 'UPDATE',
  // Only for an explicit activation (D19).
  APActivatedEvent: ({ explicit }) => (explicit === true ? 'ROOM' : undefined),
  APRescheduledEvent: 'RESCHEDULE',
  APReassignedEvent: 'REASSIGN',
  APCancelledEvent: 'CANCELLED',
  APDeletedEvent: 'CANCELLED',
  APAbortedEvent: 'FAILED',
  APInteractionUpdatedEvent: ({ interactionState: state }) =>
    state === 'PENDING' || state === 'INITIATED' || state === 'CANCELLED' ? 'INTERACTION_UPDATED' : state,
  APParticipantAddedEvent: 'PARTICIPANT_ADDED',
  APParticipantRemovedEvent: 'PARTICIPANT_REMOVED',
  APParticipantUpdatedEvent: 'PARTICIPANT_UPDATED',
};

/** The type of message that an event causes at once, if any. */
export function notificationTypeOf({ type, data }: DomainEvent): NotificationType | undefined {
  const told = caused[type];
  return typeof told === 'function' ? told(data) : told;
}
