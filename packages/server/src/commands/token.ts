import type { Role } from '@calends/core';
import { ConfigurationError } from '../configuration/configuration-error.js';
import { folderBeside } from '../configuration/database-address.js';
import { type Environment, readEnvironment } from '../configuration/environment.js';
import { usualOrganization, usualSubjects } from '../secrets/first-steps.js';
import { secretsOf } from '../secrets/secrets.js';
import { signToken } from '../secrets/sign-token.js';

/** What `calends token` was asked for. */
export interface TokenRequest {
  readonly roles: readonly [Role, ...Role[]];
  readonly sub?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly applicationIds?: readonly string[] | undefined;
  readonly conferenceId?: string | undefined;
  /** Milliseconds. */
  readonly validFor: number;
}

/** `calends token`: prints a bearer token that `calends serve` accepts under the same environment. */
export async function token(request: TokenRequest): Promise<void> {
  const environment = readEnvironment(process.env);
  const { validFor, roles, sub = usualSubjects[roles[0]], applicationIds, conferenceId } = request;
  const organizationId = request.organizationId ?? usualOrganization(environment.applications);
  const signed = await signToken(
    { sub, roles, organizationId, applicationIds, conferenceId },
    { secret: await signingSecret(environment), expected: environment.jwt, validFor },
  );
  process.stdout.write(`${signed}\n`);
}

async function signingSecret(environment: Environment): Promise<string | Uint8Array> {
  const { jwt, production, database } = environment;
  if (jwt.jwksUrl !== undefined) {
    throw new ConfigurationError(['CALENDS_JWKS_URL: tokens come from the issuer of its keys, not from here']);
  }
  if (jwt.secret !== undefined) return jwt.secret;
  if (production || folderBeside(database) === undefined) {
    const why = production ? 'in production' : 'with a store in memory, whose made secret ends with the server';
    throw new ConfigurationError([`CALENDS_JWT_SECRET: must be set ${why}`]);
  }
  const secrets = await secretsOf(environment);
  if (secrets.jwt === undefined) throw new ConfigurationError(['CALENDS_JWT_SECRET: must be set']);
  return secrets.jwt;
}
