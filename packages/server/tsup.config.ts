import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageBuild } from '../../tsup.shared.js';

/** What the reference page at `/docs` needs, copied so that it works offline and installs no swagger-ui-dist. */
const assets = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
];

async function copyReferencePage(): Promise<void> {
  const from = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
  const to = join('dist', 'reference-page');
  await mkdir(to, { recursive: true });
  await cp(join('src', 'reference-page'), to, { recursive: true });
  await Promise.all(assets.map((name) => cp(join(from, name), join(to, name))));
}

export default packageBuild({ index: 'src/index.ts', cli: 'src/cli.ts' }, { onSuccess: copyReferencePage });
