import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

it('the files that tests begin with are there, each once', () => {
  const paths = read('longest-first.json') as readonly string[];
  expect(paths.filter((path) => !existsSync(new URL(`../${path}`, import.meta.url)))).toEqual([]);
  expect(new Set(paths).size).toBe(paths.length);
});
