import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '@calends/model';
import { quickest } from '../../../test/quickest.js';
import { codeOrValue, errorOf } from '../../../test/error-of.js';
import { InputIssues } from './input.js';

/** What reading gives, and the issues as `pointer code`. */
function read<Value>(how: (issues: InputIssues) => Value): { value: Value; issues: readonly string[] } {
  const issues = new InputIssues();
  const value = how(issues);
  const error = codeOrError(issues);
  return { value, issues: error.map(({ pointer, code }) => `${pointer} ${code}`) };
}

function codeOrError(issues: InputIssues): readonly { pointer: string; code: string; detail: string }[] {
  try {
    issues.throwIfAny();
    return [];
  } catch (error) {
    return (error as { issues: { pointer: string; code: string; detail: string }[] }).issues;
  }
}

const unsafeTexts: readonly [string, string][] = [
  ['NUL', 'a\u0000b'],
  ['a bell', 'a\u0007b'],
  ['an escape', '\u001b[31m'],
  ['delete', 'a\u007f'],
  ['a lone high surrogate', 'a\ud800b'],
  ['a lone low surrogate', '\udc00'],
  ['surrogates in the wrong order', '\udc00\ud800'],
];

describe('A text (D8)', () => {
  const text = (value: unknown, longest = 10): ReturnType<typeof read> =>
    read((issues) => issues.text('/title', value, longest));

  it.each([['plain'], ['tab\tline\n\r'], ['emoji 👍'], ['Ελλάδα'], ['<b>&"\'</b>'], ['=1+1'], ['{{name}}'], ['']])(
    'the text %j is kept as given',
    (value) => {
      expect(text(value)).toEqual({ value, issues: [] });
    },
  );

  it.each([undefined, null])('a text that is %s reads as absent', (value) => {
    expect(text(value)).toEqual({ value: undefined, issues: [] });
  });

  it.each([[1], [true], [{}], [['a']], [Symbol('a')], [() => 'a']])('a text must be a text: %s', (value) => {
    expect(text(value)).toEqual({ value: undefined, issues: ['/title invalid_type'] });
  });

  it('a text has a greatest length', () => {
    expect(text('x'.repeat(10)).issues).toEqual([]);
    expect(text('x'.repeat(11)).issues).toEqual(['/title too_long']);
  });

  it.each(unsafeTexts)('a text must not have %s', (_what, value) => {
    expect(text(value)).toEqual({ value: undefined, issues: ['/title invalid_characters'] });
  });

  it('a text that must be there is neither absent nor empty', () => {
    const required = (value: unknown): readonly string[] =>
      read((issues) => issues.requiredText('/id', value, 10)).issues;
    expect(required('a')).toEqual([]);
    for (const value of [undefined, null, '']) expect(required(value)).toEqual(['/id required']);
    expect(required(0)).toEqual(['/id invalid_type']);
  });
});

describe('A map of texts (D8)', () => {
  const map = (value: unknown): ReturnType<typeof read> => read((issues) => issues.textMap('/map', value));

  it('a map of texts is kept as given; absent and null are empty', () => {
    expect(map({ a: '1', 'b c': '' })).toEqual({ value: { a: '1', 'b c': '' }, issues: [] });
    expect(map(undefined)).toEqual({ value: {}, issues: [] });
    expect(map(null)).toEqual({ value: {}, issues: [] });
  });

  const ofKeys = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, '']));

  it.each<[string, unknown, string]>([
    ['a text', 'a', 'invalid_type'],
    ['a list', ['a'], 'invalid_type'],
    ['a number in it', { a: 1 }, 'invalid_type'],
    ['null in it', { a: null }, 'invalid_type'],
    ['a map in it', { a: {} }, 'invalid_type'],
    ['65 keys', ofKeys(65), 'too_many'],
    ['a key of 65 characters', { ['k'.repeat(65)]: '' }, 'invalid_key'],
    ['a key with NUL', { 'k\u0000': '' }, 'invalid_key'],
    ['a key with a lone surrogate', { '\ud800': '' }, 'invalid_key'],
    ['__proto__ as a key', JSON.parse('{"__proto__":"x"}'), 'invalid_key'],
    ['constructor as a key', { constructor: 'x' }, 'invalid_key'],
    ['prototype as a key', { prototype: 'x' }, 'invalid_key'],
    ['a value of 1025 characters', { a: 'v'.repeat(1025) }, 'too_long'],
    ['a value with NUL', { a: '\u0000' }, 'invalid_characters'],
  ])('a map of texts is refused with %s', (_what, value, code) => {
    const { issues } = map(value);
    expect(new Set(issues)).toEqual(new Set([`/map ${code}`]));
  });

  it('a map of texts has at most 64 keys of 64 characters with values of 1024', () => {
    expect(map(ofKeys(64)).issues).toEqual([]);
    expect(map({ ['k'.repeat(64)]: 'v'.repeat(1024) }).issues).toEqual([]);
  });
});

describe('A free-form object (D8)', () => {
  const object = (value: unknown): ReturnType<typeof read> => read((issues) => issues.jsonObject('/metadata', value));
  const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

  it('a free-form object is kept as given', () => {
    const value = { text: 'a', number: 1.5, yes: true, no: null, list: [1, { deep: ['x'] }] };
    expect(object(value)).toEqual({ value, issues: [] });
    for (const empty of [undefined, null, {}]) expect(object(empty)).toEqual({ value: {}, issues: [] });
  });

  it.each<[string, unknown, string]>([
    ['a list', [], 'invalid_type'],
    ['a number', 5, 'invalid_type'],
    ['nesting of 15', nested(15), 'invalid_value'],
    ['nesting of 5,000', nested(5000), 'invalid_value'],
    ['__proto__ inside', { a: JSON.parse('{"__proto__":{"polluted":true}}') }, 'invalid_value'],
    ['constructor inside a list', { a: [{ constructor: 1 }] }, 'invalid_value'],
    ['NUL inside', { a: ['\u0000'] }, 'invalid_value'],
    ['a key with NUL inside', { a: { '\u0000': 1 } }, 'invalid_value'],
    ['infinity', { a: Infinity }, 'invalid_value'],
    ['a function', { a: () => 1 }, 'invalid_value'],
    ['undefined inside a list', { a: [undefined] }, 'invalid_value'],
    ['a big integer', { a: 1n }, 'invalid_value'],
    ['a date', { a: new Date(0) }, 'invalid_value'],
    ['bytes', { a: Buffer.from('a') }, 'invalid_value'],
    ['a text as an object', { a: Object('a') as object }, 'invalid_value'],
    ['more than 16 KiB', { a: 'x'.repeat(16 * 1024) }, 'too_large'],
    ['more than 16 KiB of two-byte letters', { a: 'ä'.repeat(8 * 1024) }, 'too_large'],
  ])('a free-form object is refused with %s', (_what, value, code) => {
    expect(object(value).issues).toEqual([`/metadata ${code}`]);
  });

  it('a free-form object that holds itself is refused', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(object(cyclic).issues).toEqual(['/metadata invalid_value']);
  });

  it(`a free-form object may be nested ${limits.metadataDepth} deep`, () => {
    expect(object(nested(limits.metadataDepth)).issues).toEqual([]);
  });

  it('a free-form object pollutes no prototype', () => {
    object(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('a free-form object that names the same branches again and again is not walked to its end', () => {
    let branch: unknown = 'leaf';
    for (let depth = 2; depth < limits.metadataDepth; depth += 1) branch = Array.from({ length: 50 }, () => branch);
    const value = { branch };
    expect(object(value).issues).toEqual(['/metadata too_large']);
    expect(quickest(() => object(value))).toBeLessThan(20);
  });

  it('a free-form object never throws anything but issues, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }), (value) => {
        const { issues } = object(value);
        expect(issues.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('a free-form object of 100 KB is read in little time', () => {
    const wide = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, 'x'.repeat(1700)]));
    const flat = { a: Array.from({ length: 50_000 }, () => 0) };
    for (const value of [wide, flat, { a: '\ud83d\udc4d'.repeat(50_000) }]) {
      expect(object(value).issues).toEqual(['/metadata too_large']);
      expect(quickest(() => object(value))).toBeLessThan(20);
    }
  });
});

describe('What is wrong with an input', () => {
  it('what is wrong with an input is told all at once, with one code', async () => {
    const issues = new InputIssues();
    issues.add('/start', 'required', 'Must be given.');
    issues.add('/duration', 'required', 'Must be given.');
    const error = await errorOf(() => issues.throwIfAny());
    expect(error.code).toBe('validation_failed');
    expect(error.issues).toHaveLength(2);
    expect(codeOrValue(() => issues.throwIfAny('invalid_schedule'))).toBe('invalid_schedule');
  });

  it('what is wrong with an input never repeats what was sent (D36)', () => {
    const marker = 'marker-7f3a';
    const issues = new InputIssues();
    issues.text('/a', `${marker}\u0000`, 100);
    issues.textMap('/b', { [`${marker}\u0000`]: marker });
    issues.jsonObject('/c', { [marker]: `${marker}\u0000` });
    expect(JSON.stringify(codeOrError(issues))).not.toContain(marker);
    expect(codeOrError(issues)).toHaveLength(3);
  });
});
