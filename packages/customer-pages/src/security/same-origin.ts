import type { Request } from 'express';

/**
 * Tells whether a form was sent by one of our own pages.
 *
 * Under `Referrer-Policy: no-referrer` browsers send `Origin: null` with forms, so `Sec-Fetch-Site` decides. Not every browser
 * sends it: whatever else stands in `Origin` must be ours, too. Ours is the public origin, else the name that was asked.
 */
export function isFromOurPage(request: Request, publicOrigin: string | undefined): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = request.get('origin');
  if (origin === undefined || origin === 'null') return true;
  if (publicOrigin !== undefined) return origin === publicOrigin;
  return URL.canParse(origin) && new URL(origin).host === request.get('host')?.toLowerCase();
}
