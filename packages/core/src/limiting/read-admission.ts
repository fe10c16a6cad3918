import type { Admission } from '../ports/limiter.js';
import { quietly } from '../support/quietly.js';

/**
 * What a limiter has answered, which may be one of the host: `release` may be called whatever it does, and `retryAfter` is whole
 * seconds, at least 1.
 *
 * @throws TypeError for what is no answer of a limiter: it is no yes
 */
export function readAdmission(answer: unknown): Admission {
  const { admitted, release, retryAfter } = Object(answer) as Readonly<Record<string, unknown>>;
  if (admitted === true && release === undefined) return { admitted };
  if (admitted === true && typeof release === 'function') {
    return { admitted, release: () => quietly(() => release.call(answer) as unknown) };
  }
  if (admitted === false && typeof retryAfter === 'number' && Number.isFinite(retryAfter)) {
    return { admitted, retryAfter: Math.max(1, Math.ceil(retryAfter)) };
  }
  throw new TypeError('A limiter must answer { admitted: true, release } or { admitted: false, retryAfter }.');
}
