// `npm test`: works alone on a fresh clone, and says what it left out. `--all` leaves out nothing; every other argument after `--`
// is handed to vitest.
import { join } from 'node:path';
import { askBrokers } from './brokers.mjs';
import { askChromium } from './chromium.mjs';
import { askServers, prepareBetterSqlite } from './databases.mjs';
import { build, install, root, run, say } from './prepare.mjs';
import { environment, sentences } from './quick.mjs';

const all = process.argv.includes('--all');
const args = process.argv.slice(2).filter((argument) => argument !== '--all');

async function whole() {
  const required = process.env['CALENDS_REQUIRE_DATABASES'] === '1';
  const hasBetterSqlite = await prepareBetterSqlite();
  const findings = await askServers({ required });
  if (!hasBetterSqlite) {
    const text = 'better-sqlite3 is left out: it could not be compiled here (the other SQLite driver is tested)';
    findings.push(required ? { fault: 'better-sqlite3 is required and could not be compiled' } : { text });
  }
  return { env: hasBetterSqlite ? {} : { CALENDS_TEST_WITHOUT_BETTER_SQLITE3: '1' }, findings };
}

await install();
if (!all && process.env['CALENDS_REQUIRE_DATABASES'] === '1') {
  say('CALENDS_REQUIRE_DATABASES=1 is for all tests: npm test -- --all');
  process.exit(1);
}
const { env, findings } = all ? await whole() : { env: environment, findings: sentences.map((text) => ({ text })) };
findings.push(...(await askBrokers({ required: process.env['CALENDS_REQUIRE_DATABASES'] === '1' })));
findings.push(askChromium({ required: process.env['CALENDS_REQUIRE_BROWSER'] === '1' }));
const faults = findings.filter(({ fault }) => fault !== undefined);
for (const { fault } of faults) say(fault);
if (faults.length > 0) process.exit(1);

// The tests of the server start the built program.
await build();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { code } = await run(process.execPath, [vitest, 'run', ...args], { env: { ...process.env, ...env } });

for (const { text } of findings) say(text);
process.exitCode = code;
