import {
  type Admission,
  clientAddressOf,
  type LimitedClass,
  limitedSource,
  type Limiter,
} from '@calends/core/operations';
import type { Request, RequestHandler, Response } from 'express';

/** How requests that cost much, or could guess at codes, are limited (D66). */
export interface PageLimits {
  readonly limiter: Limiter;
  readonly kind: LimitedClass;
  /** Proxies of the host's own in front of the pages. */
  readonly trustProxy: number;
  /** Answers what is too much. */
  readonly refuse: (request: Request, response: Response, source: string | undefined) => void;
}

/** The address of the client, as far as it is known. */
export function addressOf(request: Request, trustProxy: number): string | undefined {
  const address = request.socket.remoteAddress;
  return clientAddressOf({ address, forwardedFor: request.get('x-forwarded-for') }, trustProxy);
}

/** Where a request comes from, as limits and security events count it. */
export function sourceOf(request: Request, trustProxy: number): string | undefined {
  return limitedSource(addressOf(request, trustProxy));
}

/** Asks the limiter before the body of a form is read. */
export function limited({ limiter, kind, trustProxy, refuse }: PageLimits): RequestHandler {
  return async (request, response, next) => {
    const source = sourceOf(request, trustProxy);
    if (refusedByLimit(await limiter.beforeBody({ class: kind, source }), response)) refuse(request, response, source);
    else next();
  };
}

/** Whether the limiter said no; else its place is given back when the answer has gone. */
export function refusedByLimit(admission: Admission, response: Response): boolean {
  if (!admission.admitted) response.set('Retry-After', String(admission.retryAfter));
  else if (response.closed) admission.release?.();
  else if (admission.release !== undefined) response.once('close', admission.release);
  return !admission.admitted;
}
