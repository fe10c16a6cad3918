import { describe, it } from 'vitest';
import { everySuite } from './suites/all.js';
import { databases } from './support/databases.js';

for (const { name, missing, open } of databases) {
  if (missing === undefined) everySuite(name, open);
  else describe.skip(`${name} (${missing})`, () => it('passes every suite', () => undefined));
}
