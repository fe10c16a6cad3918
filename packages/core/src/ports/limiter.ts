import { dropRejectionsIn, fieldsOf, quietly } from '../support/host-answers.js';

/**
 * What a request costs and whom it may come from (D66).
 *
 * `unauthenticated`: anybody may send it. `proof`: it proves its caller by a code or a link, and can be guessed at.
 * `read`, `write`: it needs a bearer token.
 */
export type LimitedClass = 'unauthenticated' | 'proof' | 'read' | 'write';

/** A request before its body is read. */
export interface LimitedRequest {
  readonly class: LimitedClass;
  /** Where it comes from, as {@link limitedSource} makes it; absent where no public address is known. */
  readonly source?: string | undefined;
}

/** A request after it was decoded. */
export interface LimitedCall {
  readonly class: LimitedClass;
  readonly applicationId: string;
  /** The user name that it is for, as the client wrote it. */
  readonly name?: string | undefined;
}

/** Whether a request may go on. */
export type Admission =
  | {
      readonly admitted: true;
      /** Called once when the request is answered. */
      readonly release?: () => void;
    }
  | {
      readonly admitted: false;
      /** Whole seconds, at least 1. */
      readonly retryAfter: number;
    };

/**
 * Says which requests may go on (D66). What it refuses is answered with 429 and `Retry-After`; an account is never locked.
 *
 * It must not reject: a request whose limiter fails, or answers anything else, is answered with 500. What `release` throws, or rejects
 * with, is dropped. It is waited for no longer than 30 s: then the answer is 503, and a place that it gives later is given back at once.
 */
export interface Limiter {
  /** Asked before the credentials and the body are looked at. */
  beforeBody(request: LimitedRequest): Admission | Promise<Admission>;
  /** Asked once the body is decoded, where the request names an application. */
  afterDecoding(call: LimitedCall): Admission | Promise<Admission>;
}

/** More seconds need not be understood by clients (RFC 9111, section 1.2.2), and from 1e21 on numbers are no digits alone. */
const maxRetryAfter = 2_147_483_647;

/**
 * What a limiter has answered, which may be one of the host: `release` may be called whatever it does, and `retryAfter` is whole
 * seconds, at least 1, that a header can say.
 *
 * @throws TypeError for what is no answer of a limiter: it is no yes
 */
export function readAdmission(answer: unknown): Admission {
  const { admitted, release, retryAfter } = fieldsOf(answer);
  if (admitted === true && release === undefined) return { admitted };
  if (admitted === true && typeof release === 'function') {
    return { admitted, release: () => quietly(() => release.call(answer) as unknown) };
  }
  if (admitted === false && typeof retryAfter === 'number' && Number.isFinite(retryAfter)) {
    return { admitted, retryAfter: Math.min(Math.max(1, Math.ceil(retryAfter)), maxRetryAfter) };
  }
  dropRejectionsIn(answer);
  throw new TypeError('A limiter must answer { admitted: true, release } or { admitted: false, retryAfter }.');
}
