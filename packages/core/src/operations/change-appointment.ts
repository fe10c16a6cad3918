import { isWellFormedId } from '@calends/model';
import { type Appointment, isLive } from '../domain/appointments/appointment.js';
import { withoutIdentities } from '../domain/appointments/participants.js';
import { type AccessQuestion, authorize, denialOfChange, refuse } from '../domain/appointments/access-policy.js';
import { auditedActor } from '../domain/audit/audit-entry.js';
import { type AppointmentOperationName, appointmentRow, isProvenOperation } from '../domain/operation-table.js';
import { actorOf, type Caller, workerActor } from '../domain/calls/caller.js';
import { CalendsError } from '../domain/calls/errors.js';
import type { HoldChanges } from '../ports/store/commit.js';
import { followAnswer } from './after-commit.js';
import type { CallOptions } from './call-options.js';
import type { UseCaseContext } from './context.js';
import { asShownTo, type CustomerProof, customerProof } from './customer-proof.js';
import { withRefusalsNoted } from './noted-refusals.js';
import { type Completion, once } from './once.js';
import { type Decision, insist, type Work, write } from './unit-of-work.js';

/** What a decision is made on. */
export interface Situation extends Omit<AccessQuestion, 'caller'> {
  /** Asked once it is known that something changes, before anything is begun: throws what keeps the caller from changes (D21). */
  readonly requireMayChange: () => void;
}

/** The appointment stays as it is, and holds are given back. */
export interface Unchanged {
  readonly next?: undefined;
  readonly holds: HoldChanges;
}

type Decided = Decision | Unchanged | undefined;

/** Decides what a call comes to; nothing where it changes nothing. */
export type Decide = (situation: Situation) => Promise<Decided> | Decided;

/** One call of an operation on one appointment. */
export interface AppointmentCall {
  readonly organizationId: string;
  readonly id: string;
  /** Absent for the library's own worker, which no access rule binds. */
  readonly caller?: Caller | undefined;
  /** Its row says which access rules apply, asked before the version and the state (D39), and what the audit record calls it. */
  readonly operation: AppointmentOperationName;
  readonly proof?: CustomerProof | undefined;
  readonly options?: CallOptions | undefined;
  readonly decide: Decide;
  readonly complete?: Completion<Appointment> | undefined;
}

/** A command that names its appointment, or only the name. */
type Command = string | { readonly id: string };

/**
 * The method of an operation that changes one appointment: whether a customer may bring a proof and whether the call is carried
 * out once for its idempotency key (D74), its row says.
 *
 * @param read checks a command, before anything is looked up, and answers what decides on it
 */
export function changing<Given extends Command>(
  context: UseCaseContext,
  operation: AppointmentOperationName,
  read: (command: Given, caller: Caller, context: UseCaseContext) => Decide,
): (caller: Caller, command: Given, options?: CallOptions) => Promise<Appointment> {
  const { idempotent } = appointmentRow(operation);
  return async (caller, given, options) => {
    const command: Exclude<Command, string> = typeof given === 'string' ? { id: given } : given;
    const { organizationId } = caller;
    const { id } = command;
    const proof = isProvenOperation(operation)
      ? await customerProof(context, caller, id, operation, options)
      : undefined;
    const call = { organizationId, id, caller, operation, proof, options, decide: read(given, caller, context) };
    if (!idempotent || options?.idempotency === undefined) return changeAppointment(context, call);
    let own: Appointment | undefined;
    const answer = await once<Appointment>(
      context,
      { caller, command, options, proof },
      async (complete) => (own = await changeAppointment(context, { ...call, complete })),
    );
    if (answer !== own) await followAnswer(context, answer);
    // A stored answer is the whole one.
    return asShownTo(proof, answer);
  };
}

/**
 * Carries an operation out: load, decide, commit; a stale version loads and decides again.
 *
 * Calls on one appointment run one after the other within the process.
 *
 * @throws CalendsError `not_found`, `version_mismatch`, `slot_conflict`, and whatever the decision throws
 */
export async function changeAppointment(context: UseCaseContext, call: AppointmentCall): Promise<Appointment> {
  const { organizationId, id, caller, proof, options } = call;
  if (!isWellFormedId(id)) throw notFound();
  const { audited } = appointmentRow(call.operation);
  return withRefusalsNoted(context, { caller, appointmentId: id, operation: audited, proof, options }, () =>
    context.oneAtATime.run(`${organizationId} ${id}`, async () =>
      asShownTo(proof, await insist('appointment', () => attemptChange(context, call))),
    ),
  );
}

/** One round; `undefined` when another process changed the appointment meanwhile. */
async function attemptChange(context: UseCaseContext, call: AppointmentCall): Promise<Appointment | undefined> {
  const { organizationId, id, options, caller, proof } = call;
  const { policy, audited } = appointmentRow(call.operation);
  requireTime(options?.signal);
  const before = presentAppointment(await context.store.appointments.find(organizationId, id), call);
  const settings = await context.applications.settingsOf(before.applicationId);
  const situation = { appointment: before, settings, now: context.clock.now() };
  if (caller !== undefined) authorize(policy, { caller, ...situation });
  const requireMayChange = (): void => {
    if (caller !== undefined) refuse(denialOfChange(policy, { caller, ...situation }));
  };
  const decided = await decidedOn(call, { requireMayChange, ...situation });
  const decision = decided?.next === undefined ? undefined : decided;
  const after = decision?.next ?? before;
  const answer = call.complete === undefined ? after : withoutIdentities(after);
  const request = call.complete?.(answer);
  if (decided === undefined && request === undefined) {
    // There is no commit that could look at the ticket.
    await proof?.requireHeld();
    return answer;
  }
  const work: Work = {
    organizationId,
    before,
    decision,
    holds: decision === undefined ? decided?.holds : undefined,
    settings,
    now: situation.now,
    operation: audited,
    caller,
    actor: caller === undefined ? workerActor : actorOf(caller),
    auditedActor: auditedActor(caller, proof?.participantId),
    proof,
    request,
    options,
  };
  try {
    return (await write(context, work)) ? answer : undefined;
  } catch (error) {
    if (decision?.triesAgain?.(error) === true) return undefined;
    throw error;
  }
}

/** What a call comes to. Whoever may change nothing is told that before what version or state would say (D39). */
async function decidedOn({ decide, options }: AppointmentCall, situation: Situation): Promise<Decided> {
  const { appointment, requireMayChange } = situation;
  let decided: Decided;
  try {
    requireVersion(appointment, options);
    decided = await decide(situation);
  } catch (error) {
    requireMayChange();
    throw error;
  }
  if (decided?.next !== undefined) requireMayChange();
  return decided;
}

/**
 * Asked before something of a call begins that it would not undo.
 *
 * @throws CalendsError `unavailable` when the call's time has passed
 */
function requireTime(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new CalendsError('unavailable', 'The call has waited too long; nothing was changed.');
  }
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
  if (expected === undefined || expected === 'any' || expected.includes(version)) return;
  throw new CalendsError('version_mismatch', 'The appointment has another version by now.');
}

/** Unknown, malformed and foreign ids are the same to the caller (D9, D39). */
export function notFound(): CalendsError {
  return new CalendsError('not_found', 'There is no such appointment.');
}
