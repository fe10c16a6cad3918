import type { Instant } from '@calends/core/store';
import type { SendResult } from '@calends/core/notifier';
import { notPublic } from './address/address-rules.js';
import type { HttpAnswer } from './http/http-call.js';

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
export function outcomeOf(answer: HttpAnswer, now: Instant): SendResult {
  if (answer.kind === 'refused') return refusal(unusable(`url ${notPublic}`));
  if (answer.kind === 'broken') {
    const { written, reason } = answer;
    return written
      ? { status: 'unknown', error: `The request was sent and no answer came (${reason}).` }
      : { status: 'failed', permanent: false, error: `No connection could be made (${reason}).` };
  }
  const { status } = answer;
  if (status < 300) return { status: 'delivered', providerStatus: String(status) };
  return {
    ...failedAnswer('The endpoint', answer, now),
    providerStatus: String(status),
    ...(status === 410 ? { endpointGone: true } : {}),
  };
}

/** Why there is no access token: nothing was sent to the endpoint yet, so it is never an unknown outcome. */
export function tokenOutcomeOf(answer: HttpAnswer, now: Instant): FailedAttempt {
  if (answer.kind === 'refused') return refusal(unusable(`authentication.tokenUrl ${notPublic}`));
  if (answer.kind === 'broken') {
    return { status: 'failed', permanent: false, error: `The token endpoint did not answer (${answer.reason}).` };
  }
  return answer.status < 300
    ? { status: 'failed', permanent: false, error: 'The token endpoint answered no bearer token.' }
    : failedAnswer('The token endpoint', answer, now);
}

function failedAnswer(
  who: string,
  { status, retryAfter }: Extract<HttpAnswer, { kind: 'answered' }>,
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

const imfOrRfc850 = /^[A-Z][a-z]+, [\w -]+ \d{2}:\d{2}:\d{2} GMT$/;
const asctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Reads `Retry-After`: seconds, or a date in one of the three forms (RFC 9110, sections 10.2.3 and 5.6.7).
 *
 * Answers milliseconds from now, 0 for a date that has passed, `undefined` for anything else.
 */
export function readRetryAfter(text: string | undefined, now: Instant): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  const at = imfOrRfc850.test(text) ? Date.parse(text) : asctime.test(text) ? Date.parse(`${text} GMT`) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
