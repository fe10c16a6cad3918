import { CalendsError, type ErrorCode } from '@calends/core';
import { describe, expect, it } from 'vitest';
import { whenAnswered } from './when-answered.js';

describe('A request that another one of the same key is under way for', () => {
  /** Answers with the codes one after the other, and then with a text; says how often it was asked, and when. */
  const asked = async (codes: readonly ErrorCode[]) => {
    const left = [...codes];
    const pauses: number[] = [];
    const ask = (): Promise<string> => {
      const code = left.shift();
      return code === undefined ? Promise.resolve('booked') : Promise.reject(new CalendsError(code, 'Refused.'));
    };
    const pause = (milliseconds: number): Promise<void> => {
      pauses.push(milliseconds);
      return Promise.resolve();
    };
    const answer = await whenAnswered(ask, pause).catch((error: unknown) => (error as CalendsError).code);
    return { answer, left: left.length, waited: pauses.reduce((sum, each) => sum + each, 0) };
  };
  const underWay = 'idempotency_in_progress';
  const manyTimes = Array<ErrorCode>(20).fill(underWay);

  it.each<readonly [string, readonly ErrorCode[], Awaited<ReturnType<typeof asked>>]>([
    ['is answered at once where there is none', [], { answer: 'booked', left: 0, waited: 0 }],
    ['is answered once the other one is', [underWay, underWay], { answer: 'booked', left: 0, waited: 150 }],
    ['is refused as the other one', [underWay, 'slot_conflict'], { answer: 'slot_conflict', left: 0, waited: 50 }],
    [
      'is refused at once for what is no waiting',
      ['unauthenticated', underWay],
      { answer: 'unauthenticated', left: 1, waited: 0 },
    ],
    ['is told so after a second and a half', manyTimes, { answer: underWay, left: 14, waited: 1500 }],
  ])('a request beside another one of the same key %s', async (_name, codes, expected) => {
    expect(await asked(codes)).toEqual(expected);
  });
});
