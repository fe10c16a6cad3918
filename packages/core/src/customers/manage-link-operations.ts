import { auditedActor, auditLine, proofOf } from '../audit/audit-line.js';
import type { AuditOperation } from '../audit/audit-entry.js';
import { authorize } from '../appointments/access-policy.js';
import { type Appointment, isLive } from '../appointments/appointment.js';
import type { CallOptions } from '../appointments/commands.js';
import { type Instant, parseInstant } from '../appointments/instant.js';
import { requireLive } from '../appointments/lifecycle.js';
import { isWellFormedId } from '../appointments/well-formed-id.js';
import { type Caller, widestRole } from '../caller.js';
import { CalendsError } from '../errors.js';
import { InputIssues } from '../input.js';
import { StoreError } from '../ports/scheduling-store.js';
import { notFound } from '../use-case/change-appointment.js';
import type { UseCaseContext } from '../use-case/context.js';
import type { CustomerOperations, ManageLink, ManageLinkQuery } from './customer-operations.js';
import { readLinkCode, writeLinkCode } from './link-code.js';
import {
  endOf,
  hasCustomer,
  heldTicket,
  manageKeyOf,
  newTicket,
  sessionContext,
  staleTicket,
  type TicketHolder,
} from './manage-tickets.js';
import type { Ticket } from './ticket.js';

/** How often a rotation looks again when somebody else rotated meanwhile. */
const attempts = 10;

/** Issues a manage link; the one before it ends (D42, D45). */
export function issueManageLink(context: UseCaseContext): CustomerOperations['issueManageLink'] {
  return async (caller, command, options) => {
    const { clock, store, secureRandom } = context;
    const appointment = requireLive(await changeable(context, caller, command));
    const now = clock.now();
    const expiresAt = readEnd(command.expiresAt, now);
    const holder = { organizationId: caller.organizationId, ...idsOf(command) };
    const key = manageKeyOf(holder);
    return context.oneAtATime.run(`${holder.organizationId} ${holder.appointmentId}`, async () => {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const present = await store.findTicket(key);
        const ticket = newTicket(key, secureRandom, { now, expiresAt });
        const result = await store.commit({
          organizationId: holder.organizationId,
          events: [],
          ticket: { next: ticket, expectedNonce: present?.nonce },
          audit: [lineOf(context, 'issueManageLink', caller, appointment, options)],
        });
        if (result.status === 'committed') return linkOf(context, holder, ticket, appointment);
      }
      throw new CalendsError('internal', 'The manage link is changing too often; try again.', { temporary: true });
    });
  };
}

/** Ends the manage link of a customer (D42). */
export function revokeManageLink(context: UseCaseContext): CustomerOperations['revokeManageLink'] {
  return async (caller, query, options) => {
    const { clock, store } = context;
    const appointment = await changeable(context, caller, query);
    const { organizationId } = caller;
    const ticket = await store.findTicket(manageKeyOf({ organizationId, ...idsOf(query) }));
    if (ticket?.revokedAt !== null) return;
    await store.commit({
      organizationId,
      events: [],
      revokedTickets: [
        { kind: 'MANAGE', subjectId: appointment.id, holderIds: [query.participantId], at: clock.now() },
      ],
      audit: [lineOf(context, 'revokeManageLink', caller, appointment, options)],
    });
  };
}

/** Exchanges the code of a link for a bearer token (D45). */
export function exchangeManageLink(context: UseCaseContext): CustomerOperations['exchangeManageLink'] {
  return async (code) => {
    const { clock, manageTokens } = context;
    const holder = readLinkCode(code);
    if (holder === undefined) throw staleTicket();
    const now = clock.now();
    const held = await heldTicket(context, holder, holder.ticketId, now);
    if (held === undefined) throw staleTicket();
    const session = sessionContext(holder, holder.ticketId, held.endsAt, now);
    const token = manageTokens.signBearer(session);
    const caller = manageTokens.callerOf(token, now);
    if (caller === undefined) throw staleTicket();
    const expiresAt = Math.floor(session.expiresAt / 1000) * 1000;
    return { token, expiresAt, appointmentId: holder.appointmentId, caller };
  };
}

/**
 * The link that messages to a customer show: the current one, issued when there has been none. `undefined` when it was
 * revoked, the appointment is over, or the host has no page for it.
 *
 * @throws StoreError `contention` when the appointment is not the present one any more: the message is to be made anew
 */
export async function currentManageUrl(
  context: UseCaseContext,
  appointment: Appointment,
  participantId: string,
): Promise<string | undefined> {
  const { clock, store, secureRandom, managePageUrl } = context;
  if (managePageUrl === undefined || !isLive(appointment) || !hasCustomer(appointment, participantId)) return undefined;
  const { organizationId } = appointment;
  const holder = { organizationId, appointmentId: appointment.id, participantId };
  const key = manageKeyOf(holder);
  const now = clock.now();
  let ticket = await store.findTicket(key);
  if (ticket === undefined) {
    const next = newTicket(key, secureRandom, { now });
    const issue = { next, expectedNonce: undefined };
    const audit = [lineOf(context, 'issueManageLink', undefined, appointment, undefined)];
    const result = await store.commit({ organizationId, events: [], ticket: issue, audit });
    // Another message may have been quicker: both show its link then.
    ticket = result.status === 'committed' ? next : await store.findTicket(key);
  }
  if (ticket?.revokedAt !== null || now >= endOf(ticket, appointment)) return undefined;
  // Read after the ticket: a contact that has changed since the message was begun must not get the link of its successor.
  const present = await store.findAppointment(organizationId, appointment.id);
  if (present?.version !== appointment.version) {
    throw new StoreError('contention', 'The appointment changed while a message was made.');
  }
  return linkOf(context, holder, ticket, appointment).url;
}

function linkOf(
  { tickets, manageTokens, managePageUrl }: UseCaseContext,
  holder: TicketHolder,
  ticket: Ticket,
  appointment: Appointment,
): ManageLink {
  const ticketId = tickets.idOf(ticket);
  const code = writeLinkCode({ ...holder, ticketId });
  const expiresAt = endOf(ticket, appointment);
  const whole = sessionContext(holder, ticketId, expiresAt, expiresAt);
  return {
    code,
    url: managePageUrl === undefined ? undefined : `${managePageUrl}#${code}`,
    ticketId,
    customerManageToken: manageTokens.sign(whole),
    expiresAt,
  };
}

/** The appointment, if the caller is staff who may change it and the participant is one of its customers. */
async function changeable(context: UseCaseContext, caller: Caller, query: ManageLinkQuery): Promise<Appointment> {
  const role = widestRole(caller);
  if (role === undefined || role === 'ROLE_CUSTOMER' || role === 'ROLE_ADMIN') {
    throw new CalendsError('forbidden', 'Manage links are for staff and client services.');
  }
  if (!isWellFormedId(query.appointmentId)) throw notFound();
  const appointment = await context.store.findAppointment(caller.organizationId, query.appointmentId);
  if (appointment === undefined) throw notFound();
  const settings = await context.applications.settingsOf(appointment.applicationId);
  authorize('update', { caller, appointment, settings, now: context.clock.now() });
  if (!hasCustomer(appointment, query.participantId)) {
    throw new CalendsError('validation_failed', 'The request is not valid.', {
      issues: [{ pointer: '/participantId', code: 'invalid_value', detail: 'Must be one of its customers.' }],
    });
  }
  return appointment;
}

function lineOf(
  { ids, clock }: UseCaseContext,
  operation: AuditOperation,
  caller: Caller | undefined,
  appointment: Appointment,
  options: CallOptions | undefined,
) {
  return auditLine(ids, {
    operation,
    appointment,
    at: clock.now(),
    actor: auditedActor(caller),
    proof: proofOf(caller),
    from: appointment.state,
    to: appointment.state,
    version: null,
    requestId: options?.correlationId ?? ids.next(),
  });
}

function idsOf({ appointmentId, participantId }: ManageLinkQuery): ManageLinkQuery {
  return { appointmentId, participantId };
}

function readEnd(text: string | undefined, now: Instant): Instant | null {
  if (text === undefined) return null;
  const end = parseInstant(text);
  if (end !== undefined && end > now) return end;
  const issues = new InputIssues();
  issues.add('/expiresAt', 'invalid_value', 'Must be an ISO 8601 timestamp with Z or an offset, in the future.');
  issues.throwIfAny();
  return null;
}
