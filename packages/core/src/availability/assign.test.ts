import fc from 'fast-check';
import { expect, it } from 'vitest';
import { assignments, isAssignable, type Pool } from './assign.js';

const pool = fc.record({
  count: fc.integer({ min: 1, max: 3 }),
  ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 }),
});
const pools = fc.array(pool, { maxLength: 3 });

/** Every way, by trying all: subsets of each pool in the order of its ids. */
function everyWay([first, ...others]: readonly Pool[]): readonly (readonly (readonly string[])[])[] {
  if (first === undefined) return [[]];
  const subsets = (ids: readonly string[], count: number): readonly (readonly string[])[] =>
    count === 0
      ? [[]]
      : ids.flatMap((id, place) => subsets(ids.slice(place + 1), count - 1).map((rest) => [id, ...rest]));
  return subsets(first.ids, first.count).flatMap((own) =>
    everyWay(others)
      .filter((way) => !way.flat().some((id) => own.includes(id)))
      .map((way) => [own, ...way]),
  );
}

it('Assignments are all ways to give each its own, in the order of the pools', () => {
  fc.assert(
    fc.property(pools, (given) => {
      const all = everyWay(given);
      expect([...assignments(given)]).toEqual(all);
      expect(isAssignable(given)).toBe(all.length > 0);
    }),
  );
});

it('The first of a hundred for fifty seats is found without trying all', () => {
  const ids = Array.from({ length: 100 }, (_, place) => String(place));
  const many = Array.from({ length: 5 }, () => ({ count: 10, ids }));
  const [first] = assignments(many);
  expect(first?.flat()).toEqual(ids.slice(0, 50));
});
