import { createHmac } from 'node:crypto';
import { minutes } from '../appointments/time-units.js';
import type { AccessDetails, AccessProvider, AccessSubject } from '../ports/access-provider.js';
import { deriveKey } from '../secrets.js';

/** What the built-in access provider needs. */
export interface SignedAccessOptions {
  readonly secret: string | Uint8Array;
  /** Base address of rooms; the ticket becomes the last path segment. */
  readonly roomBaseUrl: string;
}

/** Tokens and rooms end this long after the appointment (D41). */
const validAfterEnd = minutes(60);

/**
 * The built-in access provider: no room service, everything is derived from the secret (D41).
 *
 * The secure token is a JWS (RFC 7515, HS256) bound to appointment, organization and conference; the room
 * address ends in a 128-bit ticket that depends on the appointment alone, so it survives a reschedule, and two
 * activations at once give the same room.
 */
export function signedAccess(options: SignedAccessOptions): AccessProvider {
  const tokenKey = deriveKey(options.secret, 'access-token');
  const ticketKey = deriveKey(options.secret, 'room-ticket');
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
    details: (grant, subject): AccessDetails => ({
      secureToken: signToken(tokenKey, claimsOf(grant.conferenceId, subject)),
      roomUrl: grant.roomUrl,
      expires: subject.schedule.end + validAfterEnd,
    }),
  };
}

function claimsOf(conferenceId: string, subject: AccessSubject): object {
  return {
    iss: 'calends',
    aud: 'calends:join',
    sub: subject.appointmentId,
    organizationId: subject.organizationId,
    conferenceId,
    nbf: Math.floor((subject.schedule.start - subject.leadTime) / 1000),
    exp: Math.floor((subject.schedule.end + validAfterEnd) / 1000),
  };
}

const header = encode({ alg: 'HS256', typ: 'JWT' });

function signToken(key: Uint8Array, claims: object): string {
  const signed = `${header}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
