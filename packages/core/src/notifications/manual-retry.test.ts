import { describe, expect, it } from 'vitest';
import { allOn, claimedToPoll, claimedToSend, notification } from '../../test/notifications/sample-notification.js';
import { customer, inState, now, scheduled, start } from '../../test/sample-appointments.js';
import { codeOrValue } from '../../test/error-of.js';
import type { Appointment } from '../appointments/appointment.js';
import { minutes } from '../appointments/time-units.js';
import { canRetry, retryByHand } from './manual-retry.js';
import { type Notification, notificationTypes } from './notification.js';

const failed = claimedToSend({ phase: 'DONE', status: 'FAILED', wakeAt: null, attempts: 5, errorMessage: 'SMTP 451' });
const waiting = claimedToSend({ phase: 'RETRY_WAIT', wakeAt: now + 1, nextRetryAt: now + 1 });

interface Case {
  readonly appointment?: Appointment | undefined;
  readonly at?: number;
  readonly settings?: object;
}

function asked(row: Notification, { at = now, settings = {}, ...more }: Case = {}) {
  const appointment = 'appointment' in more ? more.appointment : scheduled({ participants: [customer] });
  const listed = { notification: row, appointment, customer: undefined };
  return [listed, { ...allOn, ...settings }, at] as const;
}

describe('canRetry (D53)', () => {
  it.each<[string, Notification, Case, boolean]>([
    ['FAILED', failed, {}, true],
    ['PENDING with a future nextRetryAt', waiting, {}, true],
    ['PENDING with a nextRetryAt that has come', waiting, { at: now + 1 }, false],
    ['PENDING while it is being sent', claimedToSend(), {}, false],
    ['PENDING at the provider', claimedToPoll({ phase: 'SUBMITTED' }), {}, false],
    ['PENDING while the provider is asked', claimedToPoll(), {}, false],
    ['INITIALIZED', notification(), {}, false],
    ['DELIVERED', { ...failed, status: 'DELIVERED' }, {}, false],
    ['CANCELLED', { ...failed, status: 'CANCELLED' }, {}, false],
    ['FAILED, four retries by hand', { ...failed, manualRetries: 4 }, {}, true],
    ['FAILED, five retries by hand', { ...failed, manualRetries: 5 }, {}, false],
    ['FAILED, of a removed record', failed, { appointment: undefined }, false],
    ['FAILED, of a customer who left', failed, { appointment: scheduled({ participants: [] }) }, false],
    ['FAILED, with notifications switched off', failed, { settings: { active: false } }, false],
    ['FAILED, with the channel switched off', failed, { settings: { email: undefined } }, false],
    ['a REMINDER before the start', { ...failed, type: 'REMINDER' }, { at: start - 1 }, true],
    ['a REMINDER at the start', { ...failed, type: 'REMINDER' }, { at: start }, false],
    ['a ROOM before the start', { ...failed, type: 'ROOM' }, { at: start - 1 }, true],
    ['a ROOM at the start', { ...failed, type: 'ROOM' }, { at: start }, false],
    ['a CANCELLED long after', { ...failed, type: 'CANCELLED' }, { at: start + minutes(600) }, true],
  ])('%s', (_what, row, more, expected) => {
    expect(canRetry(...asked(row, more))).toBe(expected);
    const [listed, settings, at] = asked(row, more);
    const answer = codeOrValue(() => retryByHand(listed, settings, { actorId: 'agent-1', at }).outcome);
    expect(answer).toBe(expected ? 'retry' : 'retry_not_allowed');
  });

  it.each(['CANCELLED', 'ABORTED'] as const)('%s appointments: only CANCELLED and FAILED types', (state) => {
    const appointment = inState(state);
    const allowed = notificationTypes.filter((type) => canRetry(...asked({ ...failed, type }, { appointment })));
    expect(allowed).toEqual(['CANCELLED', 'FAILED']);
  });
});

describe('A retry by hand (D52)', () => {
  it.each([
    ['FAILED', failed],
    ['PENDING', waiting],
  ])('of %s: PENDING, nextRetryAt = now, canRetry false, and an event', (_what, row) => {
    const [listed, settings, at] = asked(row);
    const { next, events } = retryByHand(listed, settings, { actorId: 'agent-1', at }).update;
    expect(next).toMatchObject({
      phase: 'RETRY_WAIT',
      status: 'PENDING',
      nextRetryAt: now,
      wakeAt: now,
      manualRetries: 1,
    });
    expect(next.errorMessage).toBeUndefined();
    expect(canRetry(...asked(next))).toBe(false);
    expect(events).toMatchObject([{ status: 'PENDING', message: 'manual retry by agent-1', attempts: row.attempts }]);
    expect(next.attempts).toBe(row.attempts);
  });
});
