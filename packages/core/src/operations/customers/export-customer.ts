import type { AuditEntry } from '../../domain/audit/audit-entry.js';
import type { Appointment } from '../../domain/appointments/appointment.js';
import { asSeenBy } from '../../domain/appointments/participants.js';
import { eventView, statusView } from '../notifications/notification-view.js';
import { retryMeans } from '../../delivery/manual-retry.js';
import type { UseCaseContext } from '../context.js';
import { eachPage } from '../page.js';
import { lineOf } from '../unit-of-work.js';
import type { Caller } from '../../domain/calls/caller.js';
import type { CallOptions } from '../call-options.js';
import type { CustomerExport, CustomerRecord, CustomerSelection } from './commands.js';
import { type KeptCustomer, keptCustomers } from './kept-messages.js';
import { notFound } from '../change-appointment.js';
import { requireDataRights, selectedPages } from './selection.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { Listed } from '../../ports/store/appointments.js';

/** What is long in a record, in the order in which it is told. */
const lists = ['notifications', 'deliveryEvents', 'audit'] as const;

/** A record whose lists are read, a page at a time, while they are taken. */
type HeldRecord = Pick<CustomerRecord, 'profile' | 'appointment'> & {
  readonly [List in (typeof lists)[number]]: AsyncIterable<CustomerRecord[List]>;
};

/** Answers everything that is held about customers; the call itself is recorded. */
export function exportCustomer(context: UseCaseContext) {
  return async (caller: Caller, selection: CustomerSelection, options?: CallOptions): Promise<CustomerExport> => {
    const records: CustomerRecord[] = [];
    for await (const { notifications, deliveryEvents, audit, ...record } of heldRecords(
      context,
      caller,
      selection,
      options,
    )) {
      records.push({
        ...record,
        notifications: await allOf(notifications),
        deliveryEvents: await allOf(deliveryEvents),
        audit: await allOf(audit),
      });
    }
    return { exportedAt: context.clock.now(), records };
  };
}

/** The same as JSON text that is never in memory as a whole; its last brackets come only after its last record. */
export function exportText(context: UseCaseContext) {
  return async function* (
    caller: Caller,
    selection: CustomerSelection,
    options?: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    let text = `{"exportedAt":${String(context.clock.now())},"records":[`;
    let separator = '';
    for await (const record of heldRecords(context, caller, selection, options)) {
      const { profile, appointment } = record;
      text += `${separator}{"profile":${JSON.stringify(profile)},"appointment":${JSON.stringify(appointment)}`;
      separator = ',';
      for (const list of lists) {
        text += `,"${list}":[`;
        let between = '';
        for await (const page of record[list]) {
          for (const item of page) {
            text += between + JSON.stringify(item);
            between = ',';
          }
          yield text;
          text = '';
        }
        text += ']';
      }
      text += '}';
    }
    yield `${text}]}`;
  };
}

async function allOf<Item>(pages: AsyncIterable<readonly Item[]>): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

async function* heldRecords(
  context: UseCaseContext,
  caller: Caller,
  selection: CustomerSelection,
  options: CallOptions | undefined,
): AsyncGenerator<HeldRecord, void, undefined> {
  await requireDataRights(context, { caller, selection, operation: 'exportCustomer', options });
  let found = 0;
  for await (const { profile, appointment } of heldCustomers(context, caller, selection)) {
    found += 1;
    const { organizationId } = profile;
    const audit = [lineOf(context, 'exportCustomer', caller, appointment, options)];
    await context.store.commit({ organizationId, events: [], audit });
    yield await recordOf(context, profile, appointment);
  }
  if (found === 0 && 'participantId' in selection) throw notFound();
}

/** Those whose record is there, then those of whom only messages are left. */
async function* heldCustomers(
  context: UseCaseContext,
  caller: Caller,
  selection: CustomerSelection,
): AsyncGenerator<KeptCustomer, void, undefined> {
  for await (const profiles of selectedPages(context, caller, selection)) {
    for (const profile of profiles) {
      const appointment = await context.store.appointments.find(profile.organizationId, profile.appointmentId);
      if (appointment !== undefined) yield { profile, appointment };
    }
  }
  yield* await keptCustomers(context, caller, selection);
}

/** So many of a list are read in one turn. */
const pageSize = 25;

async function recordOf(
  context: UseCaseContext,
  profile: CustomerProfile,
  appointment: Appointment,
): Promise<HeldRecord> {
  const { store, clock, applications, turns } = context;
  const { organizationId, appointmentId, participantId } = profile;
  const settings = await applications.settingsOf(appointment.applicationId);
  const query = {
    organizationId,
    applicationId: appointment.applicationId,
    appointmentId,
    scope: { kind: 'all' },
    sortOrder: 'asc',
  } as const;
  const now = clock.now();

  /** Pages of a list, each as `show` makes it of what is this customer's. */
  async function* pagesOf<Item, Shown>(
    read: (page: { readonly pageNumber: number; readonly pageSize: number }) => Promise<Listed<Item>>,
    isTheirs: (item: Item) => boolean,
    show: (items: readonly Item[]) => Promise<readonly Shown[]> | readonly Shown[],
  ): AsyncGenerator<readonly Shown[], void, undefined> {
    for await (const page of eachPage((wanted) => turns.further(() => read(wanted)), pageSize)) {
      yield await show(page.filter(isTheirs));
    }
  }

  return {
    profile,
    appointment: asSeenBy(appointment, participantId),
    notifications: pagesOf(
      (page) => store.notifications.list({ ...query, sortField: 'createdAt', ...page }),
      ({ notification }) => notification.addressee.id === participantId,
      async (listed) => {
        const means = await retryMeans(context, listed, settings.notifications);
        return listed.map((each) => statusView(each, settings.notifications, means(each.notification), now));
      },
    ),
    deliveryEvents: pagesOf(
      (page) => store.notifications.listEvents({ ...query, sortField: 'timestamp', ...page }),
      ({ notification }) => notification.addressee.id === participantId,
      (listed) => listed.map(eventView),
    ),
    audit: pagesOf(
      (page) => store.audit.list({ organizationId, appointmentId, ...page }),
      (entry) => isAbout(entry, participantId),
      (entries) => entries,
    ),
  };
}

/** What the customer did, and what was done by nobody's name to all of the appointment. */
function isAbout({ actor, operation }: AuditEntry, participantId: string): boolean {
  return actor?.id === participantId || personalOperations.includes(operation);
}

const personalOperations: readonly AuditEntry['operation'][] = ['eraseCustomer', 'exportCustomer', 'expireCustomer'];
