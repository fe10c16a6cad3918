import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedList } from './sorted-list.js';

const ascending = (a: number, b: number): number => a - b;
const distinct = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });

describe('SortedList', () => {
  it('holds what was added and not removed, in order', () => {
    fc.assert(
      fc.property(distinct, distinct, (added, removed) => {
        const list = new SortedList(ascending);
        for (const item of added) list.add(item);
        for (const item of removed) list.remove(item);
        expect(list.items).toEqual(added.filter((item) => !removed.includes(item)).sort(ascending));
        expect(list.size).toBe(list.items.length);
        expect(list.first).toBe(list.items[0]);
      }),
    );
  });

  it('counts and takes the items before a bound', () => {
    fc.assert(
      fc.property(distinct, fc.nat(60), fc.nat(5), (added, bound, limit) => {
        const list = new SortedList(ascending);
        for (const item of added) list.add(item);
        const before = list.items.filter((item) => item < bound);
        expect(list.countWhile((item) => item < bound)).toBe(before.length);
        expect(list.takeWhile((item) => item < bound, limit)).toEqual(before.slice(0, limit));
        const middle = list.between(
          (item) => item < limit,
          (item) => item < bound,
        );
        expect(middle).toEqual(before.filter((item) => item >= limit));
      }),
    );
  });
});
