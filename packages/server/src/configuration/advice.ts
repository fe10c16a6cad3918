import type { Environment } from './environment.js';

/** What the server runs with and better did not, one sentence each: for the log at start and the details of `/readyz`. */
export function adviceOn({ jwt }: Pick<Environment, 'jwt'>): readonly string[] {
  const hasKey = jwt.secret !== undefined || jwt.jwksUrl !== undefined;
  const missing = [
    ...(jwt.issuer === undefined ? ['CALENDS_JWT_ISSUER'] : []),
    ...(jwt.audience === undefined ? ['CALENDS_JWT_AUDIENCE'] : []),
  ];
  if (!hasKey || missing.length === 0) return [];
  return [`${missing.join(' and ')} not set: tokens that were made for other services are accepted`];
}
