import { type Instant, isWellFormedId, parseInstant } from '@calends/model';
import { authorize } from '../../domain/appointments/access-policy.js';
import { type Appointment, isLive } from '../../domain/appointments/appointment.js';
import { requireLive } from '../../domain/appointments/lifecycle.js';
import { type Caller, widestRole } from '../../domain/calls/caller.js';
import { CalendsError, invalidField } from '../../domain/calls/errors.js';
import { parsedText } from '../../domain/calls/input.js';
import { StoreError } from '../../ports/store/store-error.js';
import { notFound } from '../change-appointment.js';
import { isWebLink } from '../../messages/plain-text.js';
import type { UseCaseContext } from '../context.js';
import { insist, lineOf } from '../unit-of-work.js';
import type { CallOptions } from '../call-options.js';
import { withRefusalsNoted } from '../noted-refusals.js';
import type { CustomerSession, IssueManageLinkCommand, ManageLink, ManageLinkQuery } from './commands.js';
import { readLinkCode, writeLinkCode } from '../proofs/manage-link/link-code.js';
import {
  endOf,
  hasCustomer,
  heldTicket,
  holdsSession,
  manageKeyOf,
  newTicket,
  sessionContext,
  staleTicket,
} from '../proofs/manage-link/tickets.js';
import type { Ticket, TicketHolder } from '../../domain/customers/proofs.js';
import type { LinkSource } from '../../ports/link-source.js';
import { accessDetails } from '../room.js';

/** Issues a manage link; the one before it ends (D42, D45). */
export function issueManageLink(context: UseCaseContext) {
  return async (caller: Caller, command: IssueManageLinkCommand, options?: CallOptions): Promise<ManageLink> => {
    const { clock, store } = context;
    const present = () => changeable(context, { caller, query: command, operation: 'issueManageLink', options });
    requireLive(await present());
    const now = clock.now();
    const expiresAt = readEnd(command.expiresAt, now);
    const holder = { organizationId: caller.organizationId, ...idsOf(command) };
    const key = manageKeyOf(holder);
    const issue = async (): Promise<ManageLink | undefined> => {
      // Again each time: it may have ended while this call waited for its turn.
      const appointment = requireLive(await present());
      const before = await store.customers.findTicket(key);
      const ticket = newTicket(key, context, { now, expiresAt });
      const result = await store.commit({
        organizationId: holder.organizationId,
        appointment: { kind: 'keep', appointmentId: holder.appointmentId },
        events: [],
        ticket: { next: ticket, expectedNonce: before?.nonce },
        audit: [lineOf(context, 'issueManageLink', caller, appointment, options)],
      });
      return result.status === 'committed' ? linkOf(context, holder, ticket, appointment) : undefined;
    };
    return context.oneAtATime.run(`${holder.organizationId} ${holder.appointmentId}`, () =>
      insist('manage link', issue),
    );
  };
}

/** Ends the manage link of a customer (D42). */
export function revokeManageLink(context: UseCaseContext) {
  return async (caller: Caller, query: ManageLinkQuery, options?: CallOptions): Promise<void> => {
    const { clock, store } = context;
    const appointment = await changeable(context, { caller, query, operation: 'revokeManageLink', options });
    const { organizationId } = caller;
    const ticket = await store.customers.findTicket(manageKeyOf({ organizationId, ...idsOf(query) }));
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
export function exchangeManageLink(context: UseCaseContext) {
  return async (code: string, options?: Pick<CallOptions, 'correlationId' | 'source'>): Promise<CustomerSession> => {
    const { clock, manageTokens, observer } = context;
    const refuse = (reason: string): never => {
      const about = { source: options?.source, requestId: options?.correlationId };
      observer.observe({ type: 'security', kind: 'refusedLink', reason, ...about });
      throw staleTicket();
    };
    const holder = readLinkCode(code) ?? refuse('the code is none');
    const now = clock.now();
    const held =
      (await heldTicket(context, holder, holder.ticketId, now)) ?? refuse('the link is unknown, replaced or over');
    const session = {
      ...sessionContext(holder, holder.ticketId, held.endsAt, now),
      session: held.ticket.sessionsEnded ?? 0,
    };
    const token = manageTokens.signBearer(session);
    const caller = manageTokens.callerOf(token, now);
    if (caller === undefined) throw staleTicket();
    const expiresAt = Math.floor(session.expiresAt / 1000) * 1000;
    return { token, expiresAt, appointmentId: holder.appointmentId, caller };
  };
}

/** Ends the sessions of a link, on every device; the link stands (D45). */
export function endSession(context: UseCaseContext) {
  return async (token: string): Promise<void> => {
    const { clock, manageTokens, store } = context;
    const now = clock.now();
    const claims = manageTokens.callerOf(token, now)?.manage;
    const session = claims && manageTokens.read(claims.token, now);
    if (session?.session === undefined) return;
    const held = await heldTicket(context, session, session.ticketId, now);
    if (held !== undefined && holdsSession(held.ticket, session)) {
      await store.customers.endSessions(manageKeyOf(session), session.session + 1);
    }
  };
}

/**
 * The link that messages to a customer show: the current one, issued when there has been none. `undefined` when it was
 * revoked, the appointment is over, or the host has no page for it.
 *
 * @throws StoreError `contention` when the appointment is not the present one any more: the message is to be made again
 */
async function currentManageUrl(
  context: UseCaseContext,
  appointment: Appointment,
  participantId: string,
): Promise<string | undefined> {
  const { clock, store, managePageUrl } = context;
  if (managePageUrl === undefined || !isLive(appointment) || !hasCustomer(appointment, participantId)) return undefined;
  const { organizationId } = appointment;
  const holder = { organizationId, appointmentId: appointment.id, participantId };
  const key = manageKeyOf(holder);
  const now = clock.now();
  let ticket = await store.customers.findTicket(key);
  if (ticket === undefined) {
    const next = newTicket(key, context, { now });
    const issue = { next, expectedNonce: undefined };
    const audit = [lineOf(context, 'issueManageLink', undefined, appointment, undefined)];
    // A ticket stands only where its appointment does: it may be over, or be gone, since the message was begun.
    const kept = { kind: 'keep', appointmentId: appointment.id } as const;
    const result = await store.commit({ organizationId, appointment: kept, events: [], ticket: issue, audit });
    // Another message may have been quicker: both show its link then.
    ticket = result.status === 'committed' ? next : await store.customers.findTicket(key);
    if (ticket === undefined) throw changedMeanwhile();
  }
  if (ticket.revokedAt !== null || now >= endOf(ticket, appointment)) return undefined;
  // Read after the ticket: a contact that has changed since the message was begun must not get the link of its successor.
  const present = await store.appointments.find(organizationId, appointment.id);
  if (present?.version !== appointment.version) throw changedMeanwhile();
  return linkOf(context, holder, ticket, appointment).url;
}

function changedMeanwhile(): StoreError {
  return new StoreError('contention', 'The appointment changed while a message was made.');
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

/** A call on the manage link of a customer. */
interface LinkCall {
  readonly caller: Caller;
  readonly query: ManageLinkQuery;
  readonly operation: 'issueManageLink' | 'revokeManageLink';
  readonly options: CallOptions | undefined;
}

/** The appointment, if the caller is staff who may change it and the participant is one of its customers. */
function changeable(context: UseCaseContext, { caller, query, operation, options }: LinkCall): Promise<Appointment> {
  const { appointmentId, participantId } = query;
  return withRefusalsNoted(context, { caller, appointmentId, operation, options }, async () => {
    const role = widestRole(caller);
    if (role === undefined || role === 'ROLE_CUSTOMER' || role === 'ROLE_ADMIN') {
      throw new CalendsError('forbidden', 'Manage links are for staff and client services.');
    }
    if (!isWellFormedId(appointmentId)) throw notFound();
    const appointment = await context.store.appointments.find(caller.organizationId, appointmentId);
    if (appointment === undefined) throw notFound();
    const settings = await context.applications.settingsOf(appointment.applicationId);
    authorize('update', { caller, appointment, settings, now: context.clock.now() });
    if (!hasCustomer(appointment, participantId)) throw invalidField('/participantId', 'Must be one of its customers.');
    return appointment;
  });
}

function idsOf({ appointmentId, participantId }: ManageLinkQuery): ManageLinkQuery {
  return { appointmentId, participantId };
}

function readEnd(text: string | undefined, now: Instant): Instant | null {
  if (text === undefined) return null;
  const end = parseInstant(parsedText(text));
  if (end !== undefined && end > now) return end;
  throw invalidField('/expiresAt', 'Must be an ISO 8601 timestamp with Z or an offset, in the future.');
}

/**
 * Links of messages where the host has none of its own: the customer's page (D45, D61). Where there is none, or its link was
 * revoked, the room once it is open.
 */
export function builtInLinks(context: UseCaseContext): LinkSource {
  return {
    linksFor: async ({ appointment, participantId }) => {
      const page = await currentManageUrl(context, appointment, participantId);
      if (page !== undefined || appointment.state !== 'ACTIVATED') return { page };
      const { roomUrl } = await accessDetails(context, appointment);
      // A room may be a number to dial, or be reached by an app.
      return isWebLink(roomUrl) ? { join: roomUrl } : {};
    },
  };
}
