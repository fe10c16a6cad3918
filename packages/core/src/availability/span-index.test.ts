import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SpanIndex } from './span-index.js';

const instant = fc.integer({ min: 0, max: 40 });
const span = fc.tuple(instant, fc.integer({ min: 1, max: 15 })).map(([from, length]) => ({ from, to: from + length }));
const spans = fc.array(span, { maxLength: 20 });
const sorted = (found: readonly { readonly from: number; readonly to: number }[]) =>
  found.toSorted((one, other) => one.from - other.from || one.to - other.to);

it('The spans that meet a time are those that have an instant in common with it', () => {
  fc.assert(
    fc.property(spans, span, (given, { from, to }) => {
      const expected = given.filter((one) => one.from < to && one.to > from);
      expect(sorted(new SpanIndex(given).meeting(from, to))).toEqual(sorted(expected));
    }),
  );
});
