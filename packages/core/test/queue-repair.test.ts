import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { days, minutes } from '@calends/model';
import { type QueueRepair, StoreError } from '../src/store.js';
import { type Fixture, fixture } from './fixtures.js';

/** A library over a store whose repairs end as told, one after the other. */
function repairing(...ends: readonly (QueueRepair | Error)[]): Fixture & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const repairQueue = (after?: readonly string[]): Promise<QueueRepair> => {
    const end = ends[asked.length] ?? { repaired: 0 };
    asked.push(after);
    return end instanceof Error ? Promise.reject(end) : Promise.resolve(end);
  };
  return {
    ...fixture({ store: { ...memoryStore(), notifications: { ...memoryStore().notifications, repairQueue } } }),
    asked,
  };
}

describe('Repairing the queue', () => {
  it('Repairing the queue begins with the first pass, goes on a portion in each, and begins again a minute after its end', async () => {
    const { scheduling, clock, asked } = repairing({ repaired: 0, next: ['org-1', 'n-1'] });
    for (let pass = 0; pass < 3; pass += 1) await scheduling.workers.runOnce();
    expect(asked).toEqual([undefined, ['org-1', 'n-1']]);
    clock.advance(minutes(1) - 1);
    await scheduling.workers.runOnce();
    expect(asked).toHaveLength(2);
    clock.advance(1);
    await scheduling.workers.runOnce();
    expect(asked).toEqual([undefined, ['org-1', 'n-1'], undefined]);
  });

  it('Repairing the queue begins again when the clock, which was ahead, has gone back', async () => {
    const { scheduling, clock, asked } = repairing();
    clock.advance(days(365));
    await scheduling.workers.runOnce();
    clock.advance(-days(365));
    await scheduling.workers.runOnce();
    expect(asked).toHaveLength(2);
    clock.advance(minutes(1) - 1);
    await scheduling.workers.runOnce();
    expect(asked).toHaveLength(2);
  });

  it('Repairing the queue tells how much was put right, and nothing where all was', async () => {
    const { scheduling, clock, signals } = repairing({ repaired: 3 });
    await scheduling.workers.runOnce();
    clock.advance(minutes(1));
    await scheduling.workers.runOnce();
    expect(signals).toEqual([{ type: 'queueRepaired', count: 3 }]);
  });

  it('Repairing the queue that fails is told, keeps nothing else from its turn, and is tried a minute later', async () => {
    const error = new StoreError('unavailable', 'The database does not answer.');
    const { scheduling, clock, signals, asked } = repairing(error);
    await scheduling.workers.runOnce();
    expect(signals).toEqual([{ type: 'workerFailed', job: 'repair', error }]);
    expect(scheduling.workers.health().lastPassAt).toBe(clock.now());
    clock.advance(minutes(1));
    await scheduling.workers.runOnce();
    expect(asked).toHaveLength(2);
  });
});
