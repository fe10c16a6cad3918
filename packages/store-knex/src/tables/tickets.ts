import type { Ticket, TicketKey } from '@calends/core/store';
import { columnsOf, readerOf, tableOf } from './table.js';

const key = columnsOf<TicketKey>();
const is = columnsOf<Ticket>();

const keyColumns = {
  organization_id: key.text('organizationId'),
  kind: key.text('kind'),
  subject_id: key.text('subjectId'),
  holder_id: key.text('holderId'),
};
const issuedColumns = {
  nonce: is.text('nonce'),
  issued_at: is.integer('issuedAt'),
  expires_at: is.nullableInteger('expiresAt'),
  revoked_at: is.nullableInteger('revokedAt'),
};

/** Tickets as they are issued. */
export const ticketTable = tableOf<Ticket>('calends_tickets')(keyColumns, issuedColumns);

const standingTable = tableOf<Ticket>('calends_tickets')(keyColumns, {
  ...issuedColumns,
  sessions_ended: is.optionalInteger('sessionsEnded'),
});

/** What {@link readTicket} reads of a row, as columns of a statement. */
export const ticketColumns = standingTable.list;

/** The ticket of a row, with what came to it later. */
export const readTicket = readerOf(standingTable);
