import type { Request, RequestHandler } from 'express';
import type { FirstToken } from '../secrets/first-steps.js';

/**
 * The tokens with which the reference page logs in at a click, for a browser on this machine alone.
 *
 * Whoever else comes finds nothing: other machines, what a proxy or a tunnel passes on, pages of other sites, and names that
 * somebody has made to lead here (`Host`).
 */
export function developmentLogin(tokens: () => Promise<readonly FirstToken[]>): RequestHandler {
  return async (request, response, next) => {
    if (isFromHere(request)) response.set('Cache-Control', 'no-store').json(await tokens());
    else next();
  };
}

/** Names and addresses that lead nowhere else; anybody can register a name that begins like one. */
const ofThisMachine = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function isFromHere(request: Request): boolean {
  const site = request.headers['sec-fetch-site'] ?? 'same-origin';
  const isPassedOn = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'via'].some(
    (name) => name in request.headers,
  );
  const { remoteAddress = '' } = request.socket;
  return (
    ofThisMachine.test(remoteAddress.replace(/^::ffff:/, '')) &&
    ofThisMachine.test(hostName(request.headers.host ?? '')) &&
    site === 'same-origin' &&
    !isPassedOn
  );
}

/** Without the port, and without the brackets of IPv6. */
function hostName(host: string): string {
  return host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1');
}
