import { expect, it } from 'vitest';
import { openApiDocument, optionalOperations } from '../src/index.js';

// `npm run openapi` writes the file by running this test with --update; `npm run openapi:check` only compares.
it('openapi.json is the document made from the whole catalogue, what is optional with it', async () => {
  await expect(`${JSON.stringify(openApiDocument({ include: optionalOperations }), null, 2)}\n`).toMatchFileSnapshot(
    '../openapi.json',
  );
});
