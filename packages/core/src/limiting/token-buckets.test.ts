import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBuckets } from './token-buckets.js';

const size = { perSecond: 5, burst: 60 };
const takeMany = (buckets: TokenBuckets, key: string, times: number, now: number) =>
  Array.from({ length: times }, () => buckets.take(key, now)).filter((wait) => wait === 0).length;

describe('token buckets', () => {
  it('token buckets give a burst at once, then so many a second', () => {
    const buckets = new TokenBuckets(size, 10);
    expect(takeMany(buckets, 'a', 100, 0)).toBe(60);
    expect(takeMany(buckets, 'a', 100, 1000)).toBe(5);
    expect(takeMany(buckets, 'a', 100, 12_999)).toBe(59);
    expect(takeMany(buckets, 'a', 100, 60_000)).toBe(60);
  });

  it('token buckets say how long until there is a token, and have one then', () => {
    const buckets = new TokenBuckets(size, 10);
    takeMany(buckets, 'a', 60, 0);
    expect(buckets.take('a', 0)).toBe(200);
    expect(buckets.take('a', 150)).toBe(50);
    expect(buckets.take('a', 200)).toBe(0);
  });

  it('what is refused costs nothing', () => {
    const buckets = new TokenBuckets(size, 10);
    takeMany(buckets, 'a', 1000, 0);
    expect(buckets.take('a', 200)).toBe(0);
  });

  it('token buckets keep each key apart', () => {
    const buckets = new TokenBuckets(size, 10);
    takeMany(buckets, 'a', 60, 0);
    expect(buckets.take('a', 0)).toBeGreaterThan(0);
    expect(buckets.take('b', 0)).toBe(0);
  });

  it('however many keys come, no more are kept than may be, and one that is in use is not forgotten', () => {
    const buckets = new TokenBuckets(size, 100);
    takeMany(buckets, 'attacker', 60, 0);
    for (let other = 0; other < 10_000; other += 1) {
      const now = other / 100;
      buckets.take(`other-${String(other)}`, now);
      expect(buckets.size).toBeLessThanOrEqual(101);
      expect(buckets.take('attacker', now)).toBeGreaterThan(0);
    }
  });

  it('keys that find no place share a bucket, and have their own again once there is room', () => {
    const buckets = new TokenBuckets(size, 2);
    buckets.take('a', 0);
    buckets.take('b', 0);
    expect(takeMany(buckets, 'c', 40, 0) + takeMany(buckets, 'd', 40, 0)).toBe(60);
    expect(takeMany(buckets, 'e', 100, 1000)).toBe(60);
  });

  it('a clock that goes back gives nothing away', () => {
    const buckets = new TokenBuckets(size, 10);
    takeMany(buckets, 'a', 60, 10_000);
    expect(buckets.take('a', 0)).toBeGreaterThan(0);
  });

  it('token buckets never give more than a burst and what has come since, whatever the times of the requests', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 1, maxLength: 400 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 30 }), (times, perSecond, burst) => {
        const buckets = new TokenBuckets({ perSecond, burst }, 1);
        let now = 0;
        let given = 0;
        for (const gap of times) {
          now += gap;
          if (buckets.take('a', now) === 0) given += 1;
          expect(given).toBeLessThanOrEqual(burst + (now * perSecond) / 1000 + 1e-6);
        }
      }),
    );
  });
});
