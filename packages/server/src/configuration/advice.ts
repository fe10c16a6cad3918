import type { AvailabilityOptions } from '@calends/core';
import type { Environment } from './environment.js';
import { exampleAvailability, exampleService } from './example-availability.js';

/** What the server runs with and better did not, one sentence each: for the log at start and the details of `/readyz`. */
export function adviceOn({
  jwt,
  production,
  publicUrl,
}: Pick<Environment, 'jwt' | 'production' | 'publicUrl'>): readonly string[] {
  return [...adviceOnTokens(jwt), ...(production && publicUrl === undefined ? [noPublicAddress] : [])];
}

const noPublicAddress =
  'CALENDS_PUBLIC_URL not set: links for customers have the HOST and PORT of this process, which others may not reach';

function adviceOnTokens(jwt: Environment['jwt']): readonly string[] {
  const hasKey = jwt.secret !== undefined || jwt.jwksUrl !== undefined;
  const missing = [
    ...(jwt.issuer === undefined ? ['CALENDS_JWT_ISSUER'] : []),
    ...(jwt.audience === undefined ? ['CALENDS_JWT_AUDIENCE'] : []),
  ];
  if (!hasKey || missing.length === 0) return [];
  return [`${missing.join(' and ')} not set: tokens that were made for other services are accepted`];
}

/**
 * What a check says, without what it says of the server's own example: that may be booked with a service and without one, to try both,
 * and there is nothing in it to mend.
 */
export function exceptOfExample(
  advice: readonly string[],
  availability: AvailabilityOptions | undefined,
): readonly string[] {
  if (availability !== exampleAvailability) return advice;
  return advice.filter((line) => !line.startsWith(`applications.${exampleService.applicationId}.overlap:`));
}
