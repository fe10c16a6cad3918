import { CalendsError, type ErrorCode } from '@calends/core';
import type { FormProblem } from './problems.js';

const taken: FormProblem = { status: 409, text: 'slotTaken' };

const problems: Partial<Readonly<Record<ErrorCode, FormProblem>>> = {
  slot_conflict: taken,
  limit_reached: taken,
  hold_lost: taken,
  invalid_schedule: taken,
  validation_failed: { status: 400, text: 'chooseTime' },
  rate_limited: { status: 429, text: 'tooManyHeld' },
};

/** A refusal after which another time may be chosen; `undefined` for everything else. */
export function bookingProblem(error: unknown): FormProblem | undefined {
  return CalendsError.is(error) ? problems[error.code] : undefined;
}
