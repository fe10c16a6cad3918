import { type NotificationChannel, notificationChannels } from '../../src/store.js';
import type { DomainEvent, DomainEventData, DomainEventType } from '../../src/domain/appointments/events.js';
import { notificationPlan, type PlanSubject } from '../../src/delivery/notification-plan.js';
import type { Notification, NotificationChanges } from '../../src/store.js';
import { agentActor, now, scheduled } from '../sample-appointments.js';
import { sampleCustomer } from '../sample-messages.js';
import { allOn } from './sample-notification.js';

/** An event about the sample appointment. */
export function eventOf(type: DomainEventType, data: Partial<DomainEventData> = {}, id = 'event-1'): DomainEvent {
  return {
    id,
    type,
    occurredAt: now,
    organizationId: 'org-1',
    applicationId: 'app-1',
    appointmentId: scheduled().id,
    version: 3,
    actor: agentActor,
    correlationId: 'correlation-1',
    data: {
      state: 'SCHEDULED',
      interactionState: 'PENDING',
      schedule: { start: '', end: '', timezone: 'UTC' },
      organizerId: 'agent-1',
      agentIds: [],
      ...data,
    },
  };
}

/** An appointment that was made with notifications on (D12). */
export const active = { notificationsActive: true } as const;

/** The plan for an event about the sample appointment, everything switched on. */
export function planned(event: DomainEvent, more: Partial<PlanSubject> = {}): NotificationChanges {
  let count = 0;
  const isNew = event.type === 'APCreatedEvent';
  return (
    notificationPlan({
      event,
      appointment: scheduled(active),
      previous: isNew ? undefined : scheduled(active),
      settings: allOn,
      customers: isNew ? [] : [sampleCustomer],
      changedCustomers: isNew ? [sampleCustomer] : undefined,
      nextId: () => `id-${String((count += 1))}`,
      ...more,
    }) ?? {}
  );
}

/** The new rows of a plan. */
export const rows = ({ add = [] }: NotificationChanges): readonly Notification[] => add.map(({ next }) => next);

/** Types of what goes out at once, by channel. */
export function immediate(changes: NotificationChanges): Partial<Record<NotificationChannel, readonly string[]>> {
  return Object.fromEntries(
    notificationChannels.map((channel) => [
      channel,
      rows(changes).flatMap((row) => (row.channel === channel && row.offset === undefined ? [row.type] : [])),
    ]),
  );
}

export const everywhere = (type: string) => ({ EMAIL: [type], SMS: [type], WEBHOOKS: [type] });
export const subscribersAlone = (type: string) => ({ EMAIL: [], SMS: [], WEBHOOKS: [type] });
export const nobody = { EMAIL: [], SMS: [], WEBHOOKS: [] };
