// CommonJS declarations that name types of a package that is ESM only: under `module: node16` TypeScript refuses a
// plain import of one (TS1479) though nothing of it is loaded; an attribute says that only types are meant.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const esmOnly = ['inversify'];
const plainImport = new RegExp(`^import (?:type )?(\\{[^}]+\\}) from '(${esmOnly.join('|')})';$`, 'gm');

/** Rewrites the `.d.cts` files of a folder. */
export function markEsmOnlyTypes(folder) {
  for (const name of readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.d.cts'))) {
    const path = join(folder, name);
    const before = readFileSync(path, 'utf8');
    // `import type` takes no `type` before a single name.
    const after = before.replace(
      plainImport,
      (_, names, from) =>
        `import type ${names.replaceAll(/\btype /g, '')} from '${from}' with { 'resolution-mode': 'import' };`,
    );
    if (after !== before) writeFileSync(path, after);
  }
}
