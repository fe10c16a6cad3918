import {
  isIdText,
  isWellFormedId,
  limits,
  type NotificationEventSortField,
  type NotificationSortField,
  type NotificationType,
  notificationTypes,
} from '@calends/model';
import { deliverySignal } from '../../delivery/claim.js';
import type { EndpointStates } from '../../delivery/channels/endpoint-states.js';
import { readReport, reportStates } from '../../delivery/read-answer.js';
import { nowByStore } from '../../ports/clock.js';
import { next } from '../../delivery/state.js';
import type { Caller } from '../../domain/calls/caller.js';
import { CalendsError, invalidField } from '../../domain/calls/errors.js';
import { fieldsOf } from '../../support/host-answers.js';
import type { NotificationEvent, NotificationStatus } from '../../domain/notifications/notification-status.js';
import type { DeliveryReport } from '../../domain/notifications/provider-answers.js';
import { pollProperties, type PollProperty } from '../../settings/poll-properties.js';
import type { UseCaseContext } from '../context.js';
import type { Page } from '../page.js';
import { insist } from '../unit-of-work.js';
import type { EndpointOperations } from './endpoint-operations.js';
import { endpointOperations } from './endpoints.js';
import { listEvents, listStatuses, type NotificationListQuery, settingsFor } from './list-notifications.js';
import { retryNotification, type RetryOptions } from './retry-notification.js';

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

/** The operations on notifications (notification document, Endpoints). */
export function notificationOperations(context: UseCaseContext, endpoints: EndpointStates): NotificationOperations {
  return {
    listStatuses: listStatuses(context),
    listEvents: listEvents(context),
    pollProperties: async (caller, applicationId) => {
      if (!isIdText(applicationId, limits.id)) {
        throw new CalendsError('not_found', 'There is no such application.');
      }
      const { poll } = await settingsFor(context, caller, applicationId);
      return pollProperties(poll);
    },
    webhookTypes: () => notificationTypes,
    retry: retryNotification(context),
    receive: receiveReceipt(context),
    ...endpointOperations(context, endpoints),
  };
}

/** Takes what a provider reports by itself (D50; delivery of receipts is late, double and out of order). */
function receiveReceipt({ store, clock, observer }: UseCaseContext): NotificationOperations['receive'] {
  return async (receipt) => {
    const { organizationId, notificationId, report } = fieldsOf(receipt);
    const told = readReceived(report);
    if (!isWellFormedId(notificationId) || !isIdText(organizationId, limits.organizationId)) return false;
    return insist('notification', async () => {
      const found = await store.notifications.find(organizationId, notificationId);
      if (found === undefined) return false;
      const now = clock.now();
      const step = next('reported', found.notification, told, now);
      if (step === undefined) return true;
      // Not settled as a worker's outcome is: what it makes due is due by the clock of the store (D80).
      const change = {
        organizationId,
        now: nowByStore(clock, now),
        events: [],
        notifications: { update: step.update },
      };
      if ((await store.commit(change)).status !== 'committed') return undefined;
      observer.observe(deliverySignal(step));
      return true;
    });
  };
}

/**
 * What a host hands on, read as the answer of a notifier is: a word of the provider that came as it is would stand in the
 * history as taken.
 *
 * @throws CalendsError `validation_failed` when it names no state
 */
function readReceived(report: unknown): DeliveryReport {
  try {
    return readReport(report);
  } catch {
    throw invalidField('/report/state', `Must be one of ${reportStates.join(', ')}.`);
  }
}
