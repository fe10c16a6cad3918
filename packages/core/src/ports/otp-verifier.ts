import type { OtpConsumption } from '../customers/one-time-password.js';

/** A one-time password as a customer presents it (D44). */
export interface OtpAttempt {
  readonly organizationId: string;
  readonly applicationId: string;
  /** User name of the basic credentials: the customer's username, e-mail address or phone number. */
  readonly username: string;
  readonly code: string;
}

/**
 * Checks one-time passwords.
 *
 * `true`: the code is right and used up now; of any number of parallel calls with it one at most gets `true`. An
 * `OtpConsumption`: the code is right and is used up in the commit of the booking, so that a booking that is refused
 * for another reason does not cost the customer the code; for verifiers that keep their codes in the library's store.
 */
export interface OtpVerifier {
  verify(attempt: OtpAttempt): Promise<boolean | OtpConsumption>;
}
