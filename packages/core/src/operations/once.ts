import { hours, isIdText, limits } from '@calends/model';
import { type Caller, requireApplication } from '../domain/calls/caller.js';
import type { CallOptions } from './call-options.js';
import { CalendsError } from '../domain/calls/errors.js';
import type { RequestCompletion, RequestKey } from '../ports/store/requests.js';
import type { UseCaseContext } from './context.js';
import type { CustomerProof } from './customer-proof.js';
import { quietly } from '../support/host-answers.js';

/** How long an answer is kept (decisions, Across all). */
const kept = hours(24);

/** Longest name of an operation, as stores keep it. */
const maxOperation = 64;
/** What a header can carry. */
const visible = /^[\x21-\x7e]+$/;

/** Whose request it is, and what it asks for. */
export interface OnceRequest {
  readonly caller: Pick<Caller, 'organizationId' | 'id' | 'applicationIds'>;
  /** Ids that the same caller may have had before: under older keys. */
  readonly formerIds?: readonly string[] | undefined;
  readonly command: unknown;
  readonly options: Pick<CallOptions, 'idempotency'> | undefined;
  /** What a customer proved; an answer is given again only while it holds (D65). */
  readonly proof?: CustomerProof | undefined;
}

/** Makes the record of the answer, which goes into the commit of the effect. */
export type Completion<Answer> = (answer: Answer) => RequestCompletion | undefined;

/**
 * Carries out a call once for its idempotency key, and answers later calls with the stored outcome.
 *
 * The key is written in the commit of the effect and nowhere before: a call that wrote nothing leaves it free, and a commit
 * whose outcome nobody knows has either written it or not. Without a key the call simply runs.
 *
 * @throws CalendsError `idempotency_in_progress` while this process carries out another call with the key,
 * `idempotency_mismatch` when the key came with another command before, `validation_failed` for a key or a command that cannot be kept
 */
export async function once<Answer>(
  context: UseCaseContext,
  request: OnceRequest,
  run: (complete: Completion<Answer>) => Promise<Answer>,
): Promise<Answer> {
  const idempotency = request.options?.idempotency;
  if (idempotency === undefined) return run(() => undefined);
  const { organizationId, id: callerId } = request.caller;
  const { clock, requestsUnderWay } = context;
  const { key: givenKey, operation } = idempotency;
  if (!isIdText(givenKey, limits.idempotencyKey) || !visible.test(givenKey)) {
    throw new CalendsError('validation_failed', 'The idempotency key must have 1 to 255 visible ASCII characters.');
  }
  if (!isIdText(operation, maxOperation)) {
    throw new CalendsError('validation_failed', 'The operation of an idempotency key must have 1 to 64 characters.');
  }
  const key = { organizationId, callerId, operation, key: givenKey };
  const fingerprint = fingerprintOf(context, key, request.command);
  const name = JSON.stringify(key);
  const underWay = requestsUnderWay.get(name);
  if (underWay !== undefined) throw underWay === fingerprint ? requestInProgress() : mismatch();
  requestsUnderWay.set(name, fingerprint);
  try {
    const stored = await storedAnswer(context, request, key);
    if (stored !== undefined) return stored.answer as Answer;
    const at = clock.now();
    return await run((answer) => ({ ...key, fingerprint, answer: JSON.stringify(answer), at, expiresAt: at + kept }));
  } catch (error) {
    // Refused, perhaps for what a call with the same key has done meanwhile in another process: then its answer is ours.
    const stored = refusesForNow(error) ? await storedAnswer(context, request, key) : undefined;
    if (stored === undefined) throw error;
    return stored.answer as Answer;
  } finally {
    requestsUnderWay.delete(name);
  }
}

/** @throws CalendsError `validation_failed` for a command that is no JSON, so that nobody could tell it from another */
function fingerprintOf({ requestHashes }: UseCaseContext, key: RequestKey, command: unknown): string {
  try {
    return requestHashes.fingerprintOf(key, command);
  } catch (cause) {
    const issue = { pointer: '', code: 'invalid_type', detail: 'Must be JSON where it has an idempotency key.' };
    throw new CalendsError('validation_failed', 'The request is not valid.', { issues: [issue], cause });
  }
}

/** Tells whether an error could be about the effect of the very same request. */
function refusesForNow(error: unknown): boolean {
  return CalendsError.is(error) && error.code !== 'idempotency_mismatch' && error.code !== 'stale_ticket';
}

/**
 * The answer that is kept under a key; `undefined` when there is none.
 *
 * @throws CalendsError `idempotency_mismatch`, `idempotency_in_progress` for one that an older program carries out,
 * `stale_ticket` when the proof does not hold now, `forbidden` for a token that does not cover the application of an appointment
 */
async function storedAnswer(
  { store, clock, requestHashes }: UseCaseContext,
  { caller, formerIds = [], command, proof, options }: OnceRequest,
  key: RequestKey,
): Promise<{ readonly answer: unknown } | undefined> {
  let stored = await store.requests.find(key, clock.now());
  for (const callerId of formerIds) stored ??= await store.requests.find({ ...key, callerId }, clock.now());
  if (stored === undefined) return undefined;
  if (!requestHashes.isOf(stored.fingerprint, key, command)) throw mismatch();
  if (stored.answer === undefined) throw requestInProgress();
  await proof?.requireHeld();
  const answer: unknown = JSON.parse(stored.answer);
  if (isOfApplication(answer)) requireApplication(caller, answer.applicationId);
  quietly(() => options?.idempotency?.onReplay?.());
  return { answer };
}

function isOfApplication(answer: unknown): answer is { readonly applicationId: string } {
  return typeof answer === 'object' && answer !== null && 'applicationId' in answer;
}

function mismatch(): CalendsError {
  return new CalendsError('idempotency_mismatch', 'The idempotency key was used with another request.');
}

/** Another call with the same idempotency key is under way. */
export function requestInProgress(): CalendsError {
  return new CalendsError('idempotency_in_progress', 'A request with the same idempotency key is in progress.');
}
