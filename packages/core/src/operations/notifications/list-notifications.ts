import {
  limits,
  type NotificationChannel,
  notificationChannels,
  type NotificationEventSortField,
  notificationEventSortFields,
  type NotificationSortField,
  notificationSortFields,
  type NotificationState,
  notificationStates,
  type NotificationType,
  notificationTypes,
  parseInstant,
  type SortOrder,
} from '@calends/model';
import { type Caller, hasRole, requireApplication, widestRole } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { InputIssues } from '../../domain/calls/input.js';
import type { NotificationEvent, NotificationStatus } from '../../domain/notifications/notification-status.js';
import { type Page, pageOf, readPage } from '../page.js';
import type { NotificationQuery, NotificationScope } from '../../ports/store/notifications.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import { defaultNotificationSettings, type NotificationSettings } from '../../settings/notification-settings.js';
import type { UseCaseContext } from '../context.js';
import { eventView, statusView } from './notification-view.js';
import { retryMeans } from '../../delivery/manual-retry.js';

/** Filters, window and page of both listings (notification document, query parameters). */
export interface NotificationListQuery<SortField extends string> {
  readonly applicationId: string;
  readonly types?: readonly NotificationType[] | undefined;
  readonly channels?: readonly NotificationChannel[] | undefined;
  readonly statuses?: readonly NotificationState[] | undefined;
  /** ISO 8601, inclusive (D35). */
  readonly from?: string | undefined;
  /** ISO 8601, exclusive (D35). */
  readonly to?: string | undefined;
  readonly sortField?: SortField | undefined;
  /** Default `desc`. */
  readonly sortOrder?: SortOrder | undefined;
  readonly pageNumber?: number | undefined;
  readonly pageSize?: number | undefined;
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
  const issues = new InputIssues();
  const applicationId = issues.requiredText('/applicationId', query.applicationId, limits.id);
  const [from, to] = [readSide('from', query.from, issues), readSide('to', query.to, issues)];
  if (from !== undefined && to !== undefined && from >= to) {
    issues.add('/to', 'invalid_value', 'Must lie after from.');
  }
  requireKnown('/types', query.types, notificationTypes, issues);
  requireKnown('/channels', query.channels, notificationChannels, issues);
  requireKnown('/statuses', query.statuses, notificationStates, issues);
  const standard: { field: SortField; order: SortOrder } = { field: standardField, order: 'desc' };
  const page = readPage(query, sortFields, standard, issues);
  issues.throwIfAny();
  requireApplication(caller, applicationId);
  const settings = await context.applications.settingsOf(applicationId);
  const asked: NotificationQuery<SortField> = {
    organizationId: caller.organizationId,
    applicationId,
    scope: notificationScope(caller, settings),
    types: query.types,
    channels: query.channels,
    statuses: query.statuses,
    from,
    to,
    ...page,
  };
  return { query: asked, page, settings };
}

/** One side of the search window (D35). */
function readSide(name: 'from' | 'to', text: string | undefined, issues: InputIssues): number | undefined {
  const instant = text === undefined ? undefined : parseInstant(text);
  if (text !== undefined && instant === undefined) {
    issues.add(`/${name}`, 'invalid_format', 'Must be an ISO 8601 timestamp with Z or an offset.');
  }
  return instant;
}

function requireKnown(
  pointer: string,
  values: readonly string[] | undefined,
  known: readonly string[],
  issues: InputIssues,
): void {
  if (values !== undefined && values.length > limits.queryValues) {
    issues.add(pointer, 'too_many', `Must have at most ${String(limits.queryValues)} values.`);
  } else if (values?.every((value) => known.includes(value)) === false) {
    issues.add(pointer, 'invalid_value', `Each must be one of: ${known.join(', ')}.`);
  }
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
