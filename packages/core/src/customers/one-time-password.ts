import type { Instant } from '../appointments/instant.js';

/** The present one-time password of one user name in one application, as it is kept (D44). */
export interface OtpChallenge {
  readonly organizationId: string;
  /** Keyed hash of application and user name. */
  readonly subject: string;
  /** Another one for every issue. */
  readonly challengeId: string;
  /** Keyed hash of the code, bound to the challenge. */
  readonly codeHash: string;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
  /** Comparisons begun. */
  readonly tries: number;
  readonly consumedAt: Instant | null;
  /**
   * When codes were issued to this subject of late, this one included; oldest first. An instant is followed by the keyed
   * hash of the address that asked, where one is known. (Programs before D66 look at the instants and skip the rest.)
   */
  readonly issues: readonly (Instant | string)[];
  /**
   * Keyed hash of the address that the code was sent to, where the host's directory named it (D62). Null = not known, or
   * the user name is the address itself.
   */
  readonly sentTo: string | null;
}

/** Uses a one-time password up in the commit that it allows: of any number of commits one at most succeeds. */
export interface OtpConsumption {
  readonly subject: string;
  readonly challengeId: string;
  readonly at: Instant;
}
