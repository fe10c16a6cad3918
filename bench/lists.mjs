// `npm run bench -- lists [sqlite|postgres|mariadb …]`: what totals, counts and pages cost at a million appointments beside ten thousand,
// by the store and over HTTP with one caller.
// `BENCH_KEPT`: the URL of a database with `{size}` in its name; it is filled where it is empty, and stays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URLSearchParams } from 'node:url';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import { agents, analyze, fill, firstDay } from './availability/fill.mjs';
import { placeFor, start, tokenFor } from './contenders.mjs';
import { median } from './load.mjs';

const sizes = (process.env['BENCH_BOOKINGS'] ?? '10000,1000000').split(',').map(Number);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const day = 86_400_000;
// Neither edge lies at midnight.
const from = firstDay + 150 * day + 40_000_000;
const window = (days) => ({ from, to: from + days * day });

/** What a store is asked. */
const list =
  ({ page = () => 1, ...more }) =>
  (store, size) =>
    store.appointments.list({
      organizationId: 'org-1',
      applicationIds: ['app-1'],
      sortField: 'start',
      sortOrder: 'asc',
      pageSize: 20,
      ...more,
      pageNumber: page(size),
    });
const count = (days) => (store) =>
  store.appointments.countStarting({ organizationId: 'org-1', applicationId: 'app-1', windows: [window(days)] });

/** The same over HTTP; absent = there is no such parameter. */
const listPath =
  ({ page = () => 1, ranges, agentIds, sortField = 'start', sortOrder = 'asc', durations, states, ...more }) =>
  (size) => {
    if (states !== undefined) return undefined;
    const asked = { pageNumber: page(size), pageSize: 20, sortField, sortOrder };
    if (!('applicationIds' in more)) asked.applicationId = 'app-1';
    if (agentIds !== undefined) asked.agentId = agentIds[0];
    if (durations !== undefined) asked.duration = `PT${durations[0] / 60_000}M`;
    if (ranges !== undefined)
      asked.range = [ranges[0].from, ranges[0].to].map((at) => new Date(at).toISOString()).join();
    return `/api/v2/appointments/?${new URLSearchParams(asked)}`;
  };
const countPath = (timeFrame) => () => {
  const start = new Date(from).toISOString();
  return `/api/v2/appointments/count?${new URLSearchParams({ applicationId: 'app-1', organizationId: 'org-1', start, timeFrame })}`;
};

const half = (size) => size / 40;
const lists = {
  'first page': {},
  'first page, whole organization': { applicationIds: undefined },
  'thirty days': { ranges: [window(30)] },
  'one day': { ranges: [window(1)] },
  'one agent, thirty days': { agentIds: [`agent-${agents / 2}`], ranges: [window(30)] },
  'second page': { page: () => 2 },
  'page at half depth': { page: half },
  'the same, latest first': { page: half, sortOrder: 'desc' },
  'the same, whole organization': { page: half, applicationIds: undefined },
  'the same, by state': { page: half, states: ['SCHEDULED'] },
  'by state': { states: ['SCHEDULED'] },
  'by a state that none has': { states: ['ABORTED'] },
  'by duration': { durations: [1_800_000] },
  'by a duration that none has': { durations: [3_600_000] },
  'sorted by title': { sortField: 'title' },
  'sorted by end': { sortField: 'end' },
  'sorted by duration': { sortField: 'duration' },
};

/** Questions to a store with so many appointments, and to a server over it. */
const questions = {
  ...Object.fromEntries(
    Object.entries(lists).map(([name, asked]) => [name, { ask: list(asked), path: listPath(asked) }]),
  ),
  'count, thirty days': { ask: count(30), path: countPath('P30D') },
  'count, an hour': { ask: count(1 / 24), path: countPath('PT1H') },
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
  const server = await start('availability/calends-server.mjs', url);
  cleanUps.push(server.stop);
  return { store, size, url: server.url };
}

/** Medians of a call on each side, in turns, so that a machine that slows down slows both; the first ones warm up. */
async function inTurns(sides, ask) {
  const times = sides.map(() => []);
  for (let round = -6; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const began = performance.now();
      await ask(side);
      if (round >= 0) times[index].push(performance.now() - began);
    }
  }
  const medians = times.map(median);
  return `${medians.map((each) => each.toFixed(2).padStart(8)).join(' ')}   ratio ${(medians.at(-1) / medians[0]).toFixed(2).padStart(6)}`;
}

async function get(url, headers) {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  // A list without appointments is 404.
  if (response.status !== 200 && response.status !== 404) throw new Error(`${url} answered ${response.status}`);
}

async function bench(kind) {
  console.log(
    `\n${kind}, milliseconds at ${sizes.join(' and ')} appointments, medians of ${rounds}: a call of the store; a request over HTTP`,
  );
  const folder = mkdtempSync(join(tmpdir(), 'calends-bench-'));
  const cleanUps = [() => rmSync(folder, { recursive: true })];
  try {
    const sides = [];
    for (const size of sizes) sides.push(await open(kind, size, folder, cleanUps));
    const headers = { authorization: `Bearer ${await tokenFor(['ROLE_CLIENT_SERVICE', 'ROLE_SUPERVISOR'])}` };
    for (const [name, { ask, path }] of Object.entries(questions)) {
      const calls = await inTurns(sides, ({ store, size }) => ask(store, size));
      const hasPath = path(sizes[0]) !== undefined;
      const requests = hasPath ? await inTurns(sides, ({ url, size }) => get(url + path(size), headers)) : '';
      console.log(`${name.padEnd(30)} ${calls}   ${requests}`);
    }
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

const kinds = process.argv.slice(3);
for (const kind of kinds.length === 0 ? ['sqlite', 'postgres', 'mariadb'] : kinds) await bench(kind);
