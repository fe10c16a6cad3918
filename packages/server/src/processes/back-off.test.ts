import { describe, expect, it } from 'vitest';
import { BackOff } from './back-off.js';

const second = 1000;

describe('The back-off of processes that die', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['doubles while they die one after the other', [0, 1, 2, 3, 4], [100, 200, 400, 800, 1600]],
    ['begins again a minute later', [0, 1, 62], [100, 200, 100]],
    ['counts the deaths of the last minute', [0, 50, 61], [100, 200, 200]],
    ['is never more than 30 seconds', Array.from({ length: 12 }, (_, at) => at), [30_000]],
  ])('the back-off of processes that die %s', (_, deaths, delays) => {
    const backOff = new BackOff();
    const found = deaths.map((at) => backOff.next(at * second));
    expect(found.slice(-delays.length)).toEqual(delays);
  });
});
