import { isSafeText, unknownOption } from '@calends/model';
import { type Caller, hasRole, isStaff, type ManageClaims, requireCaller } from '../domain/calls/caller.js';
import { CalendsError } from '../domain/calls/errors.js';
import type { ScheduleOptions } from './call-options.js';
import { fieldsOf } from '../support/host-answers.js';
import { plainCopy } from '../support/plain-copy.js';

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
const whole = ([caller, command, ...rest]: readonly unknown[]): readonly unknown[] => [caller, command ?? {}, ...rest];

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

const listAsGiven = (given: unknown): unknown => (Array.isArray(given) ? Array.from<unknown>(given) : given);

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

/** Options as they are when the call begins; `onReplay` stays a function of the host's own object. */
function optionsAsGiven(given: unknown): unknown {
  if (given === undefined) return undefined;
  const own = given as ScheduleOptions;
  // By name: they may be inherited, or getters of a class.
  const options = Object.fromEntries(optionNames.map((name) => [name, plainCopy(own[name])]));
  const { idempotency } = own;
  if (idempotency === undefined) return options;
  const { key, operation } = idempotency;
  return { ...options, idempotency: { key, operation, onReplay: () => idempotency.onReplay?.() } };
}

/**
 * Commands, queries and options as they are when the call begins: a host may use its objects again meanwhile, and what is stored would be
 * neither what was checked nor what the fingerprint of its idempotency key is of.
 *
 * @throws CalendsError `validation_failed` for what throws when it is read
 */
function othersAsGiven([command, options]: readonly unknown[]): readonly unknown[] {
  try {
    return [plainCopy(command), optionsAsGiven(options)];
  } catch (cause) {
    throw new CalendsError('validation_failed', 'The input of the call cannot be read.', { cause });
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What each option must be; one that is misspelt or of another type would guard nothing, without a word. */
const optionRules: Readonly<Record<keyof ScheduleOptions, (value: unknown) => boolean>> = {
  // Kept with the event and in the audit record.
  correlationId: (value) => typeof value === 'string' && isSafeText(value),
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

/** What flows is begun when it is read, with what was given when it was called; a refusal rejects there. */
function flowOf(operation: Operation, admitted: () => readonly unknown[]): AsyncIterable<unknown> {
  let given: readonly unknown[] = [];
  let refusal: { readonly error: unknown } | undefined;
  try {
    given = admitted();
  } catch (error) {
    refusal = { error };
  }
  return (async function* () {
    if (refusal !== undefined) throw refusal.error;
    yield* operation(...given) as AsyncIterable<unknown>;
  })();
}

/**
 * Operations that begin only with options that there are, and for whom they are: they reject with `validation_failed` for an unknown
 * option, with `unauthenticated` where the caller is none, and with `forbidden` without a role for it.
 */
export function withCheckedCalls<Operations extends object>(group: string, operations: Operations): Operations {
  const checked = (name: string, operation: Operation): Operation => {
    if (withoutCaller.has(name)) return operation;
    const admitted = (given: readonly unknown[]): readonly unknown[] => {
      const [first, ...rest] = given;
      requireCallOptions(rest[1]);
      const others = othersAsGiven(rest);
      if (name === withCode || (group === 'availability' && isVisitor(first))) return [plainCopy(first), ...others];
      const by = asGiven(first);
      requireCaller(by);
      if (!mayBegin(by, name)) {
        throw new CalendsError('forbidden', 'The operation is not for a caller of this role.');
      }
      return [by, ...others];
    };
    if (flowing.has(name)) {
      return (...given) => flowOf(operation, () => admitted(whole(given)));
    }
    // A refusal rejects.
    return async (...given) => await operation(...admitted(whole(given)));
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, checked(`${group}.${name}`, operation as Operation)]),
  ) as Operations;
}
