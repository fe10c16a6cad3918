import { describe, expect, it } from 'vitest';
import { unknownVariables } from './unknown-variables.js';

describe('a CALENDS_… variable that nobody reads', () => {
  it('is warned about, with the name that was probably meant', () => {
    expect(unknownVariables({ CALENDS_JWT_SECRTE: 'x', CALENDS_ZEBRA: 'y', OTHER: 'z', CALENDS_SECRET: 's' })).toEqual([
      'the variable CALENDS_JWT_SECRTE is not known; did you mean CALENDS_JWT_SECRET?',
      'the variable CALENDS_ZEBRA is not known',
    ]);
  });
});
