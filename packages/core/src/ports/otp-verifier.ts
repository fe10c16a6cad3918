/** A one-time password as a customer presents it (D44). */
export interface OtpAttempt {
  readonly applicationId: string;
  /** User name of the basic credentials: the customer's username, e-mail address or phone number. */
  readonly username: string;
  readonly code: string;
}

/**
 * Checks and consumes one-time passwords.
 *
 * `true` consumes the code: of any number of parallel calls with the same right code one at most gets `true`.
 */
export interface OtpVerifier {
  verify(attempt: OtpAttempt): Promise<boolean>;
}
