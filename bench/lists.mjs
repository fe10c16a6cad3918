// `npm run bench -- lists [sqlite|postgres|mariadb …]`: what totals, counts and pages cost at a million appointments beside ten thousand, by the store.
// `BENCH_KEPT`: the URL of a database with `{size}` in its name; it is filled where it is empty, and stays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import { agents, analyze, fill, firstDay } from './availability/fill.mjs';
import { placeFor } from './contenders.mjs';
import { median } from './load.mjs';

const sizes = (process.env['BENCH_BOOKINGS'] ?? '10000,1000000').split(',').map(Number);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const day = 86_400_000;
// Neither edge lies at midnight.
const from = firstDay + 150 * day + 40_000_000;
const window = (days) => ({ from, to: from + days * day });

const list = (more) => (store) =>
  store.appointments.list({
    ...{ organizationId: 'org-1', applicationIds: ['app-1'], sortField: 'start', sortOrder: 'asc' },
    ...{ pageNumber: 1, pageSize: 20, ...more },
  });
const count = (windows) => (store) =>
  store.appointments.countStarting({ organizationId: 'org-1', applicationId: 'app-1', windows });

/** Questions to a store with so many appointments. */
const questions = {
  'first page': list({}),
  'first page, whole organization': list({ applicationIds: undefined }),
  'thirty days': list({ ranges: [window(30)] }),
  'one day': list({ ranges: [window(1)] }),
  'one agent, thirty days': list({ agentIds: [`agent-${agents / 2}`], ranges: [window(30)] }),
  'second page': list({ pageNumber: 2 }),
  'page at half depth': (store, size) => list({ pageNumber: size / 40 })(store),
  'the same, latest first': (store, size) => list({ pageNumber: size / 40, sortOrder: 'desc' })(store),
  'the same, whole organization': (store, size) => list({ pageNumber: size / 40, applicationIds: undefined })(store),
  'the same, by state': (store, size) => list({ pageNumber: size / 40, states: ['SCHEDULED'] })(store),
  'by state': list({ states: ['SCHEDULED'] }),
  'by a state that none has': list({ states: ['ABORTED'] }),
  'by duration': list({ durations: [1_800_000] }),
  'by a duration that none has': list({ durations: [3_600_000] }),
  'sorted by title': list({ sortField: 'title' }),
  'sorted by end': list({ sortField: 'end' }),
  'sorted by duration': list({ sortField: 'duration' }),
  'count, thirty days': count([window(30)]),
  'count, an hour': count([window(1 / 24)]),
};

async function open(kind, size, folder, cleanUps) {
  const { url, drop } = await placeFor(kind, { name: 'lists', size }, folder);
  cleanUps.push(drop);
  const knex = openKnex(url, { statementTimeout: 120_000 });
  cleanUps.push(() => knex.destroy());
  await migrate(knex);
  const store = knexStore({ knex });
  const isFilled = (await knex('calends_appointments').first('id')) !== undefined;
  if (!isFilled) {
    // As many days at both sizes: a day's count is a row that is added up.
    await fill(knex, size, { isSpread: true });
    let after;
    // The rows came without commits.
    do after = (await store.appointments.repairCounts(after)).next;
    while (after !== undefined);
    while ((await store.appointments.foldCounts(1000)) > 0);
    await analyze(knex);
  }
  return { store, size };
}

async function bench(kind) {
  console.log(`\n${kind}, milliseconds of a call at ${sizes.join(' and ')} appointments, medians of ${rounds}`);
  const folder = mkdtempSync(join(tmpdir(), 'calends-bench-'));
  const cleanUps = [() => rmSync(folder, { recursive: true })];
  try {
    const sides = [];
    for (const size of sizes) sides.push(await open(kind, size, folder, cleanUps));
    for (const [name, ask] of Object.entries(questions)) {
      const times = sides.map(() => []);
      // In turns, so that a machine that slows down slows both; the first two warm up.
      for (let round = -2; round < rounds; round += 1) {
        for (const [index, { store, size }] of sides.entries()) {
          const began = performance.now();
          await ask(store, size);
          if (round >= 0) times[index].push(performance.now() - began);
        }
      }
      const medians = times.map(median);
      const ratio = medians.at(-1) / medians[0];
      console.log(
        `${name.padEnd(32)} ${medians.map((each) => each.toFixed(2).padStart(8)).join(' ')}   ratio ${ratio.toFixed(2)}`,
      );
    }
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

const kinds = process.argv.slice(3);
for (const kind of kinds.length === 0 ? ['sqlite', 'postgres', 'mariadb'] : kinds) await bench(kind);
