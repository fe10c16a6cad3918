import type { CustomerPagesOptions } from '../options.js';

/** Whether the cookies are only for https. */
export function secureOnly({ secureCookie, publicUrl }: CustomerPagesOptions): boolean {
  return secureCookie ?? publicUrl?.startsWith('http:') !== true;
}
