import { isWellFormedId, limits } from '@calends/model';
import { type Caller, hasRole, mayUseApplication, requireApplication } from '../../domain/calls/caller.js';
import { CalendsError } from '../../domain/calls/errors.js';
import { InputIssues } from '../../domain/calls/input.js';
import type { CallOptions } from '../call-options.js';
import { notFound } from '../change-appointment.js';
import { withRefusalsNoted } from '../noted-refusals.js';
import type { UseCaseContext } from '../context.js';
import type { CustomerSelection } from './commands.js';
import type { CustomerSearch } from '../../ports/store/customers.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import { lowerAscii, plainMailbox } from '../proofs/mailbox.js';

/** Profiles, or messages, that are looked at together. */
export const selectedAtATime = 200;

/** A call on personal data of others. */
export interface SelectingCall {
  readonly caller: Caller;
  readonly selection: CustomerSelection;
  readonly operation: 'eraseCustomer' | 'exportCustomer';
  readonly options: CallOptions | undefined;
}

/**
 * Personal data of others is for supervisors and client services, whose token covers the application (D34). By an address that
 * is told page by page; a refusal for one customer of one appointment is noted.
 *
 * @throws CalendsError `forbidden`
 */
export async function requireDataRights(
  context: UseCaseContext,
  { caller, selection, operation, options }: SelectingCall,
): Promise<void> {
  if (!isOfParticipant(selection)) {
    requireRights(caller);
    return;
  }
  const { appointmentId } = selection;
  await withRefusalsNoted(context, { caller, appointmentId, operation, options }, async () => {
    requireRights(caller);
    if (caller.applicationIds === undefined || !isWellFormedId(appointmentId)) return;
    const appointment = await context.store.appointments.find(caller.organizationId, appointmentId);
    if (appointment !== undefined) requireApplication(caller, appointment.applicationId);
  });
}

/** Whether one customer of one appointment is selected; a text of a host without types selects nobody. */
const isOfParticipant = (
  selection: CustomerSelection,
): selection is Extract<CustomerSelection, { participantId: string }> => 'participantId' in Object(selection);

function requireRights(caller: Caller): void {
  if (hasRole(caller, 'ROLE_SUPERVISOR') || hasRole(caller, 'ROLE_CLIENT_SERVICE')) return;
  throw new CalendsError('forbidden', 'Personal data of customers is for supervisors and client services.');
}

/** What a selection asks for. */
interface ReadSelection {
  /** Absent = of every appointment. */
  readonly appointmentId: string | undefined;
  /** Absent = by address or user name. */
  readonly participantId: string | undefined;
  readonly contact: Pick<CustomerProfile, 'username' | 'primaryEmail' | 'primaryPhone'>;
  /** Whether a profile that was found in another way is of the selection, as `findByContact` compares. */
  readonly isSelected: (profile: CustomerProfile) => boolean;
}

/**
 * Reads a selection.
 *
 * @throws CalendsError `validation_failed` for one that says nothing, `not_found` for an appointment that cannot be
 */
export function readSelection(selection: CustomerSelection): ReadSelection {
  if (isOfParticipant(selection)) {
    const { appointmentId, participantId } = selection;
    if (!isWellFormedId(appointmentId)) throw notFound();
    const isSelected = (profile: CustomerProfile): boolean => profile.participantId === participantId;
    return { appointmentId, participantId, contact: {}, isSelected };
  }
  const issues = new InputIssues();
  const username = issues.text('/username', selection.username, limits.username) || undefined;
  const address = issues.text('/primaryEmail', selection.primaryEmail, limits.email)?.trim() || undefined;
  const primaryEmail = address && plainMailbox(address);
  const primaryPhone = issues.text('/primaryPhone', selection.primaryPhone, 64)?.replaceAll(/\s/g, '') || undefined;
  if (username === undefined && primaryEmail === undefined && primaryPhone === undefined) {
    issues.add('', 'required', 'Must have a participant, or one of username, primaryEmail and primaryPhone.');
  }
  issues.throwIfAny();
  const isSelected = (profile: CustomerProfile): boolean =>
    (username !== undefined && profile.username === username) ||
    (primaryEmail !== undefined &&
      profile.primaryEmail !== undefined &&
      lowerAscii(profile.primaryEmail) === lowerAscii(primaryEmail)) ||
    (primaryPhone !== undefined && profile.primaryPhone === primaryPhone);
  const contact = { username, primaryEmail, primaryPhone };
  return { appointmentId: undefined, participantId: undefined, contact, isSelected };
}

/**
 * The next profiles of a selection that hold personal data, in the caller's organization; a profile that was selected by
 * its participant is answered also when its data is gone. None for a participant who is not there.
 *
 * @throws CalendsError like {@link readSelection}
 */
async function selectedProfiles(
  { store }: UseCaseContext,
  { organizationId }: Caller,
  selection: CustomerSelection,
  after?: CustomerSearch['after'],
): Promise<readonly CustomerProfile[]> {
  const { appointmentId, participantId, contact } = readSelection(selection);
  if (appointmentId === undefined || participantId === undefined) {
    return store.customers.findByContact({ organizationId, ...contact, after, limit: selectedAtATime });
  }
  const profile = await store.customers.find(organizationId, appointmentId, participantId);
  return profile === undefined ? [] : [profile];
}

/** Every profile of a selection that the caller's token covers, some at a time. */
export async function* selectedPages(
  context: UseCaseContext,
  caller: Caller,
  selection: CustomerSelection,
): AsyncGenerator<readonly CustomerProfile[], void, undefined> {
  let profiles = await selectedProfiles(context, caller, selection);
  yield await coveredOf(context, caller, profiles);
  while (profiles.length === selectedAtATime) {
    profiles = await selectedProfiles(context, caller, selection, profiles.at(-1));
    yield await coveredOf(context, caller, profiles);
  }
}

/** Those of the applications that the token covers (D34); profiles do not know theirs. */
async function coveredOf(
  { store }: UseCaseContext,
  caller: Caller,
  profiles: readonly CustomerProfile[],
): Promise<readonly CustomerProfile[]> {
  if (caller.applicationIds === undefined) return profiles;
  const covered: CustomerProfile[] = [];
  for (const profile of profiles) {
    const appointment = await store.appointments.find(profile.organizationId, profile.appointmentId);
    if (appointment !== undefined && mayUseApplication(caller, appointment.applicationId)) covered.push(profile);
  }
  return covered;
}
