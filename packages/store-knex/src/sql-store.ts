import { randomUUID } from 'node:crypto';
import type {
  Appointment,
  AppointmentList,
  AppointmentListQuery,
  AppointmentWalk,
  AuditEntry,
  AuditQuery,
  AuditRefusal,
  AuditSeal,
  Backlog,
  Change,
  Claim,
  ClaimedEvent,
  ClaimedNotification,
  CommitOptions,
  CommitResult,
  CustomerProfile,
  CustomerSearch,
  DomainEvent,
  DueAppointment,
  EligiblePage,
  EndpointKey,
  EndpointState,
  EventOutcome,
  EventQuery,
  Listed,
  ListedDeliveryEvent,
  ListedNotification,
  NamedKey,
  NotificationClaim,
  NotificationClaims,
  NotificationEventSortField,
  NotificationQuery,
  NotificationSortField,
  NotificationUpdate,
  OtpChallenge,
  OtpContactNote,
  OtpTry,
  Postponement,
  QueueRepair,
  RequestKey,
  SchedulingStore,
  SealedAudit,
  SendLook,
  StandingNotification,
  StoreCapabilities,
  StoreReport,
  StoredRequest,
  Ticket,
  TicketKey,
  TicketsOfKey,
  UnsealedAudit,
  WakeInterests,
  WalkedAppointment,
  WindowCountQuery,
} from '@calends/core';
import { type CommitQueue, commitQueue } from './commit/commit-queue.js';
import { prepareUpdates } from './commit/prepared-notifications.js';
import type { Connections } from './database/connections.js';
import type { Dialect } from './dialects/dialect.js';
import { countUnsealedAudit, listAudit, listSeals, unsealedAudit } from './queries/audit-record.js';
import { countWindows } from './queries/count-windows.js';
import {
  endSessions,
  findCustomersByContact,
  findOtpChallenge,
  findTicket,
  noteOtpContact,
  putOtpChallenge,
} from './queries/customer-proofs.js';
import { findEndpoint, putEndpoint } from './queries/endpoints.js';
import { type FindQueue, findQueue } from './queries/find-queue.js';
import { findRequest } from './queries/find-request.js';
import { deliveryEventPages } from './queries/list-delivery-events.js';
import { listAppointments } from './queries/list-appointments.js';
import { listEligible } from './queries/list-eligible.js';
import { findNotification, findStanding, notificationPages } from './queries/list-notifications.js';
import { countSending, notificationBacklog } from './queries/notification-figures.js';
import { listPage } from './queries/notification-page.js';
import { addKey, changeKey, countTickets, listKeys, walkAppointments } from './queries/named-keys.js';
import { nextWakeAt } from './queries/next-wake-at.js';
import { readListed } from './queries/notification-parts.js';
import { releaseReminders } from './queries/release-reminders.js';
import { findCustomer, listCustomers, listEvents, postpone } from './queries/single-statements.js';
import { readAppointment } from './rows/appointment-row.js';
import { readEvent } from './rows/event-row.js';
import { integer, text } from './rows/fields.js';
import { readOtp } from './rows/otp-row.js';
import { purges } from './queries/purges.js';
import { requireCurrentSchema } from './schema/schema-state.js';
import { type SqlStoreParts, StoreCalls } from './store-calls.js';

/** The store's port over SQL; the databases differ only in their {@link Dialect}. */
export class SqlStore implements SchedulingStore {
  readonly capabilities: StoreCapabilities;
  readonly #dialect: Dialect;
  readonly #connections: Connections;
  readonly #standsAlone: boolean;
  readonly #program: SqlStoreParts['program'];
  readonly #calls: StoreCalls;
  readonly #commits: CommitQueue;
  readonly #finds: FindQueue;

  constructor({ dialect, connections, capabilities, standsAlone, program, tracer }: SqlStoreParts) {
    this.capabilities = capabilities;
    this.#dialect = dialect;
    this.#connections = connections;
    this.#standsAlone = standsAlone;
    this.#program = program;
    const calls = new StoreCalls({ dialect, connections, standsAlone, program });
    this.#calls = calls;
    const write = <Result>(work: () => Promise<Result>): Promise<Result> => calls.write(work);
    this.#commits = commitQueue({ dialect, connections, attempt: write, joins: standsAlone, tracer });
    this.#finds = findQueue({ dialect, connections, attempt: (work) => calls.attempt(work), tracer });
  }

  findAppointment(organizationId: string, appointmentId: string): Promise<Appointment | undefined> {
    return this.#finds({ organizationId, appointmentId });
  }

  findCustomer(
    organizationId: string,
    appointmentId: string,
    participantId: string,
  ): Promise<CustomerProfile | undefined> {
    return this.#calls.read(() => findCustomer(organizationId, appointmentId, participantId));
  }

  listAppointments(query: AppointmentListQuery): Promise<AppointmentList> {
    return this.#calls.scan(() => listAppointments(this.#dialect.sql, query));
  }

  listEligible(organizationId: string, page: EligiblePage): Promise<readonly Appointment[]> {
    return this.#calls.scan(() => listEligible(this.#dialect.sql, organizationId, page));
  }

  countStarting(query: WindowCountQuery): Promise<readonly number[]> {
    return this.#calls.scan(() => countWindows(this.#dialect.sql, query, 'starting'));
  }

  countOverlapping(query: WindowCountQuery): Promise<readonly number[]> {
    return this.#calls.scan(() => countWindows(this.#dialect.sql, query, 'overlapping'));
  }

  async commit(change: Change, { signal }: CommitOptions = {}): Promise<CommitResult> {
    const { gate } = this.#program;
    // What a change says of now and of its readers can be written only by what a look has found.
    const asksStore = change.now !== undefined || change.eventsUnread === true;
    if (asksStore && !gate.holds) await this.#calls.write(() => Promise.resolve());
    return this.#commits(change, { ...gate.circumstances, signal });
  }

  findRequest(key: RequestKey, now: number): Promise<StoredRequest | undefined> {
    return this.#calls.read(() => findRequest(key, now));
  }

  purgeRequests(now: number, limit: number): Promise<number> {
    return this.#calls.purge({ ...purges.requests, before: now, limit });
  }

  async claimDueAppointments(claim: Claim): Promise<readonly DueAppointment[]> {
    const rows = await this.#calls.write(() => this.#dialect.claimAppointments(this.#connections, claim));
    return rows.map((row) => ({ appointment: readAppointment(row), wakeAt: integer(row, 'woken_at') }));
  }

  postpone(postponement: Postponement): Promise<void> {
    return this.#calls.change(() => postpone(postponement));
  }

  nextWakeAt(interests: WakeInterests): Promise<number | null> {
    return this.#calls.read(() => nextWakeAt(this.#dialect.queue, interests));
  }

  async claimEvents(claim: Claim): Promise<readonly ClaimedEvent[]> {
    await this.#calls.attempt(() => this.#program.gate.noteReader(this.#connections, this.#standsAlone));
    const claimToken = randomUUID();
    const rows = await this.#calls.write(() => this.#dialect.claimEvents(this.#connections, claim, claimToken));
    return rows.map((row) => ({ event: readEvent(row), token: claimToken, attempts: integer(row, 'attempts') }));
  }

  async settleEvents(outcomes: readonly EventOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.#calls.write(() => this.#dialect.settleEvents(this.#connections, outcomes));
  }

  listEvents(query: EventQuery): Promise<readonly DomainEvent[]> {
    return this.#calls.read(() => listEvents(query));
  }

  purgeEvents(before: number, limit: number): Promise<number> {
    return this.#calls.purge({ ...purges.events, before: before, limit });
  }

  async claimNotifications(claim: NotificationClaim): Promise<NotificationClaims> {
    const { now, rows } = await this.#calls.write(() => this.#dialect.claimNotifications(this.#connections, claim));
    const claimed = rows.map((row) => {
      const { notification, appointment, customer } = readListed(row);
      const found = text(row, 'found') as ClaimedNotification['found'];
      const [dueAt, updatedBefore] = [integer(row, 'due_at'), integer(row, 'updated_before')];
      return { notification, found, dueAt, updatedBefore, appointment, customer };
    });
    return { now, claimed };
  }

  async settleNotifications(updates: readonly NotificationUpdate[]): Promise<readonly boolean[]> {
    if (updates.length === 0) return [];
    const prepared = prepareUpdates(updates);
    return this.#calls.write(() => this.#dialect.settleNotifications(this.#connections, prepared));
  }

  releaseReminders(organizationId: string, appointmentId: string, at: number): Promise<void> {
    return this.#calls.change(() => releaseReminders(this.#dialect.queue, { organizationId, appointmentId, at }));
  }

  listNotifications(query: NotificationQuery<NotificationSortField>): Promise<Listed<ListedNotification>> {
    return this.#calls.scan(() => listPage(this.#dialect.sql, notificationPages, query));
  }

  listDeliveryEvents(query: NotificationQuery<NotificationEventSortField>): Promise<Listed<ListedDeliveryEvent>> {
    return this.#calls.scan(() => listPage(this.#dialect.sql, deliveryEventPages, query));
  }

  findNotification(organizationId: string, id: string): Promise<ListedNotification | undefined> {
    return this.#calls.read(() => findNotification(organizationId, id));
  }

  findStanding(look: SendLook): Promise<StandingNotification | undefined> {
    return this.#calls.read(() => findStanding(look));
  }

  async repairQueue(after?: readonly string[]): Promise<QueueRepair> {
    const { repairQueue } = this.#dialect;
    return repairQueue === undefined
      ? { repaired: 0 }
      : this.#calls.write(() => this.#connections.single(() => repairQueue(after)));
  }

  countSending(organizationId: string, ids: readonly string[]): Promise<number> {
    return this.#calls.read(() => countSending(this.#dialect.sql, organizationId, ids));
  }

  listCustomers(organizationId: string, appointmentId: string): Promise<readonly CustomerProfile[]> {
    return this.#calls.read(() => listCustomers(organizationId, appointmentId));
  }

  notificationBacklog(): Promise<readonly Backlog[]> {
    return this.#calls.scan(() => notificationBacklog(this.#dialect.queue));
  }

  findEndpoint(key: EndpointKey): Promise<EndpointState | undefined> {
    return this.#calls.read(() => findEndpoint(key));
  }

  putEndpoint(key: EndpointKey, state: EndpointState): Promise<void> {
    return this.#calls.change(() => putEndpoint(this.#dialect.sql, key, state));
  }

  findOtpChallenge(organizationId: string, subject: string): Promise<OtpChallenge | undefined> {
    return this.#calls.read(() => findOtpChallenge(organizationId, subject));
  }

  putOtpChallenge(next: OtpChallenge, expectedChallengeId: string | undefined): Promise<boolean> {
    return this.#calls.change(() => putOtpChallenge(this.#dialect, next, expectedChallengeId));
  }

  async countOtpTry(attempt: OtpTry): Promise<OtpChallenge | undefined> {
    const row = await this.#calls.write(() => this.#dialect.countOtpTry(this.#connections, attempt));
    return row === undefined ? undefined : readOtp(row);
  }

  noteOtpContact(note: OtpContactNote): Promise<void> {
    return this.#calls.change(() => noteOtpContact(note));
  }

  purgeOtpChallenges(before: number, limit: number): Promise<number> {
    return this.#calls.purge({ ...purges.otpChallenges, before: before, limit });
  }

  findTicket(key: TicketKey): Promise<Ticket | undefined> {
    return this.#calls.read(() => findTicket(key));
  }

  endSessions(key: TicketKey, sessionsEnded: number): Promise<void> {
    return this.#calls.change(() => endSessions(key, sessionsEnded));
  }

  findCustomersByContact(search: CustomerSearch): Promise<readonly CustomerProfile[]> {
    return this.#calls.scan(() => findCustomersByContact(this.#dialect.sql, search));
  }

  async recordRefusals(refusals: readonly AuditRefusal[]): Promise<void> {
    if (refusals.length === 0) return;
    await this.#calls.write(() => this.#dialect.recordRefusals(this.#connections, refusals));
  }

  listAudit(query: AuditQuery): Promise<Listed<AuditEntry>> {
    return this.#calls.scan(() => listAudit(query));
  }

  unsealedAudit(limit: number, after?: string): Promise<UnsealedAudit | undefined> {
    return this.#calls.read(() => unsealedAudit(limit, after));
  }

  sealAudit(seal: AuditSeal): Promise<boolean> {
    return this.#calls.write(() => this.#dialect.sealAudit(this.#connections, seal));
  }

  listSeals(organizationId: string, fromNumber: number, limit: number): Promise<readonly SealedAudit[]> {
    return this.#calls.read(() => listSeals(this.#dialect.sql, organizationId, fromNumber, limit));
  }

  countUnsealedAudit(organizationId: string): Promise<number> {
    return this.#calls.scan(() => countUnsealedAudit(organizationId));
  }

  listKeys(): Promise<readonly NamedKey[]> {
    return this.#calls.read(listKeys);
  }

  addKey(key: NamedKey): Promise<boolean> {
    return this.#calls.change(() => addKey(this.#dialect, key));
  }

  changeKey(next: NamedKey, expected: NamedKey): Promise<boolean> {
    return this.#calls.change(() => changeKey(next, expected));
  }

  walkAppointments(walk: AppointmentWalk): Promise<readonly WalkedAppointment[]> {
    return this.#calls.scan(() => walkAppointments(walk));
  }

  countTickets(tickets: TicketsOfKey): Promise<number> {
    return this.#calls.scan(() => countTickets(tickets));
  }

  async check(): Promise<StoreReport> {
    const { steps, gate, engine } = this.#program;
    const state = await this.#calls.read(() => requireCurrentSchema(steps));
    const now = await this.#calls.attempt(() => gate.check(this.#connections));
    await this.#calls.attempt(() => this.#connections.assertWritable());
    // A transaction of the host may hold the only connection there is.
    if (!this.#standsAlone) return { now, ...state };
    return { now, ...state, engine: await this.#calls.attempt(() => engine.engine()) };
  }
}
