import type { AuditEntry } from '../../domain/audit/audit-entry.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { asSeenBy } from '../../domain/appointments/participants.js';
import { eventView, statusView } from '../notifications/notification-view.js';
import { retryMeans } from '../../delivery/manual-retry.js';
import type { UseCaseContext } from '../context.js';
import { everyItem } from '../page.js';
import { lineOf } from '../unit-of-work.js';
import type { Caller } from '../../domain/calls/caller.js';
import type { CallOptions } from '../call-options.js';
import type { CustomerExport, CustomerRecord, CustomerSelection } from './commands.js';
import { requireDataRights, selectedProfiles } from './selection.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';

/** Answers everything that is held about customers; the call itself is recorded. */
export function exportCustomer(context: UseCaseContext) {
  return async (caller: Caller, selection: CustomerSelection, options?: CallOptions): Promise<CustomerExport> => {
    requireDataRights(caller);
    const records: CustomerRecord[] = [];
    for (const profile of await selectedProfiles(context, caller, selection)) {
      const { organizationId, appointmentId } = profile;
      const appointment = await context.store.appointments.find(organizationId, appointmentId);
      if (appointment === undefined) continue;
      const audit = [lineOf(context, 'exportCustomer', caller, appointment, options)];
      await context.store.commit({ organizationId, events: [], audit });
      records.push(await recordOf(context, profile, appointment));
    }
    return { exportedAt: context.clock.now(), records };
  };
}

async function recordOf(
  context: UseCaseContext,
  profile: CustomerProfile,
  appointment: Appointment,
): Promise<CustomerRecord> {
  const { store, clock, applications } = context;
  const { organizationId, appointmentId, participantId } = profile;
  const settings = await applications.settingsOf(appointment.applicationId);
  const query = {
    organizationId,
    applicationId: appointment.applicationId,
    appointmentId,
    scope: { kind: 'all' },
    sortOrder: 'asc',
  } as const;
  const notifications = await everyItem((page) =>
    store.notifications.list({ ...query, sortField: 'createdAt', ...page }),
  );
  const events = await everyItem((page) =>
    store.notifications.listEvents({ ...query, sortField: 'timestamp', ...page }),
  );
  const audit = await everyItem((page) => store.audit.list({ organizationId, appointmentId, ...page }));
  const means = await retryMeans(context, notifications, settings.notifications);
  const now = clock.now();
  return {
    profile,
    appointment: asSeenBy(appointment, participantId),
    notifications: notifications
      .filter(({ notification }) => notification.addressee.id === participantId)
      .map((listed) => statusView(listed, settings.notifications, means(listed.notification), now)),
    deliveryEvents: events
      .filter(({ notification }) => notification.addressee.id === participantId)
      .map((listed) => eventView(listed)),
    audit: audit.filter((entry) => isAbout(entry, participantId)),
  };
}

/** What the customer did, and what was done by nobody's name to all of the appointment. */
function isAbout({ actor, operation }: AuditEntry, participantId: string): boolean {
  return actor?.id === participantId || personalOperations.includes(operation);
}

const personalOperations: readonly AuditEntry['operation'][] = ['eraseCustomer', 'exportCustomer', 'expireCustomer'];
