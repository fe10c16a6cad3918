import { actorTimes, type AvailabilityStore, recordsOfTimes, type SchedulingStore } from '@calends/core/store';
import { atOnce } from './at-once.js';
import { busyEntries } from './busy.js';
import { commitChange } from './commit.js';
import { keyMethods } from './keys.js';
import { listAppointments, listEligible, listVersions } from './list-appointments.js';
import { notificationMethods } from './notification-methods.js';
import { retentionMethods } from './retention-methods.js';
import { sealedCopy } from './sealed-copy.js';
import { newTables } from './tables.js';

/**
 * A store that keeps everything in memory: the reference for the contract of {@link SchedulingStore}, for tests
 * and for trying things out.
 *
 * Each call takes effect as a whole before it returns its promise. Answers are frozen, so that nobody can change
 * what is stored. Actors, starts and wake-up times are indexed. Everything ends with the process, and no second
 * process sees it.
 */
export function memoryStore(): SchedulingStore {
  const tables = newTables();
  const { appointments, customers, requests, outbox, notifications, challenges, tickets, audit, records, holds } =
    tables;

  return {
    capabilities: { sharedBetweenProcesses: false, durable: false },
    check: () => Promise.resolve({}),

    ...atOnce<Pick<SchedulingStore, 'commit' | 'nextWakeAt'>>({
      commit: (change, { signal } = {}) => commitChange(tables, change, signal),
      nextWakeAt: (interests) => {
        const instants = [
          interests.appointments ? appointments.due.next() : undefined,
          interests.events ? outbox.nextAvailableAt() : undefined,
          ...interests.channels.map((channel) => notifications.next(channel)),
        ];
        const next = Math.min(...instants.map((instant) => instant ?? Infinity));
        return next === Infinity ? null : next;
      },
    }),

    appointments: atOnce<SchedulingStore['appointments']>({
      find: (organizationId, appointmentId) => appointments.of(organizationId).find(appointmentId)?.appointment,
      list: (query) => listAppointments(appointments.of(query.organizationId), query),
      listVersions: (query) => listVersions(appointments.of(query.organizationId), query),
      listEligible: (organizationId, page) => listEligible(appointments.of(organizationId), page),
      countStarting: (query) => appointments.of(query.organizationId).countStarting(query),
      countOverlapping: (query) => appointments.of(query.organizationId).countOverlapping(query),
      claimDue: (claim) => appointments.due.claim(claim),
      postpone: (postponement) => appointments.postpone(postponement),
      walk: (walk) => appointments.walk(walk),
    }),

    customers: atOnce<SchedulingStore['customers']>({
      find: (organizationId, appointmentId, participantId) =>
        customers.find(organizationId, appointmentId, participantId),
      list: (organizationId, appointmentId) => customers.ofAppointment(organizationId, appointmentId),
      findByContact: (search) => customers.byContact(search),
      findChallenge: (organizationId, subject) => challenges.find(organizationId, subject),
      putChallenge: (next, expectedChallengeId) => challenges.put(next, expectedChallengeId),
      countTry: (attempt) => challenges.countTry(attempt),
      noteContact: (note) => challenges.noteContact(note),
      purgeChallenges: (before, limit) => challenges.purge(before, limit),
      findTicket: (key) => tickets.find(key),
      endSessions: (key, sessionsEnded) => tickets.endSessions(key, sessionsEnded),
      countTickets: (asked) => tickets.count(asked, appointments),
    }),

    notifications: notificationMethods(tables),

    events: atOnce<SchedulingStore['events']>({
      claim: (claim) => outbox.claim(claim),
      settle: (outcomes) => {
        for (const outcome of outcomes) outbox.settle(outcome);
      },
      release: (release) => outbox.release(release),
      list: (query) => outbox.list(query),
      purge: (before, limit) => outbox.purge(before, limit),
    }),

    requests: atOnce<SchedulingStore['requests']>({
      find: (key, now) => requests.find(key, now),
      purge: (now, limit) => requests.purge(now, limit),
    }),

    audit: atOnce<SchedulingStore['audit']>({
      recordRefusals: (refusals) => audit.addRefusals(appointments, refusals),
      list: (query) => audit.list(query),
      unsealed: (limit, after) => audit.unsealed(limit, after),
      seal: (seal) => audit.seal(seal),
      listSeals: (organizationId, fromNumber, limit) => audit.seals(organizationId, fromNumber, limit),
      countUnsealed: (organizationId) => audit.countUnsealed(organizationId),
    }),

    availability: atOnce<AvailabilityStore>({
      listRecords: (query) => records.list(query),
      listBusy: (query) => busyEntries(tables, query).map(sealedCopy),
      listTimes: (query) => {
        const found = recordsOfTimes(query).flatMap((each) => records.list(each));
        return actorTimes(query, busyEntries(tables, query), found);
      },
      findHold: (organizationId, holdId) => holds.find(organizationId, holdId),
      purgeHolds: (before, limit) => holds.purge(before, limit),
    }),

    keys: keyMethods(),

    retention: retentionMethods(tables),
  };
}
