// `npm test`: works alone on a fresh clone. Arguments after `--` are handed to vitest.
import { join } from 'node:path';
import { askChromium } from './chromium.mjs';
import { askServers, prepareBetterSqlite } from './databases.mjs';
import { build, install, root, run, say } from './prepare.mjs';

const required = process.env['CALENDS_REQUIRE_DATABASES'] === '1';

await install();
const hasBetterSqlite = await prepareBetterSqlite();
const findings = await askServers({ required });
findings.push(askChromium({ required: process.env['CALENDS_REQUIRE_BROWSER'] === '1' }));
if (!hasBetterSqlite) {
  const text = 'better-sqlite3 is left out: it could not be compiled here (the other SQLite driver is tested)';
  findings.push(required ? { fault: 'better-sqlite3 is required and could not be compiled' } : { text });
}
const faults = findings.filter(({ fault }) => fault !== undefined);
for (const { fault } of faults) say(fault);
if (faults.length > 0) process.exit(1);

// The tests of the server start the built program.
await build();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const env = { ...process.env, ...(hasBetterSqlite ? {} : { CALENDS_TEST_WITHOUT_BETTER_SQLITE3: '1' }) };
const { code } = await run(process.execPath, [vitest, 'run', ...process.argv.slice(2)], { env });

for (const { text } of findings) say(text);
if (process.env['CALENDS_SKIP_TORTURE'] === '1')
  say('the *.torture.test.ts files are left out (CALENDS_SKIP_TORTURE=1)');
process.exitCode = code;
