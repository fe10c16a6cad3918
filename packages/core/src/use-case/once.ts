import { createHash } from 'node:crypto';
import type { IdempotencyOptions } from '../appointments/commands.js';
import { hours, seconds } from '../appointments/time-units.js';
import { CalendsError } from '../errors.js';
import { limits } from '../limits.js';
import type { RequestCompletion } from '../ports/scheduling-store.js';
import type { UseCaseContext } from './context.js';

/** How long an answer is kept, and how long a call may take before another one may try (decisions, section 9). */
const kept = hours(24);
const lease = seconds(60);

/** Whose request it is, and what it asks for. */
export interface OnceRequest {
  readonly organizationId: string;
  readonly callerId: string;
  readonly command: unknown;
  readonly idempotency: IdempotencyOptions | undefined;
}

/** Makes the record of the answer, which goes into the commit of the effect. */
export type Completion<Answer> = (answer: Answer) => RequestCompletion | undefined;

/**
 * Carries out a call once for its idempotency key, and answers later calls with the stored outcome.
 *
 * A call that fails gives the key back. Without a key the call simply runs.
 *
 * @throws CalendsError `idempotency_in_progress` while another call with the key runs, `idempotency_mismatch`
 * when the key came with another command before
 */
export async function once<Answer>(
  context: UseCaseContext,
  request: OnceRequest,
  run: (complete: Completion<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const { idempotency, organizationId, callerId } = request;
  if (idempotency === undefined) return run(() => undefined);
  const { store, clock, ids } = context;
  const { key: givenKey, operation } = idempotency;
  if (givenKey.length === 0 || givenKey.length > limits.idempotencyKey) {
    throw new CalendsError('validation_failed', 'The idempotency key is not valid.');
  }
  const key = { organizationId, callerId, operation, key: givenKey };
  const token = ids.next();
  const now = clock.now();
  const reservation = await store.reserveRequest({
    ...key,
    token,
    fingerprint: createHash('sha256').update(JSON.stringify(request.command)).digest('base64url'),
    now,
    leaseUntil: now + lease,
    expiresAt: now + kept,
  });
  switch (reservation.status) {
    case 'inProgress':
      throw requestInProgress();
    case 'mismatch':
      throw new CalendsError('idempotency_mismatch', 'The idempotency key was used with another request.');
    case 'completed':
      idempotency.onReplay?.();
      return JSON.parse(reservation.answer) as Answer;
    case 'reserved':
      try {
        return await run((answer) => ({ ...key, token, answer: JSON.stringify(answer) }));
      } catch (error) {
        // A failed release only means that the lease runs out by itself; the first error is what counts.
        await store.releaseRequest(key, token).catch(() => undefined);
        throw error;
      }
  }
}

/** Another call with the same idempotency key is under way. */
export function requestInProgress(): CalendsError {
  return new CalendsError('idempotency_in_progress', 'A request with the same idempotency key is in progress.');
}
