import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minutes } from '@calends/model';
import { claimedToPoll, claimedToSend, notification } from '../../test/notifications/sample-notification.js';
import { now } from '../../test/sample-appointments.js';
import type { DeliveryReport } from '../domain/notifications/provider-answers.js';
import type { Notification } from '../domain/notifications/notification.js';
import { afterReceipt } from './report-steps.js';

const at = now + minutes(1);
const submitted = claimedToPoll({ phase: 'SUBMITTED', pollAttempts: 0, nextPollAt: at, wakeAt: at });
const report = (state: DeliveryReport['state'], more: Partial<DeliveryReport> = {}): DeliveryReport => ({
  state,
  messageId: 'm-1',
  providerStatus: state === 'failed' ? 'undelivered' : state,
  ...more,
});
const done = (status: Notification['status'], more: Partial<Notification> = {}): Notification =>
  claimedToPoll({ phase: 'DONE', status, wakeAt: null, nextPollAt: undefined, ...more });

describe('A receipt', () => {
  it.each<[string, Notification, DeliveryReport, string | undefined]>([
    ['delivered, of a submitted message', submitted, report('delivered'), 'DONE DELIVERED'],
    ['failed, of a submitted message', submitted, report('failed'), 'DONE FAILED'],
    ['cancelled, of a submitted message', submitted, report('cancelled'), 'DONE CANCELLED'],
    ['sent, of a submitted message', submitted, report('sent'), 'SUBMITTED PENDING'],
    ['queued, of a submitted message', submitted, report('pending'), undefined],
    ['sent, the second time', { ...submitted, providerStatus: 'sent' }, report('sent'), undefined],
    ['queued, after sent', { ...submitted, providerStatus: 'sent' }, report('pending'), undefined],
    ['delivered, while the provider is asked', claimedToPoll(), report('delivered'), 'DONE DELIVERED'],
    ['sent, while the provider is asked', claimedToPoll(), report('sent'), 'SUBMITTED PENDING'],
    ['delivered, before the answer of its attempt', claimedToSend(), report('delivered'), 'DONE DELIVERED'],
    ['sent, before the answer of its attempt', claimedToSend(), report('sent'), 'SUBMITTED PENDING'],
    ['failed, before the answer of its attempt', claimedToSend(), report('failed'), 'DONE FAILED'],
    [
      'failed, without an id, before the answer of its attempt',
      claimedToSend(),
      report('failed', { messageId: undefined }),
      'DONE FAILED',
    ],
    [
      'failed, before the answer of an attempt after a refused one',
      claimedToSend({ attempts: 2 }),
      report('failed'),
      'DONE FAILED',
    ],
    [
      'failed, during an attempt after one without an outcome, of either',
      claimedToSend({ attempts: 2, unknownOutcomes: 1 }),
      report('failed'),
      undefined,
    ],
    [
      'failed, during an attempt after a lost claim, of either',
      claimedToSend({ attempts: 2, lostClaims: 1 }),
      report('failed'),
      undefined,
    ],
    [
      'failed, without an id, while a message without one is sent again',
      claimedToSend({ attempts: 2, submittedAt: now }),
      report('failed', { messageId: undefined }),
      undefined,
    ],
    [
      'delivered, while another attempt waits',
      claimedToSend({ phase: 'RETRY_WAIT' }),
      report('delivered'),
      'DONE DELIVERED',
    ],
    ['failed, while another attempt waits', claimedToSend({ phase: 'RETRY_WAIT' }), report('failed'), undefined],
    ['before any attempt', notification(), report('delivered'), undefined],
    ['delivered, the second time', done('DELIVERED', { providerStatus: 'delivered' }), report('delivered'), undefined],
    ['sent, after delivered', done('DELIVERED', { providerStatus: 'delivered' }), report('sent'), undefined],
    ['failed, after delivered', done('DELIVERED', { providerStatus: 'delivered' }), report('failed'), undefined],
    ['delivered, after failed', done('FAILED', { providerStatus: 'undelivered' }), report('delivered'), undefined],
    [
      'delivered, after a guess',
      done('FAILED', { message: 'delivery not confirmed' }),
      report('delivered'),
      'DONE DELIVERED',
    ],
    ['failed, after a guess', done('FAILED', { message: 'delivery not confirmed' }), report('failed'), 'DONE FAILED'],
    ['sent, after a guess', done('FAILED', { message: 'delivery not confirmed' }), report('sent'), undefined],
    ['delivered, after a cancellation', done('CANCELLED'), report('delivered'), undefined],
    ['of an earlier message', submitted, report('delivered', { messageId: 'm-0' }), undefined],
    ['without the id of a message', submitted, report('delivered', { messageId: undefined }), 'DONE DELIVERED'],
  ])('a receipt moves the message on: %s', (_what, before, given, expected) => {
    const step = afterReceipt(before, given, at);
    expect(step && `${step.update.next.phase} ${step.update.next.status}`).toBe(expected);
  });

  it('a receipt of a message that was sent before its appointment changed says so', () => {
    const step = afterReceipt({ ...submitted, cancelRequestedAt: now }, report('delivered'), at);
    expect(step?.update.next).toMatchObject({ message: 'sent before cancellation', cancelRequestedAt: undefined });
  });

  it('a receipt that overtakes the answer of its attempt tells which message it was', () => {
    const step = afterReceipt(claimedToSend(), report('sent'), at);
    expect(step?.update.next).toMatchObject({ messageId: 'm-1', submittedAt: at, wakeAt: at, nextRetryAt: undefined });
  });

  it('a receipt that overtakes the answer of its attempt takes the profile away as the answer does (ADR 0022)', () => {
    const kept = JSON.stringify({ appointment: { id: 'a' }, customer: { firstName: 'Maria' }, body: '{}' });
    expect(afterReceipt(claimedToSend({ kept }), report('sent'), at)?.update.next.kept).toBe('{"body":"{}"}');
  });

  it('a receipt that says sent does not put the next poll off', () => {
    expect(afterReceipt(submitted, report('sent'), at)?.update.next).toMatchObject({ wakeAt: at, nextPollAt: at });
  });
});

describe('A receipt after a resend whose answer had no word', () => {
  const earlier = { messageId: 'm-0', providerStatus: 'undelivered', attempts: 2 };
  const handedOver = { ...submitted, ...earlier };
  const sending = claimedToSend(earlier);
  const waiting = claimedToSend({ ...earlier, phase: 'RETRY_WAIT' });
  const ofEarlier = { messageId: 'm-0' };
  const without = { messageId: undefined };
  it.each<[string, Notification, DeliveryReport, string | undefined]>([
    ['queued, of the new message', handedOver, report('pending'), 'SUBMITTED PENDING'],
    ['sent, of the new message', handedOver, report('sent'), 'SUBMITTED PENDING'],
    ['sent, without an id', handedOver, report('sent', without), 'SUBMITTED PENDING'],
    ['delivered, of the new message', handedOver, report('delivered'), 'DONE DELIVERED'],
    ['failed, of the new message', handedOver, report('failed'), 'DONE FAILED'],
    ['sent, before the answer', sending, report('sent'), 'SUBMITTED PENDING'],
    ['sent, before the resend', waiting, report('sent'), undefined],
    ['delivered, before the resend', waiting, report('delivered', ofEarlier), 'DONE DELIVERED'],
    ['sent, of the earlier message, before the answer', sending, report('sent', ofEarlier), undefined],
    ['failed, of the new message, before the answer', sending, report('failed'), 'DONE FAILED'],
    ['failed, of the earlier message, before the answer', sending, report('failed', ofEarlier), undefined],
    ['failed, without an id, before the answer', sending, report('failed', without), undefined],
    ['delivered, of the earlier message', handedOver, report('delivered', ofEarlier), 'DONE DELIVERED'],
    [
      'sent, of the new message, whose answer had an id',
      { ...handedOver, messageId: 'm-1' },
      report('sent'),
      'SUBMITTED PENDING',
    ],
  ])('a receipt after a resend whose answer had no word moves the message on: %s', (_what, before, given, expected) => {
    const step = afterReceipt(before, given, at);
    expect(step && `${step.update.next.phase} ${step.update.next.status}`).toBe(expected);
  });

  it('a receipt after a resend whose answer had no word makes the new message the known one', () => {
    const next = afterReceipt(handedOver, report('sent'), at)?.update.next;
    expect(next).toMatchObject({ messageId: 'm-1', providerStatus: 'sent' });
    expect(next && afterReceipt(next, report('sent'), at)).toBeUndefined();
    expect(next && afterReceipt(next, report('delivered', ofEarlier), at)).toBeUndefined();
  });
});

describe('A receipt of a message that is sent once more although nobody reported the end of the one before', () => {
  const sending = claimedToSend({ messageId: 'm-0', providerStatus: 'sent', attempts: 2, submittedAt: now });
  it.each<[string, DeliveryReport, string | undefined]>([
    ['delivered, of the new message', report('delivered'), 'DONE DELIVERED'],
    ['failed, of the new message', report('failed'), 'DONE FAILED'],
    ['sent, of the new message, which its answer tells too', report('sent'), undefined],
    ['delivered, of the earlier message', report('delivered', { messageId: 'm-0' }), 'DONE DELIVERED'],
    ['failed, of the earlier message', report('failed', { messageId: 'm-0' }), undefined],
  ])('a receipt of a message that is sent once more moves it on or not: %s', (_what, given, expected) => {
    const step = afterReceipt(sending, given, at);
    expect(step && `${step.update.next.phase} ${step.update.next.status}`).toBe(expected);
  });
});

describe('Receipts come late, twice and out of order', () => {
  const states = ['pending', 'sent', 'delivered', 'failed', 'cancelled'] as const;
  const after = (before: Notification, order: readonly DeliveryReport['state'][]): Notification =>
    order.reduce((row, state, index) => afterReceipt(row, report(state), at + index)?.update.next ?? row, before);
  const rank = { pending: 1, sent: 2, delivered: 3, failed: 3, cancelled: 3 };
  /** Any order, with repetitions, of receipts of which one at most is final. */
  const storms = fc
    .tuple(
      fc.constantFrom(undefined, 'delivered' as const, 'failed' as const),
      fc.array(fc.constantFrom(...states.slice(0, 2))),
    )
    .chain(([final, rest]) => {
      const all: DeliveryReport['state'][] = final === undefined ? rest : [...rest, final, final];
      return fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }));
    });

  it('what receipts leave at the end is the same in every order', () => {
    fc.assert(
      fc.property(storms, ([one, other]) => {
        const [first, second] = [after(submitted, one), after(submitted, other)];
        expect([second.status, second.providerStatus, second.phase]).toEqual([
          first.status,
          first.providerStatus,
          first.phase,
        ]);
      }),
    );
  });

  it('the state only moves up in rank, however receipts come', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states)), (order) => {
        let row = submitted;
        let highest = 1;
        for (const state of order) {
          const step = afterReceipt(row, report(state), at);
          expect(step !== undefined).toBe(rank[state] > highest);
          highest = Math.max(highest, rank[state]);
          row = step?.update.next ?? row;
        }
      }),
    );
  });

  it('each receipt counts once', () => {
    const row = after(submitted, ['sent', 'sent', 'delivered', 'sent', 'delivered', 'pending']);
    expect(row).toMatchObject({ status: 'DELIVERED', eventCount: submitted.eventCount + 2 });
  });
});
