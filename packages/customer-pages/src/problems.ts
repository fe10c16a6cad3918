import { CalendsError, type ErrorCode } from '@calends/core';
import type { PageTextKey } from './texts/page-texts.js';

/** What a page says about a refusal, and with which status. */
export interface FormProblem {
  readonly status: number;
  readonly text: PageTextKey;
}

/** A refusal while a customer books, and with what they go on; absent = no page expects it. */
export interface BookingProblem extends FormProblem {
  readonly next?: 'time' | 'details' | 'code' | 'message';
}

/** What the pages answer to a code: `over` = the session does not hold, `fault` = nothing that a customer has done. */
interface Answers {
  readonly managing: FormProblem | 'over' | 'fault';
  readonly booking: BookingProblem | 'fault';
}

const taken: FormProblem = { status: 409, text: 'slotTaken' };
const takenFor: Answers = { managing: taken, booking: { ...taken, next: 'time' } };
/** Calls of the pages give no cause for it: what is left is to ask somebody. */
const notOnline: FormProblem = { status: 409, text: 'notOnline' };
const changed: FormProblem = { status: 409, text: 'changedMeanwhile' };
const refusedThen: FormProblem = { status: 400, text: 'notPossibleThen' };
const refusedDetails: BookingProblem = { status: 400, text: 'detailsRefused', next: 'details' };

/** Every code of the library: one that is new does not compile until it has its answers. */
const answers: Readonly<Record<ErrorCode, Answers>> = {
  validation_failed: { managing: refusedThen, booking: refusedDetails },
  invalid_schedule: { managing: refusedThen, booking: { ...taken, next: 'time' } },
  invalid_agent: takenFor,
  invalid_state: { managing: { status: 409, text: 'notPossibleNow' }, booking: notOnline },
  unauthenticated: { managing: 'over', booking: { status: 403, text: 'codeWrong', next: 'code' } },
  forbidden: { managing: { status: 403, text: 'underWay' }, booking: refusedDetails },
  not_assigned: { managing: notOnline, booking: notOnline },
  stale_ticket: { managing: 'over', booking: notOnline },
  outside_cancellation_window: { managing: { status: 403, text: 'tooLateToCancel' }, booking: notOnline },
  outside_reschedule_window: { managing: { status: 403, text: 'tooLateToReschedule' }, booking: notOnline },
  reschedule_limit: { managing: { status: 403, text: 'rescheduledTooOften' }, booking: notOnline },
  // The service: an appointment that is not found is a link that does not hold, which has a code of its own.
  not_found: {
    managing: { status: 409, text: 'notMovable' },
    booking: { status: 404, text: 'notOffered', next: 'time' },
  },
  slot_conflict: takenFor,
  hold_lost: takenFor,
  limit_reached: takenFor,
  version_mismatch: { managing: { status: 412, text: 'changedMeanwhile' }, booking: notOnline },
  idempotency_in_progress: { managing: changed, booking: { status: 409, text: 'stillBooking', next: 'code' } },
  idempotency_mismatch: { managing: changed, booking: { status: 409, text: 'bookedBefore', next: 'message' } },
  retry_not_allowed: { managing: notOnline, booking: notOnline },
  payload_too_large: { managing: notOnline, booking: notOnline },
  unsupported_media_type: { managing: notOnline, booking: notOnline },
  rate_limited: {
    managing: { status: 429, text: 'unavailableLead' },
    booking: { status: 429, text: 'tooManyHeld', next: 'time' },
  },
  unavailable: { managing: 'fault', booking: 'fault' },
  internal: { managing: 'fault', booking: 'fault' },
};

/** What the pages of a link tell about a refusal; `undefined` for everything else. `invalid` is said of what was entered. */
export function formProblem(error: unknown, invalid = refusedThen): FormProblem | undefined {
  const answer = answersTo(error)?.managing;
  if (answer === undefined || answer === 'over' || answer === 'fault') return undefined;
  return answer === refusedThen ? invalid : answer;
}

/** What the pages of booking tell about a refusal; `undefined` for everything else. */
export function bookingProblem(error: unknown): BookingProblem | undefined {
  const answer = answersTo(error)?.booking;
  return answer === 'fault' ? undefined : answer;
}

/** Why another time is to be chosen, as the address of the times names it: a closed list. */
const timesRefusals: ReadonlyMap<string, FormProblem> = new Map<string, FormProblem>([
  ['chooseTime', { status: 400, text: 'chooseTime' }],
  ...Object.values(answers).flatMap(({ booking }): readonly [string, FormProblem][] =>
    booking !== 'fault' && booking.next === 'time' ? [[booking.text, booking]] : [],
  ),
]);

/** What the times say about a refusal that their address names. */
export function timesRefusal(name: string): FormProblem | undefined {
  return timesRefusals.get(name);
}

/** Whether the link or its session does not hold, or not any more. */
export function isOver(error: unknown): boolean {
  return answersTo(error)?.managing === 'over';
}

/** Whether a code or a session opens nothing; unknown and stale are the same to the customer. */
export function opensNothing(error: unknown): boolean {
  return isOver(error) || isNotFound(error) || (CalendsError.is(error) && error.code === 'forbidden');
}

/**
 * Whether what was refused with a hold may be booked without it, or the other way round: the hold is gone and the time may be
 * free, it lasts longer by the clock of the store, or the other way has booked already.
 */
export function mayBeBookedOtherwise(error: unknown): boolean {
  return CalendsError.is(error) && ['hold_lost', 'slot_conflict', 'idempotency_mismatch'].includes(error.code);
}

/** Of what is asked for a move it says that the service is gone. */
export function isNotFound(error: unknown): boolean {
  return CalendsError.is(error) && error.code === 'not_found';
}

/** The host may have a later copy of the library, with codes that nobody knows here. */
function answersTo(error: unknown): Answers | undefined {
  return CalendsError.is(error) && Object.hasOwn(answers, error.code) ? answers[error.code] : undefined;
}

/** Status for a fault that is not the customer's: 503 where trying again may help. */
export function faultStatus(error: unknown): 500 | 503 {
  return isTemporary(error) ? 503 : 500;
}

function isTemporary(error: unknown): boolean {
  if (CalendsError.is(error)) return error.temporary;
  // By the name that its instances bear: the store may have another copy of the package, and builds rename classes.
  const isStoreError = error instanceof Error && error.name === 'StoreError' && 'code' in error;
  return isStoreError && ['unavailable', 'contention', 'schema'].includes(String(error.code));
}
