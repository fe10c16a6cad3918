import { expect, it } from 'vitest';
import { checkIsObject, checkOptionNames, unknownOptions } from './option-names.js';

const names = ['authentication', 'countAuth', 'bodyLimit'];

it.each([
  [{ bodyLimt: 1 }, 'options: unknown option bodyLimt; did you mean bodyLimit?'],
  [{ authentification: 1 }, 'options: unknown option authentification; did you mean authentication?'],
  [{ BODYLIMIT: 1 }, 'options: unknown option BODYLIMIT; did you mean bodyLimit?'],
  [{ zzz: 1 }, 'options: unknown option zzz'],
])('an unknown option %j comes with the nearest known one', (options, message) => {
  expect(() => checkOptionNames('options', options, names)).toThrow(new TypeError(message));
});

it.each([null, undefined, 'text', 5, [{ bodyLimit: 1 }]])('%j is no object of options', (options) => {
  expect(() => checkOptionNames('options', options as object, names)).toThrow(
    new TypeError('options: must be an object.'),
  );
});

it('every unknown option is told where all faults are', () => {
  expect(unknownOptions({ zzz: 1, bodyLimit: 1, countAut: 1 }, names)).toEqual([
    'unknown option zzz',
    'unknown option countAut; did you mean countAuth?',
  ]);
});

it('known options pass', () => {
  expect(() => checkOptionNames('options', { bodyLimit: 1 }, names)).not.toThrow();
});

it('an unknown option is told where it is inherited, as known ones are taken there', () => {
  const shared: object = Object.create({ bodyLimt: 1 });
  expect(unknownOptions(Object.assign(Object.create(shared) as object, { zzz: 1 }), names)).toEqual([
    'unknown option zzz',
    'unknown option bodyLimt; did you mean bodyLimit?',
  ]);
});

it('an unknown option is none that every object has, nor a method of a class', () => {
  class Options {
    bodyLimit = 1;
    helper(): number {
      return this.bodyLimit;
    }
  }
  Object.defineProperty(Object.prototype, 'ofSomeLibrary', { value: 1, enumerable: true, configurable: true });
  const unknown = unknownOptions(new Options(), names);
  Reflect.deleteProperty(Object.prototype, 'ofSomeLibrary');
  expect(unknown).toEqual([]);
});

it.each<[string, object]>([
  ['a promise', Promise.resolve({ timeout: 5 })],
  ['a map', new Map([['timeout', 5]])],
])('Options that are %s of them are refused: what it holds would be passed over without a word', (_what, options) => {
  const fault = new TypeError('options: must be an object, and no promise or map of it.');
  expect(() => checkIsObject('options', options)).toThrow(fault);
  expect(() => checkOptionNames('options', options, ['timeout'])).toThrow(fault);
});
