import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joined, without } from './open-time.js';
import { SpanIndex } from './span-index.js';

const instant = fc.integer({ min: 0, max: 40 });
const span = fc.tuple(instant, fc.integer({ min: 1, max: 15 })).map(([from, length]) => ({ from, to: from + length }));
const spans = fc.array(span, { maxLength: 20 });

it('Joined spans have the same instants, and none touches another', () => {
  fc.assert(
    fc.property(spans, span, (given, { from, to }) => {
      const index = joined(given);
      const isOpen = (at: number) => given.some((one) => one.from <= at && at < one.to);
      const instants = Array.from({ length: to - from }, (_, at) => from + at);
      expect(index.covers(from, to)).toBe(instants.every(isOpen));
      expect(index.instants).toEqual([...new Set(index.instants)].toSorted((one, other) => one - other));
    }),
  );
});

it('What is left of spans covers a time exactly when they do and nothing that is taken meets it', () => {
  fc.assert(
    fc.property(spans, spans, fc.array(span, { minLength: 1 }), (given, taken, asked) => {
      const [open, gone] = [joined(given), new SpanIndex(taken)];
      const left = without(
        open,
        taken.flatMap(({ from, to }) => [from, to]),
      );
      for (const { from, to } of asked) {
        expect(left.covers(from, to)).toBe(open.covers(from, to) && gone.meeting(from, to).length === 0);
      }
    }),
  );
});
