import { seconds } from '@calends/model';
import { CalendsError } from '../domain/calls/errors.js';
import type { SendAttempt } from '../ports/notifier.js';
import { isPromise, type MaybePromise } from '../support/host-answers.js';

/** A call that did not end in time: nobody knows what became of it. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout';

  constructor(milliseconds: number) {
    super(`no answer within ${String(milliseconds)} ms`);
  }
}

/** The end of a call's time. */
export class Deadline {
  #controller: AbortController | undefined;
  #isOver = false;

  /** Aborts when the time is over; made for who asks, since that takes longer than the rest of a call. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Says that the time is over. */
  pass(): void {
    this.#isOver = true;
    this.#controller?.abort();
  }
}

/** One attempt at a send; its signal is a property of its own, since notifiers may copy the attempt. */
class TimedAttempt {
  static readonly #ownSignal: PropertyDescriptor & ThisType<TimedAttempt> = {
    configurable: true,
    enumerable: true,
    get() {
      return this.#deadline.signal;
    },
  };

  declare readonly signal: AbortSignal;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly #deadline: Deadline;

  constructor(idempotencyKey: string, attempt: number, deadline: Deadline) {
    this.idempotencyKey = idempotencyKey;
    this.attempt = attempt;
    this.#deadline = deadline;
    // A getter written into a literal would be another one each time, and give each attempt a shape of its own.
    Object.defineProperty(this, 'signal', TimedAttempt.#ownSignal);
  }
}

export const attemptOf = (idempotencyKey: string, attempt: number, deadline: Deadline): SendAttempt =>
  new TimedAttempt(idempotencyKey, attempt, deadline);

/**
 * Calls a provider and waits no longer than its time-out, whether it heeds the signal or not; what it answers at once
 * is answered at once.
 *
 * @throws ProviderTimeout, and whatever the call throws
 */
export function callProvider<Result>(
  timeout: number,
  call: (deadline: Deadline) => MaybePromise<Result>,
): MaybePromise<Result> {
  const deadline = new Deadline();
  const answer = call(deadline);
  return isPromise(answer) ? answerInTime(timeout, answer, deadline) : answer;
}

function answerInTime<Result>(timeout: number, answer: Promise<Result>, deadline: Deadline): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ProviderTimeout(timeout));
      deadline.pass();
    }, timeout);
    // A host's promise may be of another library, and some begin their work each time somebody waits for them: it is waited for once.
    const once = Promise.resolve(answer);
    once.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      () => {
        clearTimeout(timer);
        // Fails as the answer did, whatever it failed with.
        resolve(once);
      },
    );
  });
}

/** So long the answer of a part of the host is waited for; as long as a worker's claim holds by default. */
export const maxWait = seconds(30);

/**
 * What a part of the host answers, which is waited for no longer than 30 s: what never settles must keep nothing for ever.
 *
 * @throws CalendsError `unavailable` when there is no answer in time, and whatever the part throws
 */
export function inTime<Answer>(ask: () => Promise<Answer> | Answer): Promise<Answer> | Answer {
  const answer = callProvider(maxWait, ask);
  return answer instanceof Promise ? answer.catch(unavailable) : answer;
}

function unavailable(cause: unknown): never {
  if (!(cause instanceof ProviderTimeout)) throw cause;
  throw new CalendsError('unavailable', 'A part of the host does not answer; try again.', { cause });
}
