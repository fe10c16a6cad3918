import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.js';

const now = Date.UTC(2030, 0, 1, 12, 0, 0);

it.each([
  [undefined, undefined],
  ['0', 0],
  ['120', 120_000],
  ['Tue, 01 Jan 2030 12:01:00 GMT', 60_000],
  ['Tuesday, 01-Jan-30 12:01:00 GMT', 60_000],
  ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
  ['Tue Jan  1 12:01:00 2030', 60_000],
  ['Tue, 01 Jan 2030 12:01:00', undefined],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['2030', 2_030_000],
  ['9'.repeat(30), undefined],
  ['soon', undefined],
])('Retry-After %j is a wait of %j ms', (value, wait) => {
  expect(readRetryAfter(value, now)).toBe(wait);
});
