import type { AvailabilityOptions } from '@calends/core';
import { applicationsWith, type Environment } from './environment.js';
import { exampleAvailability, exampleService } from './example-availability.js';

/** What the server runs with and better did not, one sentence each: for the log at start and the details of `/readyz`. */
export function adviceOn(environment: Advised): readonly string[] {
  const { jwt, production, publicUrl } = environment;
  return [
    ...adviceOnTokens(jwt),
    ...(production && publicUrl === undefined ? [noPublicAddress] : []),
    ...adviceOnBooking(environment),
  ];
}

type Advised = Pick<
  Environment,
  'applications' | 'bookingPage' | 'customerPages' | 'jwt' | 'production' | 'publicUrl' | 'worker'
>;

const noPublicAddress =
  'CALENDS_PUBLIC_URL not set: links for customers have the HOST and PORT of this process, which others may not reach';

/** While developing there is always somebody who sees the codes. */
function adviceOnBooking({ applications, bookingPage, customerPages, production, worker }: Advised): readonly string[] {
  if (bookingPage === undefined || !customerPages || !production) return [];
  const { applicationId, contact } = bookingPage;
  const channel = contact === 'phone' ? 'sms' : 'email';
  if (!applicationsWith(channel, applications).includes(applicationId)) {
    const what = `applications.${applicationId} has no notifications.${channel}`;
    return [`bookingPage: ${what}: nobody gets the one-time password that a booking needs`];
  }
  if (worker) return [];
  const what = 'this process sends no one-time passwords, and nobody can book on its page';
  return [`bookingPage: CALENDS_WORKER is off: ${what}`];
}

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
