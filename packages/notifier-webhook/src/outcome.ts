import type { Instant, SendResult } from '@calends/core';
import { notPublic } from './address/address-rules.js';
import type { Exchange } from './exchange/exchange.js';
import { readRetryAfter } from './exchange/retry-after.js';

/** Answers after which another attempt cannot help (D54). */
const permanentStatuses = new Set([400, 401, 403, 404, 410, 422]);

/** An attempt that came to nothing. */
export type FailedAttempt = Extract<SendResult, { status: 'failed' }>;

/** A failure that a rule of ours or a setting of the application causes: it lasts until somebody changes that. */
export function refusal(error: string): FailedAttempt {
  return { status: 'failed', permanent: true, error };
}

/** How a fault of an endpoint is told, be it found before or while connecting. */
export function unusable(fault: string): string {
  return `The endpoint cannot be used: ${fault}.`;
}

/** What became of a web hook (D54, D59). */
export function outcomeOf(exchange: Exchange, now: Instant): SendResult {
  if (exchange.kind === 'refused') return refusal(unusable(`url ${notPublic}`));
  if (exchange.kind === 'broken') {
    const { written, reason } = exchange;
    return written
      ? { status: 'unknown', error: `The request was sent and no answer came (${reason}).` }
      : { status: 'failed', permanent: false, error: `No connection could be made (${reason}).` };
  }
  const { status } = exchange;
  if (status < 300) return { status: 'delivered', providerStatus: String(status) };
  return {
    ...failedAnswer('The endpoint', exchange, now),
    providerStatus: String(status),
    ...(status === 410 ? { endpointGone: true } : {}),
  };
}

/** Why there is no access token: nothing was sent to the endpoint yet, so it is never an unknown outcome. */
export function tokenOutcomeOf(exchange: Exchange, now: Instant): FailedAttempt {
  if (exchange.kind === 'refused') return refusal(unusable(`authentication.tokenUrl ${notPublic}`));
  if (exchange.kind === 'broken') {
    return { status: 'failed', permanent: false, error: `The token endpoint did not answer (${exchange.reason}).` };
  }
  return exchange.status < 300
    ? { status: 'failed', permanent: false, error: 'The token endpoint answered no bearer token.' }
    : failedAnswer('The token endpoint', exchange, now);
}

function failedAnswer(
  who: string,
  { status, retryAfter }: Extract<Exchange, { kind: 'answered' }>,
  now: Instant,
): FailedAttempt {
  if (status < 400) {
    return refusal(`${who} answered ${status}; redirects are not followed, so its new address must be set.`);
  }
  if (permanentStatuses.has(status)) return refusal(`${who} answered ${status}.`);
  const wish = readRetryAfter(retryAfter, now);
  return {
    status: 'failed',
    permanent: false,
    error: `${who} answered ${status}.`,
    ...(wish === undefined ? {} : { retryAfter: wish }),
  };
}
