import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Ticket } from './ticket.js';

/** Derives the secret ids of tickets, so that nothing that is stored opens anything (D42). */
export interface TicketSecrets {
  /** The ticket's id: 128 bits, base64url, 22 characters. */
  idOf(ticket: Ticket): string;
  /** Tells in constant time whether a text is the ticket's id. */
  matches(ticket: Ticket, id: string): boolean;
}

/** Ids keyed by the host's secret, bound to whose ticket it is and to its nonce. */
export function ticketSecrets(key: Uint8Array): TicketSecrets {
  const idBytes = ({ organizationId, kind, subjectId, holderId, nonce }: Ticket): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, organizationId, subjectId, holderId, nonce]))
      .digest()
      .subarray(0, 16);
  return {
    idOf: (ticket) => idBytes(ticket).toString('base64url'),
    matches: (ticket, id) => {
      const given = Buffer.from(id, 'base64url');
      // The text must be the one spelling of its bytes, else altered trailing bits would pass.
      return given.length === 16 && given.toString('base64url') === id && timingSafeEqual(given, idBytes(ticket));
    },
  };
}
