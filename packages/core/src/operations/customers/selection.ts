import { isWellFormedId, limits } from '@calends/model';
import { type Caller, hasRole } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { InputIssues } from '../../domain/calls/input.js';
import { notFound } from '../change-appointment.js';
import type { UseCaseContext } from '../context.js';
import type { CustomerSelection } from './commands.js';
import type { CustomerSearch } from '../../ports/store/customers.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';

/** Profiles that are looked at together. */
const selectedAtATime = 200;

/** Personal data of others is for supervisors and client services. */
export function requireDataRights(caller: Caller): void {
  if (hasRole(caller, 'ROLE_SUPERVISOR') || hasRole(caller, 'ROLE_CLIENT_SERVICE')) return;
  throw new CalendsError('forbidden', 'Personal data of customers is for supervisors and client services.');
}

/**
 * The next profiles of a selection that hold personal data, in the caller's organization; a profile that was selected by
 * its participant is answered also when its data is gone.
 *
 * @throws CalendsError `validation_failed` for a selection that says nothing, `not_found` for an unknown participant
 */
export async function selectedProfiles(
  { store }: UseCaseContext,
  { organizationId }: Caller,
  selection: CustomerSelection,
  after?: CustomerSearch['after'],
): Promise<readonly CustomerProfile[]> {
  if ('participantId' in selection) {
    const { appointmentId, participantId } = selection;
    if (!isWellFormedId(appointmentId)) throw notFound();
    const profile = await store.customers.find(organizationId, appointmentId, participantId);
    if (profile === undefined) throw notFound();
    return [profile];
  }
  const issues = new InputIssues();
  const username = issues.text('/username', selection.username, limits.username) || undefined;
  const primaryEmail = issues.text('/primaryEmail', selection.primaryEmail, limits.email)?.trim() || undefined;
  const primaryPhone = issues.text('/primaryPhone', selection.primaryPhone, 64)?.replaceAll(/\s/g, '') || undefined;
  if (username === undefined && primaryEmail === undefined && primaryPhone === undefined) {
    issues.add('', 'required', 'Must have a participant, or one of username, primaryEmail and primaryPhone.');
  }
  issues.throwIfAny();
  const search = { organizationId, username, primaryEmail, primaryPhone, after, limit: selectedAtATime };
  return store.customers.findByContact(search);
}

/** Every profile of a selection, some at a time. */
export async function* eachSelected(
  context: UseCaseContext,
  caller: Caller,
  selection: CustomerSelection,
): AsyncGenerator<CustomerProfile, void, undefined> {
  let profiles = await selectedProfiles(context, caller, selection);
  yield* profiles;
  while (profiles.length === selectedAtATime) {
    profiles = await selectedProfiles(context, caller, selection, profiles.at(-1));
    yield* profiles;
  }
}
