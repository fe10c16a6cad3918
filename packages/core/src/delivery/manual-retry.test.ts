import { describe, expect, it } from 'vitest';
import { minutes, notificationTypes } from '@calends/model';
import { endpoint } from '../../test/notifications/notified.js';
import {
  allOn,
  attemptContext,
  claimedToPoll,
  claimedToSend,
  notification,
} from '../../test/notifications/sample-notification.js';
import { customer, inState, now, scheduled, start } from '../../test/sample-appointments.js';
import { codeOrValue } from '../../test/error-of.js';
import type { Appointment } from '../domain/appointments/appointment.js';
import { CalendsError } from '../domain/calls/errors.js';
import type { CustomerProfile } from '../domain/customers/profile.js';
import { canRetry, retryByHand, type RetryMeans } from './manual-retry.js';
import type { Notification, NotificationUpdate } from '../domain/notifications/notification.js';
import { afterPoll, afterReceipt } from './report-steps.js';
import { afterAttempt, afterComposeFailure, endWithoutAttempt } from './send-steps.js';
import type { DeliveryStep, Payload } from './step.js';

const permanent = { status: 'failed', permanent: true, error: 'SMTP 550' } as const;
const transient = { ...permanent, permanent: false } as const;
const failed = claimedToSend({ phase: 'DONE', status: 'FAILED', wakeAt: null, attempts: 5, errorMessage: 'SMTP 451' });
const ofHook = { channel: 'WEBHOOKS', addressee: { type: 'SYSTEM', id: endpoint.id } } as const;
const hook: Notification = { ...failed, ...ofHook };
const waiting = claimedToSend({ phase: 'RETRY_WAIT', wakeAt: now + 1, nextRetryAt: now + 1 });

const maria: CustomerProfile = {
  organizationId: 'org-1',
  appointmentId: failed.appointmentId,
  participantId: 'customer-1',
  primaryEmail: 'maria@example.org',
  primaryPhone: '+306900000000',
  metadata: {},
};
const taken = claimedToPoll({ phase: 'SUBMITTED', wakeAt: now + 9, nextPollAt: now + 9 });
const asking = (asked: NonNullable<Payload['asked']>) => ({ ...taken, kept: JSON.stringify({ asked }) });

interface Case {
  readonly customer?: Partial<CustomerProfile>;
  readonly means?: Partial<RetryMeans>;
  readonly appointment?: Appointment | undefined;
  readonly at?: number;
  readonly settings?: object;
}

function asked(row: Notification, { at = now, settings = {}, means = {}, customer: profile = {}, ...more }: Case = {}) {
  const appointment = 'appointment' in more ? more.appointment : scheduled({ participants: [customer] });
  const listed = { notification: row, appointment, customer: { ...maria, ...profile } };
  return [listed, { ...allOn, ...settings }, { canAsk: true, isDisabled: false, ...means }, at] as const;
}

describe('canRetry (D53)', () => {
  it.each<[string, Notification, Case, boolean]>([
    ['FAILED', failed, {}, true],
    ['PENDING with a future nextRetryAt', waiting, {}, true],
    ['PENDING with a nextRetryAt that has come', waiting, { at: now + 1 }, false],
    ['PENDING while it is being sent', claimedToSend(), {}, false],
    ['PENDING at the provider', taken, {}, true],
    ['PENDING at a provider that cannot be asked', taken, { means: { canAsk: false } }, false],
    ['PENDING at the provider, with polling off', taken, { settings: { poll: { enabled: 'false' } } }, false],
    [
      'PENDING at the provider, with polling off for the channel',
      taken,
      { settings: { poll: { 'sms.enabled': 'false' } } },
      false,
    ],
    ['PENDING at the provider, whose message nobody knows', { ...taken, messageId: undefined }, {}, false],
    ['PENDING at the provider, of a customer who left', taken, { appointment: scheduled({ participants: [] }) }, false],
    ['PENDING at the provider, five retries by hand', { ...taken, manualRetries: 5 }, {}, false],
    ['PENDING at the provider, asked 14.999 s ago', asking({ at: now - 14_999, times: 1, polls: 1 }), {}, false],
    ['PENDING at the provider, asked 15 s ago', asking({ at: now - 15_000, times: 49, polls: 1 }), {}, true],
    ['PENDING at the provider, asked fifty times', asking({ at: now - minutes(9), times: 50, polls: 1 }), {}, false],
    [
      'FAILED, asked fifty times before',
      { ...asking({ at: now, times: 50, polls: 0 }), phase: 'DONE', status: 'FAILED' },
      {},
      true,
    ],
    ['FAILED, of a customer without an address', failed, { customer: { primaryEmail: undefined } }, false],
    [
      'FAILED, of a customer without a number',
      { ...failed, channel: 'SMS' },
      { customer: { primaryPhone: undefined } },
      false,
    ],
    ['FAILED, of a disabled endpoint', hook, { means: { isDisabled: true } }, false],
    ['FAILED, of an endpoint', hook, { means: { canAsk: false } }, true],
    [
      'PENDING with a future nextRetryAt, of a disabled endpoint',
      { ...waiting, ...ofHook },
      { means: { isDisabled: true } },
      false,
    ],
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
  ])('canRetry is true or false of what is %s', (_what, row, more, expected) => {
    expect(canRetry(...asked(row, more))).toBe(expected);
    const [listed, settings, means, at] = asked(row, more);
    const answer = codeOrValue(() => retryByHand(listed, settings, means, { actorId: 'agent-1', at })?.outcome);
    expect(answer).toBe(expected ? 'retry' : 'retry_not_allowed');
  });

  it.each(['CANCELLED', 'ABORTED'] as const)(
    'canRetry of %s appointments is for CANCELLED and FAILED types only',
    (state) => {
      const appointment = inState(state);
      const allowed = notificationTypes.filter((type) => canRetry(...asked({ ...failed, type }, { appointment })));
      expect(allowed).toEqual(['CANCELLED', 'FAILED']);
    },
  );
});

function retried(row: Notification): NotificationUpdate {
  const [listed, settings, means, at] = asked(row);
  const step = retryByHand(listed, settings, means, { actorId: 'agent-1', at });
  if (step === undefined) throw new Error('Nothing new.');
  return step.update;
}

describe('A retry by hand that is refused', () => {
  it.each<[string, Notification, Case, string]>([
    [
      'was delivered',
      { ...failed, status: 'DELIVERED' },
      {},
      'it has neither failed, nor does it wait for another attempt',
    ],
    ['is being sent', claimedToSend(), {}, 'it has neither failed, nor does it wait for another attempt'],
    ['had five of them', { ...failed, manualRetries: 5 }, {}, 'it was retried by hand 5 times'],
    ['is for a disabled endpoint', hook, { means: { isDisabled: true } }, 'the endpoint is disabled'],
    [
      'has no address',
      failed,
      { customer: { primaryEmail: undefined } },
      'the customer has no address for this channel',
    ],
    ['is of a cancelled appointment', failed, { appointment: inState('CANCELLED') }, 'the appointment was cancelled'],
    [
      'has no provider to ask',
      taken,
      { means: { canAsk: false } },
      'its provider has it, and cannot be asked about it',
    ],
    [
      'was asked about fifty times',
      asking({ at: now - minutes(9), times: 50, polls: 1 }),
      {},
      'its provider was asked 50 times',
    ],
    ['was just asked about', asking({ at: now, times: 1, polls: 1 }), {}, 'its provider was asked a moment ago'],
  ])('a retry by hand that is refused says why: the message %s', (_what, row, more, reason) => {
    const [listed, settings, means, at] = asked(row, more);
    expect(() => retryByHand(listed, settings, means, { actorId: 'agent-1', at })).toThrow(
      new CalendsError('retry_not_allowed', `The notification cannot be retried: ${reason}.`),
    );
  });
});

describe('A retry by hand of a message that its provider has (D68)', () => {
  it('a retry by hand of a message that its provider has keeps its phase and asks at once: nextPollAt = now, canRetry false for 15 s, and an event', () => {
    const { next, events } = retried(asking({ at: now - minutes(1), times: 3, polls: 2 }));
    expect(next).toEqual({
      ...taken,
      wakeAt: now,
      nextPollAt: now,
      message: 'manual retry by agent-1',
      errorMessage: undefined,
      revision: taken.revision + 1,
      eventCount: taken.eventCount + 1,
      kept: JSON.stringify({ asked: { at: now, times: 4, polls: 3 } }),
    });
    expect(events).toMatchObject([{ status: 'PENDING', message: 'manual retry by agent-1', nextPollAt: now }]);
    expect(canRetry(...asked(next))).toBe(false);
  });

  it('a retry by hand of a message that its provider has is answered and changes nothing while the provider is asked', () => {
    const [listed, settings, means, at] = asked(claimedToPoll());
    expect(canRetry(listed, settings, means, at)).toBe(true);
    expect(retryByHand(listed, settings, means, { actorId: 'agent-1', at })).toBeUndefined();
  });

  const polled = claimedToPoll({ kept: JSON.stringify({ body: 'b', asked: { at: now, times: 7, polls: 2 } }) });
  const report = { state: 'failed', providerStatus: 'undelivered', error: '30003' } as const;

  it.each<[string, (row: Notification) => DeliveryStep | undefined]>([
    ['asked', (row) => afterPoll(row, attemptContext(), report)],
    [
      'that reports by itself',
      (row) => afterReceipt({ ...row, phase: 'SUBMITTED' }, { ...report, messageId: 'm-1' }, now),
    ],
  ])(
    'a message that its provider has is sent again after a retry by hand when the provider says that it failed: one %s',
    (_what, answered) => {
      const { next, events } = answered(polled)?.update ?? {};
      expect(next).toMatchObject({
        phase: 'RETRY_WAIT',
        status: 'PENDING',
        nextPollAt: undefined,
        pollAttempts: 0,
        manualRetries: 1,
        message: 'another attempt follows',
        errorMessage: '30003',
        providerStatus: 'undelivered',
      });
      expect(next?.nextRetryAt).toBe(next?.wakeAt);
      expect(JSON.parse(next?.kept ?? '')).toEqual({ body: 'b', byHand: true, asked: { at: now, times: 7, polls: 0 } });
      expect(events).toMatchObject([{ message: 'another attempt follows', pollAttempts: 1 }]);
    },
  );

  it('a message that its provider has is not sent again where the appointment changed meanwhile, or nobody had retried this message', () => {
    const rows = [{ ...polled, cancelRequestedAt: now }, asking({ at: now, times: 7, polls: 0 }), claimedToPoll()];
    for (const row of rows) {
      const { next } = afterPoll({ ...row, phase: 'POLLING' }, attemptContext(), report).update;
      expect(next).toMatchObject({ phase: 'DONE', status: 'FAILED', manualRetries: 0 });
    }
  });

  it('a retry by hand takes nothing away from the questions that come by themselves', () => {
    const settings = { ...allOn, poll: { maxAttempts: '2' } };
    const after = (pollAttempts: number, row = polled) =>
      afterPoll({ ...row, pollAttempts }, attemptContext({ settings }), { state: 'pending' }).update.next;
    expect([2, 3].map((count) => after(count).status)).toEqual(['PENDING', 'PENDING']);
    expect(after(3).wakeAt).toBe(after(1, claimedToPoll()).wakeAt);
    expect(after(4)).toMatchObject({ status: 'FAILED', message: 'delivery not confirmed' });
    expect(JSON.parse(after(4).kept ?? '')).toEqual({ body: 'b', asked: { at: now, times: 7, polls: 0 } });
  });
});

describe('A retry by hand that made no attempt (D68)', () => {
  const claimed = claimedToSend({ manualRetries: 2, attempts: 4, kept: '{"body":"b","byHand":true}' });
  const { settings, ...context } = attemptContext({ capability: 'idempotent' });

  it.each<[string, DeliveryStep | undefined, number]>([
    [
      'a disabled endpoint',
      endWithoutAttempt(claimed, context, { as: 'FAILED', message: 'the endpoint is disabled' }),
      1,
    ],
    ['not wanted any more', endWithoutAttempt(claimed, context, { as: 'CANCELLED', message: 'x' }), 1],
    ['a lost worker before', endWithoutAttempt(claimed, { ...context, lost: true }, { as: 'FAILED', message: 'x' }), 2],
    [
      'nothing to send, for the last time',
      afterComposeFailure(claimed, { ...context, settings: { ...settings, retry: { ...settings.retry, email: [] } } }),
      1,
    ],
    ['nothing to send, another try follows', afterComposeFailure(claimed, { ...context, settings }), 2],
    ['an attempt that failed for good', afterAttempt(claimed, { ...context, settings }, permanent), 2],
    [
      'an attempt that failed for now',
      afterAttempt(claimed, { ...context, settings, kept: () => claimed.kept }, transient),
      2,
    ],
  ])('a retry by hand that made no attempt does not count: %s', (_what, step, counted) => {
    const { phase, manualRetries, kept } = step?.update.next ?? {};
    expect(manualRetries).toBe(counted);
    const isOpen = phase === 'RETRY_WAIT' && _what.startsWith('nothing');
    expect(kept?.includes('byHand') ?? false).toBe(isOpen);
  });
});

describe('A retry by hand (D52)', () => {
  it.each([
    ['FAILED', failed],
    ['PENDING', waiting],
  ])('a retry by hand of %s: PENDING, nextRetryAt = now, canRetry false, and an event', (_what, row) => {
    const { next, events } = retried(row);
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
