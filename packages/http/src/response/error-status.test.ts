import { errorCodes } from '@calends/core';
import { operationById, operations, problems } from '@calends/http-contract';
import { describe, expect, it } from 'vitest';
import { statusOf } from './problem.js';

describe('the status of an error code', () => {
  it.each(errorCodes)('%s is the one that the catalogue of problems names, or one of its others', (code) => {
    const { status, otherStatuses } = problems[code];
    for (const operation of operations) {
      expect([status, ...otherStatuses]).toContain(statusOf(code, operation));
    }
  });

  it.each([
    ['updateAppointment', 400],
    ['activateAppointment', 400],
    ['reassignAppointment', 400],
    ['activateAppointmentV1', 400],
    ['cancelAppointment', 409],
    ['deleteAppointment', 409],
  ] as const)('invalid_state of %s is %d (D16, D18, D22)', (id, status) => {
    expect(statusOf('invalid_state', operationById[id])).toBe(status);
  });
});
