import type { CustomerProfile, ListedNotification, Notification, NotificationStore } from '@calends/core/store';
import { atOnce } from './at-once.js';
import type { Tables } from './commit.js';
import { Endpoints } from './endpoints.js';
import { listDeliveryEvents, listNotifications } from './list-notifications.js';
import { isUnderWay } from './notification-steps.js';

/** The part of the store that keeps notifications. */
export function notificationMethods(tables: Tables): NotificationStore {
  const { appointments, customers, notifications } = tables;
  const endpoints = new Endpoints();

  const customerOf = ({ organizationId, appointmentId, addressee }: Notification): CustomerProfile | undefined =>
    addressee.type === 'CUSTOMER' ? customers.find(organizationId, appointmentId, addressee.id) : undefined;
  const listed = (notification: Notification): ListedNotification => ({
    notification,
    appointment: appointments.of(notification.organizationId).find(notification.appointmentId)?.appointment,
    customer: customerOf(notification),
  });

  return {
    claim: ({ channel, limit, leaseFor, now = Date.now() }) =>
      atOnce(() => {
        const claims = notifications.claim(channel, now, limit, leaseFor);
        return {
          now,
          claimed: claims.map((claim) => ({ ...listed(claim.notification), ...claim })),
        };
      }),
    settle: (updates) => atOnce(() => notifications.settle(updates)),
    releaseReminders: (organizationId, appointmentId, at) =>
      atOnce(() => {
        notifications.releaseReminders(organizationId, appointmentId, at);
      }),

    list: (query) =>
      atOnce(() => {
        const { organizationId, applicationId } = query;
        const rows = notifications.ofApplication(organizationId, applicationId);
        const { items, total } = listNotifications(rows, appointments.of(organizationId), query);
        return { items: items.map(listed), total };
      }),
    listEvents: (query) =>
      atOnce(() => {
        const { organizationId, applicationId } = query;
        const rows = notifications.ofApplication(organizationId, applicationId);
        const { items, total } = listDeliveryEvents(rows, appointments.of(organizationId), query);
        return {
          items: items.map(({ event, notification }) => ({ event, notification, customer: customerOf(notification) })),
          total,
        };
      }),
    find: (organizationId, id) =>
      atOnce(() => {
        const row = notifications.find(organizationId, id);
        return row && listed(row.notification);
      }),
    findStanding: ({ organizationId, id, appointmentId, channel, addresseeId, now }) =>
      atOnce(() => {
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
      }),
    countSending: (organizationId, ids) =>
      atOnce(
        () =>
          [...new Set(ids)].filter((id) => notifications.find(organizationId, id)?.notification.phase === 'SENDING')
            .length,
      ),
    backlog: () => atOnce(() => notifications.backlog()),

    findEndpoint: (key) => atOnce(() => endpoints.find(key)),
    putEndpoint: (key, state) => atOnce(() => endpoints.put(key, state)),
  };
}
