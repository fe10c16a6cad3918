import { createHmac } from 'node:crypto';
import { checkOptionNames, type Instant, lastInstant, minutes } from '@calends/model';
import { type SigningKey, tokenSigner } from '../support/signed-token.js';
import type { AccessDetails, AccessProvider } from '../ports/access-provider.js';
import { KeyRing, type Secrets } from '../keys/key-ring.js';
import { signingKeysOf } from './signing-keys.js';

/** What the built-in access provider needs. */
export interface SignedAccessOptions {
  /** As in `createScheduling`: the first makes rooms and signs. */
  readonly secret: Secrets;
  /** Base address of rooms; the ticket becomes the last path segment. */
  readonly roomBaseUrl: string;
  /** Keys that sign the secure token, as in `createScheduling`. Default: one derived from `secret`. */
  readonly signingKeys?: readonly SigningKey[] | undefined;
}

/** Tokens and rooms end this long after the appointment (D41). */
const validAfterEnd = minutes(60);

/**
 * The built-in access provider: no room service, everything is derived from the secret (D41).
 *
 * The secure token is a JWS (RFC 7515, HS256, `kid`) bound to appointment, organization and conference; the room
 * address ends in a 128-bit ticket that depends on the appointment only, so it survives a reschedule and a rotation of
 * the signing keys, and two activations at once give the same room.
 *
 * @throws TypeError for options that are missing or misspelt
 */
export function signedAccess(options: SignedAccessOptions): AccessProvider {
  checkOptionNames('signedAccess', options, ['secret', 'roomBaseUrl', 'signingKeys']);
  for (const name of ['secret', 'roomBaseUrl'] as const) {
    const given: unknown = options[name];
    if (given === undefined) throw new TypeError(`signedAccess: ${name}: must be given`);
  }
  const tokens = joinTokens(signingKeysOf(options.secret, options.signingKeys));
  const ticketKey = new KeyRing(options.secret).current.derive('room-ticket');
  const base = options.roomBaseUrl.replace(/\/+$/, '');

  return {
    conferenceIsAppointment: true,
    openRoom: (subject) => {
      const ticket = createHmac('sha256', ticketKey)
        .update(JSON.stringify([subject.organizationId, subject.appointmentId]))
        .digest()
        .subarray(0, 16)
        .toString('base64url');
      const grant = { conferenceId: subject.appointmentId, roomUrl: `${base}/${ticket}` };
      return Promise.resolve({ status: 'opened', grant });
    },
    details: (grant, { organizationId, appointmentId, schedule, leadTime }): AccessDetails => {
      const expires = Math.min(schedule.end + validAfterEnd, lastInstant);
      const claims = {
        organizationId,
        appointmentId,
        conferenceId: grant.conferenceId,
        notBefore: schedule.start - leadTime,
        expiresAt: expires,
      };
      return { secureToken: tokens.sign(claims), roomUrl: grant.roomUrl, expires };
    },
  };
}

/** What a join token says (D41). */
export interface JoinClaims {
  readonly organizationId: string;
  readonly appointmentId: string;
  readonly conferenceId: string;
  readonly notBefore: Instant;
  readonly expiresAt: Instant;
}

/** Signs and reads join tokens: v2 `secureToken` (D41). Times are whole seconds. */
export interface JoinTokens {
  sign(claims: JoinClaims): string;
  /** What a token stands for at an instant; `undefined` for whatever is not valid then. */
  read(token: string, now: Instant): JoinClaims | undefined;
}

/** Join tokens under these keys. */
export function joinTokens(keys: readonly SigningKey[]): JoinTokens {
  const signer = tokenSigner(keys, { key: 'access-token', type: 'JWT', audience: 'calends:join' });
  return {
    sign: ({ organizationId, appointmentId, conferenceId, notBefore, expiresAt }) =>
      signer.sign({ sub: appointmentId, organizationId, conferenceId, nbf: Math.floor(notBefore / 1000) }, expiresAt),
    read(token, now) {
      const claims = signer.read(token, now);
      if (claims === undefined) return undefined;
      const { sub, organizationId, conferenceId, nbf, exp } = claims;
      if (typeof sub !== 'string' || typeof organizationId !== 'string' || typeof conferenceId !== 'string') {
        return undefined;
      }
      if (typeof nbf !== 'number' || now < nbf * 1000) return undefined;
      return { organizationId, appointmentId: sub, conferenceId, notBefore: nbf * 1000, expiresAt: exp * 1000 };
    },
  };
}
