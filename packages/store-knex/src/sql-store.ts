import { randomUUID } from 'node:crypto';
import type {
  Appointment,
  AppointmentList,
  AppointmentListQuery,
  AuditEntry,
  AuditQuery,
  AuditRefusal,
  AuditSeal,
  Backlog,
  Change,
  Claim,
  ClaimedEvent,
  ClaimedNotification,
  CommitResult,
  CustomerProfile,
  CustomerSearch,
  DomainEvent,
  DueAppointment,
  EndpointKey,
  EndpointState,
  EventOutcome,
  EventQuery,
  Listed,
  ListedDeliveryEvent,
  ListedNotification,
  NotificationClaim,
  NotificationClaims,
  NotificationEventSortField,
  NotificationQuery,
  NotificationSortField,
  NotificationUpdate,
  OtpChallenge,
  OtpTry,
  Postponement,
  RequestKey,
  RequestReservation,
  ReservationResult,
  SchedulingStore,
  SealedAudit,
  StoreCapabilities,
  Ticket,
  TicketKey,
  UnsealedAudit,
  WakeInterests,
  WindowCountQuery,
} from '@calends/core';
import { type CommitQueue, commitQueue } from './commit/commit-queue.js';
import { prepareUpdates } from './commit/prepared-notifications.js';
import { retrying } from './database/retry.js';
import type { Connections } from './database/connections.js';
import type { Steps } from './database/steps.js';
import type { Dialect } from './dialects/dialect.js';
import { storeError } from './faults/store-fault.js';
import { countUnsealedAudit, listAudit, listSeals, unsealedAudit } from './queries/audit-record.js';
import { countWindows } from './queries/count-windows.js';
import { findCustomersByContact, findOtpChallenge, findTicket, putOtpChallenge } from './queries/customer-proofs.js';
import { findEndpoint, putEndpoint } from './queries/endpoints.js';
import { type FindQueue, findQueue } from './queries/find-queue.js';
import { deliveryEventPages } from './queries/list-delivery-events.js';
import { listAppointments } from './queries/list-appointments.js';
import { listEligible } from './queries/list-eligible.js';
import { findNotification, notificationPages } from './queries/list-notifications.js';
import { countSending, notificationBacklog } from './queries/notification-figures.js';
import { listPage } from './queries/notification-page.js';
import { nextWakeAt } from './queries/next-wake-at.js';
import { readListed } from './queries/notification-parts.js';
import { findCustomer, listCustomers, listEvents, postpone, releaseRequest } from './queries/single-statements.js';
import { readAppointment } from './rows/appointment-row.js';
import { readEvent } from './rows/event-row.js';
import { integer, text } from './rows/fields.js';
import { readOtp } from './rows/otp-row.js';
import { requireCurrentSchema } from './schema/schema-state.js';

/** What the store is made of. */
export interface SqlStoreParts {
  readonly dialect: Dialect;
  readonly connections: Connections;
  readonly capabilities: StoreCapabilities;
  /** True when calls may be joined with others and tried again: outside a transaction of the host. */
  readonly standsAlone: boolean;
}

/** The store's port over SQL; the databases differ only in their {@link Dialect}. */
export class SqlStore implements SchedulingStore {
  readonly capabilities: StoreCapabilities;
  readonly #dialect: Dialect;
  readonly #connections: Connections;
  readonly #standsAlone: boolean;
  readonly #commits: CommitQueue;
  readonly #finds: FindQueue;

  constructor({ dialect, connections, capabilities, standsAlone }: SqlStoreParts) {
    this.capabilities = capabilities;
    this.#dialect = dialect;
    this.#connections = connections;
    this.#standsAlone = standsAlone;
    const attempt = <Result>(work: () => Promise<Result>): Promise<Result> => this.#attempt(work);
    this.#commits = commitQueue({ dialect, connections, attempt, joins: standsAlone });
    this.#finds = findQueue({ dialect, connections, attempt });
  }

  findAppointment(organizationId: string, appointmentId: string): Promise<Appointment | undefined> {
    return this.#finds({ organizationId, appointmentId });
  }

  findCustomer(
    organizationId: string,
    appointmentId: string,
    participantId: string,
  ): Promise<CustomerProfile | undefined> {
    return this.#use(() => findCustomer(organizationId, appointmentId, participantId));
  }

  listAppointments(query: AppointmentListQuery): Promise<AppointmentList> {
    return this.#use(() => listAppointments(this.#dialect.sql, query));
  }

  listEligible(
    organizationId: string,
    applicationIds?: readonly string[],
    limit?: number,
  ): Promise<readonly Appointment[]> {
    return this.#use(() => listEligible(this.#dialect.sql, organizationId, applicationIds, limit));
  }

  countStarting(query: WindowCountQuery): Promise<readonly number[]> {
    return this.#use(() => countWindows(this.#dialect.sql, query, 'starting'));
  }

  countOverlapping(query: WindowCountQuery): Promise<readonly number[]> {
    return this.#use(() => countWindows(this.#dialect.sql, query, 'overlapping'));
  }

  commit(change: Change): Promise<CommitResult> {
    return this.#commits(change);
  }

  reserveRequest(reservation: RequestReservation): Promise<ReservationResult> {
    return this.#attempt(() => this.#dialect.reserve(this.#connections, reservation));
  }

  releaseRequest(key: RequestKey, token: string): Promise<void> {
    return this.#use(() => releaseRequest(key, token));
  }

  purgeRequests(now: number, limit: number): Promise<number> {
    const key = ['organization_id', 'caller_id', 'operation', 'request_key'];
    const purge = { table: 'calends_requests', key, instant: 'expires_at', before: now, limit } as const;
    return this.#use(() => this.#dialect.purge(purge));
  }

  async claimDueAppointments(claim: Claim): Promise<readonly DueAppointment[]> {
    const rows = await this.#attempt(() => this.#dialect.claimAppointments(this.#connections, claim));
    return rows.map((row) => ({ appointment: readAppointment(row), wakeAt: integer(row, 'woken_at') }));
  }

  postpone(postponement: Postponement): Promise<void> {
    return this.#use(() => postpone(postponement));
  }

  nextWakeAt(interests: WakeInterests): Promise<number | null> {
    return this.#use(() => nextWakeAt(this.#dialect.queue, interests));
  }

  async claimEvents(claim: Claim): Promise<readonly ClaimedEvent[]> {
    const claimToken = randomUUID();
    const rows = await this.#attempt(() => this.#dialect.claimEvents(this.#connections, claim, claimToken));
    return rows.map((row) => ({ event: readEvent(row), token: claimToken, attempts: integer(row, 'attempts') }));
  }

  async settleEvents(outcomes: readonly EventOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    await this.#attempt(() => this.#dialect.settleEvents(this.#connections, outcomes));
  }

  listEvents(query: EventQuery): Promise<readonly DomainEvent[]> {
    return this.#use(() => listEvents(query));
  }

  purgeEvents(before: number, limit: number): Promise<number> {
    const purge = { table: 'calends_events', key: ['id'], instant: 'delivered_at', before, limit } as const;
    return this.#use(() => this.#dialect.purge(purge));
  }

  async claimNotifications(claim: NotificationClaim): Promise<NotificationClaims> {
    const { now, rows } = await this.#attempt(() => this.#dialect.claimNotifications(this.#connections, claim));
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
    return this.#attempt(() => this.#dialect.settleNotifications(this.#connections, prepared));
  }

  listNotifications(query: NotificationQuery<NotificationSortField>): Promise<Listed<ListedNotification>> {
    return this.#use(() => listPage(this.#dialect.sql, notificationPages, query));
  }

  listDeliveryEvents(query: NotificationQuery<NotificationEventSortField>): Promise<Listed<ListedDeliveryEvent>> {
    return this.#use(() => listPage(this.#dialect.sql, deliveryEventPages, query));
  }

  findNotification(organizationId: string, id: string): Promise<ListedNotification | undefined> {
    return this.#use(() => findNotification(organizationId, id));
  }

  countSending(organizationId: string, ids: readonly string[]): Promise<number> {
    return this.#use(() => countSending(this.#dialect.sql, organizationId, ids));
  }

  listCustomers(organizationId: string, appointmentId: string): Promise<readonly CustomerProfile[]> {
    return this.#use(() => listCustomers(organizationId, appointmentId));
  }

  notificationBacklog(): Promise<readonly Backlog[]> {
    return this.#use(() => notificationBacklog(this.#dialect.queue));
  }

  findEndpoint(key: EndpointKey): Promise<EndpointState | undefined> {
    return this.#use(() => findEndpoint(key));
  }

  putEndpoint(key: EndpointKey, state: EndpointState): Promise<void> {
    return this.#use(() => putEndpoint(this.#dialect.sql, key, state));
  }

  findOtpChallenge(organizationId: string, subject: string): Promise<OtpChallenge | undefined> {
    return this.#use(() => findOtpChallenge(organizationId, subject));
  }

  putOtpChallenge(next: OtpChallenge, expectedChallengeId: string | undefined): Promise<boolean> {
    return this.#use(() => putOtpChallenge(this.#dialect, next, expectedChallengeId));
  }

  async countOtpTry(attempt: OtpTry): Promise<OtpChallenge | undefined> {
    const row = await this.#attempt(() => this.#dialect.countOtpTry(this.#connections, attempt));
    return row === undefined ? undefined : readOtp(row);
  }

  purgeOtpChallenges(before: number, limit: number): Promise<number> {
    const key = ['organization_id', 'subject'];
    const purge = { table: 'calends_otp_challenges', key, instant: 'issued_at', before, limit } as const;
    return this.#use(() => this.#dialect.purge(purge));
  }

  findTicket(key: TicketKey): Promise<Ticket | undefined> {
    return this.#use(() => findTicket(key));
  }

  findCustomersByContact(search: CustomerSearch): Promise<readonly CustomerProfile[]> {
    return this.#use(() => findCustomersByContact(this.#dialect.sql, search));
  }

  async recordRefusals(refusals: readonly AuditRefusal[]): Promise<void> {
    if (refusals.length === 0) return;
    await this.#attempt(() => this.#dialect.recordRefusals(this.#connections, refusals));
  }

  listAudit(query: AuditQuery): Promise<Listed<AuditEntry>> {
    return this.#use(() => listAudit(query));
  }

  unsealedAudit(limit: number, after?: string): Promise<UnsealedAudit | undefined> {
    return this.#use(() => unsealedAudit(limit, after));
  }

  sealAudit(seal: AuditSeal): Promise<boolean> {
    return this.#attempt(() => this.#dialect.sealAudit(this.#connections, seal));
  }

  listSeals(organizationId: string, fromNumber: number, limit: number): Promise<readonly SealedAudit[]> {
    return this.#use(() => listSeals(this.#dialect.sql, organizationId, fromNumber, limit));
  }

  countUnsealedAudit(organizationId: string): Promise<number> {
    return this.#use(() => countUnsealedAudit(organizationId));
  }

  check(): Promise<void> {
    return this.#use(requireCurrentSchema);
  }

  #use<Result>(work: () => Steps<Result>): Promise<Result> {
    return this.#attempt(() => this.#connections.use(work));
  }

  /** Faults become those of the port; contention is tried again where the work stands for itself. */
  async #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    const { readFault } = this.#dialect;
    try {
      return this.#standsAlone ? await retrying((error) => readFault(error).code === 'contention', work) : await work();
    } catch (error) {
      throw storeError(error, readFault);
    }
  }
}
