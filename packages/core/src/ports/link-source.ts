import type { Appointment } from '../domain/appointments/appointment.js';

/** For whom links are asked. */
export interface LinkRequest {
  readonly appointment: Appointment;
  /** Participant id of the customer. */
  readonly participantId: string;
}

/** Addresses for the texts of a message; an absent one leaves its sentence out. */
export interface CustomerLinks {
  /**
   * The customer's page of the appointment: it joins once the room is open, says when it opens before that, and moves or
   * cancels. A host that has such a page needs no other link (D61).
   */
  readonly page?: string | undefined;
  /** Where the customer joins. */
  readonly join?: string | undefined;
  /** Where the customer moves or cancels the appointment. */
  readonly manage?: string | undefined;
}

/** Makes the links in messages to customers. */
export interface LinkSource {
  linksFor(request: LinkRequest): Promise<CustomerLinks> | CustomerLinks;
}
