/** Personal data of one customer of one appointment; kept apart from the appointment (decisions, section 9). */
export interface CustomerProfile {
  readonly organizationId: string;
  readonly appointmentId: string;
  /** The participant whose profile this is. */
  readonly participantId: string;
  readonly username?: string | undefined;
  readonly primaryEmail?: string | undefined;
  /** E.164. */
  readonly primaryPhone?: string | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}
