import { randomUUID } from 'node:crypto';
import type { Claim, ClaimedNotification, DueClaim, SchedulingStore, ShownRead } from '@calends/core/store';
import { commitQueue } from './commit/commit-queue.js';
import { addUpCounts, lookEvery } from './commit/count-upkeep.js';
import { checkUpdates, readListed } from './tables/notifications.js';
import { countUnsealedAudit, listAudit, listSeals, unsealedAudit } from './queries/audit-record.js';
import { foldCounts } from './queries/fold-counts.js';
import { repairCounts } from './queries/repair-counts.js';
import { findHold, listRecords, purgeHolds } from './queries/availability.js';
import { listBusy } from './queries/busy-times.js';
import { listTimes } from './queries/actor-times.js';
import { countWindows } from './queries/count-windows.js';
import { endSessions, findOtpChallenge, findTicket, noteOtpContact, putOtpChallenge } from './queries/proofs.js';
import { findEndpoint, putEndpoint } from './queries/endpoints.js';
import { findQueue } from './queries/find-queue.js';
import { shownFinds } from './readers/shown-finds.js';
import { findRequest } from './queries/find-request.js';
import { deliveryEventPages, findNotification, notificationPages } from './queries/notification-lists.js';
import { listAppointments, listVersions } from './queries/list-appointments.js';
import { listEligible, postpone, walkAppointments } from './queries/background-appointments.js';
import { lookQueue } from './queries/delivery.js';
import { listKept } from './queries/kept-notifications.js';
import { countSending, nextWakeAt, notificationBacklog, releaseReminders } from './queries/notification-queue.js';
import { listPage } from './queries/notification-page.js';
import { addKey, changeKey, countTickets, listKeys } from './queries/named-keys.js';
import { findCustomer, findCustomersByContact, listCustomers } from './queries/customers.js';
import { listEvents, releaseEvents } from './queries/events.js';
import { readAppointment } from './tables/appointments.js';
import { readEvent } from './tables/events.js';
import { integer, text, type Row } from './sql/rows.js';
import { readOtp } from './tables/otp-challenges.js';
import { purges } from './queries/purges.js';
import { claimJob, nextSealed, purgeNotifications, trimAudit } from './queries/retention.js';
import type { CountsLead } from './migrations/counts-lead.js';
import { requireCurrentSchema } from './migrations/schema-state.js';
import type { Steps } from './sql/steps.js';
import { type SqlStoreParts, StoreCalls } from './store-calls.js';

/** The store's port over SQL; the databases differ only in their `Dialect`. */
export function sqlStore(parts: SqlStoreParts): SchedulingStore {
  const { dialect, connections, standsAlone, program, tracer, readers } = parts;
  const calls = new StoreCalls(parts);
  const read = {
    dialect,
    connections,
    tracer,
    attempt: <Result>(work: () => Promise<Result>) => calls.attempt(work),
  };
  const commits = commitQueue({ ...read, attempt: (work) => calls.write(work), joins: standsAlone });
  const finds = shownFinds(findQueue(read), read, readers);
  let committed = 0;
  /** What the counts may answer once they are complete. */
  const counted = <Result>(
    shown: ShownRead | undefined,
    lead: CountsLead,
    work: (isCounted: boolean) => Steps<Result>,
  ): Promise<Result> =>
    calls.scanShown(shown, function* () {
      return yield* work(yield* lead.isComplete());
    });
  /** Claims what is due, by the clock of the store where the claim is by that of a process that is fast (D80). */
  const claimed = async (
    { byProcess = false, ...claim }: DueClaim,
    take: (claim: Claim) => Promise<readonly Row[]>,
  ): Promise<{ readonly rows: readonly Row[]; readonly earlier: { readonly fastBy?: number } }> => {
    let fastBy = 0;
    const rows = await calls.write(() => {
      // Known once it has been looked whether this program may write.
      if (byProcess) fastBy = program.gate.circumstances.fastBy;
      return take({ ...claim, now: claim.now - fastBy, leaseUntil: claim.leaseUntil - fastBy });
    });
    return { rows, earlier: fastBy === 0 ? {} : { fastBy } };
  };
  const looks = lookQueue(read);
  const removing = { ...dialect, keepsQueueApart: dialect.schema.keepsQueueApart };
  return {
    capabilities: parts.capabilities,

    commit: async (change, { signal } = {}) => {
      const { gate } = program;
      // What a change says of now and of its readers can be written only by what a look has found.
      const asksStore = change.now !== undefined || change.eventsUnread === true;
      if (asksStore && !gate.holds) await calls.write(() => Promise.resolve());
      const result = await commits(change, { signal, ...gate.circumstances });
      // A transaction of the host would keep everybody waiting who adds up.
      if (standsAlone && change.appointment !== undefined && (committed += 1) % lookEvery === 0)
        await addUpCounts(dialect.sql, (work) => calls.attempt(() => connections.transact(work)));
      return result;
    },

    nextWakeAt: (interests) => calls.read(() => nextWakeAt(dialect.queue, interests)),

    check: async () => {
      const { steps, gate, engine } = program;
      const state = await calls.read(() => requireCurrentSchema(steps));
      const now = await calls.attempt(() => gate.check(connections));
      await calls.attempt(() => connections.assertWritable());
      // A transaction of the host may hold the only connection there is.
      if (!standsAlone) return { now, ...state };
      const found = await calls.attempt(() => engine.engine());
      const topology = await calls.attempt(async () => engine.topology());
      const told = { now, ...state, ...(readers !== undefined && { readers: readers.states }) };
      if (topology === undefined) return { ...told, engine: found };
      const { warnings } = topology;
      return {
        ...told,
        engine: { ...found, topology: topology.topology },
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },

    appointments: {
      find: (organizationId, appointmentId, shown) => finds({ organizationId, appointmentId }, shown),
      list: (query, shown) => {
        const lead = query.durations === undefined ? program.counts : program.durationCounts;
        return counted(shown, lead, (isCounted) => listAppointments(dialect.sql, query, isCounted));
      },
      listVersions: (query, shown) => calls.scanShown(shown, () => listVersions(dialect.sql, query)),
      listEligible: (organizationId, page) => calls.scan(() => listEligible(dialect.sql, organizationId, page)),
      countStarting: (query, shown) =>
        counted(shown, program.counts, (isCounted) => countWindows(dialect.sql, query, 'starting', isCounted)),
      countOverlapping: (query, shown) =>
        counted(shown, program.counts, (isCounted) => countWindows(dialect.sql, query, 'overlapping', isCounted)),
      claimDue: async (claim) => {
        const { rows, earlier } = await claimed(claim, (each) => dialect.claimAppointments(connections, each));
        return rows.map((row) => ({
          appointment: readAppointment(row),
          wakeAt: integer(row, 'woken_at'),
          ...earlier,
        }));
      },
      postpone: (postponement) => calls.change(() => postpone(postponement)),
      walk: (walk) => calls.scan(() => walkAppointments(walk)),
      foldCounts: (limit) => calls.write(() => connections.transact(() => foldCounts(dialect.sql, limit))),
      repairCounts: (after) => calls.write(() => connections.transact(() => repairCounts(dialect.sql, after))),
    },

    customers: {
      find: (organizationId, appointmentId, participantId) =>
        calls.read(() => findCustomer(organizationId, appointmentId, participantId)),
      list: (organizationId, appointmentId) => calls.read(() => listCustomers(organizationId, appointmentId)),
      findByContact: (search) => calls.scan(() => findCustomersByContact(dialect.sql, search)),
      findChallenge: (organizationId, subject) => calls.read(() => findOtpChallenge(organizationId, subject)),
      putChallenge: (next, expectedId) => calls.change(() => putOtpChallenge(dialect, next, expectedId)),
      countTry: async (attempt) => {
        const row = await calls.write(() => dialect.countOtpTry(connections, attempt));
        return row === undefined ? undefined : readOtp(row);
      },
      noteContact: (note) => calls.change(() => noteOtpContact(note)),
      purgeChallenges: (before, limit) => calls.purge({ ...purges.otpChallenges, before, limit }),
      findTicket: (key) => calls.read(() => findTicket(key)),
      endSessions: (key, sessionsEnded) => calls.change(() => endSessions(key, sessionsEnded)),
      countTickets: (tickets) => calls.scan(() => countTickets(tickets)),
    },

    notifications: {
      claim: async (claim) => {
        const { now, rows } = await calls.write(() => dialect.claimNotifications(connections, claim));
        const claimed = rows.map((row) => {
          const { notification, appointment, customer } = readListed(row);
          const found = text(row, 'found') as ClaimedNotification['found'];
          const [dueAt, updatedBefore] = [integer(row, 'due_at'), integer(row, 'updated_before')];
          return { notification, found, dueAt, updatedBefore, appointment, customer };
        });
        return { now, claimed };
      },
      settle: async (updates) => {
        if (updates.length === 0) return [];
        checkUpdates(updates);
        return calls.write(() => dialect.settleNotifications(connections, updates));
      },
      releaseReminders: (organizationId, appointmentId, at) =>
        calls.change(() => releaseReminders(dialect, { organizationId, appointmentId, at })),
      list: (query) => calls.scan(() => listPage(dialect.sql, notificationPages, query)),
      listEvents: (query) => calls.scan(() => listPage(dialect.sql, deliveryEventPages, query)),
      find: (organizationId, id) => calls.read(() => findNotification(organizationId, id)),
      findStanding: (look) => looks(look),
      listKept: (search) => calls.scan(() => listKept(dialect.queue, search)),
      countSending: (organizationId, ids) => calls.read(() => countSending(dialect.sql, organizationId, ids)),
      backlog: () => calls.scan(() => notificationBacklog(dialect.queue)),
      repairQueue: async (after) => {
        const { repairQueue } = dialect;
        return repairQueue === undefined
          ? { repaired: 0 }
          : calls.write(() => connections.single(() => repairQueue(after)));
      },
      findEndpoint: (key) => calls.read(() => findEndpoint(key)),
      putEndpoint: (key, state, expected) => calls.change(() => putEndpoint(dialect, key, state, expected)),
    },

    events: {
      claim: async (claim) => {
        await calls.attempt(() => program.gate.noteReader(connections, standsAlone));
        const token = randomUUID();
        const { rows, earlier } = await claimed(claim, (each) => dialect.claimEvents(connections, each, token));
        return rows.map((row) => ({ event: readEvent(row), token, attempts: integer(row, 'attempts'), ...earlier }));
      },
      settle: async (outcomes) => {
        if (outcomes.length === 0) return;
        await calls.write(() => dialect.settleEvents(connections, outcomes));
      },
      release: (release) => calls.change(() => releaseEvents(release)),
      list: (query) => calls.read(() => listEvents(query)),
      purge: (before, limit) => calls.purge({ ...purges.events, before, limit }),
    },

    requests: {
      find: (key, now) => calls.read(() => findRequest(key, now)),
      purge: (before, limit) => calls.purge({ ...purges.requests, before, limit }),
    },

    audit: {
      recordRefusals: async (refusals) => {
        if (refusals.length === 0) return;
        await calls.write(() => dialect.recordRefusals(connections, refusals));
      },
      list: (query) => calls.scan(() => listAudit(query)),
      unsealed: (limit, after) => calls.read(() => unsealedAudit(limit, after)),
      seal: (seal) => calls.write(() => dialect.sealAudit(connections, seal)),
      listSeals: (organizationId, fromNumber, limit) =>
        calls.read(() => listSeals(dialect.sql, organizationId, fromNumber, limit)),
      countUnsealed: (organizationId) => calls.scan(() => countUnsealedAudit(organizationId)),
    },

    availability: {
      listRecords: (query) => calls.read(() => listRecords(dialect.sql, query)),
      listBusy: (query, shown) => calls.readShown(shown, () => listBusy(dialect.sql, query)),
      listTimes: (query, shown) => calls.readShown(shown, () => listTimes(dialect.sql, query)),
      findHold: (organizationId, holdId) => calls.read(() => findHold(organizationId, holdId)),
      purgeHolds: (before, limit) => calls.tidy(() => purgeHolds(dialect.sql, before, limit)),
    },

    keys: {
      list: () => calls.read(listKeys),
      add: (key) => calls.change(() => addKey(dialect, key)),
      change: (next, expected) => calls.change(() => changeKey(next, expected)),
    },

    retention: {
      claim: (claim) => calls.change(() => claimJob(dialect, claim)),
      purgeNotifications: (purge) => calls.tidy(() => purgeNotifications(removing, purge)),
      nextSealed: (after) => calls.read(() => nextSealed(after)),
      trimAudit: (trim) => calls.tidy(() => trimAudit(removing, trim)),
    },
  };
}
