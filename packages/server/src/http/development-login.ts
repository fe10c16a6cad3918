import type { Request, RequestHandler } from 'express';
import type { FirstToken } from '../secrets/first-steps.js';

/**
 * The tokens with which the reference page logs in at a click, for a browser on this machine only.
 *
 * Anyone else who comes finds nothing: other machines, what a proxy or a tunnel passes on, pages of other sites, and names that
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

/** What proxies and tunnels add. One that adds nothing may still speak HTTP/1.0, as nginx does unless told, and no browser does. */
const passedOn = /^(forwarded|via|x-forwarded-.+|x-real-ip|cf-.+)$/;

function isFromHere(request: Request): boolean {
  const site = request.headers['sec-fetch-site'] ?? 'same-origin';
  const isPassedOn = Object.keys(request.headers).some((name) => passedOn.test(name)) || request.httpVersion === '1.0';
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
