import { CalendsError, type ErrorCode } from '@calends/core';
import type { PageTextKey } from './texts/page-texts.js';

/** What the page that was sent says about a refusal, and with which status. */
export interface FormProblem {
  readonly status: number;
  readonly text: PageTextKey;
}

const formProblems: Partial<Readonly<Record<ErrorCode, FormProblem>>> = {
  outside_cancellation_window: { status: 403, text: 'tooLateToCancel' },
  outside_reschedule_window: { status: 403, text: 'tooLateToReschedule' },
  reschedule_limit: { status: 403, text: 'rescheduledTooOften' },
  forbidden: { status: 403, text: 'underWay' },
  slot_conflict: { status: 409, text: 'slotTaken' },
  invalid_state: { status: 409, text: 'notPossibleNow' },
  version_mismatch: { status: 412, text: 'changedMeanwhile' },
};

/** The refusal of a form that its page can tell; `undefined` for everything else. */
export function formProblem(error: unknown, invalid: FormProblem): FormProblem | undefined {
  if (!CalendsError.is(error)) return undefined;
  if (error.code === 'validation_failed' || error.code === 'invalid_schedule') return invalid;
  return formProblems[error.code];
}

/** Whether the session has ended; unknown and stale are the same to the customer. */
export function isOver(error: unknown): boolean {
  return CalendsError.is(error) && ['stale_ticket', 'forbidden', 'not_found', 'unauthenticated'].includes(error.code);
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
