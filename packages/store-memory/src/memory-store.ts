import type { SchedulingStore } from '@calends/core/store';
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
import { Requests } from './requests.js';
import { Tickets } from './tickets.js';
import { ticketsOfKey, walkAppointments } from './walks.js';
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
  const { appointments, customers, requests, outbox, notifications, challenges, tickets, audit } = tables;

  return {
    capabilities: { sharedBetweenProcesses: false, durable: false },

    commit: (change, { signal } = {}) => atOnce(() => commitChange(tables, change, signal)),
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
    check: () => Promise.resolve({}),

    appointments: {
      find: (organizationId, appointmentId) =>
        atOnce(() => appointments.of(organizationId).find(appointmentId)?.appointment),
      list: (query) => atOnce(() => listAppointments(appointments.of(query.organizationId), query)),
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
      claimDue: (claim) => atOnce(() => appointments.due.claim(claim)),
      postpone: (postponement) => atOnce(() => appointments.postpone(postponement)),
      walk: (walk) => atOnce(() => walkAppointments(appointments, walk)),
    },

    customers: {
      find: (organizationId, appointmentId, participantId) =>
        atOnce(() => customers.find(organizationId, appointmentId, participantId)),
      list: (organizationId, appointmentId) => atOnce(() => customers.ofAppointment(organizationId, appointmentId)),
      findByContact: (search) => atOnce(() => customers.byContact(search)),
      findChallenge: (organizationId, subject) => atOnce(() => challenges.find(organizationId, subject)),
      putChallenge: (next, expectedChallengeId) => atOnce(() => challenges.put(next, expectedChallengeId)),
      countTry: (attempt) => atOnce(() => challenges.countTry(attempt)),
      noteContact: (note) => atOnce(() => challenges.noteContact(note)),
      purgeChallenges: (before, limit) => atOnce(() => challenges.purge(before, limit)),
      findTicket: (key) => atOnce(() => tickets.find(key)),
      endSessions: (key, sessionsEnded) => atOnce(() => tickets.endSessions(key, sessionsEnded)),
      countTickets: (asked) => atOnce(() => ticketsOfKey(tickets, appointments, asked)),
    },

    notifications: notificationMethods(tables),

    events: {
      claim: (claim) => atOnce(() => outbox.claim(claim)),
      settle: (outcomes) =>
        atOnce(() => {
          for (const outcome of outcomes) outbox.settle(outcome);
        }),
      list: (query) => atOnce(() => outbox.list(query)),
      purge: (before, limit) => atOnce(() => outbox.purge(before, limit)),
    },

    requests: {
      find: (key, now) => atOnce(() => requests.find(key, now)),
      purge: (now, limit) => atOnce(() => requests.purge(now, limit)),
    },

    audit: {
      recordRefusals: (refusals) => atOnce(() => audit.addRefusals(appointments, refusals)),
      list: (query) => atOnce(() => audit.list(query)),
      unsealed: (limit, after) => atOnce(() => audit.unsealed(limit, after)),
      seal: (seal) => atOnce(() => audit.seal(seal)),
      listSeals: (organizationId, fromNumber, limit) => atOnce(() => audit.seals(organizationId, fromNumber, limit)),
      countUnsealed: (organizationId) => atOnce(() => audit.countUnsealed(organizationId)),
    },

    keys: keyMethods(),
  };
}
