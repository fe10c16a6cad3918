import { describe, expect, it } from 'vitest';
import { parseLimits } from './limits.js';

describe('CALENDS_LIMITS', () => {
  it.each([
    ['off', 'off'],
    ['address=2/20', { address: { perSecond: 2, burst: 20 } }],
    [
      'address=0.5/10, application=100/1000',
      { address: { perSecond: 0.5, burst: 10 }, application: { perSecond: 100, burst: 1000 } },
    ],
    ['concurrent=50', { concurrent: 50 }],
  ])('CALENDS_LIMITS as %s is read', (text, limits) => {
    expect(parseLimits(text)).toEqual(limits);
  });

  it.each([
    '',
    'on',
    'address=5',
    'address=0/60',
    'address=5/0',
    'name=5/60',
    'concurrent=0',
    'concurrent=-1',
    'off,off',
    'address=5/60,address=6/60',
    'concurrent=5,address=5/60,concurrent=6',
  ])('CALENDS_LIMITS as %j is refused', (text) => {
    expect(parseLimits(text)).toBeUndefined();
  });
});
