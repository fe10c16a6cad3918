import type { Appointment } from '../appointments/appointment.js';
import { activatesAt } from '../appointments/wake-up.js';
import type { DomainEvent } from '../appointments/events.js';
import type { CustomerProfile } from '../customers/profile.js';
import { notificationPlan, planNeedsCustomers } from '../notifications/notification-plan.js';
import type { NotificationChanges } from '../ports/notification-store.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from './context.js';

/** A change that notifications follow from. */
export interface NotifiedChange {
  readonly event: DomainEvent;
  readonly appointment: Appointment;
  /** Absent when the appointment is new. */
  readonly previous?: Appointment | undefined;
  readonly settings: ApplicationSettings;
  readonly changedCustomers?: readonly CustomerProfile[] | undefined;
}

/** What a change does to notifications, for the commit of the change; reads profiles only where messages need them. */
export async function plannedNotifications(
  { store, ids }: UseCaseContext,
  { event, appointment, previous, settings, changedCustomers }: NotifiedChange,
): Promise<NotificationChanges | undefined> {
  if (!appointment.notificationsActive) return undefined;
  const { notifications } = settings;
  const readsProfiles = previous !== undefined && planNeedsCustomers(event, notifications);
  const customers = readsProfiles ? await store.listCustomers(event.organizationId, appointment.id) : [];
  return notificationPlan({
    event,
    appointment,
    previous,
    settings: notifications,
    activatesAt: activatesAt(appointment, settings),
    customers,
    changedCustomers,
    nextId: () => ids.next(),
  });
}

/** True when new messages are planned. */
export const plansMessages = (planned: NotificationChanges | undefined): boolean => (planned?.add?.length ?? 0) > 0;
