import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  days,
  hours,
  minutes,
  type NotificationChannel,
  notificationChannels,
  notificationTypes,
  seconds,
} from '@calends/model';
import { allOn, claimedToSend } from '../../test/notifications/sample-notification.js';
import { now, start } from '../../test/sample-appointments.js';
import { endsAtStart } from '../domain/notifications/notified-events.js';
import { nextAttemptAt, type RetryQuestion } from './retry-policy.js';
import { byChannelKey } from '../settings/channels.js';

function waitAfter(
  attempts: number,
  more: Partial<RetryQuestion> = {},
  row: Parameters<typeof claimedToSend>[0] = {},
): number | undefined {
  const question = { settings: allOn, at: now, chance: 0.5, start: undefined, ...more };
  const next = nextAttemptAt({ ...question, notification: claimedToSend({ attempts, ...row }) });
  return next === undefined ? undefined : next - now;
}

describe('Automatic attempts (D54)', () => {
  const customers = [seconds(30), minutes(2), minutes(10), minutes(30), undefined];
  it.each<[NotificationChannel, readonly (number | undefined)[]]>([
    ['EMAIL', customers],
    ['SMS', customers],
    ['WEBHOOKS', [seconds(5), minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(10), undefined]],
  ])('automatic attempts of %s follow after these waits, then there is none', (channel, waits) => {
    expect(waits.map((_, index) => waitAfter(index + 1, {}, { channel }))).toEqual(waits);
  });

  it('automatic attempts are as many as the application says, none for no waits', () => {
    const settings = { ...allOn, retry: { ...byChannelKey(() => []), email: [1000] } };
    expect([1, 2].map((attempts) => waitAfter(attempts, { settings }))).toEqual([1000, undefined]);
    expect(waitAfter(1, { settings }, { channel: 'SMS' })).toBeUndefined();
  });

  it('automatic attempts are not used up by retries by hand', () => {
    expect(waitAfter(3, {}, { manualRetries: 2 })).toBe(seconds(30));
    expect(waitAfter(6, {}, { manualRetries: 1 })).toBeUndefined();
    expect(waitAfter(1, {}, { manualRetries: 4 })).toBe(seconds(30));
  });

  it('automatic attempts have a jitter of 20 % to both sides', () => {
    expect(waitAfter(1, { chance: 0 })).toBe(seconds(24));
    expect(waitAfter(1, { chance: 0.999999 })).toBe(seconds(36));
    const anyChance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        anyChance,
        fc.constantFrom(...notificationChannels),
        fc.integer({ min: 1, max: 7 }),
        (chance, channel, n) => {
          const [exact, wait] = [waitAfter(n, {}, { channel }), waitAfter(n, { chance }, { channel })];
          expect(wait === undefined).toBe(exact === undefined);
          if (exact === undefined || wait === undefined) return;
          expect(Math.abs(wait - exact)).toBeLessThanOrEqual(exact * 0.2 + 1);
        },
      ),
    );
  });

  it.each([
    ['shorter than the wait is not obeyed', seconds(1), seconds(30)],
    ['longer than the wait is obeyed', hours(3), hours(3)],
    ['of 24 hours is obeyed', days(1), days(1)],
    ['longer than 24 hours is cut', days(2), days(1)],
    ['that is negative is not obeyed', -hours(1), seconds(30)],
  ])('a Retry-After %s', (_what, retryAfter, expected) => {
    expect(waitAfter(1, { retryAfter })).toBe(expected);
  });
});

describe('REMINDER and ROOM', () => {
  it.each(notificationTypes)('the start ends the attempts of %s, or does not, by its type', (type) => {
    const ends = type === 'REMINDER' || type === 'ROOM';
    expect(endsAtStart(type)).toBe(ends);
    expect(waitAfter(1, { at: now, start: now + seconds(30) }, { type })).toBe(ends ? undefined : seconds(30));
    expect(waitAfter(1, { at: now, start: now + seconds(30) + 1 }, { type })).toBe(seconds(30));
  });

  it('REMINDER and ROOM are never tried at the start or after it, whatever the provider asks for', () => {
    const ends = fc.constantFrom('REMINDER' as const, 'ROOM' as const);
    fc.assert(
      fc.property(
        ends,
        fc.nat(hours(4)),
        fc.nat(hours(30)),
        fc.integer({ min: 1, max: 4 }),
        (type, left, retryAfter, n) => {
          const at = start - left;
          const next = nextAttemptAt({
            notification: claimedToSend({ type, attempts: n }),
            settings: allOn,
            at,
            chance: 0.9,
            retryAfter,
            start,
          });
          if (next !== undefined) expect(next).toBeLessThan(start);
        },
      ),
    );
  });
});
