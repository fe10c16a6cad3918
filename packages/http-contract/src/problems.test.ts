import { describe, expect, it } from 'vitest';
import { errorCodes } from '@calends/model';
import { operations } from './catalogue.js';
import { problems, problemType } from './problems.js';

/** The closed list of D37 and D75 with the statuses that D16 to D53 and D38 give each code. */
const TABLE: Readonly<Record<string, readonly number[]>> = {
  validation_failed: [400],
  invalid_schedule: [400],
  invalid_agent: [400],
  invalid_state: [409, 400],
  unauthenticated: [401],
  forbidden: [403],
  not_assigned: [403],
  stale_ticket: [403],
  outside_cancellation_window: [403],
  outside_reschedule_window: [403],
  reschedule_limit: [403],
  not_found: [404],
  slot_conflict: [409],
  hold_lost: [409],
  limit_reached: [409],
  version_mismatch: [412],
  idempotency_in_progress: [409],
  idempotency_mismatch: [422],
  retry_not_allowed: [400],
  payload_too_large: [413],
  unsupported_media_type: [415],
  rate_limited: [429],
  unavailable: [503],
  internal: [500],
};

describe('The problem codes', () => {
  it('the problem codes are the closed list of D37 and D75', () => {
    expect(errorCodes).toEqual(Object.keys(TABLE));
  });

  it.each(Object.entries(TABLE))('%s has the statuses %j', (code, statuses) => {
    const definition = problems[code as keyof typeof problems];
    expect([definition.status, ...definition.otherStatuses]).toEqual(statuses);
    expect(definition.title).not.toBe('');
    expect(definition.description).toMatch(/\.$/);
  });

  it('the problem codes have the type urn:calends:problem:<code> (D36)', () => {
    expect(problemType('slot_conflict')).toBe('urn:calends:problem:slot_conflict');
  });

  it('the problem codes cover every failure that an operation can answer', () => {
    const known = new Set(Object.values(TABLE).flat());
    const answered = operations.flatMap(({ statuses, additiveStatuses }) => [...statuses, ...additiveStatuses]);
    expect(answered.filter((status) => status >= 400 && !known.has(status))).toEqual([]);
  });
});
