import { operations } from '@calends/http-contract';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './documents.js';
import { families, generatedParts, withGeneratedParts } from './generated.js';

const documents = [...new Set(Object.values(generatedParts).map(({ document }) => document))];

// `npm run docs:generate` writes the documents by running this test with --update.
describe('what is generated from the catalogue is current', () => {
  it.each(documents)('what is generated in %s is current', async (document) => {
    await expect(await withGeneratedParts(document)).toMatchFileSnapshot(join(root, document));
  });

  it('what is generated from the catalogue is current leaves no family of operations out', () => {
    const shown: readonly string[] = families.map(({ family }) => family);
    expect(operations.filter(({ family }) => !shown.includes(family)).map(({ id }) => id)).toEqual([]);
  });
});
