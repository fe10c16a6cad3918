import { isDeepStrictEqual } from 'node:util';
import { limits, readHeaderMap, readNotificationHeaders } from '@calends/model';
import { confirmedCustomer } from '../../domain/appointments/participants.js';
import { applyCustomer } from './booked-customers.js';
import type { CustomerDetails, CustomerProfile } from '../../domain/customers/profile.js';
import { invalidField } from '../../domain/calls/errors.js';
import { readInput } from '../../domain/calls/input.js';
import type { Caller } from '../../domain/calls/caller.js';
import type { Decide } from '../change-appointment.js';
import type { Decision, TicketDecision } from '../unit-of-work.js';
import type { UseCaseContext } from '../context.js';
import { isEmptyInstance } from '../../support/host-answers.js';
import type { Appointment, AppointmentFields, Participant } from '../../domain/appointments/appointment.js';
import type { CustomerInput, UpdateCommand, UpdateParticipantCommand } from './commands.js';
import { requireLive, revise } from '../../domain/appointments/lifecycle.js';
import { acceptHeaders, readUpdate } from './schedule-command.js';

/** Changes what an appointment says, and a customer's profile (spec: Endpoints, rule 3; D2). */
export function updating(command: UpdateCommand, _caller: Caller, context: UseCaseContext): Decide {
  const { customer, notificationHeaders: headers } = command;
  const { read, notificationHeaders } = readInput((issues) => {
    const read = readUpdate(command, issues);
    // What has no members of its own, as a `Map` or a promise, would clear them.
    const map = isEmptyInstance(Object(headers) as object) ? undefined : headers;
    const notificationHeaders =
      headers === undefined ? undefined : acceptHeaders(readHeaderMap(headers === null ? {} : map), issues);
    if (customer !== undefined && customer !== null && issues.isObject('/customer', customer)) {
      issues.requiredText('/customer/id', customer.id, limits.id);
    }
    return { read, notificationHeaders };
  });
  return async ({ appointment, now }) => {
    const live = requireLive(appointment);
    const change = customer ? await changeCustomer(context, live, customer.id, customer, '/customer') : undefined;
    const changes = { ...read, ...headersOfStaff(live, notificationHeaders) };
    const isKept = isDeepStrictEqual(definedOf(live), definedOf({ ...live, ...changes }));
    if (isKept && change === undefined) return undefined;
    const next = revise(live, { ...changes, ...change?.fields }, now);
    // Who is confirmed, and nothing else, is for the event of participants to tell (D62).
    const type = isKept && change?.profile === undefined ? participantUpdated : 'APUpdatedEvent';
    return { ...written(change), next, event: { type, data: { participantId: change?.participantId } } };
  };
}

/** Changes one customer's profile only (D46: APParticipantUpdatedEvent). */
export function updatingParticipant(
  { participantId, customer }: UpdateParticipantCommand,
  _caller: Caller,
  context: UseCaseContext,
): Decide {
  return async ({ appointment, now }) => {
    const live = requireLive(appointment);
    const change = await changeCustomer(context, live, participantId, customer, '/customer');
    if (change === undefined) return undefined;
    const next = revise(live, change.fields, now);
    return { ...written(change), next, event: { type: participantUpdated, data: { participantId } } };
  };
}

interface CustomerChange {
  readonly participantId: string;
  /** Absent where the customer is only confirmed. */
  readonly profile: CustomerProfile | undefined;
  readonly fields: Pick<AppointmentFields, 'participants'>;
  /** The customer's link is replaced where they are reached another way now. */
  readonly tickets: TicketDecision | undefined;
}

const participantUpdated = 'APParticipantUpdatedEvent';

/** What a change of a customer writes beside the appointment. */
function written(change: CustomerChange | undefined): Pick<Decision, 'customers' | 'tickets'> {
  return { customers: change?.profile && [change.profile], tickets: change?.tickets };
}

/** The customer's next profile, and the participants with what it means for their identity: staff confirms (D62). */
async function changeCustomer(
  context: UseCaseContext,
  appointment: Appointment,
  participantId: string,
  input: CustomerInput,
  pointer: string,
): Promise<CustomerChange | undefined> {
  const { organizationId, id: appointmentId, participants } = appointment;
  const isTheirs = ({ id, type }: Participant): boolean => id === participantId && type === 'CUSTOMER';
  const current = participants.some(isTheirs)
    ? await context.store.customers.find(organizationId, appointmentId, participantId)
    : undefined;
  if (!participants.some(isTheirs)) {
    throw invalidField(`${pointer}/id`, 'Must be one of its customers.');
  }
  const ids = { organizationId, appointmentId, participantId };
  const details = readInput((issues) => applyCustomer(pointer, current ?? { metadata: {} }, input, issues));
  const profile: CustomerProfile = { ...details, ...ids };
  const isKept = isDeepStrictEqual(definedOf(current ?? {}), definedOf(profile));
  const isConfirmed = !participants.some((each) => isTheirs(each) && each.confirmed === false);
  if (isKept && isConfirmed) return undefined;
  const identity = context.customerIdentity(organizationId, profile);
  return {
    participantId,
    profile: isKept ? undefined : profile,
    tickets: isReachedElsewhere(current, profile) ? { replaced: participantId } : undefined,
    fields: {
      participants: participants.map((each) => (isTheirs(each) ? confirmedCustomer(each, identity) : each)),
    },
  };
}

function definedOf(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Headers that staff writes are forwarded as theirs from then on (D63).
 *
 * @throws CalendsError `validation_failed` for a name that is not forwarded and was not there before
 */
function headersOfStaff(
  live: Appointment,
  notificationHeaders: AppointmentFields['notificationHeaders'] | undefined,
): Partial<Pick<AppointmentFields, 'notificationHeaders' | 'notificationHeadersBy'>> {
  if (notificationHeaders === undefined) return {};
  readInput((issues) => acceptHeaders(readNotificationHeaders(notificationHeaders, live.notificationHeaders), issues));
  return { notificationHeaders, ...(live.notificationHeadersBy !== undefined && { notificationHeadersBy: undefined }) };
}

/** Tells whether a customer is reached another way: anyone who had the old address must not keep the link (D42). */
function isReachedElsewhere(before: CustomerDetails | undefined, after: CustomerDetails): boolean {
  return before?.primaryEmail !== after.primaryEmail || before?.primaryPhone !== after.primaryPhone;
}
