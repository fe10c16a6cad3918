import { expect, it } from 'vitest';
import { isWellFormedId } from '@calends/model';
import { randomIds } from './random.js';

it('an id is UUIDv7 text made by the library, later ones sorted after earlier ones', () => {
  const made = Array.from({ length: 100 }, () => randomIds.next());
  expect(made.every(isWellFormedId)).toBe(true);
  expect(made.every((id) => id[14] === '7')).toBe(true);
  expect(made).toEqual([...made].sort());
  expect(new Set(made).size).toBe(100);
});
