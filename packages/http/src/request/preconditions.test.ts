import { describe, expect, it } from 'vitest';
import { admittedVersions, entityTag, hasCurrent, idempotencyKeyOf } from './headers.js';

describe('If-Match', () => {
  it.each([
    [undefined, undefined],
    ['*', 'any'],
    ['"3"', [3]],
    ['"3", "5"', [3, 5]],
    ['"3","5"', [3, 5]],
    ['"3",', [3]],
    [',, "3" , ,"5"', [3, 5]],
    ['W/"3"', []],
    ['W/"3", "4"', [4]],
    ['"abc"', []],
    ['"03"', []],
    ['"1e3"', []],
    ['""', []],
    ['"99999999999999999999"', []],
  ])('If-Match %s admits the versions %j', (header, versions) => {
    expect(admittedVersions(header, 'refuse')).toEqual(versions);
  });

  it.each(['3', '"3', '3"', '"3" "4"', ',', '', 'W/3', '"a"b"', '"3"\n', `"${'x'.repeat(2000)}"`])(
    'If-Match refuses %j where the operation knows 400, and never matches where it does not',
    (header) => {
      expect(() => admittedVersions(header, 'refuse')).toThrow('not valid');
      expect(admittedVersions(header, 'neverMatches')).toEqual([]);
    },
  );

  it('If-Match admits the tag that an answer carries', () => {
    expect(entityTag(7)).toBe('"7"');
    expect(admittedVersions(entityTag(7), 'refuse')).toEqual([7]);
  });
});

describe('If-None-Match', () => {
  it.each([
    ['"3"', true],
    ['W/"3"', true],
    ['"2", "3"', true],
    ['"2",W/"3" , "x"', true],
    ['*', true],
    [' * ', true],
    [undefined, false],
    ['"2"', false],
    ['"03"', false],
    ['"33"', false],
    ['""', false],
    ['"2,3"', false],
    ['3', false],
    ['"3', false],
    ['w/"3"', false],
    ['"3",', true],
    [',', false],
    ['"3" "4"', false],
    ['*, "3"', false],
    ['', false],
    [`"3"${', "x"'.repeat(300)}`, false],
  ])('If-None-Match %j says of "3" that the client has it: %s', (header, has) => {
    expect(hasCurrent(header, '"3"')).toBe(has);
  });

  it('If-None-Match names nothing but * where an answer has no tag that tells all of it', () => {
    expect(['*', '"3"', 'undefined', '"undefined"'].map((header) => hasCurrent(header, undefined))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('Idempotency-Key', () => {
  it.each([undefined, 'a', '!~', 'x'.repeat(255)])('Idempotency-Key may be %s', (key) => {
    expect(idempotencyKeyOf(key)).toBe(key);
  });

  it.each(['', 'x'.repeat(256), 'a b', 'a,\tb', 'ä', '\u0000'])(
    'Idempotency-Key is 1 to 255 visible ASCII characters, not %j',
    (key) => {
      expect(() => idempotencyKeyOf(key)).toThrow('not valid');
    },
  );
});
