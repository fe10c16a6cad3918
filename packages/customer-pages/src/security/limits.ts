import { clientAddressOf, limitedSource, type Limiter } from '@calends/core/operations';
import type { Request, RequestHandler, Response } from 'express';

/** How requests that could guess at codes are limited (D66). */
export interface PageLimits {
  readonly limiter: Limiter;
  /** Proxies of the host's own in front of the pages. */
  readonly trustProxy: number;
  /** Answers what is too much. */
  readonly refuse: (request: Request, response: Response, source: string | undefined) => void;
}

/** Where a request comes from, as limits and security events count it. */
export function sourceOf(request: Request, trustProxy: number): string | undefined {
  const address = request.socket.remoteAddress;
  return limitedSource(clientAddressOf({ address, forwardedFor: request.get('x-forwarded-for') }, trustProxy));
}

/** Asks the limiter before the body of a form is read. */
export function limited({ limiter, trustProxy, refuse }: PageLimits): RequestHandler {
  return async (request, response, next) => {
    const source = sourceOf(request, trustProxy);
    const admission = await limiter.beforeBody({ class: 'proof', source });
    if (admission.admitted) {
      if (admission.release !== undefined) response.once('close', admission.release);
      next();
      return;
    }
    response.set('Retry-After', String(admission.retryAfter));
    refuse(request, response, source);
  };
}
