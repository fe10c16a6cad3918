import type { Appointment } from '../appointments/appointment.js';
import type { CallOptions } from '../appointments/commands.js';
import { isLive } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import type { EventDraft } from '../appointments/lifecycle.js';
import { authorize, type RecordOperation } from '../appointments/access-policy.js';
import { isWellFormedId } from '../appointments/well-formed-id.js';
import { nextWakeAt } from '../appointments/wake-up.js';
import { actorOf, type Caller, workerActor } from '../caller.js';
import type { CustomerProfile } from '../customers/profile.js';
import { CalendsError } from '../errors.js';
import type { Change, OverlapGuard } from '../ports/scheduling-store.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import type { UseCaseContext } from './context.js';
import { asShownTo, type CustomerProof } from './customer-proof.js';
import { domainEvent } from './domain-event.js';
import { endedSends } from './ended-sends.js';
import { type Completion, requestInProgress } from './once.js';
import { slotConflict } from './overlap.js';
import { plannedNotifications } from './planned-notifications.js';

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
  /** Customers whose manage links end (D42); those of an appointment that ends do so by themselves. */
  readonly endedLinks?: readonly string[] | undefined;
  readonly guard?: OverlapGuard | undefined;
}

/** One operation on one appointment. */
export interface AppointmentOperation {
  readonly organizationId: string;
  readonly id: string;
  /** Absent for the library's own worker, which no access rule binds. */
  readonly caller?: Caller | undefined;
  /** Which access rules apply; asked before the version and the state (D39). */
  readonly policy: RecordOperation;
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
  return context.oneAtATime.run(`${operation.organizationId} ${operation.id}`, async () => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const outcome = await attemptChange(context, operation);
      if (outcome !== undefined) return asShownTo(operation.proof, outcome);
    }
    throw new CalendsError('internal', 'The appointment is changing too often; try again.', {
      temporary: true,
    });
  });
}

/** One round; `undefined` when another process changed the appointment meanwhile. */
async function attemptChange(
  context: UseCaseContext,
  operation: AppointmentOperation,
): Promise<Appointment | undefined> {
  const { store, clock, ids, observer } = context;
  const { organizationId, options, caller } = operation;
  const found = await store.findAppointment(organizationId, operation.id);
  const appointment = presentAppointment(found, operation);
  const settings = await context.applications.settingsOf(appointment.applicationId);
  const situation = { appointment, settings, now: clock.now() };
  if (caller !== undefined) authorize(operation.policy, { ...situation, caller });
  requireVersion(appointment, options);
  const decision = await operation.decide(situation);
  const answer = decision?.next ?? appointment;
  const request = operation.complete?.(answer);
  if (decision === undefined && request === undefined) return appointment;

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
  const result = await store.commit({
    organizationId,
    appointment: decision && rowChange(decision, situation),
    customers: decision?.customers,
    removedCustomers: decision?.removedCustomers,
    revokedTickets: decision && revokedTickets(decision, situation),
    guard: decision?.guard,
    events: event === undefined ? [] : [event],
    notifications,
    request,
  });
  switch (result.status) {
    // A decision on an appointment consumes no one-time password; both mean that another look is needed.
    case 'otpUsed':
    case 'stale':
      return undefined;
    case 'slotConflict':
      throw await slotConflict(context, result.appointmentIds, caller);
    case 'requestLost':
      throw requestInProgress();
    case 'committed':
      if (event !== undefined) observer.observe({ type: 'committed', event });
      context.wakeWorkers();
      if (notifications?.add?.length) context.wakeDelivery();
      await endedSends(context, organizationId, result.sending);
      return answer;
  }
}

/** A customer's link ends with the appointment, and where their contact changes (D42). */
function revokedTickets({ next, endedLinks, remove }: Decision, { now }: Situation): Change['revokedTickets'] {
  const ended = !isLive(next);
  if (remove === true || (!ended && endedLinks === undefined)) return undefined;
  return [{ kind: 'MANAGE', subjectId: next.id, holderIds: ended ? undefined : endedLinks, at: now }];
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
