import type { Offers } from '@calends/core/operations';
import { describe, expect, it } from 'vitest';
import { findFreeTimes } from './free-times.js';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const now = Date.parse('2030-05-06T00:00:00Z');

/** A search that answers so many hours at once, and the starts that are free. */
function search(free: readonly number[], span: number) {
  const asked: string[] = [];
  const find = ({ from, to }: { readonly from: string; readonly to: string }): Promise<Offers> => {
    asked.push(from);
    const [begin, end] = [Date.parse(from), Date.parse(to)];
    const next = begin + span;
    const offers = free
      .filter((start) => start >= begin && start < Math.min(next, end))
      .map((start) => ({ start, end: start + minute }));
    return Promise.resolve({ durations: [{ duration: minute, offers }], ...(next < end ? { next } : {}) });
  };
  return { asked, find };
}

const question = { zone: 'UTC', asked: '', now };

describe('Free times of a week', () => {
  it('free times of a week are all there, also where one answer does not hold them', async () => {
    const free = Array.from({ length: 14 }, (_, half) => now + half * 12 * hour);
    const { asked, find } = search(free, 30 * hour);
    const { days } = await findFreeTimes({ ...question, find });
    expect(days.flatMap(({ times }) => times.map(({ start }) => start))).toEqual(free);
    expect(asked).toHaveLength(6);
  });

  it('a week without free times tells the first day that has one, and asks no further', async () => {
    const { asked, find } = search([now + 20 * day, now + 30 * day], 2 * day);
    const { days, next } = await findFreeTimes({ ...question, find });
    expect([days, next]).toEqual([[], '2030-05-26']);
    // Four answers for the week, and seven up to that day.
    expect(asked).toHaveLength(11);
  });
});
