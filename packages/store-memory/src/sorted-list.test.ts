import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedList } from './sorted-list.js';

const ascending = (a: number, b: number): number => a - b;
const distinct = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });

/** With blocks of four items at most, so that few items make many blocks. */
function listOf(items: readonly number[]): SortedList<number> {
  const list = new SortedList(ascending, 4);
  for (const item of items) list.add(item);
  return list;
}

describe('SortedList', () => {
  it('SortedList holds what was added and not removed, in order', () => {
    fc.assert(
      fc.property(distinct, distinct, distinct, (added, removed, addedAgain) => {
        const list = listOf(added);
        const model = new Set(added);
        for (const item of removed) {
          list.remove(item);
          model.delete(item);
          expect(list.first).toBe([...model].sort(ascending)[0]);
        }
        for (const item of addedAgain.filter((each) => !model.has(each))) {
          list.add(item);
          model.add(item);
        }
        expect(list.items).toEqual([...model].sort(ascending));
        expect(list.isEmpty).toBe(model.size === 0);
      }),
    );
  });

  it('SortedList counts and takes the items before a bound', () => {
    fc.assert(
      fc.property(distinct, fc.nat(61), fc.nat(61), (added, bound, other) => {
        const list = listOf(added);
        const before = list.items.filter((item) => item < bound);
        expect(list.countWhile((item) => item < bound)).toBe(before.length);
        expect(list.takeWhile((item) => item < bound, other)).toEqual(before.slice(0, other));
        const middle = list.between(
          (item) => item < other,
          (item) => item < bound,
        );
        expect(middle).toEqual(before.filter((item) => item >= other));
      }),
    );
  });

  it('SortedList slices as an array does, from any place to any place', () => {
    fc.assert(
      fc.property(distinct, fc.nat(50), fc.nat(50), (added, from, to) => {
        const list = listOf(added);
        expect(list.slice(from, to)).toEqual(list.items.slice(from, to));
      }),
    );
  });

  it('SortedList keeps the answers that it gave while it changes', () => {
    const list = listOf([1, 2]);
    const { items } = list;
    list.add(3);
    expect(items).toEqual([1, 2]);
    expect(list.items).toEqual([1, 2, 3]);
  });
});
