// Which source file a place in a built package comes from, by its source map.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './prepare.mjs';

const packages = join(root, 'packages');
const maps = new Map();

/** Whether a script is one of the built packages. */
export function isBuilt(url) {
  const path = url.startsWith('file:') ? fileURLToPath(url) : '';
  return path.startsWith(packages) && !path.includes('node_modules');
}

/** The source of a place in a built package, from `packages/` on; line and column count from 0. */
export function sourceOf(url, line, column) {
  let map = maps.get(url);
  if (map === undefined) {
    map = new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
    maps.set(url, map);
  }
  const { originalSource } = map.findEntry(line, column);
  return originalSource === undefined ? undefined : relative(packages, fileURLToPath(new URL(originalSource, url)));
}
