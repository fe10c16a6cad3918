import { describe, expect, it } from 'vitest';
import { errorCodes, timeReasonCodes } from '@calends/model';
import { CalendsError } from './errors.js';

describe('The errors of the library (D37)', () => {
  it('the errors of the library have the codes of the decision, and no other', () => {
    const listed = `validation_failed invalid_schedule invalid_agent invalid_state unauthenticated forbidden
      not_assigned stale_ticket outside_cancellation_window outside_reschedule_window reschedule_limit not_found
      slot_conflict hold_lost limit_reached version_mismatch idempotency_in_progress idempotency_mismatch retry_not_allowed
      payload_too_large unsupported_media_type rate_limited unavailable internal`;
    expect([...errorCodes].sort()).toEqual(listed.split(/\s+/).sort());
  });

  it('the errors of the library have a closed set of reasons for which a time cannot be had (D75)', () => {
    const listed = `OFF_GRID LEAD_TIME HORIZON OUTSIDE_HOURS CLOSED SOURCE_STALE BUSY BUFFER HELD BUSY_ELSEWHERE LIMIT
      NO_ACTOR`;
    expect(timeReasonCodes).toEqual(listed.split(/\s+/));
  });

  it('the errors of the library are recognised also when they come from another copy of the package', () => {
    const fromOtherCopy = Object.defineProperty(new Error('x'), Symbol.for('calends.error'), { value: true });
    expect(CalendsError.is(new CalendsError('not_found', 'x'))).toBe(true);
    expect(CalendsError.is(fromOtherCopy)).toBe(true);
    for (const value of [new Error('x'), { code: 'not_found' }, null, undefined, 'not_found']) {
      expect(CalendsError.is(value)).toBe(false);
    }
  });

  it('the errors of the library carry nothing that was not given', () => {
    const error = new CalendsError('not_found', 'There is no such appointment.');
    expect(error).toMatchObject({
      name: 'CalendsError',
      issues: [],
      appointmentIds: [],
      reasons: [],
      temporary: false,
    });
    expect(error).not.toHaveProperty('cause');
    const cause = new Error('inside');
    expect(new CalendsError('internal', 'x', { cause, temporary: true })).toMatchObject({ cause, temporary: true });
    expect(new CalendsError('unavailable', 'x')).toMatchObject({ temporary: true });
  });
});
