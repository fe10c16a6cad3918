import { afterEach, describe, expect, it, vi } from 'vitest';
import { StoreError } from './store/store-error.js';
import { guardedObserver, warningObserver } from './observer.js';
import { systemClock } from './clock.js';

afterEach(() => void vi.useRealTimers());

describe('The default observer', () => {
  const error = new RangeError('text of a store');

  /** Warnings that a signal leads to. */
  function warningsOf(signal: Parameters<typeof warningObserver.observe>[0]): readonly unknown[] {
    const warnings: unknown[] = [];
    vi.spyOn(process, 'emitWarning').mockImplementation((text) => void warnings.push(text));
    warningObserver.observe(signal);
    return warnings;
  }

  it('the default observer warns of a failing worker and of parked events, by the name of the error only', () => {
    expect(warningsOf({ type: 'workerFailed', job: 'pass', error })).toEqual(["the worker's pass failed: RangeError"]);
    const parked = {
      type: 'eventParked',
      eventId: 'event-1',
      appointmentId: 'a',
      attempts: 14,
      error: 'text',
    } as const;
    expect(warningsOf(parked)).toEqual(['event event-1 is parked: string']);
  });

  it('the default observer warns of a fault of the store by its code, which says what an operator can do', () => {
    const fault = new StoreError('unavailable', 'text of a store');
    expect(warningsOf({ type: 'workerFailed', job: 'pass', error: fault })).toEqual([
      "the worker's pass failed: StoreError unavailable",
    ]);
  });

  it('the default observer warns of an endpoint that gets nothing more', () => {
    const names = { organizationId: 'org-1', applicationId: 'app-1', endpointId: 'crm' };
    expect(warningsOf({ type: 'endpointDisabled', ...names, reason: 'it answered 410' })).toEqual([
      'web hook endpoint crm of application app-1 is disabled: it answered 410',
    ]);
  });

  it('the default observer says nothing else', () => {
    expect(warningsOf({ type: 'activationFailed', appointmentId: 'a', error })).toEqual([]);
    expect(warningsOf({ type: 'eventRetried', eventId: 'e', appointmentId: 'a', attempts: 1, error })).toEqual([]);
  });
});

describe("An observer's own faults", () => {
  it("an observer's own faults reach nobody", () => {
    const observer = guardedObserver({
      observe: () => {
        throw new Error('no');
      },
    });
    expect(() => observer.observe({ type: 'workerFailed', job: 'pass', error: undefined })).not.toThrow();
  });
});

describe('The default clock', () => {
  it('the default clock is that of the system', () => {
    vi.useFakeTimers({ now: 1_900_000_000_000 });
    expect(systemClock.now()).toBe(1_900_000_000_000);
  });
});
