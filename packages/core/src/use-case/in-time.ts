import { CalendsError } from '../errors.js';

/**
 * Asked before something of a call begins that it would not undo.
 *
 * @throws CalendsError `unavailable` when the call's time has passed
 */
export function requireTime(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new CalendsError('unavailable', 'The call has waited too long; nothing was changed.');
  }
}
