import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSafeText } from '@calends/model';
import * as z from 'zod';
import { checkJson, decodeBody } from './decode.js';

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

const inArray = (inner: unknown) => [inner];
const inObject = (inner: unknown) => ({ a: inner });

describe('Safe text', () => {
  it.each([
    ['plain text', 'Hello', true],
    ['tab, line feed and carriage return', 'a\tb\nc\r', true],
    ['letters and emoji beyond ASCII', 'Žluťoučký 👩‍👩‍👧 \u2028', true],
    ['the empty text', '', true],
    ['NUL', 'a\u0000b', false],
    ['an escape character', '\u001b[31m', false],
    ['DEL', '\u007f', false],
    ['a C1 control character', '\u0085', false],
    ['a lone high surrogate', 'a\ud800', false],
    ['a lone low surrogate', '\udc00b', false],
    ['two high surrogates before a low one', '\ud83d\ud83d\ude00', false],
  ])('text is told to be safe or not: %s', (_name, text, safe) => {
    expect(isSafeText(text)).toBe(safe);
  });
});

describe('Checks of parsed JSON', () => {
  it.each([
    ['nothing', null],
    ['an appointment-like body', { title: 'a', customers: [{ name: { firstName: 'b' } }], n: 1, ok: true, no: null }],
    ['arrays nested 16 deep', nested(16, inArray)],
    ['objects nested 16 deep', nested(16, inObject)],
  ])('checks of parsed JSON accept %s', (_name, value) => {
    expect(checkJson(value)).toEqual([]);
  });

  it.each([
    ['arrays 17 deep', 17, inArray],
    ['objects 17 deep', 17, inObject],
    ['arrays 5,000 deep', 5000, inArray],
    ['objects 100,000 deep', 100_000, inObject],
  ])('nesting deeper than 16 is refused without recursion: %s', (_name, levels, wrap) => {
    const problems = checkJson(nested(levels, wrap));
    expect(problems.map(({ code }) => code)).toEqual(['too_deep']);
    expect(problems[0]!.pointer!.split('/')).toHaveLength(16);
  });

  it.each([
    ['NUL in a value', '{"a":{"b":["x","\\u0000"]}}', '/a/b/1', 'invalid_characters'],
    ['a lone surrogate in a value', '{"title":"\\ud800"}', '/title', 'invalid_characters'],
    ['the body itself an unsafe text', '"\\u0001"', '', 'invalid_characters'],
    ['NUL in a name points to the object that holds it', '{"a":{"x\\u0000":1}}', '/a', 'invalid_characters'],
    ['a lone surrogate in a name', '{"\\udfff":1}', '', 'invalid_characters'],
    ['__proto__', '{"a":{"__proto__":{"polluted":1}}}', '/a', 'reserved_name'],
    ['constructor', '{"constructor":{"prototype":1}}', '', 'reserved_name'],
    ['prototype inside an array', '{"a":[{"prototype":1}]}', '/a/0', 'reserved_name'],
    ['a number beyond the range of a double', '{"a":[1e400]}', '/a/0', 'out_of_range'],
    ['a name that is no field’s is not sent back', '{"a":{"<b>":{"c":"\\u0000"}}}', '/a', 'invalid_characters'],
    ['an address as a name', '{"ada@example.org":"\\u0000"}', '', 'invalid_characters'],
    ['a name within a map', '{"metadata":{"Ada":{"b":"\\u0000"}}}', '/metadata', 'invalid_characters'],
    [
      'a name within a map of a part',
      '{"interaction":{"customFields":{"Ada":1e400}}}',
      '/interaction/customFields',
      'out_of_range',
    ],
  ])('%s → 400', (_name, json, pointer, code) => {
    expect(checkJson(JSON.parse(json)).map((problem) => [problem.pointer, problem.code])).toEqual([[pointer, code]]);
  });

  const throws = {
    get secret(): never {
      throw new Error('internal');
    },
  };
  const closed = new Proxy({}, { ownKeys: () => throws.secret, getPrototypeOf: () => throws.secret });
  const gone = Proxy.revocable([], {});
  gone.revoke();
  const itself: Record<string, unknown> = {};
  itself['again'] = [itself, itself];

  it.each<[string, unknown, string, string]>([
    ['a BigInt', { a: [5n] }, '/a/0', 'out_of_range'],
    ['a BigInt within a map', { metadata: { x: 5n } }, '/metadata', 'out_of_range'],
    ['a symbol', { a: Symbol('x') }, '/a', 'invalid_type'],
    ['a function', { metadata: { toJSON: () => throws.secret } }, '/metadata', 'invalid_type'],
    ['a function as the whole', () => 1, '', 'invalid_type'],
    ['a getter that throws', { a: throws }, '/a', 'invalid_type'],
    ['a proxy that throws', { a: closed }, '/a', 'invalid_type'],
    ['a proxy that is revoked', { a: gone.proxy }, '/a', 'invalid_type'],
    [
      'an element that throws',
      { a: Object.defineProperty([1], 0, { get: () => throws.secret }) },
      '/a',
      'invalid_type',
    ],
  ])('checks of what a parser of a host made refuse what no JSON has: %s', (_name, value, pointer, code) => {
    expect(checkJson(value).map((problem) => [problem.pointer, problem.code])).toEqual([[pointer, code]]);
  });

  it('checks of what a parser of a host made end where an object holds itself', () => {
    expect(new Set(checkJson(itself).map(({ code }) => code))).toEqual(new Set(['too_deep']));
  });

  it('Checks of parsed JSON leave prototypes alone', () => {
    checkJson(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('checks of parsed JSON list every kind of fault, and at most 20 of a hundred thousand', () => {
    const both = JSON.parse('{"a":"\\u0000","b":{"__proto__":1}}');
    expect(checkJson(both).map(({ code }) => code)).toEqual(['invalid_characters', 'reserved_name']);
    expect(checkJson(Array(100_000).fill('\u0000'))).toHaveLength(20);
    expect(
      checkJson(Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`\u0000${index}`, 1]))),
    ).toHaveLength(20);
  });

  it('Checks of parsed JSON do not echo an overlong name in a pointer', () => {
    const [problem] = checkJson({ a: { ['k'.repeat(100_000)]: '\u0000' } });
    expect(problem?.pointer).toBe('/a');
  });

  it('Checks of parsed JSON find an unsafe text wherever it is, and nothing where there is none', () => {
    const path = fc.array(fc.oneof(fc.stringMatching(/^[a-z]{1,8}$/), fc.constant(0)), { maxLength: 15 });
    fc.assert(
      fc.property(path, fc.boolean(), (steps, unsafe) => {
        const value = steps.reduceRight<unknown>(
          (inner, step) => (typeof step === 'number' ? [inner] : { before: 'x', [step]: inner, zAfter: [1] }),
          unsafe ? '\u0000' : 'safe',
        );
        const pointer = steps.map((step) => `/${String(step)}`).join('');
        expect(checkJson(value).map((problem) => problem.pointer)).toEqual(unsafe ? [pointer] : []);
      }),
    );
  });
});

describe('A member that is null', () => {
  const schema = z.object({
    needed: z.string(),
    optional: z.string().optional(),
    count: z.int().optional(),
    word: z.enum(['a', 'b']).optional(),
    part: z.object({ needed: z.number(), optional: z.boolean().optional() }).optional(),
    list: z.array(z.string()).optional(),
  });

  it.each<[string, object, readonly string[]]>([
    ['is missing where something must be', { needed: null }, ['/needed required Is required.']],
    ['is of another type where nothing must be', { optional: null }, ['/optional invalid_type Must be a string.']],
    ['is no whole number', { count: null }, ['/count invalid_type Must be a number.']],
    ['beside it may be no whole number', { count: 1.5 }, ['/count invalid_type Must be a whole number.']],
    ['is no word of a set', { word: null }, ['/word invalid_value Must be one of: a, b.']],
    ['is no part', { part: null }, ['/part invalid_type Must be an object.']],
    [
      'is judged by its own place, each',
      { needed: null, optional: null, part: { needed: null, optional: null } },
      [
        '/needed required Is required.',
        '/optional invalid_type Must be a string.',
        '/part/needed required Is required.',
        '/part/optional invalid_type Must be true or false.',
      ],
    ],
    ['is of another type in a list', { list: ['a', null] }, ['/list/1 invalid_type Must be a string.']],
  ])('a member that is null %s', (_what, changes, faults) => {
    const decoded = decodeBody(schema, { needed: 'x', ...changes });
    const found = decoded.ok ? [] : decoded.errors;
    expect(found.map(({ pointer, code, detail }) => `${pointer} ${code} ${detail}`)).toEqual(faults);
  });
});

it('A body that cannot be copied has its members that are null refused all the same', () => {
  const body = new Proxy({ needed: null }, {});
  const decoded = decodeBody(z.object({ needed: z.string() }), body);
  expect(decoded).toMatchObject({ ok: false, errors: [{ pointer: '/needed', code: 'required' }] });
});

describe('A member of another type than the one that is asked for', () => {
  const form = z.object({
    text: z.string().min(1).max(4).optional(),
    list: z.array(z.string().min(1).max(4)).min(1).max(2).optional(),
  });
  const long = ['a', 'b', 'c', 'd', 'e'];

  it.each<[string, object, readonly [pointer: string, code: string][]]>([
    ['an empty list for a string', { text: [] }, [['/text', 'invalid_type']]],
    ['a long list for a string', { text: long }, [['/text', 'invalid_type']]],
    ['an object with a length for a string', { text: { length: 0 } }, [['/text', 'invalid_type']]],
    ['an empty string for a list', { list: '' }, [['/list', 'invalid_type']]],
    ['a long string for a list', { list: 'abcde' }, [['/list', 'invalid_type']]],
    ['an empty list in a list of strings', { list: [[]] }, [['/list/0', 'invalid_type']]],
    ['a string that is empty', { text: '' }, [['/text', 'too_short']]],
    [
      'a list of wrong elements, one of them of another type',
      { list: [1, ''] },
      [
        ['/list/0', 'invalid_type'],
        ['/list/1', 'too_short'],
      ],
    ],
  ])(
    'a member of another type is one fault, and no rule of the right type is broken as well: %s',
    (_what, body, expected) => {
      const decoded = decodeBody(form, body);
      const errors = decoded.ok ? [] : decoded.errors;
      expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual(expected);
    },
  );
});
