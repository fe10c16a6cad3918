import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareText } from './compare-text.js';

describe('compareText', () => {
  it.each([
    ['', ' '],
    ['A', 'A '],
    ['A ', 'A!'],
    ['Z', 'a'],
    ['e', 'e\u0301'],
    ['e\u0301', '\u00e9'],
    ['\uff21', '𐐀'],
    ['\ue000', '😀'],
    ['\ud7ff', '\ue000'],
  ])('compareText puts %j before %j', (first, second) => {
    expect(compareText(first, second)).toBeLessThan(0);
    expect(compareText(second, first)).toBeGreaterThan(0);
  });

  it('compareText orders every two texts as their UTF-8 bytes are ordered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (first, second) => {
        const byBytes = Buffer.compare(Buffer.from(first), Buffer.from(second));
        expect(Math.sign(compareText(first, second))).toBe(byBytes);
      }),
    );
  });
});
