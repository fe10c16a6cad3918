import type { Instant } from '../appointments/instant.js';
import type { SigningKey } from '../options.js';
import type { JoinClaims } from '../scheduling.js';
import { tokenSigner } from './signed-token.js';

/** Signs and reads join tokens: v2 `secureToken` (D41). Times are whole seconds. */
export interface JoinTokens {
  sign(claims: JoinClaims): string;
  /** What a token stands for at an instant; `undefined` for whatever is not valid then. */
  read(token: string, now: Instant): JoinClaims | undefined;
}

const issuer = 'calends';
const audience = 'calends:join';

/** Join tokens under these keys. */
export function joinTokens(keys: readonly SigningKey[]): JoinTokens {
  const signer = tokenSigner(keys, { key: 'access-token', type: 'JWT' });
  return {
    sign: ({ organizationId, appointmentId, conferenceId, notBefore, expiresAt }) =>
      signer.sign({
        iss: issuer,
        aud: audience,
        sub: appointmentId,
        organizationId,
        conferenceId,
        nbf: Math.floor(notBefore / 1000),
        exp: Math.floor(expiresAt / 1000),
      }),
    read(token, now) {
      const claims = signer.read(token);
      if (claims?.['iss'] !== issuer || claims['aud'] !== audience) return undefined;
      const { sub, organizationId, conferenceId, nbf, exp } = claims;
      if (typeof sub !== 'string' || typeof organizationId !== 'string' || typeof conferenceId !== 'string') {
        return undefined;
      }
      if (typeof nbf !== 'number' || typeof exp !== 'number' || now < nbf * 1000 || now >= exp * 1000) return undefined;
      return { organizationId, appointmentId: sub, conferenceId, notBefore: nbf * 1000, expiresAt: exp * 1000 };
    },
  };
}
