import type { Request } from 'express';
import type { CustomerPagesOptions } from './options.js';

/** The path under which browsers know the pages, without a slash at its end. */
export type BasePath = (request: Request) => string;

/**
 * Tells that path: where the public address has more before the path under which they are mounted, a proxy takes that away from
 * requests, and links, redirects and cookies need it.
 */
export function basePathOf({ publicUrl }: Pick<CustomerPagesOptions, 'publicUrl'>): BasePath {
  const known = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return ({ baseUrl }) => (known.endsWith(baseUrl) ? known : baseUrl);
}
