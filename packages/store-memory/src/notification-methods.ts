import {
  compareText,
  type CustomerProfile,
  type EndpointKey,
  type EndpointState,
  type ListedNotification,
  type Notification,
  type NotificationStore,
} from '@calends/core/store';
import { atOnce } from './at-once.js';
import type { Tables } from './tables.js';
import { compositeKey } from './maps.js';
import { listDeliveryEvents, listNotifications } from './list-notifications.js';
import { isKept, isUnderWay } from './notification-steps.js';
import { sealedCopy } from './sealed-copy.js';

const endpointKey = ({ organizationId, applicationId, endpointId, addressHash }: EndpointKey): string =>
  compositeKey(organizationId, applicationId, endpointId, addressHash);

const well: EndpointState = { failingSince: null, disabledAt: null, reason: null };

const isAlike = (one: EndpointState, other: EndpointState): boolean =>
  one.failingSince === other.failingSince && one.disabledAt === other.disabledAt && one.reason === other.reason;

/** The part of the store that keeps notifications. */
export function notificationMethods(tables: Tables): NotificationStore {
  const { appointments, customers, notifications } = tables;
  const endpoints = new Map<string, EndpointState>();

  const customerOf = ({ organizationId, appointmentId, addressee }: Notification): CustomerProfile | undefined =>
    addressee.type === 'CUSTOMER' ? customers.find(organizationId, appointmentId, addressee.id) : undefined;
  const listed = (notification: Notification): ListedNotification => ({
    notification,
    appointment: appointments.of(notification.organizationId).find(notification.appointmentId)?.appointment,
    customer: customerOf(notification),
  });

  const rowsOf = ({ organizationId, applicationId }: { organizationId: string; applicationId: string }) =>
    [notifications.ofApplication(organizationId, applicationId), appointments.of(organizationId)] as const;

  return atOnce<Omit<NotificationStore, 'repairQueue'>>({
    claim: ({ channel, limit, leaseFor, now = Date.now() }) => {
      const claims = notifications.claim(channel, now, limit, leaseFor);
      return { now, claimed: claims.map((claim) => ({ ...listed(claim.notification), ...claim })) };
    },
    settle: (updates) => notifications.settle(updates),
    releaseReminders: (organizationId, appointmentId, at) =>
      notifications.releaseReminders(organizationId, appointmentId, at),

    list: (query) => {
      const { items, total } = listNotifications(...rowsOf(query), query);
      return { items: items.map(listed), total };
    },
    listEvents: (query) => {
      const { items, total } = listDeliveryEvents(...rowsOf(query), query);
      const shown = items.map(({ event, notification }) => ({
        event,
        notification,
        customer: customerOf(notification),
      }));
      return { items: shown, total };
    },
    find: (organizationId, id) => {
      const row = notifications.find(organizationId, id);
      return row && listed(row.notification);
    },
    findStanding: ({ organizationId, id, appointmentId, channel, addresseeId, now }) => {
      const alike = notifications
        .ofAppointment(organizationId, appointmentId)
        .map(({ notification }) => notification)
        .filter((each) => each.channel === channel && each.addressee.id === addresseeId);
      const found = alike.find((each) => each.id === id);
      if (found === undefined) return undefined;
      const { appointment, customer } = listed(found);
      return {
        revision: found.revision,
        scheduleVersion: appointment?.scheduleVersion,
        primaryEmail: customer?.primaryEmail,
        primaryPhone: customer?.primaryPhone,
        others: alike.filter((each) => each.id !== id && isUnderWay(each, now)),
      };
    },
    listKept: ({ organizationId, appointmentId, after = '', limit }) => {
      const rows =
        appointmentId === undefined
          ? notifications.toSend(organizationId)
          : notifications.ofAppointment(organizationId, appointmentId);
      return rows
        .map(({ notification }) => notification)
        .filter((each) => isKept(each) && compareText(each.id, after) > 0 && listed(each).appointment === undefined)
        .sort((a, b) => compareText(a.id, b.id))
        .slice(0, limit);
    },
    countSending: (organizationId, ids) =>
      [...new Set(ids)].filter((id) => notifications.find(organizationId, id)?.notification.phase === 'SENDING').length,
    backlog: () => notifications.backlog(),

    findEndpoint: (key) => endpoints.get(endpointKey(key)),
    putEndpoint: (key, state, expected) => {
      if (expected !== undefined && !isAlike(endpoints.get(endpointKey(key)) ?? well, expected)) return false;
      endpoints.set(endpointKey(key), sealedCopy(state));
      return true;
    },
  });
}
