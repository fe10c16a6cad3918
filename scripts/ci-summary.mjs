// The last lines of `.ci/run`: why tests failed, and `N passed, N failed, N skipped`, summed over the JSON reports of
// every test run. Fails when a test failed, when an error was thrown outside of the tests, when a report holds no test,
// and when the runs (one for each zone) did not have the same outcome.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { asPattern } from './globs.mjs';

/** What `.ci/run` runs under the other zones too. */
const zoned = JSON.parse(readFileSync(new URL('zoned.json', import.meta.url), 'utf8')).map(asPattern);
const isZoned = (test) => zoned.some((pattern) => pattern.test(test.split(' > ')[0]));

const folder = process.argv[2] ?? 'reports/ci';
const written = existsSync(folder) ? readdirSync(folder) : [];
const files = written.filter((name) => name.endsWith('.json'));
const total = { passed: 0, failed: 0, skipped: 0 };
const faults = [];
const runs = [];

/** Lines of one failure that are repeated here; the step above has it whole. */
const maxLines = 30;

/** What a failure says, below the line that names it. */
function tell(messages) {
  for (const message of messages) {
    const lines = stripVTControlCharacters(message).trimEnd().split('\n');
    for (const line of lines.slice(0, maxLines)) console.log(`    ${line}`);
    if (lines.length > maxLines) console.log(`    (${lines.length - maxLines} more lines)`);
  }
}

/** A file that does not load, or whose hooks fail, has no failed test of its own: it counts as one. */
function outcomesOf(report) {
  const outcomes = [];
  for (const file of report.testResults) {
    const path = file.name.slice(process.cwd().length + 1);
    for (const test of file.assertionResults) {
      outcomes.push([`${path} > ${test.fullName}`, test.status, test.failureMessages]);
    }
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')) {
      outcomes.push([`${path} (the file)`, 'failed', [file.message]]);
    }
  }
  return outcomes;
}

for (const name of files) {
  const outcomes = outcomesOf(JSON.parse(readFileSync(join(folder, name), 'utf8')));
  if (outcomes.length === 0) faults.push(`${name} holds no test`);
  for (const [test, status, messages] of outcomes) {
    total[status === 'passed' || status === 'failed' ? status : 'skipped'] += 1;
    if (status !== 'failed') continue;
    console.log(`failed in ${name}: ${test}`);
    tell(messages);
  }
  // It runs some of the zoned files, in one zone: nothing to compare.
  if (name === 'newest-node.json') continue;
  const comparable = outcomes.filter(([test]) => isZoned(test));
  runs.push({ name, lines: new Set(comparable.map(([test, status]) => `${status}: ${test}`)) });
}

for (const name of written.filter((file) => file.endsWith('.errors'))) {
  for (const error of JSON.parse(readFileSync(join(folder, name), 'utf8'))) {
    console.log(`thrown outside of the tests (${name}):`);
    tell([error]);
    faults.push(`${name} holds an error that no test is charged with`);
  }
}

const [first, ...others] = runs;
for (const { name, lines } of others) {
  const differing = [...first.lines].filter((line) => !lines.has(line));
  differing.push(...[...lines].filter((line) => !first.lines.has(line)));
  for (const line of differing.slice(0, 20)) console.log(`differs between ${first.name} and ${name}: ${line}`);
  if (differing.length > 0) faults.push(`${name} and ${first.name} have ${differing.length} different outcomes`);
}

if (total.passed + total.failed === 0) faults.push('no test ran');
for (const fault of faults) console.log(fault);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 || faults.length > 0 ? 1 : 0;
