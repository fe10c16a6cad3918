// `node scripts/availability-oracle.mjs [cases] [processes] [first]`: asks the core and the oracle of free times about so many
// random worlds (default 1,000,000 in 2 processes), in portions. Ends at the first difference, which is shown as a small world.
// Over a store: CALENDS_ORACLE_EXPLAINED=100000 (library.test.ts) and CALENDS_ORACLE_BOOKED=10000 (booking.test.ts) beside it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root, say } from './prepare.mjs';

const [cases = 1_000_000, processes = 2, first = 0] = process.argv.slice(2).map(Number);
const portion = 25_000;
const test = 'packages/core/test/availability-oracle/core.test.ts';
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

let next = first;
let done = 0;
let isOver = false;

function ask(from, count) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CALENDS_ORACLE_FIRST: String(from), CALENDS_ORACLE_CASES: String(count) };
    const child = spawn(process.execPath, [vitest, 'run', test], { cwd: root, env });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString() }));
  });
}

async function work() {
  while (!isOver && next < first + cases) {
    const from = next;
    const count = Math.min(portion, first + cases - from);
    next += count;
    const { code, output } = await ask(from, count);
    if (code !== 0) {
      isOver = true;
      process.exitCode = 1;
      say(`a difference between ${from} and ${from + count}\n${output}`);
      return;
    }
    done += count;
    say(`${done} of ${cases} cases without a difference, ${Math.round(process.uptime())} s`);
  }
}

await Promise.all(Array.from({ length: processes }, work));
