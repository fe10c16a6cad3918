import type { Caller } from '../caller.js';
import type { Page, SortOrder } from '../page.js';
import type {
  NotificationChannel,
  NotificationEvent,
  NotificationEventSortField,
  NotificationSortField,
  NotificationState,
  NotificationStatus,
  NotificationType,
  PollProperty,
} from './notification.js';

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

/** Every operation on notifications. */
export interface NotificationOperations {
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
  /** Retries a failed or pending notification (D52); rejects with `not_found` or `retry_not_allowed`. */
  retry(caller: Caller, id: string): Promise<NotificationStatus>;
}
