import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { environmentSchema } from './environment-schema.js';
import { environmentWords } from './environment-words.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

it('what the help says of variables is what the README says, and examples are accepted', () => {
  const rows = Array.from(readme.matchAll(/^\| `([A-Z_]+)` +\| (.*?) +\| (.*?) +\|$/gm), ([, name, usual, meaning]) => [
    name,
    [usual, meaning].map((cell = '') => cell.replaceAll('`', '').trim()),
  ]);
  const words = Object.entries(environmentWords).map(([name, { usual = '', meaning }]) => [name, [usual, meaning]]);
  expect(rows).toEqual(words);
  const examples = Object.entries(environmentWords).map(([name, { example }]) => [
    name,
    // What a shell puts in the place of the command.
    example.replace(/^"(.*)"$/, '$1').replace(/\$\(.*\)/, 'rT9sJ2kLwq8VbnM4xZc7PfYh1GdAe5Uo'),
  ]);
  expect(environmentSchema.safeParse(Object.fromEntries(examples)).error).toBeUndefined();
});
