import { describe, expect, it } from 'vitest';
import { allOn, attemptContext, claimedToSend, notification } from '../../test/notifications/sample-notification.js';
import { now } from '../../test/sample-appointments.js';
import { days, minutes, seconds } from '@calends/model';
import type { Notification } from '../domain/notifications/notification.js';
import { payloadOf } from './step.js';
import { afterComposeFailure, type AttemptContext } from './send-steps.js';
import { byChannelKey } from '../settings/channels.js';

const context = attemptContext();
const { at } = context;
const removal = { appointment: { id: 'a' }, customer: { firstName: 'Maria' } };

/** As the store claims it. */
function claimedAgain(found: Notification): Notification {
  return { ...found, phase: 'SENDING', attempts: found.attempts + 1, revision: found.revision + 1 };
}

/** How long each claim in a row waits whose message cannot be made; `undefined` = the end. */
function waits(more: Partial<Notification>, situation: Partial<AttemptContext> = {}): readonly (number | undefined)[] {
  const seen: (number | undefined)[] = [];
  let row = claimedToSend(more);
  for (;;) {
    const { next } = afterComposeFailure(row, { ...context, ...situation }).update;
    seen.push(next.nextRetryAt && next.nextRetryAt - at);
    if (next.phase === 'DONE') return seen;
    row = claimedAgain(next);
  }
}

describe('A claim whose message could not be made', () => {
  it.each<[string, Partial<Notification>]>([
    ['at the first attempt', {}],
    ['after three attempts', { attempts: 4 }],
    ['at a retry by hand after five attempts', { attempts: 6, manualRetries: 1 }],
  ])('a claim whose message could not be made %s waits by its own count and comes to an end (D54)', (_when, more) => {
    expect(waits(more)).toEqual([seconds(30), minutes(2), minutes(10), minutes(30), undefined]);
  });

  it('a claim whose message could not be made of a web hook waits as web hooks do, and has one try where the application wants one attempt', () => {
    expect(waits({ channel: 'WEBHOOKS' })).toHaveLength(8);
    const settings = { ...allOn, retry: byChannelKey(() => []) };
    expect(waits({}, { settings })).toEqual([undefined]);
  });

  it('a claim whose message could not be made is no attempt, and says so in the history', () => {
    const { next, events } = afterComposeFailure(claimedToSend({ attempts: 3 }), context).update;
    const told = { attempts: 2, message: 'another attempt follows', errorMessage: 'the message could not be composed' };
    expect(next).toMatchObject({ ...told, phase: 'RETRY_WAIT', status: 'PENDING' });
    expect(events).toMatchObject([{ ...told, number: 2, status: 'PENDING' }]);
  });

  it('a claim whose message could not be made after one that ended without a word says so first', () => {
    const { events } = afterComposeFailure(claimedToSend({ attempts: 2, lostClaims: 1 }), {
      ...context,
      lost: true,
    }).update;
    expect(events).toMatchObject([
      { number: 2, message: 'previous attempt had no known outcome', attempts: 1 },
      { number: 3, message: 'another attempt follows', attempts: 1 },
    ]);
  });

  it('a claim whose message could not be made is not tried again where the appointment changed meanwhile', () => {
    const { outcome, update } = afterComposeFailure(claimedToSend({ cancelRequestedAt: now, kept: '{}' }), context);
    expect(outcome).toBe('cancelled');
    expect(update.next).toMatchObject({ phase: 'DONE', status: 'CANCELLED', attempts: 0, wakeAt: null });
    expect(update.next.kept).toBeUndefined();
  });

  it('a claim whose message could not be made keeps what it kept, up to the end', () => {
    const before = claimedToSend({ kept: JSON.stringify({ ...removal, body: '{}' }) });
    const waiting = afterComposeFailure(before, context).update.next;
    expect(payloadOf(waiting)).toEqual({ ...removal, body: '{}', faults: 1 });
    const settings = { ...allOn, retry: byChannelKey(() => []) };
    const ended = afterComposeFailure(claimedAgain(waiting), { ...context, settings }).update.next;
    expect(payloadOf(ended)).toEqual({ body: '{}' });
  });

  it('a claim whose message could not be made of a reminder is not tried at the start or after it', () => {
    const reminder = claimedToSend({ ...notification({ type: 'REMINDER' }), attempts: 1, createdAt: now - days(1) });
    const { next } = afterComposeFailure(reminder, { ...context, start: at + seconds(20) }).update;
    expect(next).toMatchObject({ phase: 'DONE', status: 'FAILED', message: 'not deliverable' });
  });
});
