import type { SchedulingStore } from '@calends/core';
import { atOnce } from './at-once.js';
import { AuditRecord } from './audit-record.js';
import { Challenges } from './challenges.js';
import { Appointments } from './appointments.js';
import { commitChange, type Tables } from './commit.js';
import { Customers } from './customers.js';
import { listEligible } from './list-eligible.js';
import { keyMethods } from './keys.js';
import { listAppointments } from './list-appointments.js';
import { notificationMethods } from './notification-methods.js';
import { Notifications } from './notifications.js';
import { Outbox } from './outbox.js';
import { proofMethods } from './proof-methods.js';
import { Requests } from './requests.js';
import { Tickets } from './tickets.js';
import { overlapping, startingIn } from './window-counts.js';

/**
 * A store that keeps everything in memory: the reference for the contract of {@link SchedulingStore}, for tests
 * and for trying things out.
 *
 * Each call takes effect as a whole before it returns its promise. Answers are frozen, so that nobody can change
 * what is stored. Actors, starts and wake-up times are indexed. Everything ends with the process, and no second
 * process sees it.
 */
export function memoryStore(): SchedulingStore {
  const tables: Tables = {
    appointments: new Appointments(),
    customers: new Customers(),
    requests: new Requests(),
    outbox: new Outbox(),
    notifications: new Notifications(),
    challenges: new Challenges(),
    tickets: new Tickets(),
    audit: new AuditRecord(),
  };
  const { appointments, customers, requests, outbox, notifications } = tables;

  return {
    capabilities: { sharedBetweenProcesses: false, durable: false },

    findAppointment: (organizationId, appointmentId) =>
      atOnce(() => appointments.of(organizationId).find(appointmentId)?.appointment),
    findCustomer: (organizationId, appointmentId, participantId) =>
      atOnce(() => customers.find(organizationId, appointmentId, participantId)),
    listAppointments: (query) => atOnce(() => listAppointments(appointments.of(query.organizationId), query)),
    listEligible: (organizationId, page) => atOnce(() => listEligible(appointments.of(organizationId), page)),
    countStarting: ({ organizationId, applicationId, windows }) =>
      atOnce(() => {
        const live = appointments.of(organizationId).live(applicationId);
        return windows.map((window) => (live === undefined ? 0 : startingIn(live, window)));
      }),
    countOverlapping: ({ organizationId, applicationId, windows }) =>
      atOnce(() => {
        const live = appointments.of(organizationId).live(applicationId);
        return windows.map((window) => (live === undefined ? 0 : overlapping(live, window)));
      }),

    commit: (change, { signal } = {}) => atOnce(() => commitChange(tables, change, signal)),

    findRequest: (key, now) => atOnce(() => requests.find(key, now)),
    purgeRequests: (now, limit) => atOnce(() => requests.purge(now, limit)),

    claimDueAppointments: (claim) => atOnce(() => appointments.due.claim(claim)),
    postpone: (postponement) => atOnce(() => appointments.postpone(postponement)),
    nextWakeAt: (interests) =>
      atOnce(() => {
        const instants = [
          interests.appointments ? appointments.due.next() : undefined,
          interests.events ? outbox.nextAvailableAt() : undefined,
          ...interests.channels.map((channel) => notifications.next(channel)),
        ];
        const next = Math.min(...instants.map((instant) => instant ?? Infinity));
        return next === Infinity ? null : next;
      }),

    claimEvents: (claim) => atOnce(() => outbox.claim(claim)),
    settleEvents: (outcomes) =>
      atOnce(() => {
        for (const outcome of outcomes) outbox.settle(outcome);
      }),
    listEvents: (query) => atOnce(() => outbox.list(query)),
    purgeEvents: (before, limit) => atOnce(() => outbox.purge(before, limit)),

    ...notificationMethods(tables),
    ...proofMethods(tables),
    ...keyMethods(tables),

    check: () => Promise.resolve({}),
  };
}
