import { ConfigurationError } from '../configuration/configuration-error.js';
import { readEnvironment } from '../configuration/environment.js';
import { type OpenInterface, withInterface } from './ask.js';

/**
 * The interface of availability inside this process, as a supervisor of the organization.
 *
 * @throws ConfigurationError where availability is off
 */
export function withAvailability<Result>(
  organizationId: string | undefined,
  work: (open: OpenInterface) => Promise<Result>,
): Promise<Result> {
  if (readEnvironment(process.env).availability === undefined) {
    throw new ConfigurationError(['CALENDS_AVAILABILITY: it is off; turn it on here as where the server runs']);
  }
  return withInterface({ organizationId, role: 'ROLE_SUPERVISOR' }, work);
}
