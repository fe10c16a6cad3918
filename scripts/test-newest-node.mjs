// `npm run test:newest-node`: what Node itself has a say in (streams, time-outs, faults of its own, deep values), on the newest Node that
// was tried. Every argument after `--` is handed to vitest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode, otherNodes } from './other-nodes.mjs';
import { build, install, root, run, say } from './prepare.mjs';

const tests = [
  'packages/core/src/',
  'packages/http/',
  'packages/model/src/',
  'packages/notifier-webhook/',
  'packages/store-conformance/src/',
  'packages/store-memory/',
];

await install();
await build();
const version = otherNodes.at(-1);
const workshop = mkdtempSync(join(tmpdir(), 'calends-node-'));
try {
  const node = await fetchNode(version, workshop);
  if (node === undefined) {
    say(`Node ${version} cannot be had from the registry here: nothing was tested on it`);
  } else {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    process.exitCode = (await run(node, [vitest, 'run', ...tests, ...process.argv.slice(2)])).code;
  }
} finally {
  rmSync(workshop, { recursive: true, force: true });
}
