import type { ContactChannel, Participant } from '../appointments/appointment.js';

/** Tells whether messages may go to a customer over a channel (D62). */
export function isToldOver({ confirmed, toldOver }: Participant, channel: ContactChannel): boolean {
  return confirmed !== false || toldOver?.includes(channel) === true;
}

/** A customer for whom staff vouches: every address is written to, and `identity` recognises them (D62, D64). */
export function confirmedCustomer({ id, type }: Participant, identity: string): Participant {
  return { id, type, identity };
}
