import { type Caller, hasRole } from '../caller.js';
import { CalendsError } from '../errors.js';
import { defaultNotificationSettings, type NotificationSettings } from '../settings/notification-settings.js';
import type { UseCaseContext } from '../use-case/context.js';
import { endpointKeyOf, type EndpointStates } from './delivery/endpoint-states.js';
import { listEvents, listStatuses, requireApplication } from './list-notifications.js';
import { notificationTypes } from './notification.js';
import type { NotificationOperations } from './notification-operations.js';
import { pollProperties } from './poll-properties.js';
import { receiveReceipt } from './receive-receipt.js';
import { retryNotification } from './retry-notification.js';

/** The operations on notifications (notification document, Endpoints). */
export function notificationOperations(context: UseCaseContext, endpoints: EndpointStates): NotificationOperations {
  return {
    listStatuses: listStatuses(context),
    listEvents: listEvents(context),
    pollProperties: async (caller, applicationId) => {
      const { poll } = await settingsFor(context, caller, applicationId);
      return pollProperties(poll);
    },
    webhookTypes: () => notificationTypes,
    retry: retryNotification(context),
    receive: receiveReceipt(context),
    enableEndpoint: async (caller, { applicationId, endpointId }) => {
      if (!hasRole(caller, 'ROLE_SUPERVISOR') && !hasRole(caller, 'ROLE_ADMIN')) {
        throw new CalendsError('forbidden', 'Endpoints are enabled by supervisors and administrators.');
      }
      const { organizationId } = caller;
      const { webhooks } = await settingsFor(context, caller, applicationId);
      const endpoint = webhooks.find(({ id }) => id === endpointId);
      if (endpoint === undefined) throw new CalendsError('not_found', 'There is no such endpoint.');
      await endpoints.enable(endpointKeyOf({ organizationId, applicationId }, endpoint));
    },
  };
}

/** What an application sets; one of another organization is as unknown as one that nobody has (D58). */
async function settingsFor(
  { applications }: UseCaseContext,
  caller: Caller,
  applicationId: string,
): Promise<NotificationSettings> {
  requireApplication(caller, applicationId);
  const { organizationId = caller.organizationId, notifications } = await applications.settingsOf(applicationId);
  return organizationId === caller.organizationId ? notifications : defaultNotificationSettings;
}
