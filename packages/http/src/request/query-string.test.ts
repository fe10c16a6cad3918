import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryString, type QueryValues } from './query-string.js';

function valuesOf(raw: string): QueryValues {
  const read = parseQueryString(raw);
  if ('values' in read) return read.values;
  throw new Error(read.fault);
}

describe('the query', () => {
  it('the query has all values of each name, in the order of the address', () => {
    expect(valuesOf('agentId=a&x=1&agentId=b%2Cc&flag&empty=&&a+b=c+d')).toEqual({
      agentId: ['a', 'b,c'],
      x: ['1'],
      flag: [''],
      empty: [''],
      'a b': ['c d'],
    });
  });

  it.each([
    ['broken percent-encoding', 'b=1&a=%', 'a', 'percent-encoded'],
    ['broken percent-encoding in a name', '%zz=1', undefined, 'percent-encoded'],
    ['bytes that are no UTF-8', 'a=%ff', 'a', 'UTF-8'],
    ['a NUL', 'a=%00', 'a', 'control characters'],
    ['a line break that would end a header', 'a=%0b', 'a', 'control characters'],
    ['a lone surrogate', 'a=%ed%a0%80', 'a', 'UTF-8'],
    ['more than 200 pairs', Array.from({ length: 201 }, (_, index) => `a=${index}`).join('&'), undefined, '200'],
    ['more than 32 KiB', `a=${'x'.repeat(33_000)}`, undefined, '32 KiB'],
  ])('the query is refused with %s, and says so', (_, raw, parameter, words) => {
    const read = parseQueryString(raw);
    expect(read).toEqual({ fault: expect.stringContaining(words) as string, ...(parameter && { parameter }) });
  });

  it('the query cannot reach a prototype', () => {
    const values = valuesOf('__proto__=x&constructor=y&__proto__[polluted]=z');
    expect(Object.getPrototypeOf(values)).toBeNull();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(values['__proto__']).toEqual(['x']);
  });

  it('the query gives back whatever was encoded', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((value) => !/[\p{Cc}\p{Cs}]/u.test(value));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (pairs) => {
        const raw = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
        const read = valuesOf(raw);
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
