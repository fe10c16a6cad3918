import { expect, it } from 'vitest';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import type { Scheduling } from '../../src/index.js';
import { booked, fixture } from '../fixtures.js';

type EventHandler = Parameters<Scheduling['events']['subscribe']>[0];

const rejects = (): Promise<never> => Promise.reject(new Error('no'));

it('An answer of a part of the host that begins its work when it is waited for is asked for once, also where it fails', async () => {
  let begun = 0;
  // As the queries of some libraries: each call of then runs them.
  const query: PromiseLike<never> = {
    then: (fulfilled, rejected) => {
      begun += 1;
      return rejects().then(fulfilled, rejected);
    },
  };
  const base = fixture({ eventPublisher: { publish: () => query as Promise<never> } });
  await booked(base);
  await base.scheduling.workers.runOnce();
  expect(begun).toBe(1);
  expect(base.signals).toContainEqual(expect.objectContaining({ type: 'eventRetried', error: new Error('no') }));
});

it('A subscriber that ends its subscription and begins another sees an event once, and the pass ends', async () => {
  const base = fixture();
  const { events, workers } = base.scheduling;
  let seen = 0;
  const again = (): void => {
    seen += 1;
    if (seen > 9) throw new Error('The pass should have ended.');
    end();
    end = events.subscribe(again);
  };
  let end = events.subscribe(again);
  await booked(base);
  expect((await workers.runOnce()).events).toBe(1);
  expect(seen).toBe(1);
});

it('A subscriber whose subscription is ended by one before it is not handed the event', async () => {
  const base = fixture();
  const { events, workers } = base.scheduling;
  let seen = 0;
  events.subscribe(() => end());
  const end = events.subscribe(() => void (seen += 1));
  await booked(base);
  expect((await workers.runOnce()).events).toBe(1);
  expect(seen).toBe(0);
});

it.each<readonly [string, (take: EventHandler) => EventHandler]>([
  ['a list', (take) => (event) => [take(event), rejects(), rejects()] as never],
  ['a list later', (take) => async (event) => [take(event), rejects(), rejects()] as never],
])(
  'An event that is handed on to several, of whom one fails, is tried again and ends no process: %s',
  async (_, of) => {
    for (const isPublisher of [true, false]) {
      let seen = 0;
      const take = of(() => void (seen += 1));
      const base = fixture(isPublisher ? { eventPublisher: { publish: take as () => Promise<void> } } : {});
      if (!isPublisher) base.scheduling.events.subscribe(take);
      await booked(base);
      const unhandled = await unhandledIn(async () => {
        await base.scheduling.workers.runOnce();
      });
      expect(unhandled).toEqual([]);
      expect(base.signals).toContainEqual(expect.objectContaining({ type: 'eventRetried', error: new Error('no') }));
      base.clock.advance(1000);
      await base.scheduling.workers.runOnce();
      expect(seen).toBe(2);
    }
  },
);
