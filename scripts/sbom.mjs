// `npm run sbom [-- file]`: writes what the packages need at run time, as the lock names it, in the CycloneDX format.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { npm, packages, root, say } from './prepare.mjs';

/** What a package has bundled is needed for development only, and is in the package. */
function withoutDevelopment({ devDependencies, ...manifest }) {
  const { bundled = [] } = manifest.calends ?? {};
  const inside = Object.fromEntries(bundled.map((name) => [name, devDependencies[name]]));
  return { ...manifest, dependencies: { ...manifest.dependencies, ...inside } };
}

/**
 * A copy of the manifests without what is for development only: `npm sbom --omit dev` would also leave out what one
 * package needs at run time and another one for development.
 */
function copyWithoutDevelopment(folder) {
  const whole = { folder: root, manifest: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) };
  for (const { folder: from, manifest } of [whole, ...packages()]) {
    const to = join(folder, relative(root, from));
    mkdirSync(to, { recursive: true });
    writeFileSync(join(to, 'package.json'), JSON.stringify(withoutDevelopment(manifest)));
  }
  copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
}

async function npmIn(folder, args) {
  const quiet = ['--package-lock-only', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  const { code, output } = await npm([...args, ...quiet], { cwd: folder, capture: true });
  if (code !== 0) throw new Error(`npm ${args[0]} failed\n${output}`);
  return output;
}

const path = resolve(process.argv[2] ?? join(root, 'reports', 'sbom.json'));
const workshop = mkdtempSync(join(tmpdir(), 'calends-sbom-'));
// npm names the whole after its folder.
const folder = join(workshop, 'calends');
try {
  copyWithoutDevelopment(folder);
  await npmIn(folder, ['install']);
  const sbom = await npmIn(folder, ['sbom', '--sbom-format', 'cyclonedx']);
  const { components } = JSON.parse(sbom);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, sbom);
  say(`${components.length} components in ${path}`);
} finally {
  rmSync(workshop, { recursive: true });
}
