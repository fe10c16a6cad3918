import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryString } from './query-string.js';

describe('the query', () => {
  it('the query has all values of each name, in the order of the address', () => {
    expect({ ...parseQueryString('agentId=a&x=1&agentId=b%2Cc&flag&empty=&&a+b=c+d') }).toEqual({
      agentId: ['a', 'b,c'],
      x: ['1'],
      flag: [''],
      empty: [''],
      'a b': ['c d'],
    });
  });

  it.each([
    ['broken percent-encoding', 'a=%'],
    ['broken percent-encoding in a name', '%zz=1'],
    ['bytes that are no UTF-8', 'a=%ff'],
    ['a NUL', 'a=%00'],
    ['a line break that would end a header', 'a=%0b'],
    ['a lone surrogate', 'a=%ed%a0%80'],
    ['more than 200 pairs', Array.from({ length: 201 }, (_, index) => `a=${index}`).join('&')],
    ['more than 32 KiB', `a=${'x'.repeat(33_000)}`],
  ])('the query is refused with %s', (_, raw) => {
    expect(parseQueryString(raw)).toBeUndefined();
  });

  it('the query cannot reach a prototype', () => {
    const values = parseQueryString('__proto__=x&constructor=y&__proto__[polluted]=z');
    expect(Object.getPrototypeOf(values)).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(values?.['__proto__']).toEqual(['x']);
  });

  it('the query gives back whatever was encoded', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (pairs) => {
        const raw = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
        const read = parseQueryString(raw) ?? {};
        for (const [name] of pairs) {
          expect(read[name]).toEqual(pairs.filter(([other]) => other === name).map(([, value]) => value));
        }
      }),
    );
  });

  it('the query never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (raw) => void parseQueryString(raw)));
  });
});
