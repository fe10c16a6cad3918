import { days, hours, type Instant, lastInstant } from '@calends/model';
import { type Appointment, isLive } from '../../../domain/appointments/appointment.js';
import { CalendsError } from '../../../domain/calls/errors.js';
import { manageActions } from '../../../domain/operation-table.js';
import type { SchedulingStore } from '../../../ports/store/store.js';
import type { SecureRandom } from '../../../ports/random.js';
import type { ManageContext, ManageTokens } from './tokens.js';
import type { Ticket, TicketHolder, TicketIssue, TicketKey } from '../../../domain/customers/proofs.js';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '../../../keys/key-ring.js';
import type { Clock } from '../../../ports/clock.js';
import type { ManageProofVerifier } from '../../../ports/manage-proof-verifier.js';

/** A link lasts this long after the appointment, wherever that is moved. */
export const validAfterEnd = days(1);
/** Tokens for a link are renewed by opening it again. */
const maxSession = hours(1);

/** Where a holder's ticket is kept. */
export function manageKeyOf({ organizationId, appointmentId, participantId }: TicketHolder): TicketKey {
  return { organizationId, kind: 'MANAGE', subjectId: appointmentId, holderId: participantId };
}

/** When a ticket ends: with its appointment, or earlier where its issuer said so. */
export function endOf(ticket: Ticket, { schedule }: Appointment): Instant {
  const end = Math.min(schedule.end + validAfterEnd, lastInstant);
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

/** A ticket in the place of the one that went to an old contact; nothing where none was issued (D42). */
export async function replacement(
  context: Pick<TicketReading, 'store' | 'tickets'> & { readonly secureRandom: SecureRandom },
  { organizationId, id: appointmentId }: Appointment,
  participantId: string,
  now: Instant,
): Promise<TicketIssue | undefined> {
  const present = await context.store.customers.findTicket(
    manageKeyOf({ organizationId, appointmentId, participantId }),
  );
  if (present?.revokedAt !== null) return undefined;
  const next = newTicket(present, context, { now, expiresAt: present.expiresAt });
  return { next, expectedNonce: present.nonce };
}

/** What looks at tickets need. */
interface TicketReading {
  readonly store: Pick<SchedulingStore, 'appointments' | 'customers'>;
  readonly tickets: TicketSecrets;
}

/** A ticket that holds, and what it opens. */
interface HeldTicket {
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
  const ticket = await store.customers.findTicket(manageKeyOf(holder));
  if (ticket?.revokedAt !== null || !tickets.matches(ticket, ticketId)) return undefined;
  const appointment = await store.appointments.find(organizationId, appointmentId);
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
    expiresAt: Math.min(endsAt, now + maxSession),
  };
}

/** One answer for unknown, stale, foreign and altered. */
export function staleTicket(): CalendsError {
  return new CalendsError('stale_ticket', 'The manage link does not open this, or is not valid any more.');
}

/** Derives the secret ids of tickets, so that nothing that is stored opens anything (D42). */
export interface TicketSecrets {
  /** 128 random bits behind the id of the key that makes the ticket's id: a link stays the same when keys change (D67). */
  newNonce(secureRandom: SecureRandom): string;
  /** The ticket's id: 128 bits, base64url, 22 characters. */
  idOf(ticket: Ticket): string;
  /** Tells in constant time whether a string is the ticket's id. */
  matches(ticket: Ticket, id: string): boolean;
}

/** Ids keyed by one of the host's secrets, bound to whose ticket it is and to its nonce. */
export function ticketSecrets(keys: KeyRing): TicketSecrets {
  const ticketKeys = keys.all.map((key) => ({ id: key.id, bytes: key.derive('ticket-id') }));
  const idBytes = (key: Uint8Array, { organizationId, kind, subjectId, holderId, nonce }: Ticket): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, organizationId, subjectId, holderId, nonce]))
      .digest()
      .subarray(0, 16);
  /** The keys that may have made the ticket's id: of what is older than key ids, any. */
  const idsOf = (ticket: Ticket): readonly Buffer[] => {
    const [keyId] = ticket.nonce.split('.', 1);
    const named = ticketKeys.filter(({ id }) => ticket.nonce.includes('.') && id === keyId);
    return (named.length === 0 ? ticketKeys : named).map(({ bytes }) => idBytes(bytes, ticket));
  };
  return {
    newNonce: (secureRandom) => `${keys.current.id}.${Buffer.from(secureRandom.bytes(16)).toString('base64url')}`,
    idOf: (ticket) => idsOf(ticket)[0]?.toString('base64url') ?? '',
    matches: (ticket, id) => {
      const given = Buffer.from(id, 'base64url');
      // The string must be the one spelling of its bytes, else altered trailing bits would pass.
      const isSpelled = given.length === 16 && given.toString('base64url') === id;
      return isSpelled && idsOf(ticket).some((expected) => timingSafeEqual(given, expected));
    },
  };
}

/**
 * The built-in verifier of manage proofs (D42): signature and claims first, which needs no look-up, then the ticket.
 */
export function manageProofs(
  reading: TicketReading & { readonly clock: Clock; readonly manageTokens: ManageTokens },
): ManageProofVerifier {
  return {
    verify: async ({ organizationId, appointmentId, action, claims }) => {
      const now = reading.clock.now();
      const context = reading.manageTokens.read(claims.token, now);
      if (context?.organizationId !== organizationId || context.appointmentId !== appointmentId) return undefined;
      if (context.ticketId !== claims.ticketId || !context.actions.includes(action)) return undefined;
      const held = await heldTicket(reading, context, context.ticketId, now);
      if (held === undefined || !holdsSession(held.ticket, context)) return undefined;
      const { kind, subjectId, holderId, nonce } = held.ticket;
      const { participantId, session } = context;
      return { participantId, guard: { kind, subjectId, holderId, nonce, session } };
    },
  };
}
