import { limits, type OverridableReason, overridableReasons } from '@calends/model';
import { CalendsError } from '../../domain/calls/errors.js';
import type { InputIssues } from '../../domain/calls/input.js';
import type { UseCaseContext } from '../context.js';

/** How a command names a service, and what it takes from it. */
export interface ServiceFields {
  /** A service of the application; absent = none, and its rules bind nobody but customers who move what was booked with one. */
  readonly serviceId?: string | null | undefined;
  /** Token of a hold; the booking must be what it was made for. */
  readonly holdToken?: string | null | undefined;
  /** Rules that staff passes over; audited under a name of its own. What is taken stays taken. */
  readonly overrideRules?: readonly OverridableReason[] | null | undefined;
}

/** The same, read. */
export interface ServiceRequest {
  readonly serviceId: string | undefined;
  readonly holdToken: string | undefined;
  readonly overrides: readonly OverridableReason[];
}

/**
 * Reads how a command names a service; `undefined` where it says nothing of one. A host without services gets an issue. */
export function readServiceFields(
  { serviceId, holdToken, overrideRules }: ServiceFields,
  { availability }: Pick<UseCaseContext, 'availability'>,
  issues: InputIssues,
): ServiceRequest | undefined {
  const request = {
    serviceId: issues.text('/serviceId', serviceId, limits.id) || undefined,
    holdToken: issues.text('/holdToken', holdToken, limits.holdToken) || undefined,
    overrides: overrideRules ?? [],
  };
  issues.filter('/overrideRules', request.overrides, overridableReasons);
  const isNamed = request.serviceId ?? request.holdToken ?? request.overrides[0];
  if (isNamed === undefined) return undefined;
  if (availability === undefined)
    issues.add('/serviceId', 'invalid_value', 'Must be absent: there are no services here.');
  return request;
}

/**
 * Refuses to pass over rules: called for whoever is not staff.
 *
 * @throws CalendsError `forbidden` where the command names rules
 */
export function requireNoOverrides(request: ServiceFields): void {
  if ((request.overrideRules?.length ?? 0) === 0) return;
  throw new CalendsError('forbidden', 'Rules of a service are passed over by staff only.');
}

/** A service must be named. */
export function serviceRequired(): CalendsError {
  return new CalendsError('validation_failed', 'The request is not valid.', {
    issues: [{ pointer: '/serviceId', code: 'required', detail: 'Is required.' }],
  });
}
