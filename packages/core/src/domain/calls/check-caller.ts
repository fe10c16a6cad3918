import { isIdText, limits } from '@calends/model';
import type { Caller, ManageClaims } from './caller.js';
import { CalendsError } from './errors.js';

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === 'string');
const isManage = (value: unknown): boolean => {
  const { ticketId, token } = Object(value) as Partial<Readonly<Record<keyof ManageClaims, unknown>>>;
  return typeof ticketId === 'string' && typeof token === 'string';
};
const orAbsent =
  (rule: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || rule(value);

/** What each field must be; without types nothing else keeps a host from giving a text where roles are looked for. */
const rules: Readonly<Record<keyof Caller, (value: unknown) => boolean>> = {
  id: (value) => isIdText(value, limits.agentId),
  organizationId: (value) => isIdText(value, limits.organizationId),
  roles: isTexts,
  applicationIds: orAbsent(isTexts),
  conferenceId: orAbsent((value) => typeof value === 'string'),
  manage: orAbsent(isManage),
};

const ruleList = Object.entries(rules);

/** The first field that keeps it from being a caller; `undefined` for one that is. */
export function callerFault(given: unknown): string | undefined {
  const caller = Object(given) as Partial<Readonly<Record<keyof Caller, unknown>>>;
  return ruleList.find(([field, isRight]) => !isRight(caller[field as keyof Caller]))?.[0];
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
