import type { HttpResponse } from '../message.js';

/** Headers of every answer: nothing of it is kept or guessed at by those in between (threats: Secrets and leaks). */
const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** An answer with a JSON body. */
export function jsonResponse(
  status: number,
  content: unknown,
  mediaType: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const body = JSON.stringify(content);
  return {
    status,
    headers: {
      ...always,
      ...headers,
      'Content-Type': mediaType,
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  };
}

/** An answer without a body: 204. */
export function emptyResponse(status: number, headers: Readonly<Record<string, string>>): HttpResponse {
  return { status, headers: { ...always, ...headers } };
}

/** What HEAD gets: everything but the body. */
export function withoutBody({ status, headers }: HttpResponse): HttpResponse {
  return { status, headers };
}
