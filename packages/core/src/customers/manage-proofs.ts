import type { Clock } from '../ports/clock.js';
import type { ManageProofVerifier } from '../ports/manage-proof-verifier.js';
import { heldTicket, holdsSession, type TicketReading } from './manage-tickets.js';
import type { ManageTokens } from './manage-tokens.js';

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
      return { participantId: context.participantId, guard: { kind, subjectId, holderId, nonce } };
    },
  };
}
