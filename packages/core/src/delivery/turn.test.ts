import { describe, expect, it } from 'vitest';
import { hours, type NotificationType, seconds } from '@calends/model';
import { claimedToSend, notification } from '../../test/notifications/sample-notification.js';
import { now } from '../../test/sample-appointments.js';
import type { DeliveryPhase, Notification } from '../domain/notifications/notification.js';
import { next as nextOf } from './state.js';
import { turnOf, waitForTurn } from './turn.js';

/** A message of the same appointment to the same recipient. */
const other = (id: string, more: Partial<Notification> = {}): Notification => notification({ id, ...more });
const move = claimedToSend({ id: 'n-5', type: 'RESCHEDULE', scheduleVersion: 2 });
const lease = seconds(25);
/** What a claim has besides, and its turn does not depend on. */
const unrelated = { dueAt: now, appointment: undefined, customer: undefined };

describe('Whose turn it is (D71)', () => {
  it.each<[string, Partial<Notification>, boolean]>([
    ['of an older schedule', { scheduleVersion: 1, createdAt: now + 9, id: 'n-9' }, true],
    ['of the same schedule, due before', { scheduleVersion: 2, createdAt: now - 1, id: 'n-9' }, true],
    ['of the same schedule and instant, made before', { scheduleVersion: 2, id: 'n-4' }, true],
    ['of the same schedule and instant, made after', { scheduleVersion: 2, id: 'n-6' }, false],
    ['of the same schedule, due after', { scheduleVersion: 2, createdAt: now + 1, id: 'n-4' }, false],
    ['timed and due before', { scheduleVersion: 2, createdAt: now + 9, scheduledFor: now - 1, id: 'n-9' }, true],
    ['timed and due after', { scheduleVersion: 2, createdAt: now - 9, scheduledFor: now + 1, id: 'n-4' }, false],
    ['of a newer schedule', { scheduleVersion: 3, createdAt: now - 9, id: 'n-4' }, false],
  ])('a message waits for one %s: %#', (_what, more, waits) => {
    for (const phase of ['SENDING', 'READY'] as const) {
      const one = other('n-1', { ...more, phase });
      expect(turnOf(move, [one], now).waitsFor).toEqual(waits ? one : undefined);
    }
  });

  it('a cancellation comes after all of its schedule, also where the clock of who moved or booked was ahead', () => {
    const cancellation: Notification = { ...move, type: 'CANCELLED', id: 'n-4', phase: 'SENDING' };
    const moved: Notification = { ...move, createdAt: now + 9, id: 'n-9', phase: 'SENDING' };
    expect(turnOf(cancellation, [moved], now).waitsFor).toEqual(moved);
    expect(turnOf(moved, [cancellation], now).waitsFor).toBeUndefined();
  });

  it.each<DeliveryPhase>(['SUBMITTED', 'POLLING', 'DONE', 'RETRY_WAIT'])(
    'a message waits for none in phase %s',
    (phase) => {
      expect(turnOf(move, [other('n-1', { phase })], now).waitsFor).toBeUndefined();
    },
  );

  it.each<[NotificationType, boolean]>([
    ['RESCHEDULE', true],
    ['CANCELLED', true],
    ['ROOM', false],
    ['REMINDER', false],
    ['FOLLOW_UP', false],
  ])('%s supersedes older ones that wait for another attempt: %s', (type, supersedes) => {
    const [before, after] = [
      other('n-1', { phase: 'RETRY_WAIT' }),
      other('n-6', { phase: 'RETRY_WAIT', scheduleVersion: 3 }),
    ];
    expect(turnOf({ ...move, type }, [before, after], now).superseded).toEqual(supersedes ? [before] : []);
    const { next, events } = nextOf('superseded', before, { at: now }).update;
    expect(next).toMatchObject({ phase: 'DONE', status: 'CANCELLED', wakeAt: null });
    expect(events).toMatchObject([{ status: 'CANCELLED', message: 'superseded by a later message' }]);
  });

  it.each<[DeliveryPhase, readonly number[]]>([
    ['SENDING', []],
    ['READY', [0]],
  ])(
    'a message waits for one %s for a lease in all, at pauses that grow with what it has waited; nothing counts',
    (phase, first) => {
      const before = other('n-1', { phase });
      let row = notification({ ...move, phase: 'READY', status: 'INITIALIZED', attempts: 0, kept: '{"body":"b"}' });
      let at = now;
      const looks: number[] = [];
      while (turnOf(row, [before], at).waitsFor !== undefined) {
        const claimed = { ...row, phase: 'SENDING', status: 'PENDING', attempts: 1, updatedAt: at } as const;
        const claim = { ...unrelated, notification: claimed, found: 'READY', updatedBefore: now } as const;
        row = waitForTurn(claim, before, { at, lease }).step.update.next;
        expect(row).toMatchObject({
          phase: 'READY',
          status: 'INITIALIZED',
          attempts: 0,
          updatedAt: now,
          eventCount: 1,
        });
        at = row.wakeAt ?? Infinity;
        looks.push(at - now);
      }
      expect(looks).toEqual([...first, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, lease]);
      expect(JSON.parse(row.kept ?? '')).toEqual({ body: 'b', waitsUntil: now + lease });
    },
  );

  it('a message whose wait was begun by a clock an hour ahead waits for a lease once the clock is right, at pauses that grow', () => {
    const before = other('n-1', { phase: 'SENDING' });
    const waiting = { phase: 'READY', status: 'INITIALIZED', attempts: 0 } as const;
    let row = notification({ ...move, ...waiting, kept: JSON.stringify({ waitsUntil: now + hours(1) + lease }) });
    let at = now;
    const looks: number[] = [];
    while (turnOf(row, [before], at).waitsFor !== undefined && looks.length < 20) {
      const claimed = { ...row, phase: 'SENDING', status: 'PENDING', attempts: 1 } as const;
      const claim = { ...unrelated, notification: claimed, found: 'READY', updatedBefore: now } as const;
      row = waitForTurn(claim, before, { at, lease }).step.update.next;
      at = row.wakeAt ?? Infinity;
      looks.push(at - now);
    }
    expect(looks).toEqual([50, 100, 200, 400, 800, 1600, 3200, 6400, 12_800, lease]);
  });
});
