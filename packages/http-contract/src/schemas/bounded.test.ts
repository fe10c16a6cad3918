import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exceedsJsonSize } from './bounded.js';

describe('The size of a map as JSON text (D8)', () => {
  it('the size of a map as JSON text is that of compact JSON in UTF-8', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    const value = fc.letrec<{ any: unknown }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any')),
        fc.dictionary(text, tie('any')),
      ),
    })).any;
    fc.assert(
      fc.property(value, (sample) => {
        const bytes = Buffer.byteLength(JSON.stringify(sample));
        expect(exceedsJsonSize(sample, bytes)).toBe(false);
        expect(exceedsJsonSize(sample, bytes - 1)).toBe(true);
      }),
    );
  });

  it('the size of a map as JSON text is found out without recursion', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(exceedsJsonSize(deep, 16_384)).toBe(true);
  });
});
