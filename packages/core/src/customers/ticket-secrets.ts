import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from '../keys/key-ring.js';
import type { SecureRandom } from '../ports/secure-random.js';
import type { Ticket } from './ticket.js';

/** Derives the secret ids of tickets, so that nothing that is stored opens anything (D42). */
export interface TicketSecrets {
  /** 128 random bits behind the id of the key that makes the ticket's id: a link stays the same when keys change (D67). */
  newNonce(secureRandom: SecureRandom): string;
  /** The ticket's id: 128 bits, base64url, 22 characters. */
  idOf(ticket: Ticket): string;
  /** Tells in constant time whether a text is the ticket's id. */
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
      // The text must be the one spelling of its bytes, else altered trailing bits would pass.
      const isSpelled = given.length === 16 && given.toString('base64url') === id;
      return isSpelled && idsOf(ticket).some((expected) => timingSafeEqual(given, expected));
    },
  };
}
