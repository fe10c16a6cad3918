import { isIdText, limits, type PartyType, type Role } from '@calends/model';
import { CalendsError } from './errors.js';
import { fieldsOf } from '../../support/host-answers.js';

/** The customer's manage-link claims (`ticket_id`, `customer_manage_token`; D42). */
export interface ManageClaims {
  readonly ticketId: string;
  readonly token: string;
}

/**
 * Who calls, as verified by the host or by the token verifier; no field of a request names any of this.
 *
 * The library trusts it: a host that calls operations directly is answerable for it.
 */
export interface Caller {
  /** User id; for agents it is the agent id. */
  readonly id: string;
  readonly organizationId: string;
  readonly roles: readonly Role[];
  /** Applications that the caller may use; absent = all of the organization. */
  readonly applicationIds?: readonly string[] | undefined;
  /** Verified room/join claim of a customer (D43). */
  readonly conferenceId?: string | undefined;
  readonly manage?: ManageClaims | undefined;
}

const isListOfStrings = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');
const isManage = (value: unknown): boolean => {
  const { ticketId, token } = fieldsOf(value);
  return typeof ticketId === 'string' && typeof token === 'string';
};
const orAbsent =
  (rule: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || rule(value);

/** What each field must be; without types nothing else keeps a host from giving a string where roles are looked for. */
const rules = Object.entries({
  id: (value) => isIdText(value, limits.agentId),
  organizationId: (value) => isIdText(value, limits.organizationId),
  roles: isListOfStrings,
  applicationIds: orAbsent(isListOfStrings),
  conferenceId: orAbsent((value) => typeof value === 'string'),
  manage: orAbsent(isManage),
} satisfies Readonly<Record<keyof Caller, (value: unknown) => boolean>>);

/** The first field that keeps it from being a caller; `undefined` for one that is. */
export function callerFault(given: unknown): string | undefined {
  const caller = fieldsOf(given);
  return rules.find(([field, isRight]) => !isRight(caller[field]))?.[0];
}

/**
 * What a host answers as a caller, as a copy of the library's own: each field is read once, so that what becomes of the host's
 * object later changes nothing. What is no caller stays none.
 */
export function ownCaller(given: unknown): Caller {
  const { id, organizationId, roles, applicationIds, conferenceId, manage } = fieldsOf(given);
  const own = {
    id,
    organizationId,
    roles: ownList(roles),
    applicationIds: ownList(applicationIds),
    conferenceId,
    manage: ownManage(manage),
  };
  return Object.freeze(own) as Caller;
}

const ownList = (given: unknown): unknown =>
  Array.isArray(given) ? Object.freeze([...(given as readonly unknown[])]) : given;

function ownManage(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { ticketId, token } = fieldsOf(given);
  return Object.freeze({ ticketId, token });
}

/**
 * Lets only a caller pass that is one.
 *
 * @throws CalendsError `unauthenticated`
 */
export function requireCaller(given: unknown): asserts given is Caller {
  const wrong = callerFault(given);
  if (wrong !== undefined) throw new CalendsError('unauthenticated', `The caller is not valid: ${wrong}.`);
}

/** Who did something, as events carry it (D47). */
export interface Actor {
  readonly id: string;
  readonly type: PartyType;
  /** The widest role of the caller, or `SYSTEM` for the library's worker. */
  readonly role: Role | 'SYSTEM';
}

/** The actor of everything that the library's own worker does. */
export const workerActor: Actor = { id: 'calends', type: 'SYSTEM', role: 'SYSTEM' };

const widestFirst: readonly Role[] = [
  'ROLE_SUPERVISOR',
  'ROLE_CLIENT_SERVICE',
  'ROLE_AGENT',
  'ROLE_CUSTOMER',
  'ROLE_ADMIN',
];

const actorTypes: Record<Role, PartyType> = {
  ROLE_SUPERVISOR: 'AGENT',
  ROLE_AGENT: 'AGENT',
  ROLE_CLIENT_SERVICE: 'SYSTEM',
  ROLE_CUSTOMER: 'CUSTOMER',
  ROLE_ADMIN: 'SYSTEM',
};

/** Tells whether the caller holds the role. */
export function hasRole(caller: Caller, role: Role): boolean {
  return caller.roles.includes(role);
}

/** Agents, supervisors and client services. */
export function isStaff(caller: Caller): boolean {
  return hasRole(caller, 'ROLE_AGENT') || hasRole(caller, 'ROLE_SUPERVISOR') || hasRole(caller, 'ROLE_CLIENT_SERVICE');
}

/** The role that counts when a caller has several: the widest (D34). */
export function widestRole(caller: Caller): Role | undefined {
  return widestFirst.find((role) => caller.roles.includes(role));
}

/** The caller as an actor of events. */
export function actorOf(caller: Caller): Actor {
  const role = widestRole(caller) ?? 'ROLE_CUSTOMER';
  return { id: caller.id, type: actorTypes[role], role };
}

/** Tells whether a token limited to some applications includes this one (D34, D40). */
export function mayUseApplication({ applicationIds }: Pick<Caller, 'applicationIds'>, applicationId: string): boolean {
  return applicationIds === undefined || applicationIds.includes(applicationId);
}

/**
 * Lets a caller pass whose token covers the application (D34).
 *
 * @throws CalendsError `forbidden`
 */
export function requireApplication(caller: Pick<Caller, 'applicationIds'>, applicationId: string): void {
  if (mayUseApplication(caller, applicationId)) return;
  throw new CalendsError('forbidden', 'The credentials do not cover this application.');
}

/**
 * Lets a caller pass whose token covers every application of the organization: for what cannot be told apart by application.
 *
 * @throws CalendsError `forbidden`
 */
export function requireWholeOrganization({ applicationIds }: Pick<Caller, 'applicationIds'>): void {
  if (applicationIds === undefined) return;
  throw new CalendsError('forbidden', 'The credentials cover some applications of the organization only.');
}
