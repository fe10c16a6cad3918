import type { Instant } from '@calends/model';

/** Personal data of one customer of one appointment; kept apart from the appointment (decisions, Across all). */
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
  /** Set once the personal data is gone: everything else of the profile is empty then. */
  readonly removal?: ProfileRemoval | undefined;
}

/** What a profile says of a customer, without whose it is. */
export type CustomerDetails = Omit<CustomerProfile, 'organizationId' | 'appointmentId' | 'participantId'>;

/** Why personal data was removed (D57): its retention had passed, or somebody asked for it. */
export type RemovalReason = 'PDM_EXPIRED' | 'PDM_ERASED';

/** That and when personal data was removed. */
export interface ProfileRemoval {
  readonly reason: RemovalReason;
  readonly at: Instant;
}
