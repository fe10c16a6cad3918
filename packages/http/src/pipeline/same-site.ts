import type { HttpRequest } from '../message.js';

/**
 * Tells whether a request that a browser gave its cookies to may change something (D77): GET and HEAD change nothing;
 * everything else must come from a page of the host, or from nobody's page.
 *
 * `Sec-Fetch-Site` decides where the browser sends it, else `Origin`, which must be there.
 */
export function isFromThisSite(request: HttpRequest, publicOrigin: string | undefined): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = request.header('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (publicOrigin !== undefined) return origin === publicOrigin;
  return new URL(origin).host === request.header('host')?.toLowerCase();
}
