import type {
  NotificationChannel,
  NotificationEventSortField,
  NotificationSortField,
  NotificationState,
  NotificationType,
  SortOrder,
} from '@calends/model';
import type { CallOptions } from '../call-options.js';
import type { Caller } from '../../domain/calls/caller.js';
import type { Page } from '../page.js';
import type { DeliveryReport } from '../../domain/notifications/provider-answers.js';
import type { EndpointOperations } from './endpoint-operations.js';
import type { NotificationEvent, NotificationStatus } from '../../domain/notifications/notification-status.js';
import type { PollProperty } from '../../settings/poll-properties.js';

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

/** What a retry may come with. */
export type RetryOptions = Pick<CallOptions, 'idempotency' | 'signal'>;

/** What a provider reports of one notification, by a call of its own. */
export interface DeliveryReceipt {
  readonly organizationId: string;
  readonly notificationId: string;
  readonly report: DeliveryReport;
}

/** Every operation on notifications. */
export interface NotificationOperations extends EndpointOperations {
  /** A page of delivery statuses. */
  listStatuses(
    caller: Caller,
    query: NotificationListQuery<NotificationSortField>,
  ): Promise<Page<NotificationStatus, NotificationSortField>>;
  /** A page of delivery events. */
  listEvents(
    caller: Caller,
    query: NotificationListQuery<NotificationEventSortField>,
  ): Promise<Page<NotificationEvent, NotificationEventSortField>>;
  /** Polling settings of an application; an unknown one gets the system defaults (D58). */
  pollProperties(caller: Caller, applicationId: string): Promise<Readonly<Record<string, PollProperty>>>;
  /** The supported webhook notification types. */
  webhookTypes(): readonly NotificationType[];
  /**
   * Retries a failed or pending notification: the worker makes the attempt (D52).
   *
   * Rejects with `not_found`, `not_assigned` (D60), `retry_not_allowed` (D53).
   */
  retry(caller: Caller, id: string, options?: RetryOptions): Promise<NotificationStatus>;
  /**
   * Takes what a provider reports by itself; the host has made sure that it is the provider.
   *
   * A state is only followed upwards (delivery comes late, twice, out of order), so a repeated report changes
   * nothing. Answers whether the notification is known.
   */
  receive(receipt: DeliveryReceipt): Promise<boolean>;
}
