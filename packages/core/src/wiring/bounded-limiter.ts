import { inTime } from '../delivery/in-time.js';
import { type Admission, type Limiter, readAdmission } from '../ports/limiter.js';
import { dropRejection, isPromise, type MaybePromise } from '../support/host-answers.js';

/**
 * A limiter, which may be one of the host, that is waited for no longer than its other parts: 30 s. A place that it gives after that is
 * given back, for whoever it was for has been answered.
 */
export function boundedLimiter(limiter: Limiter): Limiter {
  return {
    beforeBody: (request) => admissionInTime(limiter.beforeBody(request)),
    afterDecoding: (call) => admissionInTime(limiter.afterDecoding(call)),
  };
}

function admissionInTime(asked: MaybePromise<Admission>): MaybePromise<Admission> {
  if (!isPromise(asked)) return asked;
  // Some promises begin their work each time somebody waits for them: it is waited for once.
  const answer = Promise.resolve(asked);
  return Promise.resolve(inTime(() => answer)).catch((fault: unknown) => {
    dropRejection(answer.then(giveBack));
    throw fault;
  });
}

function giveBack(late: Admission): void {
  const admission = readAdmission(late);
  if (admission.admitted) admission.release?.();
}
