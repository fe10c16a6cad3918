import { unknownOption } from '@calends/model';
import { type Caller, hasRole, isStaff, type ManageClaims, requireCaller } from '../domain/calls/caller.js';
import { CalendsError } from '../domain/calls/errors.js';
import type { ScheduleOptions } from './call-options.js';
import { fieldsOf } from '../support/host-answers.js';

/** Its first argument is a user name with a code. */
const withCode = 'appointments.scheduleAsCustomer';

/** Operations whose first argument is no caller. */
const withoutCaller: ReadonlySet<string> = new Set([
  'customers.requestOtp',
  'customers.exchangeManageLink',
  'customers.endSession',
  'customers.verifyCustomerToken',
  'notifications.webhookTypes',
  'notifications.receive',
  'calendarFeeds.read',
  'audit.refused',
  'audit.noticed',
]);

/**
 * Operations that look themselves at what a customer may do: with the proof for one appointment, or with none. All others are
 * closed to customers, whatever a host lets reach them: what opens one appointment opens nothing else (D42).
 */
const judgesCustomers: ReadonlySet<string> = new Set([
  ...['get', 'reschedule', 'cancel', 'moveInteraction', 'count', 'countOverlapping'].map(of('appointments')),
  // These refuse and write it down.
  ...['update', 'activate', 'reassign', 'softDelete', 'remove', 'abort'].map(of('appointments')),
  ...['addParticipant', 'removeParticipant', 'updateParticipant', 'confirmParticipant'].map(of('appointments')),
  ...['issueManageLink', 'revokeManageLink', 'erase'].map(of('customers')),
  ...['find', 'explain', 'hold', 'release', 'offered'].map(of('availability')),
]);

/** Operations for administrators. */
const administers: ReadonlySet<string> = new Set(
  [
    'pollProperties',
    'listEndpoints',
    'getEndpoint',
    'enableEndpoint',
    'disableEndpoint',
    'testEndpoint',
    'replayEndpoint',
  ].map(of('notifications')),
);

/** Operations for every caller of the organization, whatever the role (D28). */
const forAnyRole: ReadonlySet<string> = new Set(['count', 'countOverlapping'].map(of('appointments')));

/** Those that answer bit by bit. */
const flowing: ReadonlySet<string> = new Set(['appointments.listEligible', 'customers.exportText']);

function of(group: string): (name: string) => string {
  return (name) => `${group}.${name}`;
}

/** A query or command that was left out is one without fields. */
const whole = (given: readonly unknown[]): readonly unknown[] => (given.length < 2 ? [...given, {}] : given);

type Operation = (...given: readonly unknown[]) => unknown;

const isVisitor = (given: unknown): boolean => typeof fieldsOf(given)['clientAddress'] === 'string';

/**
 * Whether one of the roles lets the operation begin; of staff it asks itself which. Of roles that are unknown none does: nothing
 * asks for them later, so such a caller would pass for an agent.
 */
const mayBegin = (by: Caller, name: string): boolean =>
  isStaff(by) ||
  forAnyRole.has(name) ||
  (hasRole(by, 'ROLE_CUSTOMER') && judgesCustomers.has(name)) ||
  (hasRole(by, 'ROLE_ADMIN') && administers.has(name));

const listAsGiven = (given: unknown): unknown => (Array.isArray(given) ? given.slice() : given);

function manageAsGiven(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { ticketId, token } = given as ManageClaims;
  return { ticketId, token };
}

/** A caller as it is when the call begins: it is asked again and again, and a host may give its object to another meanwhile. */
function asGiven(given: unknown): unknown {
  const { id, organizationId, roles, applicationIds, conferenceId, manage } = Object(given) as Partial<Caller>;
  return {
    id,
    organizationId,
    roles: listAsGiven(roles),
    applicationIds: listAsGiven(applicationIds),
    conferenceId,
    manage: manageAsGiven(manage),
  };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What each option must be; one that is misspelt or of another type would guard nothing, without a word. */
const optionRules: Readonly<Record<keyof ScheduleOptions, (value: unknown) => boolean>> = {
  correlationId: (value) => typeof value === 'string',
  source: (value) => typeof value === 'string',
  liveOnly: (value) => typeof value === 'boolean',
  expectedVersions: (value) =>
    value === 'any' || (Array.isArray(value) && value.every((each) => typeof each === 'number')),
  idempotency: isObject,
  // Another realm, or a library, may have its own class of signals.
  signal: (value) => typeof fieldsOf(value)['aborted'] === 'boolean',
  chatModes: isObject,
};
const optionNames = Object.keys(optionRules) as (keyof ScheduleOptions)[];

/**
 * Lets only options of a call pass that there are.
 *
 * @throws CalendsError `validation_failed`
 */
function requireCallOptions(given: unknown): void {
  if (given === undefined) return;
  if (typeof given !== 'object' || given === null) throw invalid('The options of a call must be an object.');
  const fault = unknownOption(given, optionNames);
  if (fault !== undefined) throw invalid(`The options of a call have an ${fault}.`);
  for (const name of optionNames) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && !optionRules[name](value)) {
      throw invalid(`The option ${name} of a call is not what it must be.`);
    }
  }
}

const invalid = (message: string): CalendsError => new CalendsError('validation_failed', message);

/**
 * Operations that begin only with options that there are, and for whom they are: they reject with `validation_failed` for an unknown
 * option, with `unauthenticated` where the caller is none, and with `forbidden` without a role for it.
 */
export function withCheckedCalls<Operations extends object>(group: string, operations: Operations): Operations {
  const checked = (name: string, operation: Operation): Operation => {
    if (withoutCaller.has(name)) return operation;
    const admitted = (given: readonly unknown[]): readonly unknown[] => {
      const [first, ...others] = given;
      requireCallOptions(others[1]);
      if (name === withCode || (group === 'availability' && isVisitor(first))) return given;
      const by = asGiven(first);
      requireCaller(by);
      if (!mayBegin(by, name)) {
        throw new CalendsError('forbidden', 'The operation is not for a caller of this role.');
      }
      return [by, ...others];
    };
    if (flowing.has(name)) {
      return async function* (...given) {
        yield* operation(...whole(admitted(given))) as AsyncIterable<unknown>;
      };
    }
    // A refusal rejects.
    return async (...given) => await operation(...whole(admitted(given)));
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, checked(`${group}.${name}`, operation as Operation)]),
  ) as Operations;
}
