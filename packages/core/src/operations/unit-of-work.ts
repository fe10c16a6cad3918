import type { Instant } from '@calends/model';
import { nextWakeAt, activatesAt } from '../domain/appointments/due-steps.js';
import { type Appointment, countedPlace, isLive } from '../domain/appointments/appointment.js';
import type { DomainEvent } from '../domain/appointments/events.js';
import type { EventDraft } from '../domain/appointments/lifecycle.js';
import { assignedAgents } from '../domain/appointments/participants.js';
import { eventSchedule } from '../domain/appointments/schedule.js';
import {
  type AuditEntry,
  type AuditedSubject,
  auditedActor,
  auditLine,
  type AuditProof,
  proofOf,
} from '../domain/audit/audit-entry.js';
import type { AuditOperation } from '../domain/operation-table.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import type { OtpConsumption } from '../domain/customers/proofs.js';
import { reasons } from '../domain/notifications/reasons.js';
import { notificationPlan, planNeedsCustomers } from '../delivery/notification-plan.js';
import type { Actor, Caller } from '../domain/calls/caller.js';
import { CalendsError } from '../domain/calls/errors.js';
import type { AppointmentChange, Change, HoldChanges, LimitGuard, OverlapGuard } from '../ports/store/commit.js';
import type { RequestCompletion } from '../ports/store/requests.js';
import type { NotificationChanges } from '../ports/store/notifications.js';
import { holdsAt, nowByStore } from '../ports/clock.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { CallOptions } from './call-options.js';
import { followCommit } from './after-commit.js';
import type { Committed, UseCaseContext } from './context.js';
import type { CustomerProof } from './customer-proof.js';
import { requestInProgress } from './once.js';
import { guardUnderEveryKey, holdLost, limitReached, slotConflict } from './overlap.js';
import { replacement, staleTicket } from './proofs/manage-link/tickets.js';

/** What is to be written. */
export interface Decision {
  readonly next: Appointment;
  readonly event: EventDraft;
  /** The record goes; `next` is its last state. */
  readonly remove?: boolean | undefined;
  readonly customers?: readonly CustomerProfile[] | undefined;
  readonly removedCustomers?: readonly string[] | undefined;
  /** What happens to manage tickets; those of an appointment that ends do so by themselves. */
  readonly tickets?: TicketDecision | undefined;
  /** What happens to messages beyond what the event means for them. */
  readonly messages?: {
    /** Customers to whom nothing that waits is sent any more: their personal data goes. */
    readonly silenced: readonly string[];
  };
  /** What the audit record calls it, where that is not the operation's name. */
  readonly auditedAs?: AuditOperation | undefined;
  readonly guard?: OverlapGuard | undefined;
  /** Limits of the service that it is booked with. */
  readonly limits?: readonly LimitGuard[] | undefined;
  /** The hold that is used or given back. */
  readonly holds?: HoldChanges | undefined;
  /** Whether to decide again when the commit is refused so. */
  readonly triesAgain?: ((error: unknown) => boolean) | undefined;
}

/** What a decision does to manage tickets. */
export interface TicketDecision {
  /** Customer whose link is replaced, since their contact changed (D42). */
  readonly replaced?: string | undefined;
  /** Customers whose links end. */
  readonly ended?: readonly string[] | undefined;
}

/** A decision on one appointment, with all that its commit needs to know. */
export interface Work {
  readonly organizationId: string;
  /** Absent where the appointment is new. */
  readonly before?: Appointment | undefined;
  /** Absent where the appointment stays as it is: then only the answer is kept, and `holds` are given back. */
  readonly decision: Decision | undefined;
  /** Of a call without a decision. */
  readonly holds?: HoldChanges | undefined;
  readonly settings: ApplicationSettings;
  readonly now: Instant;
  readonly operation: AuditOperation;
  /** Absent for the library's own worker, and for a customer with a one-time password. */
  readonly caller: Caller | undefined;
  readonly actor: Actor;
  /** As the audit record names the actor, where it does so in its own way. */
  readonly auditedActor?: Actor;
  readonly auditProof?: AuditProof;
  readonly proof?: CustomerProof | undefined;
  /** Used up in the commit. */
  readonly otp?: OtpConsumption | undefined;
  readonly request?: RequestCompletion | undefined;
  readonly options?: CallOptions | undefined;
}

/**
 * Writes a decision with everything that goes into its commit: event, notifications, audit line, tickets, the answer that is
 * kept. What follows the commit is told and waited for.
 *
 * @returns false when somebody else changed what the decision was made on: it is to be made again
 * @throws CalendsError `slot_conflict`, `hold_lost`, `limit_reached`, `stale_ticket`, `unauthenticated`,
 * `idempotency_in_progress`
 */
export async function write(context: UseCaseContext, work: Work): Promise<boolean> {
  const { organizationId, before, decision, caller, proof, options } = work;
  const event = decision && eventOf(context, decision, work);
  const parts = decision && event && (await partsOf(context, decision, event, work));
  if (proof?.guard === undefined) await proof?.requireHeld();
  const change: Change = {
    organizationId,
    now: nowByStore(context.clock, work.now),
    eventsUnread: context.takers.size === 0,
    proof: proof?.guard,
    otp: work.otp,
    request: work.request,
    events: [],
    guard: decision && (await guardOf(context, decision)),
    limits: decision?.limits,
    holds: decision?.holds ?? work.holds,
    holdsAt: context.availability && holdsAt(context.clock),
    ...parts,
  };
  const result = await context.store.commit(change, { signal: options?.signal });
  switch (result.status) {
    case 'stale':
      return false;
    case 'otpUsed':
      throw new CalendsError('unauthenticated', 'The credentials are not valid.');
    case 'proofLost':
      throw staleTicket();
    case 'holdLost':
      throw holdLost();
    case 'limitReached':
      throw limitReached(change.limits?.[result.limit], caller);
    case 'slotConflict':
      throw await slotConflict(context, {
        guard: change.guard,
        conflicting: result.appointmentIds,
        isHeld: result.isHeld,
        caller,
      });
    case 'requestLost':
      throw requestInProgress();
    case 'committed':
      await follow(context, {
        organizationId,
        event,
        plansMessages: (change.notifications?.add?.length ?? 0) > 0,
        sending: result.sending,
        change: before && decision && { before, next: decision.next, customers: decision.customers },
      });
      return true;
  }
}

/** What follows a commit: at once, or once the host's transaction that it is part of is committed. */
export async function follow(context: UseCaseContext, committed: Committed): Promise<void> {
  if (context.heldBack === undefined) await followCommit(context, committed);
  else context.heldBack.push(committed);
}

/** What must be free, under every key; a hold that is used or given back is not in the way of who has it. */
async function guardOf(
  context: UseCaseContext,
  { guard, next, customers, holds }: Decision,
): Promise<OverlapGuard | undefined> {
  if (guard === undefined) return undefined;
  const whole = await guardUnderEveryKey(context, guard, next, customers);
  if (whole === undefined || holds === undefined) return whole;
  const { consume, release = [] } = holds;
  return { ...whole, exceptHoldIds: consume === undefined ? release : [consume, ...release] };
}

/** The event of a decision, with the state that the appointment has after it (D47). */
function eventOf(
  { ids, tracing }: UseCaseContext,
  { event: { type, data }, next }: Decision,
  { now, actor, options }: Work,
): DomainEvent {
  const traceParent = tracing.spans?.traceParent();
  return {
    id: ids.next(),
    type,
    occurredAt: now,
    organizationId: next.organizationId,
    applicationId: next.applicationId,
    appointmentId: next.id,
    version: next.version,
    actor,
    correlationId: options?.correlationId ?? ids.next(),
    data: {
      state: next.state,
      interactionState: next.interaction.state,
      schedule: eventSchedule(next.schedule),
      organizerId: next.organizer.id,
      agentIds: assignedAgents(next),
      ...bookedService(type, next),
      ...data,
      ...(traceParent === undefined ? {} : { traceParent }),
    },
  };
}

/** Tells of bookings and moves with which service they are; other events leave it as it is. */
function bookedService(type: DomainEvent['type'], { service }: Appointment): Partial<DomainEvent['data']> {
  if (service === undefined || (type !== 'APCreatedEvent' && type !== 'APRescheduledEvent')) return {};
  const { id: serviceId, resources } = service;
  return resources.length === 0 ? { serviceId } : { serviceId, resources };
}

/** What a decision writes, beside its guard. */
async function partsOf(
  context: UseCaseContext,
  decision: Decision,
  event: DomainEvent,
  work: Work,
): Promise<Pick<Change, 'events'> & Partial<Change>> {
  const { next, remove = false, tickets, customers, removedCustomers } = decision;
  const { before, settings, now, caller, actor } = work;
  const wakeAt = remove ? null : nextWakeAt(next, settings, now);
  const plan = await planned(context, decision, event, work);
  const notifications = withSilenced(plan, decision, context.clock.now());
  const line = auditLine(context.ids.next(), {
    operation: decision.auditedAs ?? work.operation,
    appointment: next,
    at: now,
    actor: work.auditedActor ?? actor,
    proof: work.auditProof ?? proofOf(caller),
    from: before?.state ?? null,
    to: remove ? null : next.state,
    version: next.version,
    requestId: event.correlationId,
  });
  const ticket = tickets?.replaced === undefined ? undefined : await replacement(context, next, tickets.replaced, now);
  return {
    appointment: appointmentChange(decision, before, wakeAt),
    customers,
    removedCustomers,
    events: [event],
    audit: [line],
    notifications,
    ticket,
    revokedTickets: revocations(decision, now, ticket),
  };
}

function appointmentChange(
  { next, remove = false }: Decision,
  before: Appointment | undefined,
  wakeAt: Instant | null,
): AppointmentChange {
  if (before === undefined) return { kind: 'insert', next, wakeAt };
  const expected = { expectedVersion: before.version, before: countedPlace(before) };
  return remove
    ? { kind: 'remove', appointmentId: next.id, ...expected }
    : { kind: 'update', next, wakeAt, ...expected };
}

/** What a decision does to notifications; reads profiles only where messages need them. */
async function planned(
  { store, ids }: UseCaseContext,
  { next: appointment, customers: changedCustomers }: Decision,
  event: DomainEvent,
  { before: previous, settings }: Work,
): Promise<NotificationChanges | undefined> {
  if (!appointment.notificationsActive) return undefined;
  const { notifications } = settings;
  const readsProfiles = previous !== undefined && planNeedsCustomers(event, notifications);
  return notificationPlan({
    event,
    appointment,
    previous,
    settings: notifications,
    activatesAt: activatesAt(appointment, settings),
    customers: readsProfiles ? await store.customers.list(event.organizationId, appointment.id) : [],
    changedCustomers,
    nextId: () => ids.next(),
  });
}

/**
 * Nothing waits any more for those whose data goes; that comes first, as what says why. All is taken back as of now: since it
 * was decided, a room may have taken its time, and an attempt failed.
 */
function withSilenced(plan: Change['notifications'], { messages, next }: Decision, at: Instant): typeof plan {
  const silenced = (messages?.silenced ?? []).map((addresseeId) => ({
    appointmentId: next.id,
    addresseeId,
    message: reasons.personalDataRemoved,
  }));
  const cancel = [...silenced, ...(plan?.cancel ?? [])].map((each) => ({ ...each, at }));
  return cancel.length === 0 ? plan : { ...plan, cancel };
}

/**
 * Links end with the appointment, and where a decision says so (D42).
 *
 * A link that is to be replaced and was not there to be replaced ends if a message issues it before the commit.
 */
function revocations(
  { next, tickets, remove }: Decision,
  at: Instant,
  ticket: Change['ticket'],
): Change['revokedTickets'] {
  const { ended = [], replaced } = tickets ?? {};
  const isOver = !isLive(next);
  const holderIds = replaced === undefined || ticket !== undefined ? ended : [...ended, replaced];
  if (remove === true || (!isOver && holderIds.length === 0)) return undefined;
  return [{ kind: 'MANAGE', subjectId: next.id, holderIds: isOver ? undefined : holderIds, at }];
}

/** The audit line of a call that leaves its appointment as it is, or is on none. */
export function lineOf(
  { ids, clock }: UseCaseContext,
  operation: AuditOperation,
  caller: Caller | undefined,
  appointment: AuditedSubject & Partial<Pick<Appointment, 'state'>>,
  options: Pick<CallOptions, 'correlationId'> | undefined,
): AuditEntry {
  const { state = null } = appointment;
  return auditLine(ids.next(), {
    operation,
    appointment,
    at: clock.now(),
    actor: auditedActor(caller),
    proof: proofOf(caller),
    from: state,
    to: state,
    version: null,
    requestId: options?.correlationId ?? ids.next(),
  });
}

/** Others may win the race so often in a row before a call gives up. */
const maxAttempts = 20;

/**
 * Tries until an attempt has an answer.
 *
 * @throws CalendsError `unavailable` when others are quicker each time
 */
export async function insist<Answer>(what: string, attempt: () => Promise<Answer | undefined>): Promise<Answer> {
  for (let made = 0; made < maxAttempts; made += 1) {
    const answer = await attempt();
    if (answer !== undefined) return answer;
  }
  throw new CalendsError('unavailable', `The ${what} is changing too often; try again.`);
}
