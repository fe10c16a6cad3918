import { beforeEach, describe, expect, it } from 'vitest';
import { RecentMarks } from './recent-marks.js';

describe('what callers have committed a moment ago', () => {
  let now: number;
  let marks: RecentMarks;
  beforeEach(() => {
    now = 0;
    marks = new RecentMarks(() => now, 12_000);
  });

  it('what callers have committed is known of each caller by its greatest mark, and of nobody else', () => {
    marks.note('ada', '2');
    marks.note('ada', '1');
    marks.note('bob', '3');
    marks.note(undefined, '9');
    expect(['ada', 'bob', 'eve', undefined].map((caller) => marks.of(caller))).toEqual([
      '2',
      '3',
      undefined,
      undefined,
    ]);
  });

  it('what callers have committed is forgotten when its time is over, counted from the last commit', () => {
    marks.note('ada', '2');
    now = 11_000;
    marks.note('ada', '1');
    now = 22_999;
    expect(marks.of('ada')).toBe('2');
    now = 23_000;
    expect(marks.of('ada')).toBeUndefined();
  });

  it('what callers have committed becomes one mark for everybody where callers are too many to be told apart, and is lost for none', () => {
    for (let caller = 0; caller <= 50_000; caller += 1) marks.note(String(caller), String(100_000 + caller));
    expect([marks.of('0'), marks.of('eve'), marks.of('50000')]).toEqual(['100000', '100000', '150000']);
    now = 12_000;
    expect([marks.of('0'), marks.of('eve')]).toEqual([undefined, undefined]);
  });
});
