/**
 * What may be somebody who tries what they may not.
 *
 * `wrongCode`: a one-time password that is not the one. `spentCode`: one where there is none to compare with: used up, over,
 * tried too often, never asked for. `refusedLink`: the code of a manage link that opens nothing. `refusedProof`: manage or
 * join claims that do not hold. `refusedCredentials`: no valid bearer token. `limited`: beyond a limit of requests.
 * `foreignOrigin`: a form, or a request with a session, from another site.
 */
export const securityEventKinds = [
  'wrongCode',
  'spentCode',
  'refusedLink',
  'refusedProof',
  'refusedCredentials',
  'limited',
  'foreignOrigin',
] as const;

/** One of {@link securityEventKinds}. */
export type SecurityEventKind = (typeof securityEventKinds)[number];

/** One such event; never who it was about: no user name, no address of a customer. */
export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** In fixed words. */
  readonly reason: string;
  readonly organizationId?: string | undefined;
  readonly applicationId?: string | undefined;
  /** Where the request came from, as limits count it; absent where no public address is known. */
  readonly source?: string | undefined;
  readonly requestId?: string | undefined;
}
