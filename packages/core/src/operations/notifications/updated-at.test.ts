import { describe, expect, it } from 'vitest';
import { minutes } from '@calends/model';
import { attemptContext, claimedToPoll, claimedToSend } from '../../../test/notifications/sample-notification.js';
import { now } from '../../../test/sample-appointments.js';
import { next } from '../../delivery/state.js';
import type { DeliveryStep } from '../../delivery/step.js';
import type { Notification } from '../../domain/notifications/notification.js';

const updatedBefore = now - minutes(7);
const context = attemptContext({ updatedBefore });
const { at } = context;

describe('updatedAt is the time of the last attempt, or of the last change before any (D51)', () => {
  it('an attempt leaves the time of its claim', () => {
    const { update } = next('attempted', claimedToSend({ updatedAt: now }), context, { status: 'delivered' });
    expect(update.next.updatedAt).toBe(now);
  });

  const end = { as: 'CANCELLED', message: 'the appointment was cancelled' } as const;
  it.each<[string, (claimed: Notification) => DeliveryStep]>([
    ['is not worth an attempt', (claimed) => next('ended', claimed, context, end)],
    ['comes to an earlier attempt', (claimed) => next('foundByKey', claimed, context, { status: 'delivered' })],
    ['cannot make its message', (claimed) => next('composeFailed', claimed, context)],
  ])('a claim that %s tells of the attempt before it, or else of the change', (_what, stepOf) => {
    const after = (attempts: number) => stepOf(claimedToSend({ attempts, updatedAt: now })).update.next;
    expect(after(2)).toMatchObject({ attempts: 1, updatedAt: updatedBefore });
    expect(after(1)).toMatchObject({ attempts: 0, updatedAt: at });
  });

  it.each(['READY', 'RETRY_WAIT', 'SENDING', 'SUBMITTED', 'POLLING'] as const)(
    'a notification that is given back as it was found in %s keeps its time',
    (found) => {
      const claimed = found === 'SUBMITTED' || found === 'POLLING' ? claimedToPoll() : claimedToSend();
      const { update } = next('released', { ...claimed, updatedAt: now }, { found, updatedBefore }, at);
      expect(update.next.updatedAt).toBe(updatedBefore);
    },
  );
});
