import type { Appointment } from '../appointments/appointment.js';
import type { CallOptions } from '../appointments/commands.js';
import { isLive } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import type { EventDraft } from '../appointments/lifecycle.js';
import type { AuditOperation } from '../audit/audit-entry.js';
import { auditedActor, auditLine, proofOf } from '../audit/audit-line.js';
import { authorize } from '../appointments/access-policy.js';
import { isWellFormedId } from '../appointments/well-formed-id.js';
import { nextWakeAt } from '../appointments/wake-up.js';
import { actorOf, type Caller, workerActor } from '../caller.js';
import type { CustomerProfile } from '../customers/profile.js';
import { manageKeyOf, newTicket, staleTicket } from '../customers/manage-tickets.js';
import { CalendsError } from '../errors.js';
import { reasons } from '../notifications/reasons.js';
import { type AppointmentOperationName, appointmentRow } from '../operation-table.js';
import type { Change, OverlapGuard } from '../ports/commit.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from './context.js';
import { asShownTo, type CustomerProof } from './customer-proof.js';
import { withRefusalsNoted } from './noted-refusals.js';
import { domainEvent } from './domain-event.js';
import { requireTime } from './in-time.js';
import { type Completion, once, requestInProgress } from './once.js';
import { guardUnderEveryKey, slotConflict } from './overlap.js';
import { plannedNotifications, plansMessages } from './planned-notifications.js';
import { nowByStore } from '../system/system-clock.js';

/** What a decision is made on. */
export interface Situation {
  readonly appointment: Appointment;
  readonly settings: ApplicationSettings;
  readonly now: Instant;
}

/** What is to be written; nothing where the operation changes nothing. */
export interface Decision {
  readonly next: Appointment;
  readonly event: EventDraft;
  /** The record goes; `next` is its last state. */
  readonly remove?: boolean | undefined;
  readonly customers?: readonly CustomerProfile[] | undefined;
  readonly removedCustomers?: readonly string[] | undefined;
  readonly tickets?: TicketDecision | undefined;
  readonly messages?: MessageDecision | undefined;
  /** What the audit record calls it, where that is not the operation's name. */
  readonly auditedAs?: AuditOperation | undefined;
  readonly guard?: OverlapGuard | undefined;
}

/** What a decision does to manage tickets; those of an appointment that ends do so by themselves. */
export interface TicketDecision {
  /** Customer whose link is replaced, since their contact changed (D42). */
  readonly replaced?: string | undefined;
  /** Customers whose links end. */
  readonly ended?: readonly string[] | undefined;
}

/** What a decision does to messages beyond what its event means for them. */
export interface MessageDecision {
  /** Customers to whom nothing that waits is sent any more: their personal data goes. */
  readonly silenced?: readonly string[] | undefined;
}

/** One operation on one appointment. */
export interface AppointmentOperation {
  readonly organizationId: string;
  readonly id: string;
  /** Absent for the library's own worker, which no access rule binds. */
  readonly caller?: Caller | undefined;
  /** Its row says which access rules apply, asked before the version and the state (D39), and what the audit record calls it. */
  readonly operation: AppointmentOperationName;
  readonly proof?: CustomerProof | undefined;
  readonly options?: CallOptions | undefined;
  readonly decide: (situation: Situation) => Promise<Decision | undefined> | Decision | undefined;
  readonly complete?: Completion<Appointment> | undefined;
}

/** Other processes may win the race for a version so often in a row before the call gives up. */
const attempts = 10;

/**
 * Carries an operation out: load, decide, commit; a stale version loads and decides again.
 *
 * Calls on one appointment run one after the other within the process.
 *
 * @throws CalendsError `not_found`, `version_mismatch`, `slot_conflict`, and whatever the decision throws
 */
export async function changeAppointment(
  context: UseCaseContext,
  operation: AppointmentOperation,
): Promise<Appointment> {
  if (!isWellFormedId(operation.id)) throw notFound();
  const { caller, proof, options } = operation;
  const { audited } = appointmentRow(operation.operation);
  const refusable = { caller, appointmentId: operation.id, operation: audited, proof, options };
  return withRefusalsNoted(context, refusable, () =>
    context.oneAtATime.run(`${operation.organizationId} ${operation.id}`, async () => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        requireTime(options?.signal);
        const outcome = await attemptChange(context, operation);
        if (outcome !== undefined) return asShownTo(proof, outcome);
      }
      throw new CalendsError('unavailable', 'The appointment is changing too often; try again.');
    }),
  );
}

/** What a keyed call asks for, beside the operation that it comes to. */
export interface KeyedOperation extends AppointmentOperation {
  readonly caller: Caller;
  /** Told apart from another use of the same key by all that it holds. */
  readonly command: unknown;
}

/** Carries an operation out once for its idempotency key (D74); without a key simply so. */
export async function changeOnce(context: UseCaseContext, operation: KeyedOperation): Promise<Appointment> {
  const { organizationId, caller, command, proof, options } = operation;
  const request = { organizationId, callerId: caller.id, command, idempotency: options?.idempotency, proof };
  const appointment = await once<Appointment>(context, request, (complete) =>
    changeAppointment(context, { ...operation, complete }),
  );
  // A stored answer is the whole one.
  return asShownTo(proof, appointment);
}

/** One round; `undefined` when another process changed the appointment meanwhile. */
async function attemptChange(
  context: UseCaseContext,
  operation: AppointmentOperation,
): Promise<Appointment | undefined> {
  const { store, clock, ids } = context;
  const { organizationId, options, caller, proof } = operation;
  const row = appointmentRow(operation.operation);
  const found = await store.findAppointment(organizationId, operation.id);
  const appointment = presentAppointment(found, operation);
  const settings = await context.applications.settingsOf(appointment.applicationId);
  const situation = { appointment, settings, now: clock.now() };
  if (caller !== undefined) authorize(row.policy, { ...situation, caller });
  requireVersion(appointment, options);
  const decision = await operation.decide(situation);
  const answer = decision?.next ?? appointment;
  const request = operation.complete?.(answer);
  if (decision === undefined && request === undefined) {
    // There is no commit that could look at the ticket.
    await proof?.requireHeld();
    return appointment;
  }

  const event =
    decision &&
    domainEvent(decision.event, decision.next, {
      eventId: ids.next(),
      at: situation.now,
      actor: caller === undefined ? workerActor : actorOf(caller),
      correlationId: options?.correlationId ?? ids.next(),
    });
  const notifications =
    decision &&
    event &&
    (await plannedNotifications(context, {
      event,
      appointment: decision.next,
      previous: appointment,
      settings,
      changedCustomers: decision.customers,
    }));
  const audit = decision &&
    event && [
      auditLine(ids, {
        operation: decision.auditedAs ?? row.audited,
        appointment,
        at: situation.now,
        actor: auditedActor(caller, proof?.participantId),
        proof: proofOf(caller),
        from: appointment.state,
        to: decision.remove === true ? null : decision.next.state,
        version: decision.next.version,
        requestId: event.correlationId,
      }),
    ];
  const ticket = decision && (await rotation(context, situation, decision.tickets?.replaced));
  if (proof?.guard === undefined) await proof?.requireHeld();
  const change: Change = {
    organizationId,
    now: nowByStore(context.clock, situation.now),
    eventsUnread: !context.hasTakers(),
    appointment: decision && rowChange(decision, situation),
    customers: decision?.customers,
    removedCustomers: decision?.removedCustomers,
    revokedTickets: decision && revokedTickets(decision, situation, ticket),
    guard: decision && (await guardUnderEveryKey(context, decision.guard, decision.next, decision.customers)),
    proof: proof?.guard,
    events: event === undefined ? [] : [event],
    audit,
    ticket,
    notifications: decision && withSilenced(notifications, decision, situation),
    request,
  };
  const result = await store.commit(change, { signal: options?.signal });
  switch (result.status) {
    // A decision on an appointment consumes no one-time password; both mean that another look is needed.
    case 'otpUsed':
    case 'stale':
      return undefined;
    case 'proofLost':
      throw staleTicket();
    case 'slotConflict':
      throw await slotConflict(context, { guard: change.guard, conflicting: result.appointmentIds, caller });
    case 'requestLost':
      throw requestInProgress();
    case 'committed':
      await context.afterCommit({
        organizationId,
        event,
        plansMessages: plansMessages(notifications),
        sending: result.sending,
        change: decision && { before: appointment, next: decision.next, customers: decision.customers },
      });
      return answer;
  }
}

/** What the change does to messages, and that nothing waits any more for those whose data goes. */
function withSilenced(
  planned: Change['notifications'],
  { messages }: Decision,
  { appointment, now }: Situation,
): Change['notifications'] {
  const { silenced = [] } = messages ?? {};
  if (silenced.length === 0) return planned;
  const cancel = silenced.map((addresseeId) => ({
    appointmentId: appointment.id,
    addresseeId,
    message: reasons.personalDataRemoved,
    at: now,
  }));
  return { ...planned, cancel: [...(planned?.cancel ?? []), ...cancel] };
}

/** A further ticket in the place of the one that went to the old contact; nothing where none was issued. */
async function rotation(
  context: UseCaseContext,
  { appointment, now }: Situation,
  participantId: string | undefined,
): Promise<Change['ticket']> {
  if (participantId === undefined) return undefined;
  const { organizationId, id: appointmentId } = appointment;
  const present = await context.store.findTicket(manageKeyOf({ organizationId, appointmentId, participantId }));
  if (present?.revokedAt !== null) return undefined;
  const next = newTicket(present, context, { now, expiresAt: present.expiresAt });
  return { next, expectedNonce: present.nonce };
}

/**
 * Links end with the appointment, and where a decision says so (D42).
 *
 * A link that is to be replaced and was not there to be replaced ends if a message issues it before the commit.
 */
function revokedTickets(
  { next, tickets, remove }: Decision,
  { now }: Situation,
  ticket: Change['ticket'],
): Change['revokedTickets'] {
  const { ended = [], replaced } = tickets ?? {};
  const isOver = !isLive(next);
  const holderIds = replaced === undefined || ticket !== undefined ? ended : [...ended, replaced];
  if (remove === true || (!isOver && holderIds.length === 0)) return undefined;
  return [{ kind: 'MANAGE', subjectId: next.id, holderIds: isOver ? undefined : holderIds, at: now }];
}

function rowChange(decision: Decision, { appointment, settings, now }: Situation): Change['appointment'] {
  const expectedVersion = appointment.version;
  return decision.remove === true
    ? { kind: 'remove', appointmentId: appointment.id, expectedVersion }
    : {
        kind: 'update',
        next: decision.next,
        expectedVersion,
        wakeAt: nextWakeAt(decision.next, settings, now),
      };
}

/**
 * The appointment that was found, if the call may know of it.
 *
 * @throws CalendsError `forbidden` when a customer's proof is not for it, `not_found`
 */
export function presentAppointment(
  found: Appointment | undefined,
  call: { readonly proof?: CustomerProof | undefined; readonly options?: CallOptions | undefined },
): Appointment {
  call.proof?.requireFor(found);
  if (found === undefined || (call.options?.liveOnly === true && !isLive(found))) throw notFound();
  return found;
}

function requireVersion({ version }: Appointment, options: CallOptions | undefined): void {
  const expected = options?.expectedVersions;
  if (expected === undefined || expected.includes(version)) return;
  throw new CalendsError('version_mismatch', 'The appointment has another version by now.');
}

/** Unknown, malformed and foreign ids are the same to the caller (D9, D39). */
export function notFound(): CalendsError {
  return new CalendsError('not_found', 'There is no such appointment.');
}
