import { limits, notificationTypes } from '@calends/model';
import { CalendsError } from '../../domain/calls/errors.js';
import type { UseCaseContext } from '../context.js';
import type { EndpointStates } from '../../delivery/endpoint-states.js';
import { endpointOperations } from './endpoints.js';
import { listEvents, listStatuses } from './list-notifications.js';
import type { NotificationOperations } from './notification-operations.js';
import { pollProperties } from '../../settings/poll-properties.js';
import { receiveReceipt } from './receive-receipt.js';
import { retryNotification } from './retry-notification.js';
import { settingsFor } from './settings-for.js';

/** The operations on notifications (notification document, Endpoints). */
export function notificationOperations(context: UseCaseContext, endpoints: EndpointStates): NotificationOperations {
  return {
    listStatuses: listStatuses(context),
    listEvents: listEvents(context),
    pollProperties: async (caller, applicationId) => {
      if (applicationId === '' || applicationId.length > limits.id) {
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
