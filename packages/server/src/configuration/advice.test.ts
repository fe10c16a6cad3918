import { expect, it } from 'vitest';
import { adviceOn } from './advice.js';
import { readEnvironment } from './environment.js';

const given = {
  NODE_ENV: 'production',
  CALENDS_JWT_SECRET: 'a secret of more than thirty-two bytes',
  CALENDS_JWT_ISSUER: 'i',
  CALENDS_JWT_AUDIENCE: 'a',
};
const noAddress =
  'CALENDS_PUBLIC_URL not set: links for customers have the HOST and PORT of this process, which others may not reach';

it.each<readonly [string, NodeJS.ProcessEnv, readonly string[]]>([
  ['production without a public address', {}, [noAddress]],
  ['production with one', { CALENDS_PUBLIC_URL: 'https://clinic.example' }, []],
  ['development', { NODE_ENV: '' }, []],
])('the advice on the settings of %s is what is missing', (_what, variables, advice) => {
  expect(adviceOn(readEnvironment({ ...given, ...variables }))).toEqual(advice);
});
