import type { NotificationType } from '@calends/model';
import type { DomainEvent } from '../appointments/events.js';

/** Types that wait for their time; the rest is sent at once. */
export const timedTypes = ['REMINDER', 'FOLLOW_UP'] as const satisfies readonly NotificationType[];

const customerTypes: readonly NotificationType[] = [
  'CREATE',
  'RESCHEDULE',
  'ROOM',
  'REMINDER',
  'CANCELLED',
  'FOLLOW_UP',
];

/** Tells whether customers get such messages, by mail and SMS; web hooks get every type (D49). */
export function tellsCustomers(type: NotificationType): boolean {
  return customerTypes.includes(type);
}

/** The type of message that an event causes at once, if any (D49). */
export function notificationTypeOf(event: DomainEvent): NotificationType | undefined {
  switch (event.type) {
    case 'APCreatedEvent':
      return 'CREATE';
    case 'APUpdatedEvent':
      return 'UPDATE';
    case 'APActivatedEvent':
      // Only for an explicit activation (D19).
      return event.data.explicit === true ? 'ROOM' : undefined;
    case 'APRescheduledEvent':
      return 'RESCHEDULE';
    case 'APReassignedEvent':
      return 'REASSIGN';
    case 'APCancelledEvent':
    case 'APDeletedEvent':
      return 'CANCELLED';
    case 'APAbortedEvent':
      return 'FAILED';
    case 'APInteractionUpdatedEvent':
      return interactionType(event);
    case 'APParticipantAddedEvent':
      return 'PARTICIPANT_ADDED';
    case 'APParticipantRemovedEvent':
      return 'PARTICIPANT_REMOVED';
    case 'APParticipantUpdatedEvent':
      return 'PARTICIPANT_UPDATED';
  }
}

function interactionType({ data }: DomainEvent): NotificationType {
  switch (data.interactionState) {
    case 'IN_PROGRESS':
    case 'COMPLETED':
    case 'NO_SHOW':
    case 'FAILED':
      return data.interactionState;
    default:
      return 'INTERACTION_UPDATED';
  }
}
