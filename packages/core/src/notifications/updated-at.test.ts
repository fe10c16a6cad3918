import { describe, expect, it } from 'vitest';
import { attemptContext, claimedToPoll, claimedToSend } from '../../test/notifications/sample-notification.js';
import { now } from '../../test/sample-appointments.js';
import { minutes } from '../appointments/time-units.js';
import { afterAttempt, givenBack, unsent } from './delivery-lifecycle.js';
import { type DeliveryStep, uncounted } from './delivery-step.js';
import type { Notification } from './notification.js';
import { afterVainMaking } from './vain-claims.js';

const updatedBefore = now - minutes(7);
const context = attemptContext({ updatedBefore });
const { at } = context;

describe('updatedAt is the time of the last attempt, or of the last change before any (D51)', () => {
  it('an attempt leaves the time of its claim', () => {
    const { next } = afterAttempt(claimedToSend({ updatedAt: now }), { status: 'delivered' }, context).update;
    expect(next.updatedAt).toBe(now);
  });

  const end = { as: 'CANCELLED', message: 'the appointment was cancelled' } as const;
  it.each<[string, (claimed: Notification) => DeliveryStep]>([
    ['is not worth an attempt', (claimed) => unsent(claimed, end, context)],
    [
      'comes to an earlier attempt',
      (claimed) => uncounted(claimed, afterAttempt(claimed, { status: 'delivered' }, context), context),
    ],
    ['cannot make its message', (claimed) => afterVainMaking(claimed, context)],
  ])('a claim that %s tells of the attempt before it, or else of the change', (_what, stepOf) => {
    const after = (attempts: number) => stepOf(claimedToSend({ attempts, updatedAt: now })).update.next;
    expect(after(2)).toMatchObject({ attempts: 1, updatedAt: updatedBefore });
    expect(after(1)).toMatchObject({ attempts: 0, updatedAt: at });
  });

  it.each(['READY', 'RETRY_WAIT', 'SENDING', 'SUBMITTED', 'POLLING'] as const)(
    'one that is given back as it was found in %s keeps its time',
    (found) => {
      const claimed = found === 'SUBMITTED' || found === 'POLLING' ? claimedToPoll() : claimedToSend();
      const { next } = givenBack({ notification: { ...claimed, updatedAt: now }, found, updatedBefore }, at).update;
      expect(next.updatedAt).toBe(updatedBefore);
    },
  );
});
