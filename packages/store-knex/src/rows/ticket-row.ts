import type { Ticket, TicketKey, TicketKind } from '@calends/core';
import type { Row } from '../database/outcome.js';
import type { SqlValue } from '../database/sql.js';
import { type Fields, integer, optionalInteger, text } from './fields.js';

/** What is written of a ticket. */
export const ticketFields = {
  organization_id: 'text',
  kind: 'text',
  subject_id: 'text',
  holder_id: 'text',
  nonce: 'text',
  issued_at: 'integer',
  expires_at: 'integer',
  revoked_at: 'integer',
} as const satisfies Fields;

/** Columns by which a ticket is known; the first of {@link ticketFields}. */
export const ticketKey = ['organization_id', 'kind', 'subject_id', 'holder_id'] as const;

/** The values of {@link ticketKey}, in their order. */
export const ticketKeyValues = ({ organizationId, kind, subjectId, holderId }: TicketKey): readonly string[] => [
  organizationId,
  kind,
  subjectId,
  holderId,
];

/** The values of a ticket in the order of {@link ticketFields}. */
export const ticketValues = (ticket: Ticket): readonly SqlValue[] => [
  ...ticketKeyValues(ticket),
  ticket.nonce,
  ticket.issuedAt,
  ticket.expiresAt,
  ticket.revokedAt,
];

/** The ticket of a row, exactly as it was committed. */
export const readTicket = (row: Row): Ticket => ({
  organizationId: text(row, 'organization_id'),
  kind: text(row, 'kind') as TicketKind,
  subjectId: text(row, 'subject_id'),
  holderId: text(row, 'holder_id'),
  nonce: text(row, 'nonce'),
  issuedAt: integer(row, 'issued_at'),
  expiresAt: optionalInteger(row, 'expires_at') ?? null,
  revokedAt: optionalInteger(row, 'revoked_at') ?? null,
  ...sessionsOf(row),
});

function sessionsOf(row: Row): Pick<Ticket, 'sessionsEnded'> {
  const sessionsEnded = optionalInteger(row, 'sessions_ended');
  return sessionsEnded === undefined ? {} : { sessionsEnded };
}
