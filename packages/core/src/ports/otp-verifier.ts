import type { OtpConsumption } from '../domain/customers/proofs.js';
import type { CustomerContact } from './customer-directory.js';

/** A one-time password as a customer presents it (D44). */
export interface OtpAttempt {
  readonly organizationId: string;
  readonly applicationId: string;
  /** User name of the basic credentials: the customer's username, e-mail address or phone number. */
  readonly username: string;
  readonly code: string;
  /** Addresses that the customer gives with the booking, proven or not. */
  readonly contact: CustomerContact;
}

/** What a right code proves, and how it is used up. */
export interface OtpProof {
  /** Used up in the commit of the booking; absent = used up already. */
  readonly consumption?: OtpConsumption | undefined;
  /**
   * Where the code had been sent: only over these messages of the booking go until staff confirms the customer (D62).
   * Absent = the user name, where that is an address, else nowhere.
   */
  readonly sentTo?: CustomerContact | undefined;
}

/**
 * Checks one-time passwords.
 *
 * `true`: the code is right and used up now; of any number of parallel calls with it one at most gets `true`. An
 * `OtpProof` tells more: with a `consumption` the code is used up in the commit of the booking, so that a booking that is
 * refused for another reason does not cost the customer the code (for verifiers that keep their codes in the library's
 * store); `sentTo` says where it had been sent. An `OtpConsumption` by itself is a proof without `sentTo`.
 * `'spent'` instead of `false`: there is no code to compare with; told apart in security events only.
 */
export interface OtpVerifier {
  verify(attempt: OtpAttempt): Promise<boolean | 'spent' | OtpConsumption | OtpProof>;
}
