import { seconds } from '@calends/model';
import { CalendsError } from '../domain/calls/errors.js';
import { callProvider, ProviderTimeout } from './call-provider.js';

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
