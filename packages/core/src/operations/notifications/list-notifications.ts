import {
  limits,
  notificationChannels,
  type NotificationEventSortField,
  notificationEventSortFields,
  type NotificationSortField,
  notificationSortFields,
  notificationStates,
  notificationTypes,
} from '@calends/model';
import { type Caller, hasRole, requireApplication, widestRole } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { readInput } from '../../domain/calls/input.js';
import type { NotificationEvent, NotificationStatus } from '../../domain/notifications/notification-status.js';
import { type AskedPage, type Page, pageOf, readPage, readWindow, storedPage } from '../page.js';
import type { NotificationQuery, NotificationScope } from '../../ports/store/notifications.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import { defaultNotificationSettings, type NotificationSettings } from '../../settings/notification-settings.js';
import type { UseCaseContext } from '../context.js';
import { eventView, statusView } from './notification-view.js';
import { retryMeans } from '../../delivery/manual-retry.js';

/** Filters, window and page of both listings, latest first by default (notification document, query parameters). */
export interface NotificationListQuery<SortField extends string>
  extends
    Pick<NotificationQuery<SortField>, 'applicationId' | 'types' | 'channels' | 'statuses'>,
    AskedPage<SortField> {
  /** ISO 8601, inclusive (D35). */
  readonly from?: string | undefined;
  /** ISO 8601, exclusive (D35). */
  readonly to?: string | undefined;
}

/** Lists delivery statuses (notification document, Endpoints; D31, D35, D60). */
export function listStatuses(context: UseCaseContext) {
  return async (
    caller: Caller,
    query: NotificationListQuery<NotificationSortField>,
  ): Promise<Page<NotificationStatus, NotificationSortField>> => {
    const asked = await readListing(context, caller, query, notificationSortFields, 'createdAt');
    const { items, total } = await context.store.notifications.list(asked.query);
    const { notifications } = asked.settings;
    const means = await retryMeans(context, items, notifications);
    const now = context.clock.now();
    const views = items.map((item) => statusView(item, notifications, means(item.notification), now));
    return pageOf({ items: views, total }, asked.page);
  };
}

/** Lists delivery events (notification document, Endpoints; D31, D35, D60). */
export function listEvents(context: UseCaseContext) {
  return async (
    caller: Caller,
    query: NotificationListQuery<NotificationEventSortField>,
  ): Promise<Page<NotificationEvent, NotificationEventSortField>> => {
    const asked = await readListing(context, caller, query, notificationEventSortFields, 'timestamp');
    const { items, total } = await context.store.notifications.listEvents(asked.query);
    return pageOf({ items: items.map(eventView), total }, asked.page);
  };
}

async function readListing<SortField extends string>(
  context: UseCaseContext,
  caller: Caller,
  query: NotificationListQuery<SortField>,
  sortFields: readonly SortField[],
  standardField: SortField,
) {
  const { applicationId, types, channels, statuses } = query;
  const { page, window } = readInput((issues) => {
    issues.requiredText('/applicationId', applicationId, limits.id);
    const window = readWindow(query, issues);
    issues.filter('/types', types, notificationTypes);
    issues.filter('/channels', channels, notificationChannels);
    issues.filter('/statuses', statuses, notificationStates);
    return { window, page: readPage(query, sortFields, { field: standardField, order: 'desc' }, issues) };
  });
  requireApplication(caller, applicationId);
  const settings = await context.applications.settingsOf(applicationId);
  const asked: NotificationQuery<SortField> = {
    organizationId: caller.organizationId,
    applicationId,
    scope: notificationScope(caller, settings),
    types,
    channels,
    statuses,
    ...window,
    ...storedPage(page),
  };
  return { query: asked, page, settings };
}

/**
 * What a caller sees: supervisors everything of the organization, agents what has a record, or only their own
 * appointments where the application has it so (D60).
 */
export function notificationScope(caller: Caller, settings: ApplicationSettings): NotificationScope {
  if (widestRole(caller) === 'ROLE_CUSTOMER') {
    throw new CalendsError('forbidden', 'Customers list no notifications.');
  }
  if (hasRole(caller, 'ROLE_SUPERVISOR')) return { kind: 'all' };
  return settings.agentsSeeOnlyOwnAppointments ? { kind: 'ofAgent', agentId: caller.id } : { kind: 'existing' };
}

/** What an application sets; one of another organization is as unknown as one that nobody has (D58). */
export async function settingsFor(
  { applications }: UseCaseContext,
  caller: Caller,
  applicationId: string,
): Promise<NotificationSettings> {
  requireApplication(caller, applicationId);
  const { organizationId = caller.organizationId, notifications } = await applications.settingsOf(applicationId);
  return organizationId === caller.organizationId ? notifications : defaultNotificationSettings;
}
