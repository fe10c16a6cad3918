import { describe, expect, it } from 'vitest';
import { happenings, happensTo, movesOf } from '../../test/notifications/moves.js';
import { type DeliveryPhase, deliveryPhases } from '../domain/notifications/notification.js';

/** Which states a phase is shown as (D50). */
const shown: Readonly<Record<DeliveryPhase, readonly string[]>> = {
  READY: ['INITIALIZED'],
  SENDING: ['PENDING'],
  RETRY_WAIT: ['PENDING'],
  SUBMITTED: ['PENDING'],
  POLLING: ['PENDING'],
  DONE: ['DELIVERED', 'FAILED', 'CANCELLED'],
};

describe.each(happenings)('A notification that is %s', (name) => {
  it.each(deliveryPhases)('a notification in %s has one next state, or the call is refused', (phase) => {
    const moves = movesOf(name, phase);
    if (moves === 'refused') {
      expect(() => {
        happensTo(name, phase);
      }).toThrow(`A notification in ${phase} cannot be ${name}.`);
      return;
    }
    expect(moves).not.toHaveLength(0);
    for (const { before, step } of moves) {
      if (step === undefined) continue;
      const { next, events, expectedRevision } = step.update;
      expect([expectedRevision, next.revision]).toEqual([before.revision, before.revision + 1]);
      expect(next.eventCount).toBe(before.eventCount + events.length);
      expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => before.eventCount + index + 1));
      expect(shown[next.phase]).toContain(next.status);
      expect(next.wakeAt === null).toBe(next.phase === 'DONE');
      const { id, channel, addressee, dedupeKey, type } = before;
      expect(next).toMatchObject({ id, channel, addressee, dedupeKey, type });
    }
  });
});
