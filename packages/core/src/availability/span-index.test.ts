import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joined, SpanIndex, without } from './span-index.js';

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

it('Joined spans have the same instants, and none touches another', () => {
  fc.assert(
    fc.property(spans, span, (given, { from, to }) => {
      const index = joined(given);
      const isOpen = (at: number) => given.some((one) => one.from <= at && at < one.to);
      const instants = Array.from({ length: to - from }, (_, at) => from + at);
      expect(index.covers(from, to)).toBe(instants.every(isOpen));
      index.spans.slice(1).forEach((one, place) => {
        expect(one.from).toBeGreaterThan(index.spans[place]!.to);
      });
    }),
  );
});

it('What is left of spans covers a time exactly when they do and nothing that is taken meets it', () => {
  fc.assert(
    fc.property(spans, spans, fc.array(span, { minLength: 1 }), (given, taken, asked) => {
      const [open, gone] = [joined(given), new SpanIndex(taken)];
      const left = without(open, taken);
      for (const { from, to } of asked) {
        expect(left.covers(from, to)).toBe(open.covers(from, to) && gone.meeting(from, to).length === 0);
      }
    }),
  );
});
