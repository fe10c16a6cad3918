// `npm run check`: what a change needs while it grows, in about a minute. Lint and format of the changed files, types,
// architecture, and the quick tests of the packages that they lie in. Changed is what differs from `main`, with what is not committed.
import { join } from 'node:path';
import { build, install, root, run, say } from './prepare.mjs';
import { environment } from './quick.mjs';

const cache = join(root, 'node_modules', '.cache', 'calends');
const bin = (...path) => join(root, 'node_modules', ...path);

async function git(...args) {
  const { code, output } = await run('git', args, { capture: true });
  return code === 0 ? output.split('\n').filter((line) => line !== '') : [];
}

async function changedFiles() {
  const [base = 'HEAD'] = await git('merge-base', 'HEAD', 'main');
  const differing = await git('diff', '--name-only', '--diff-filter=d', base);
  return [...new Set([...differing, ...(await git('ls-files', '--others', '--exclude-standard'))])];
}

/** The folders whose tests a change may break: its package, or what lies beside the packages. */
function testFolders(changed) {
  const folders = changed.flatMap((path) => /^(packages\/[^/]+\/|docs\/|scripts\/)/.exec(path)?.[0] ?? []);
  return [...new Set([...folders, ...(changed.some((path) => path.endsWith('.md')) ? ['docs/'] : [])])];
}

async function step(name, args, env = {}) {
  if (args === undefined) return [];
  const began = performance.now();
  const { code, output } = await run(process.execPath, args, { capture: true, env: { ...process.env, ...env } });
  const seconds = Math.round((performance.now() - began) / 1000);
  if (code !== 0) console.error(output);
  say(`${name}: ${code === 0 ? 'ok' : 'FAILED'} after ${seconds} s`);
  return code === 0 ? [] : [name];
}

/** Compile and run every example of every page, which takes as long as all else: a part of `npm test`. */
const examples = ['docs/test/examples.test.ts', 'docs/test/running-examples.test.ts'];

/** A step that has nothing to look at is left out. */
const over = (files, args) => (files.length === 0 ? undefined : [...args, ...files]);

await install();
const changed = await changedFiles();
if (changed.length === 0) {
  say('nothing has changed since main');
  process.exit(0);
}
const folders = testFolders(changed);
// The tests of the server start the built program.
if (folders.includes('packages/server/')) await build();
const linted = changed.filter((path) => /\.(ts|mjs|cjs|js)$/.test(path));
const failed = await Promise.all([
  step('types', [
    ...[bin('typescript-native', 'bin', 'tsc'), '--singleThreaded', '-p', 'tsconfig.json'],
    ...['--incremental', '--tsBuildInfoFile', join(cache, 'types.tsbuildinfo')],
  ]),
  step(
    'lint',
    over(linted, [bin('oxlint', 'bin', 'oxlint'), '-c', 'oxlint.config.mjs', '--no-error-on-unmatched-pattern']),
  ),
  step('format', over(changed, [bin('oxfmt', 'bin', 'oxfmt'), '--check', '--no-error-on-unmatched-pattern'])),
  step(
    'tests',
    over(folders, [
      bin('vitest', 'vitest.mjs'),
      'run',
      '--passWithNoTests',
      ...examples.flatMap((path) => ['--exclude', path]),
    ]),
    environment,
  ),
  ...['architecture', 'folders'].map((name) => {
    const rules = name === 'folders' ? '.dependency-cruiser.folders.cjs' : '.dependency-cruiser.cjs';
    const cruise = bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs');
    return step(name, [cruise, '--config', rules, 'packages', '--cache', join(cache, name)]);
  }),
]);
const faults = failed.flat();
say(faults.length === 0 ? 'everything that was looked at holds' : `failed: ${faults.join(', ')}`);
process.exitCode = faults.length === 0 ? 0 : 1;
