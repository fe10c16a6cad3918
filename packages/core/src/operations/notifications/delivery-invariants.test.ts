import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minutes, notificationChannels, type NotificationState, notificationTypes, seconds } from '@calends/model';
import { allOn, notification } from '../../../test/notifications/sample-notification.js';
import { customer, now, scheduled, start } from '../../../test/sample-appointments.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { DeliveryReport, NotifierCapability, SendResult } from '../../domain/notifications/provider-answers.js';
import { canRetry, retryByHand } from '../../delivery/manual-retry.js';
import type { DeliveryPhase, Notification, NotificationUpdate } from '../../domain/notifications/notification.js';
import { next } from '../../delivery/state.js';

const maria: CustomerProfile = {
  organizationId: 'org-1',
  appointmentId: 'appointment-1',
  participantId: 'customer-1',
  primaryEmail: 'maria@example.org',
  primaryPhone: '+306900000000',
  metadata: {},
};

/** Which states a phase is shown as (delivery, Phases; D50). */
const shown: Readonly<Record<DeliveryPhase, readonly NotificationState[]>> = {
  READY: ['INITIALIZED'],
  SENDING: ['PENDING'],
  RETRY_WAIT: ['PENDING'],
  SUBMITTED: ['PENDING'],
  POLLING: ['PENDING'],
  DONE: ['DELIVERED', 'FAILED', 'CANCELLED'],
};

const words = fc.constantFrom(undefined, 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'a word of its own');
const reference = { messageId: fc.constantFrom(undefined, 'm-1', 'm-2'), providerStatus: words };
const error = fc.constant('SMTP 451');
const result: fc.Arbitrary<SendResult> = fc.oneof(
  fc.record({ status: fc.constant('delivered' as const), ...reference }),
  fc.record({ status: fc.constant('submitted' as const), ...reference }),
  fc.record({
    status: fc.constant('failed' as const),
    permanent: fc.boolean(),
    error,
    retryAfter: fc.option(fc.nat(200_000_000), { nil: undefined }),
    ...reference,
  }),
  fc.record({ status: fc.constant('unknown' as const), error, ...reference }),
);
const report: fc.Arbitrary<DeliveryReport> = fc.record({
  state: fc.constantFrom('pending', 'sent', 'delivered', 'failed', 'cancelled'),
  ...reference,
});

/** What happens to a notification. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant('look' as const), result, report, lost: fc.boolean() }),
  fc.record({ kind: fc.constant('unsent' as const), as: fc.constantFrom('CANCELLED' as const, 'FAILED' as const) }),
  fc.record({ kind: fc.constant('unmade' as const), lost: fc.boolean() }),
  fc.record({ kind: fc.constant('receipt' as const), report }),
  fc.record({ kind: fc.constant('retry' as const) }),
  fc.record({ kind: fc.constant('mark' as const) }),
);
const circumstances = fc.record({
  channel: fc.constantFrom(...notificationChannels),
  type: fc.constantFrom(...notificationTypes),
  capability: fc.constantFrom<NotifierCapability>('idempotent', 'lookup', 'none'),
  canPoll: fc.boolean(),
  chance: fc.double({ min: 0, max: 0.999, noNaN: true }),
  happenings: fc.array(happening, { maxLength: 25 }),
});

/** What a claim does, as the store's contract has it. */
function claimed(found: Notification, lost: boolean): Notification {
  const claim = { revision: found.revision + 1, wakeAt: now + seconds(25) };
  if (found.phase === 'SUBMITTED') {
    return { ...found, ...claim, phase: 'POLLING', pollAttempts: found.pollAttempts + 1, nextPollAt: undefined };
  }
  const lostClaims = found.lostClaims + Number(lost);
  const attempts = found.attempts + 1 + Number(lost);
  return { ...found, ...claim, phase: 'SENDING', status: 'PENDING', attempts, lostClaims, nextRetryAt: undefined };
}

interface Seen {
  readonly before: Notification;
  readonly update: NotificationUpdate;
  readonly isUncounted: boolean;
}

/** Lives a notification through what happens, and shows every change to the test. */
function live(
  given: typeof circumstances extends fc.Arbitrary<infer Given> ? Given : never,
  see: (seen: Seen) => void,
) {
  const { channel, type, happenings, ...rest } = given;
  const appointment = scheduled({ participants: [customer], notificationsActive: true });
  const addressee = channel === 'WEBHOOKS' ? { type: 'SYSTEM', id: 'crm' } : { type: 'CUSTOMER', id: 'customer-1' };
  let row = notification({ channel, type, addressee: addressee as Notification['addressee'] });
  let at = now;
  for (const each of happenings) {
    at += seconds(20);
    const context = { ...rest, at, settings: allOn, start, lost: false, updatedBefore: row.updatedAt };
    const take = (before: Notification, update: NotificationUpdate | undefined, isUncounted = false): void => {
      if (update === undefined) return;
      see({ before, update, isUncounted });
      row = update.next;
    };
    const isClaimable = row.phase === 'READY' || row.phase === 'RETRY_WAIT' || row.phase === 'SUBMITTED';
    if (each.kind === 'look' && isClaimable) {
      const claim = claimed(row, each.lost && row.phase !== 'SUBMITTED');
      const step =
        claim.phase === 'POLLING'
          ? next('polled', claim, context, each.report)
          : next('attempted', claim, { ...context, lost: each.lost }, each.result);
      take(claim, step.update);
    } else if (each.kind === 'unsent' && (row.phase === 'READY' || row.phase === 'RETRY_WAIT')) {
      const claim = claimed(row, false);
      take(claim, next('ended', claim, context, { as: each.as, message: 'a reason' }).update, true);
    } else if (each.kind === 'unmade' && (row.phase === 'READY' || row.phase === 'RETRY_WAIT')) {
      const claim = claimed(row, each.lost);
      take(claim, next('composeFailed', claim, { ...context, lost: each.lost }).update, true);
    } else if (each.kind === 'receipt') {
      take(row, next('reported', row, each.report, at)?.update);
    } else if (each.kind === 'retry') {
      const listed = { notification: row, appointment, customer: maria };
      const means = { canAsk: given.canPoll, isDisabled: false };
      if (canRetry(listed, allOn, means, at)) {
        take(row, retryByHand(listed, allOn, means, { actorId: 'agent-1', at })?.update);
      }
    } else if (each.kind === 'mark' && isClaimable && row.phase !== 'SUBMITTED') {
      const claim = { ...claimed(row, false), cancelRequestedAt: at };
      take(claim, next('attempted', claim, context, { status: 'failed', permanent: false, error: 'x' }).update);
    }
  }
}

const always = (holds: (seen: Seen) => void): void => {
  fc.assert(
    fc.property(circumstances, (given) => {
      live(given, holds);
    }),
    { numRuns: 500 },
  );
};

describe('Whatever happens to a notification', () => {
  it('the status follows from the phase (D50)', () => {
    always(({ update: { next } }) => {
      expect(shown[next.phase]).toContain(next.status);
    });
  });

  it('what is DONE has no time at which anything happens, everything else has one', () => {
    always(({ update: { next } }) => {
      expect(next.wakeAt === null).toBe(next.phase === 'DONE');
      if (next.phase === 'DONE') expect([next.nextRetryAt, next.nextPollAt]).toEqual([undefined, undefined]);
      if (next.nextRetryAt !== undefined) expect(next.nextRetryAt).toBe(next.wakeAt);
    });
  });

  it('attempts never go down, but for a claim that was no attempt', () => {
    always(({ before, update: { next }, isUncounted }) => {
      expect(next.attempts).toBe(before.attempts - Number(isUncounted));
      // A retry by hand that made no attempt does not count (D68).
      expect(next.manualRetries).toBeGreaterThanOrEqual(before.manualRetries - Number(isUncounted));
      expect(next.lostClaims).toBe(before.lostClaims);
    });
  });

  it('the events of a notification are numbered on, the revision goes up by one, and the last event says what it says', () => {
    always(({ before, update: { next, expectedRevision, events } }) => {
      expect(expectedRevision).toBe(before.revision);
      expect(next.revision).toBe(before.revision + 1);
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => before.eventCount + index + 1));
      expect(next.eventCount).toBe(before.eventCount + events.length);
      const { status, message, attempts, providerStatus, manualRetries } = next;
      // An attempt by hand counts questions from 0 again, and its event tells of those that were asked.
      const { pollAttempts } = manualRetries > before.manualRetries ? before : next;
      expect(events.at(-1)).toMatchObject({ status, message, attempts, pollAttempts });
      expect(events.at(-1)?.providerStatus).toBe(providerStatus);
    });
  });

  it('DELIVERED and CANCELLED are final; FAILED ends by a retry or a report only', () => {
    always(({ before, update: { next } }) => {
      expect(before.phase === 'DONE' && before.status !== 'FAILED').toBe(false);
      if (before.status === 'FAILED') {
        expect(next.manualRetries > before.manualRetries || next.phase === 'DONE').toBe(true);
      }
    });
  });

  it('there are at most five automatic mails and text messages, and eight web hooks (D54)', () => {
    fc.assert(
      fc.property(circumstances, fc.array(result, { minLength: 12, maxLength: 12 }), (given, results) => {
        const most = given.channel === 'WEBHOOKS' ? 8 : 5;
        const happenings = results.map((each) => ({
          kind: 'look' as const,
          result: each,
          report: { state: 'pending' as const },
          lost: false,
        }));
        live({ ...given, happenings }, ({ update: { next } }) => {
          expect(next.attempts).toBeLessThanOrEqual(most);
          if (next.attempts === most) expect(next.phase).not.toBe('RETRY_WAIT');
        });
      }),
    );
  });

  it('no attempt of REMINDER and ROOM is planned for the start or later (D54)', () => {
    const late = fc.record({
      type: fc.constantFrom('REMINDER' as const, 'ROOM' as const),
      left: fc.nat(minutes(60)),
      result,
    });
    fc.assert(
      fc.property(late, fc.double({ min: 0, max: 0.999, noNaN: true }), ({ type, left, result: each }, chance) => {
        const row = { ...claimed(notification({ type }), false) };
        const context = {
          at: start - left,
          settings: allOn,
          chance,
          start,
          capability: 'none',
          canPoll: true,
        } as const;
        const { update } = next('attempted', row, { ...context, lost: false, updatedBefore: now }, each);
        if (update.next.phase === 'RETRY_WAIT') expect(update.next.wakeAt).toBeLessThan(start);
      }),
    );
  });
});
