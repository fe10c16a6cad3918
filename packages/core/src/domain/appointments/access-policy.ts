import type { ErrorCode, Instant } from '@calends/model';
import { type Caller, hasRole, mayUseApplication, widestRole } from '../calls/caller.js';
import { CalendsError } from '../calls/errors.js';
import type { ApplicationSettings } from '../../settings/application-settings.js';
import type { Appointment } from './appointment.js';
import { isInvolved, isOwnedBy } from './participants.js';

/** What a rule looks at: the caller's relation to one appointment. */
export interface AccessQuestion {
  readonly caller: Caller;
  readonly appointment: Appointment;
  readonly settings: ApplicationSettings;
  readonly now: Instant;
}

/** Why a rule says no. */
export interface Denial {
  readonly code: ErrorCode;
  readonly message: string;
}

type Rule = (question: AccessQuestion) => Denial | undefined;

const deny = (code: ErrorCode, message: string): Denial => ({ code, message });

/** Supervisors and client services work organization-wide (D23). */
export function isOrganizationWide(caller: Caller): boolean {
  return hasRole(caller, 'ROLE_SUPERVISOR') || hasRole(caller, 'ROLE_CLIENT_SERVICE');
}

function isCustomer(caller: Caller): boolean {
  return widestRole(caller) === 'ROLE_CUSTOMER';
}

/** A token limited to some applications reaches the appointments of these only (D34, D40). */
const theTokenCoversTheApplication: Rule = ({ caller, appointment }) =>
  mayUseApplication(caller, appointment.applicationId)
    ? undefined
    : deny('forbidden', 'The credentials do not cover this application.');

/** With "own only" on, an agent must organize the appointment or be assigned to it (D23). */
const agentsReachTheirOwn: Rule = ({ caller, appointment, settings }) =>
  isOrganizationWide(caller) ||
  isCustomer(caller) ||
  !settings.agentsSeeOnlyOwnAppointments ||
  isOwnedBy(appointment, caller.id)
    ? undefined
    : deny('not_assigned', 'The appointment belongs to another agent.');

/** Once the interaction runs, it concerns who accepted it and who is assigned (D23). */
const agentsAreInvolvedOnceItRuns: Rule = ({ caller, appointment }) => {
  const { state } = appointment.interaction;
  const ran = state === 'IN_PROGRESS' || state === 'COMPLETED';
  return !ran || isOrganizationWide(caller) || isCustomer(caller) || isInvolved(appointment, caller.id)
    ? undefined
    : deny('not_assigned', 'The interaction is in the hands of another agent.');
};

/**
 * Customers get, move and cancel with a proof, and nothing else: what they hold for one appointment must not open another
 * operation in a host that calls the library directly (spec: Authentication, 2).
 */
const customersHaveTheirOwnOperations: Rule = ({ caller }) =>
  isCustomer(caller) ? deny('forbidden', 'The operation is not for customers.') : undefined;

/** Supervisors reassign; agents do when the application lets them (spec: Authentication, "Reassign v2"). */
const reassigningIsAllowed: Rule = ({ caller, settings }) =>
  hasRole(caller, 'ROLE_SUPERVISOR') || (hasRole(caller, 'ROLE_AGENT') && settings.agentReassignmentEnabled)
    ? undefined
    : deny('forbidden', 'Reassigning is for supervisors in this application.');

/** A customer cannot cancel what is under way (D16). */
const customersDoNotCancelWhatRuns: Rule = ({ caller, appointment }) =>
  isCustomer(caller) && appointment.interaction.state === 'IN_PROGRESS'
    ? deny('forbidden', 'The appointment is under way.')
    : undefined;

const customersCancelInTime: Rule = ({ caller, appointment, settings, now }) =>
  isCustomer(caller) && isPast(appointment, settings.customerCancelCutoff, now)
    ? deny('outside_cancellation_window', 'It is too late to cancel.')
    : undefined;

const customersRescheduleInTime: Rule = ({ caller, appointment, settings, now }) =>
  isCustomer(caller) && isPast(appointment, settings.customerRescheduleCutoff, now)
    ? deny('outside_reschedule_window', 'It is too late to reschedule.')
    : undefined;

const customersRescheduleSoOften: Rule = ({ caller, appointment, settings }) =>
  isCustomer(caller) && appointment.customerReschedules >= (settings.customerMaxReschedules ?? Infinity)
    ? deny('reschedule_limit', 'The appointment was rescheduled too often.')
    : undefined;

function isPast(appointment: Appointment, cutoff: number | undefined, now: Instant): boolean {
  return cutoff !== undefined && now > appointment.schedule.start - cutoff;
}

const always = [theTokenCoversTheApplication, agentsReachTheirOwn, agentsAreInvolvedOnceItRuns];
const staffAlone = [customersHaveTheirOwnOperations, ...always];

/** Which rules each operation on a record asks, in order (D21, D23). */
export const accessPolicy = {
  get: always,
  update: staffAlone,
  activate: staffAlone,
  reschedule: always,
  reassign: [reassigningIsAllowed, ...always],
  cancel: always,
  delete: staffAlone,
  // Customers who prove that they are in the room open the channel (D14, D43).
  interact: always,
  abort: staffAlone,
  changeParticipants: staffAlone,
} as const satisfies Record<string, readonly Rule[]>;

/**
 * Which rules a change by these operations asks besides: what changes nothing is answered as it was, however late or often it is
 * sent again (D16, D20, D21).
 */
const changePolicy: Partial<Record<RecordOperation, readonly Rule[]>> = {
  reschedule: [customersRescheduleInTime, customersRescheduleSoOften],
  cancel: [customersDoNotCancelWhatRuns, customersCancelInTime],
};

/** An operation on one appointment. */
export type RecordOperation = keyof typeof accessPolicy;

/** The first reason against the operation, if there is one. */
export const denialOf = (operation: RecordOperation, question: AccessQuestion): Denial | undefined =>
  firstDenial(accessPolicy[operation], question);

/** The first reason against a change by the operation, where the operation itself is allowed. */
export const denialOfChange = (operation: RecordOperation, question: AccessQuestion): Denial | undefined =>
  firstDenial(changePolicy[operation] ?? [], question);

function firstDenial(rules: readonly Rule[], question: AccessQuestion): Denial | undefined {
  for (const rule of rules) {
    const denial = rule(question);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

/**
 * Lets the operation pass or says why not.
 *
 * @throws CalendsError with the code of the first rule that says no
 */
export function authorize(operation: RecordOperation, question: AccessQuestion): void {
  refuse(denialOf(operation, question));
}

/**
 * Says why not, where there is a reason.
 *
 * @throws CalendsError with its code
 */
export function refuse(denial: Denial | undefined): void {
  if (denial !== undefined) throw new CalendsError(denial.code, denial.message);
}
