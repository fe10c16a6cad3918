import type { RequestHandler } from 'express';

/** A year, in seconds: what browsers' lists of such hosts ask for. */
const remembered = 31_536_000;

/**
 * What every answer carries: no guessing of types; and where clients find the server by https, that they come by nothing
 * else. Subdomains are other people's.
 */
export function answerHeaders(publicUrl: string | undefined): RequestHandler {
  const isHttps = publicUrl?.startsWith('https://') === true;
  const headers = {
    'X-Content-Type-Options': 'nosniff',
    ...(isHttps ? { 'Strict-Transport-Security': `max-age=${remembered}` } : {}),
  };
  return (_request, response, next) => {
    response.set(headers);
    next();
  };
}
