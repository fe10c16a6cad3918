import { actorOf, type Caller } from '../caller.js';
import { auditLine, proofOf } from '../audit/audit-line.js';
import type { AuditEntry } from '../audit/audit-entry.js';
import type { Appointment } from '../appointments/appointment.js';
import { asSeenBy } from '../appointments/participants.js';
import { eventView, statusView } from '../notifications/notification-view.js';
import { retryMeans } from '../notifications/retry-means.js';
import { pageSizes } from '../page.js';
import type { Listed } from '../ports/notification-store.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { CustomerOperations, CustomerRecord } from './customer-operations.js';
import { requireDataRights, selectedProfiles } from './customer-selection.js';
import type { CustomerProfile } from './profile.js';

/** Answers everything that is held about customers; the call itself is recorded. */
export function exportCustomer(context: UseCaseContext): CustomerOperations['export'] {
  return async (caller, selection, options) => {
    requireDataRights(caller);
    const records: CustomerRecord[] = [];
    for (const profile of await selectedProfiles(context, caller, selection)) {
      const { organizationId, appointmentId } = profile;
      const appointment = await context.store.findAppointment(organizationId, appointmentId);
      if (appointment === undefined) continue;
      await recordExport(context, caller, appointment, options?.correlationId);
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
  const notifications = await allOf((page) => store.listNotifications({ ...query, sortField: 'createdAt', ...page }));
  const events = await allOf((page) => store.listDeliveryEvents({ ...query, sortField: 'timestamp', ...page }));
  const audit = await allOf((page) => store.listAudit({ organizationId, appointmentId, ...page }));
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

interface PageRequest {
  readonly pageNumber: number;
  readonly pageSize: number;
}

async function allOf<Item>(read: (page: PageRequest) => Promise<Listed<Item>>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const { items, total } = await read({ pageNumber, pageSize: pageSizes.max });
    found.push(...items);
    if (items.length === 0 || found.length >= total) return found;
  }
}

async function recordExport(
  { store, ids, clock }: UseCaseContext,
  caller: Caller,
  appointment: Appointment,
  correlationId: string | undefined,
): Promise<void> {
  const line = auditLine(ids, {
    operation: 'exportCustomer',
    appointment,
    at: clock.now(),
    actor: actorOf(caller),
    proof: proofOf(caller),
    from: appointment.state,
    to: appointment.state,
    version: null,
    requestId: correlationId ?? ids.next(),
  });
  await store.commit({ organizationId: appointment.organizationId, events: [], audit: [line] });
}
