import type { Instant, Notification, RetentionStore } from '@calends/core/store';
import { atOnce } from './at-once.js';
import type { Tables } from './tables.js';

/** The part of the store that removes by the policy of the host. */
export function retentionMethods({ appointments, notifications, outbox, audit }: Tables): RetentionStore {
  let lease: { readonly holder: string; readonly until: Instant } | undefined;

  const isOver = (before: Instant) => (notification: Notification) => {
    const { organizationId, appointmentId, phase, createdAt, updatedAt } = notification;
    if (phase !== 'DONE' || createdAt >= before || updatedAt >= before) return false;
    const end = appointments.of(organizationId).find(appointmentId)?.appointment.schedule.end ?? -Infinity;
    return end < before && !outbox.isWaiting({ organizationId, appointmentId });
  };

  return atOnce<RetentionStore>({
    claim: ({ holder, leaseFor, now = Date.now() }) => {
      if (lease !== undefined && lease.holder !== holder && lease.until > now) return false;
      lease = { holder, until: now + leaseFor };
      return true;
    },
    purgeNotifications: ({ before, limit }) => {
      const removed = notifications.purge(isOver(before), limit);
      return { removed, next: removed < limit ? undefined : [] };
    },
    nextSealed: (after = '') => audit.nextSealed(after),
    trimAudit: (trim) => audit.trim(trim),
  });
}
