import { type Appointment, isLive } from '../appointments/appointment.js';
import type { Instant } from '../appointments/instant.js';
import { days, hours } from '../appointments/time-units.js';
import { CalendsError } from '../errors.js';
import { manageActions } from '../operation-table.js';
import type { SchedulingStore } from '../ports/scheduling-store.js';
import type { SecureRandom } from '../ports/secure-random.js';
import type { ManageContext } from './manage-tokens.js';
import type { TicketSecrets } from './ticket-secrets.js';
import type { Ticket, TicketKey } from './ticket.js';

/** A link lasts this long after the appointment, wherever that is moved. */
export const validAfterEnd = days(1);
/** Tokens for a link are renewed by opening it again. */
export const longestSession = hours(1);

/** Whose manage ticket. */
export interface TicketHolder {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly participantId: string;
}

/** Where a holder's ticket is kept. */
export function manageKeyOf({ organizationId, appointmentId, participantId }: TicketHolder): TicketKey {
  return { organizationId, kind: 'MANAGE', subjectId: appointmentId, holderId: participantId };
}

/** When a ticket ends: with its appointment, or earlier where its issuer said so. */
export function endOf(ticket: Ticket, { schedule }: Appointment): Instant {
  const end = schedule.end + validAfterEnd;
  return ticket.expiresAt === null ? end : Math.min(end, ticket.expiresAt);
}

/** A fresh ticket in the place of whatever the key had. */
export function newTicket(
  { organizationId, kind, subjectId, holderId }: TicketKey,
  { tickets, secureRandom }: { readonly tickets: TicketSecrets; readonly secureRandom: SecureRandom },
  { now, expiresAt = null }: { readonly now: Instant; readonly expiresAt?: Instant | null },
): Ticket {
  const nonce = tickets.newNonce(secureRandom);
  return { organizationId, kind, subjectId, holderId, nonce, issuedAt: now, expiresAt, revokedAt: null };
}

/** What looks at tickets need. */
export interface TicketReading {
  readonly store: Pick<SchedulingStore, 'findTicket' | 'findAppointment'>;
  readonly tickets: TicketSecrets;
}

/** A ticket that holds, and what it opens. */
export interface HeldTicket {
  readonly ticket: Ticket;
  readonly appointment: Appointment;
  readonly endsAt: Instant;
}

/**
 * The ticket behind a secret id, if it is the holder's current one, neither revoked nor over, and the holder still takes
 * part in a live appointment (D42).
 */
export async function heldTicket(
  { store, tickets }: TicketReading,
  holder: TicketHolder,
  ticketId: string,
  now: Instant,
): Promise<HeldTicket | undefined> {
  const { organizationId, appointmentId, participantId } = holder;
  const ticket = await store.findTicket(manageKeyOf(holder));
  if (ticket?.revokedAt !== null || !tickets.matches(ticket, ticketId)) return undefined;
  const appointment = await store.findAppointment(organizationId, appointmentId);
  // A message may have issued the ticket while the appointment ended, after its tickets were revoked.
  if (appointment === undefined || !isLive(appointment) || !hasCustomer(appointment, participantId)) return undefined;
  const endsAt = endOf(ticket, appointment);
  return now < endsAt ? { ticket, appointment, endsAt } : undefined;
}

/** Tells whether a session has not been ended; what is no session of ours lasts as long as its ticket. */
export function holdsSession({ sessionsEnded = 0 }: Ticket, { session }: Pick<ManageContext, 'session'>): boolean {
  return session === undefined || session >= sessionsEnded;
}

/** Tells whether a participant is a customer of the appointment. */
export function hasCustomer({ participants }: Appointment, participantId: string): boolean {
  return participants.some(({ id, type }) => id === participantId && type === 'CUSTOMER');
}

/** The signed context for a held ticket, for at most a session's time. */
export function sessionContext(holder: TicketHolder, ticketId: string, endsAt: Instant, now: Instant): ManageContext {
  return {
    organizationId: holder.organizationId,
    appointmentId: holder.appointmentId,
    participantId: holder.participantId,
    ticketId,
    actions: manageActions,
    expiresAt: Math.min(endsAt, now + longestSession),
  };
}

/** One answer for unknown, stale, foreign and altered. */
export function staleTicket(): CalendsError {
  return new CalendsError('stale_ticket', 'The manage link is not valid any more.');
}
