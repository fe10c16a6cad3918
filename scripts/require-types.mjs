// `prepack` of every package, for `npm pack` and `npm publish`: refuses a tarball whose `exports` name declarations that the build has not made.
// `npm start` and `npm test` build without them.
import { existsSync, readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const targets = [manifest.types, ...Object.values(manifest.exports).flatMap(typesOf)];
const missing = [...new Set(targets)].filter((path) => !existsSync(path));
if (missing.length > 0) {
  console.error(`${manifest.name} has no ${missing.join(', ')}: run npm run build in the repository, then pack again.`);
  process.exit(1);
}

function typesOf(target) {
  if (typeof target !== 'object') return [];
  return Object.entries(target).flatMap(([name, path]) => (name === 'types' ? [path] : typesOf(path)));
}
