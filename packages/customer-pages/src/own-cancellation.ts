import type { Appointment, Caller, Scheduling } from '@calends/core';
import { isNotFound } from './problems.js';
import type { Session } from './security/session-cookie.js';

/**
 * The appointment that the customer of one of these sessions has cancelled by themselves.
 *
 * A cancellation ends the session, so that a second press on the button would open nothing. The token of that session still tells
 * for an hour who the customer was, and nobody else hears of it: the cancellation must be theirs. Asking as the pages themselves
 * is the only way to look, for a customer may look at nothing any more.
 */
export async function cancelledBy(
  { appointments, customers }: Pick<Scheduling, 'appointments' | 'customers'>,
  sessions: readonly Session[],
): Promise<Appointment | undefined> {
  for (const { token, appointmentId } of sessions) {
    const customer = customers.verifyCustomerToken(token);
    if (customer === undefined) continue;
    const { id, organizationId } = customer;
    const pages: Caller = { id: 'customer-pages', organizationId, roles: ['ROLE_CLIENT_SERVICE'] };
    try {
      const appointment = await appointments.get(pages, appointmentId);
      if (appointment.state === 'CANCELLED' && appointment.cancellation.by === id) return appointment;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return undefined;
}
