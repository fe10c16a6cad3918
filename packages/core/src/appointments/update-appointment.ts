import { isDeepStrictEqual } from 'node:util';
import { isReachedElsewhere } from '../customers/contact-change.js';
import { applyCustomer } from '../customers/customer-input.js';
import type { CustomerProfile } from '../customers/profile.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { limits } from '../limits.js';
import type { AppointmentOperations } from '../scheduling.js';
import { changeAppointment } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { Appointment, AppointmentFields, Participant } from './appointment.js';
import type { CustomerInput, UpdateCommand } from './commands.js';
import { requireLive, revise } from './lifecycle.js';
import { readHeaderMap } from './notification-headers.js';
import { acceptHeaders } from './schedule-command.js';

/** Changes what an appointment says, and a customer's profile (spec: Endpoints, rule 3; D2). */
export function updateAppointment(context: UseCaseContext): AppointmentOperations['update'] {
  return async (caller, command, options) => {
    const issues = new InputIssues();
    const fields = readFields(command, issues);
    const { customer } = command;
    if (customer) issues.requiredText('/customer/id', customer.id, limits.agentId);
    issues.throwIfAny();
    return changeAppointment(context, {
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      operation: 'update',
      policy: 'update',
      options,
      decide: async ({ appointment, now }) => {
        const live = requireLive(appointment);
        const change = customer ? await changeCustomer(context, live, customer.id, customer, '/customer') : undefined;
        const next = revise(live, { ...fields, ...change?.fields }, now);
        const unchanged = isDeepStrictEqual(
          { ...live, version: 0, updatedAt: 0 },
          { ...next, version: 0, updatedAt: 0 },
        );
        if (unchanged && change === undefined) return undefined;
        return {
          next,
          event: { type: 'APUpdatedEvent', data: { participantId: change?.profile.participantId } },
          customers: change && [change.profile],
          rotatedLink: change?.rotatedLink,
        };
      },
    });
  };
}

/** Changes one customer's profile alone (D46: APParticipantUpdatedEvent). */
export function updateParticipant(context: UseCaseContext): AppointmentOperations['updateParticipant'] {
  return (caller, command, options) =>
    changeAppointment(context, {
      organizationId: caller.organizationId,
      id: command.id,
      caller,
      operation: 'updateParticipant',
      policy: 'changeParticipants',
      options,
      decide: async ({ appointment, now }) => {
        const live = requireLive(appointment);
        const { participantId, customer } = command;
        const change = await changeCustomer(context, live, participantId, customer, '/customer');
        return (
          change && {
            next: revise(live, change.fields, now),
            event: { type: 'APParticipantUpdatedEvent', data: { participantId } },
            customers: [change.profile],
            rotatedLink: change.rotatedLink,
          }
        );
      },
    });
}

interface CustomerChange {
  readonly profile: CustomerProfile;
  readonly fields: Pick<AppointmentFields, 'participants'>;
  /** The customer, where they are reached another way now. */
  readonly rotatedLink: string | undefined;
}

/** The customer's next profile, and the participants with what it means for their identity. */
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
    ? await context.store.findCustomer(organizationId, appointmentId, participantId)
    : undefined;
  if (!participants.some(isTheirs)) {
    throw new CalendsError('validation_failed', 'The request is not valid.', {
      issues: [{ pointer: `${pointer}/id`, code: 'invalid_value', detail: 'Must be one of its customers.' }],
    });
  }
  const ids = { organizationId, appointmentId, participantId };
  const issues = new InputIssues();
  const details = applyCustomer(pointer, current ?? { metadata: {} }, input, issues);
  issues.throwIfAny();
  const profile: CustomerProfile = { ...details, ...ids };
  if (isDeepStrictEqual(definedOf(current ?? {}), definedOf(profile))) return undefined;
  const identity = context.customerIdentity(organizationId, profile);
  return {
    profile,
    rotatedLink: isReachedElsewhere(current, profile) ? participantId : undefined,
    fields: {
      participants: participants.map((each) => (isTheirs(each) ? { ...each, identity } : each)),
    },
  };
}

function definedOf(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

type UpdatedFields = Partial<Pick<AppointmentFields, 'title' | 'notes' | 'metadata' | 'notificationHeaders'>>;

/** Absent keeps; `""`, `{}` and `null` clear (D2). */
function readFields(command: UpdateCommand, issues: InputIssues): UpdatedFields {
  const { title, notes, metadata, notificationHeaders } = command;
  return {
    ...(title !== undefined && { title: issues.text('/title', title, limits.title) ?? '' }),
    ...(notes !== undefined && { notes: issues.text('/notes', notes, limits.notes) ?? '' }),
    ...(metadata !== undefined && { metadata: issues.jsonObject('/metadata', metadata) }),
    ...(notificationHeaders !== undefined && {
      notificationHeaders: acceptHeaders(readHeaderMap(notificationHeaders ?? {}), issues),
    }),
  };
}
