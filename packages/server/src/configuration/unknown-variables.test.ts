import { describe, expect, it } from 'vitest';
import { unknownVariables } from './unknown-variables.js';

describe('a CALENDS_… variable that nobody reads', () => {
  it('a CALENDS_… variable that nobody reads is warned about, with the name that was probably meant', () => {
    const variables = { CALENDS_PORT: '99', CALENDS_DATABASE_URL: 'u', CALENDS_JWT_SECRTE: 'x', CALENDS_ZEBRA: 'y' };
    expect(unknownVariables({ ...variables, OTHER: 'z', CALENDS_SECRET: 's' })).toEqual([
      'the variable CALENDS_DATABASE_URL is not known; did you mean DATABASE_URL?',
      'the variable CALENDS_JWT_SECRTE is not known; did you mean CALENDS_JWT_SECRET?',
      'the variable CALENDS_PORT is not known; did you mean PORT?',
      'the variable CALENDS_ZEBRA is not known',
    ]);
  });
});
