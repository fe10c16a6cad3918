import { describe, expect, it } from 'vitest';
import { sealedCopy } from './sealed-copy.js';

describe('sealedCopy', () => {
  it('sealedCopy is equal and shares nothing with the original', () => {
    const original = { list: [{ deep: [1, null, 'x'] }], map: { yes: true } };
    const copy = sealedCopy(original);
    expect(copy).toStrictEqual(original);
    original.list[0]?.deep.push(2);
    original.map.yes = false;
    expect(copy).toStrictEqual({ list: [{ deep: [1, null, 'x'] }], map: { yes: true } });
  });

  it('sealedCopy cannot be changed at any depth', () => {
    const copy = sealedCopy({ list: [{ deep: [1] }] });
    expect(() => copy.list.push({ deep: [] })).toThrow(TypeError);
    expect(() => copy.list[0]?.deep.push(2)).toThrow(TypeError);
    expect(() => Object.assign(copy, { added: true })).toThrow(TypeError);
  });

  it('sealedCopy drops properties that are undefined', () => {
    expect(Object.keys(sealedCopy({ kept: null, dropped: undefined }))).toEqual(['kept']);
  });

  it('sealedCopy keeps __proto__ as an own key', () => {
    const copy = sealedCopy(JSON.parse('{"__proto__":{"polluted":true}}') as object);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"polluted":true}}');
  });
});
