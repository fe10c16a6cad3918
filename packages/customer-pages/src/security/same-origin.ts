import type { Request } from 'express';

/**
 * Tells whether a form was sent by one of our own pages.
 *
 * Under `Referrer-Policy: no-referrer` browsers send `Origin: null` with forms, so `Sec-Fetch-Site` decides. Browsers
 * that do not send it still keep the `SameSite=Strict` cookie from other sites.
 */
export function isFromOurPage(request: Request): boolean {
  const site = request.get('sec-fetch-site');
  return site === undefined || site === 'same-origin';
}
