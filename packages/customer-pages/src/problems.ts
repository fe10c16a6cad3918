import { CalendsError, type ErrorCode, StoreError } from '@calends/core';
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
export function formProblem(error: unknown, invalid: PageTextKey): FormProblem | undefined {
  if (!CalendsError.is(error)) return undefined;
  if (error.code === 'validation_failed' || error.code === 'invalid_schedule') return { status: 400, text: invalid };
  return formProblems[error.code];
}

/** Whether the session has ended; unknown and stale are the same to the customer. */
export function isOver(error: unknown): boolean {
  return CalendsError.is(error) && ['stale_ticket', 'forbidden', 'not_found', 'unauthenticated'].includes(error.code);
}

/** Status for a fault that is not the customer's. */
export function faultStatus(error: unknown): 500 | 503 {
  const temporary = error instanceof StoreError || (CalendsError.is(error) && error.temporary);
  return temporary ? 503 : 500;
}
