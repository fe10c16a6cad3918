import { expect, it } from 'vitest';
import { forCommonJs } from './declarations.mjs';

it('declarations for CommonJS name their neighbours by `.cjs`, and everything else as it is', () => {
  const declarations = [
    "import type { Store } from './ports/store.js';",
    "export { type Page, pages } from '../model/page.js';",
    'export declare const one: import("./one.js").One<import("./two.js").Two>;',
    "export declare const schema: import('zod').ZodString;",
    "/** Written in `./plain.js`, as `import('./plain.js')` in a comment is. */",
    "export declare const path: './plain.js';",
  ];
  expect(forCommonJs(declarations.join('\n')).split('\n')).toEqual([
    "import type { Store } from './ports/store.cjs';",
    "export { type Page, pages } from '../model/page.cjs';",
    'export declare const one: import("./one.cjs").One<import("./two.cjs").Two>;',
    ...declarations.slice(3),
  ]);
});
