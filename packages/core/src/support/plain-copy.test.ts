import { describe, expect, it } from 'vitest';
import { plainCopy } from './plain-copy.js';

describe('A copy of plain data', () => {
  it('a copy of plain data shares no object with what it is of', () => {
    const given = { a: [1, { b: 'x' }, [null, undefined]], c: { d: true, e: undefined } };
    const copy = plainCopy(given);
    expect(copy).toStrictEqual(given);
    given.a.push(2);
    (given.a[1] as { b: string }).b = 'y';
    given.c.d = false;
    expect(copy).toStrictEqual({ a: [1, { b: 'x' }, [null, undefined]], c: { d: true, e: undefined } });
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['nothing', undefined],
    ['null', null],
    ['a date', new Date(0)],
    ['a map', new Map([[1, 2]])],
    ['bytes', new Uint8Array(2)],
    ['a function', () => 1],
    ['a signal', new AbortController().signal],
    ['an object with a prototype of its own', Object.create({ a: 1 })],
  ])('a copy of plain data hands on what is none: %s', (_what, value) => {
    expect(plainCopy(value)).toBe(value);
    expect(plainCopy([value])[0]).toBe(value);
  });

  it('a copy of plain data has no negative zero, as JSON has none', () => {
    expect(plainCopy({ a: [-0], b: -0 })).toStrictEqual({ a: [0], b: 0 });
  });

  it('a copy of plain data holds itself where what it is of does', () => {
    const given: { again?: unknown } = {};
    given.again = [given];
    const copy = plainCopy(given) as { readonly again: readonly unknown[] };
    expect(copy).not.toBe(given);
    expect(copy.again[0]).toBe(copy);
  });

  it('a copy of plain data may be deep, and of a list with holes', () => {
    let deep: unknown = 0;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(Array.isArray(plainCopy(deep))).toBe(true);
    // oxlint-disable-next-line no-sparse-arrays -- the holes of a list are what is copied here
    expect(plainCopy([1, , 3, ,])).toHaveLength(4);
  });

  it('a copy of plain data has members of reserved names as its own, and gets no prototype of them', () => {
    const copy = plainCopy(JSON.parse('{"__proto__":{"polluted":true}}') as object);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect('polluted' in copy).toBe(false);
  });
});
