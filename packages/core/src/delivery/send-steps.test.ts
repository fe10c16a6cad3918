import { describe, expect, it } from 'vitest';
import { days, minutes, seconds } from '@calends/model';
import {
  allOn,
  attemptContext,
  claimedToPoll,
  claimedToSend,
  notification,
} from '../../test/notifications/sample-notification.js';
import { now } from '../../test/sample-appointments.js';
import type { DeliveryReport, SendResult } from '../domain/notifications/provider-answers.js';
import type { Notification } from '../domain/notifications/notification.js';
import { afterPoll } from './report-steps.js';
import { afterAttempt, type AttemptContext, endWithoutAttempt } from './send-steps.js';
import { mayResend } from './retry-policy.js';

const at = now + seconds(3);

const transient = { status: 'failed', permanent: false, error: 'SMTP 451' } as const;
const permanent = { status: 'failed', permanent: true, error: 'SMTP 550' } as const;
const unknown = { status: 'unknown', error: 'no answer within 10000 ms' } as const;
const marked = { cancelRequestedAt: now } as const;
const gone = { wakeAt: null, nextRetryAt: undefined, nextPollAt: undefined, cancelRequestedAt: undefined } as const;
const again = { wakeAt: at + seconds(30), nextRetryAt: at + seconds(30) } as const;

/** What it said, what came of it, the next phase and status, and fields of the row. */
type Transition = readonly [
  string,
  Partial<Notification>,
  SendResult,
  Partial<AttemptContext>,
  string,
  Partial<Notification>,
];

describe('From SENDING', () => {
  it.each<Transition>([
    ['delivered', {}, { status: 'delivered' }, {}, 'DONE DELIVERED', { ...gone, message: 'delivered' }],
    [
      'delivered, though taken back meanwhile',
      marked,
      { status: 'delivered' },
      {},
      'DONE DELIVERED',
      { ...gone, message: 'sent before cancellation' },
    ],
    [
      'accepted by a provider that can be asked',
      {},
      { status: 'submitted', messageId: 'm-1', providerStatus: 'queued' },
      {},
      'SUBMITTED PENDING',
      {
        wakeAt: at + seconds(15),
        nextPollAt: at + seconds(15),
        submittedAt: at,
        messageId: 'm-1',
        providerStatus: 'queued',
        message: 'accepted by the provider',
      },
    ],
    [
      'accepted by a provider that only calls',
      {},
      { status: 'submitted' },
      { canPoll: false },
      'SUBMITTED PENDING',
      { wakeAt: at + days(1), nextPollAt: undefined },
    ],
    [
      'accepted where polling is switched off',
      {},
      { status: 'submitted' },
      { settings: { ...allOn, poll: { 'email.enabled': 'false', timeout: 'PT1H' } } },
      'SUBMITTED PENDING',
      { wakeAt: at + minutes(60), nextPollAt: undefined },
    ],
    [
      'accepted, though taken back meanwhile',
      marked,
      { status: 'submitted' },
      {},
      'SUBMITTED PENDING',
      { message: 'sent before cancellation', cancelRequestedAt: now },
    ],
    [
      'a failure for now',
      {},
      transient,
      {},
      'RETRY_WAIT PENDING',
      { ...again, message: 'another attempt follows', errorMessage: 'SMTP 451' },
    ],
    [
      'a failure for now, the last attempt',
      { attempts: 5 },
      transient,
      {},
      'DONE FAILED',
      { ...gone, message: 'every attempt failed', errorMessage: 'SMTP 451' },
    ],
    [
      'a failure for now, and taken back meanwhile',
      marked,
      transient,
      {},
      'DONE CANCELLED',
      { ...gone, message: 'the appointment changed while it was being sent', errorMessage: 'SMTP 451' },
    ],
    [
      'a failure for good',
      {},
      permanent,
      {},
      'DONE FAILED',
      { ...gone, message: 'not deliverable', errorMessage: 'SMTP 550' },
    ],
    ['a failure for good, and taken back meanwhile', marked, permanent, {}, 'DONE CANCELLED', gone],
    [
      'no answer',
      {},
      unknown,
      {},
      'RETRY_WAIT PENDING',
      {
        ...again,
        message: 'previous attempt had no known outcome',
        errorMessage: 'no answer within 10000 ms',
        unknownOutcomes: 1,
      },
    ],
    [
      'no answer, the last attempt',
      { attempts: 5 },
      unknown,
      {},
      'DONE FAILED',
      { ...gone, message: 'previous attempt had no known outcome' },
    ],
    ['no answer for a text message', { channel: 'SMS' }, unknown, {}, 'RETRY_WAIT PENDING', again],
    [
      'no answer for a text message, the second time',
      { channel: 'SMS', unknownOutcomes: 1, attempts: 2 },
      unknown,
      {},
      'DONE FAILED',
      { ...gone, message: 'the outcome is unknown; held, since another attempt might deliver it twice' },
    ],
    [
      'no answer for a text message, where the application holds those',
      { channel: 'SMS' },
      unknown,
      { settings: { ...allOn, sms: { from: '+30', unknownOutcome: 'hold' } } },
      'DONE FAILED',
      gone,
    ],
  ])('an attempt moves the message on from SENDING: %s', (_what, more, result, situation, expected, fields) => {
    const before = claimedToSend(more);
    const { update } = afterAttempt(before, attemptContext(situation), result);
    const { next, events, expectedRevision } = update;
    expect(`${next.phase} ${next.status}`).toBe(expected);
    expect(next).toMatchObject(fields);
    expect(expectedRevision).toBe(before.revision);
    expect(events).toMatchObject([{ number: 2, status: next.status, message: next.message, timestamp: at }]);
  });

  it('a claim after one that ended without a word says so first', () => {
    const before = claimedToSend({ attempts: 2, lostClaims: 1 });
    for (const result of [{ status: 'delivered' }, transient, permanent, unknown, { status: 'submitted' }] as const) {
      const { next, events } = afterAttempt(before, attemptContext({ lost: true }), result).update;
      expect(events).toMatchObject([
        { number: 2, status: 'PENDING', message: 'previous attempt had no known outcome', attempts: 1 },
        { number: 3, status: next.status, attempts: 2 },
      ]);
      expect(next.eventCount).toBe(3);
    }
  });

  it.each([false, true])(
    'no answer, and taken back meanwhile: the history tells both (D70), lost before: %s',
    (lost) => {
      const { next, events } = afterAttempt(
        claimedToSend({ ...marked, attempts: 2 }),
        attemptContext({ lost }),
        unknown,
      ).update;
      const noWord = { status: 'PENDING', message: 'previous attempt had no known outcome' };
      expect(events.map(({ number, status, message, attempts }) => ({ number, status, message, attempts }))).toEqual([
        ...(lost ? [{ number: 2, ...noWord, attempts: 1 }] : []),
        { number: 2 + Number(lost), ...noWord, attempts: 2 },
        {
          number: 3 + Number(lost),
          status: 'CANCELLED',
          message: 'the appointment changed while it was being sent',
          attempts: 2,
        },
      ]);
      expect(next).toMatchObject({ ...gone, phase: 'DONE', unknownOutcomes: 1, eventCount: 3 + Number(lost) });
    },
  );

  it.each<readonly [string, Partial<Notification>, Partial<AttemptContext>]>([
    ['is followed by another', {}, {}],
    ['was the last', { attempts: 5 }, {}],
    ['must not be repeated by itself', { channel: 'SMS', unknownOutcomes: 1, attempts: 2 }, {}],
    [
      'is held by the application',
      { channel: 'SMS' },
      { settings: { ...allOn, sms: { from: '+30', unknownOutcome: 'hold' } } },
    ],
    ['was taken back meanwhile', marked, {}],
  ])('an attempt without an answer has an unknown outcome for observers, where it %s', (_what, more, situation) => {
    expect(afterAttempt(claimedToSend(more), attemptContext(situation), unknown).outcome).toBe('unknown');
  });

  it('a claim that is not worth an attempt is not counted', () => {
    const before = claimedToSend({ attempts: 2 });
    const cancelled = endWithoutAttempt(before, attemptContext(), {
      as: 'CANCELLED',
      message: 'the appointment was cancelled',
    });
    expect(cancelled.outcome).toBe('cancelled');
    expect(cancelled.update.next).toMatchObject({ ...gone, phase: 'DONE', status: 'CANCELLED', attempts: 1 });
    const missed = endWithoutAttempt(before, attemptContext(), { as: 'CANCELLED', message: 'missed delivery window' });
    expect(missed.outcome).toBe('missed');
    const failed = endWithoutAttempt(before, attemptContext({ lost: true }), {
      as: 'FAILED',
      message: 'worker lost',
      errorMessage: 'lost',
    });
    expect(failed.update.next).toMatchObject({ ...gone, status: 'FAILED', attempts: 1, errorMessage: 'lost' });
    expect(failed.update.events.map(({ message }) => message)).toEqual([
      'previous attempt had no known outcome',
      'worker lost',
    ]);
  });
});

describe('What a notification keeps', () => {
  const removal = JSON.stringify({ appointment: { id: 'a' }, customer: { firstName: 'Maria' } });
  const body = JSON.stringify({ body: '{"id":"1"}' });

  it.each<[string, string, SendResult, string | undefined]>([
    ['of a removed record waits for the next attempt', removal, transient, removal],
    ['of a removed record is gone after a delivery', removal, { status: 'delivered' }, undefined],
    ['of a removed record is gone after a failure', removal, permanent, undefined],
    ['of a web hook waits for the next attempt', body, transient, body],
    ['of a web hook is gone after a delivery', body, { status: 'delivered' }, undefined],
    ['of a web hook stays after a failure, for a retry by hand', body, permanent, body],
  ])('what a notification keeps %s', (_what, kept, result, expected) => {
    expect(afterAttempt(claimedToSend({ kept }), attemptContext({ kept: () => kept }), result).update.next.kept).toBe(
      expected,
    );
  });

  it('what a notification keeps is gone with a cancellation', () => {
    const marking = claimedToSend({ ...marked, kept: removal });
    expect(afterAttempt(marking, attemptContext({ kept: () => removal }), transient).update.next.kept).toBeUndefined();
  });
});

describe('From POLLING (D58)', () => {
  const poll = (report: DeliveryReport, more: Partial<Notification> = {}, situation: Partial<AttemptContext> = {}) =>
    afterPoll(claimedToPoll(more), attemptContext(situation), report).update;
  const pending: DeliveryReport = { state: 'pending' };

  it.each<[string, DeliveryReport, Partial<Notification>, Partial<AttemptContext>, string, Partial<Notification>]>([
    ['delivered', { state: 'delivered' }, {}, {}, 'DONE DELIVERED', { ...gone, message: 'confirmed by the provider' }],
    [
      'delivered, though taken back meanwhile',
      { state: 'delivered' },
      marked,
      {},
      'DONE DELIVERED',
      { message: 'sent before cancellation' },
    ],
    [
      'failed',
      { state: 'failed', error: '30003' },
      {},
      {},
      'DONE FAILED',
      { ...gone, message: 'the provider could not deliver it', errorMessage: '30003' },
    ],
    [
      'cancelled at the provider',
      { state: 'cancelled' },
      {},
      {},
      'DONE CANCELLED',
      { ...gone, message: 'cancelled at the provider' },
    ],
    ['nothing new', pending, {}, {}, 'SUBMITTED PENDING', { nextPollAt: at + minutes(1), wakeAt: at + minutes(1) }],
    [
      'handed on',
      { state: 'sent', providerStatus: 'sent' },
      { pollAttempts: 3 },
      {},
      'SUBMITTED PENDING',
      { providerStatus: 'sent', nextPollAt: at + minutes(4) },
    ],
    ['nothing new for long', pending, { pollAttempts: 9 }, {}, 'SUBMITTED PENDING', { nextPollAt: at + minutes(15) }],
    [
      'nothing new the tenth time',
      pending,
      { pollAttempts: 10 },
      {},
      'DONE FAILED',
      { ...gone, message: 'delivery not confirmed' },
    ],
    [
      'nothing new after the whole time',
      pending,
      { submittedAt: at - days(1) },
      {},
      'DONE FAILED',
      { ...gone, message: 'delivery not confirmed' },
    ],
    [
      'a provider that cannot be asked',
      pending,
      {},
      { canPoll: false },
      'SUBMITTED PENDING',
      { nextPollAt: undefined, wakeAt: now + days(1) },
    ],
  ])('an answer about a message moves it on from POLLING: %s', (_what, report, more, situation, expected, fields) => {
    const { next, events } = poll(report, more, situation);
    expect(`${next.phase} ${next.status}`).toBe(expected);
    expect(next).toMatchObject(fields);
    expect(events).toMatchObject([{ number: 3, status: next.status }]);
  });

  it('there is no automatic resend where delivery is not confirmed', () => {
    const { next } = poll(pending, { pollAttempts: 10 });
    expect([next.wakeAt, next.nextRetryAt, next.attempts]).toEqual([null, undefined, 1]);
  });

  it('polling waits twice as long each time, a quarter of an hour at most', () => {
    const waits = Array.from({ length: 9 }, (_, index) => {
      const { next } = poll(pending, { pollAttempts: index + 1 });
      return (next.nextPollAt ?? 0) - at;
    });
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15, 15, 15].map(minutes));
  });
});

describe('After an attempt of which nobody knows how it ended', () => {
  it.each([
    ['idempotent', 'SMS', 9, true],
    ['lookup', 'SMS', 9, true],
    ['none', 'EMAIL', 9, true],
    ['none', 'WEBHOOKS', 9, true],
    ['none', 'SMS', 1, true],
    ['none', 'SMS', 2, false],
  ] as const)('a notifier with the capability %s may send the %s after %d such: %s', (capability, channel, n, may) => {
    expect(mayResend(notification({ channel, unknownOutcomes: n }), { capability, settings: allOn })).toBe(may);
    expect(mayResend(notification({ channel, lostClaims: n }), { capability, settings: allOn })).toBe(may);
  });
});

describe('A message that the provider took again', () => {
  const before = { messageId: 'old', conversationId: 'c-old', providerStatus: 'failed' };

  it('a message that the provider took again has nothing of the reference of the one before it', () => {
    const { update } = afterAttempt(claimedToSend(before), attemptContext(), {
      status: 'submitted',
      providerStatus: 'queued',
    });
    expect(update.next).toMatchObject({ messageId: undefined, conversationId: undefined, providerStatus: 'queued' });
  });

  it('a message that the provider took again that failed keeps what is known of the last one that was taken', () => {
    const result = { status: 'failed', permanent: false, error: 'HTTP 503' } as const;
    expect(afterAttempt(claimedToSend(before), attemptContext(), result).update.next).toMatchObject(before);
  });
});
