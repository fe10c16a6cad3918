import { expect, it, vi } from 'vitest';
import { unhandledIn } from '../../../../scripts/unhandled.js';
import { readAdmission } from './limiter.js';

it.each<[string, unknown, unknown]>([
  ['a yes', { admitted: true }, { admitted: true }],
  ['a no', { admitted: false, retryAfter: 7 }, { admitted: false, retryAfter: 7 }],
  ['a no of parts of a second', { admitted: false, retryAfter: 1.2 }, { admitted: false, retryAfter: 2 }],
  ['a no of no time', { admitted: false, retryAfter: 0 }, { admitted: false, retryAfter: 1 }],
  ['a no for ever', { admitted: false, retryAfter: Number.MAX_VALUE }, { admitted: false, retryAfter: 2_147_483_647 }],
])('readAdmission reads %s', (_what, answer, admission) => expect(readAdmission(answer)).toEqual(admission));

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['true', true],
  ['false', false],
  ['a yes that is a text', { admitted: 'true' }],
  ['a no without a time', { admitted: false }],
  ['a no whose time is a text', { admitted: false, retryAfter: '1\r\nx-header: y' }],
  ['a no whose time is no number', { admitted: false, retryAfter: Number.NaN }],
  ['a yes whose release is no function', { admitted: true, release: 'later' }],
])('readAdmission refuses %s', (_what, answer) => expect(() => readAdmission(answer)).toThrow(TypeError));

it('readAdmission calls the release of a limiter as its own', () => {
  const answer = {
    admitted: true,
    places: 1,
    release: vi.fn(function (this: { places: number }) {
      this.places += 1;
    }),
  };
  const admission = readAdmission(answer);
  if (admission.admitted) admission.release?.();
  expect(answer.places).toBe(2);
});

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no'))],
])('readAdmission lets nobody feel that a release %s', async (_how, release) => {
  const unhandled = await unhandledIn(async () => {
    const admission = readAdmission({ admitted: true, release });
    if (admission.admitted) admission.release?.();
  });
  expect(unhandled).toEqual([]);
});
