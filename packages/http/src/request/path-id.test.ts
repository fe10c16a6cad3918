import { describe, expect, it } from 'vitest';
import { decodePathId } from './matcher.js';

describe('an id in a path', () => {
  it.each([
    ['abc', 'abc'],
    ['a%20b', 'a b'],
    ['%E2%82%AC', '€'],
  ])('the id %s in a path is %s', (segment, id) => {
    expect(decodePathId(segment, 64)).toBe(id);
  });

  it.each(['%', '%zz', '%00', '%ed%a0%80', '%0d%0a', 'x'.repeat(65), 'x'.repeat(6000), '%41'.repeat(6000)])(
    'an id in a path cannot be %s',
    (segment) => {
      expect(decodePathId(segment, 64)).toBeUndefined();
    },
  );
});
