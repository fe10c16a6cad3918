// `npm run bench [-- sqlite|postgres …]`: the library beside a hand-written service, in turns, as ratios.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKnex, migrate } from '@calends/store-knex';
import { databaseFor, start, tokenFor } from './contenders.mjs';
import { book, measure, median } from './load.mjs';
import { cancelRequests, createRequests, getRequests, listRequests } from './requests.mjs';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const size = Number(process.env['BENCH_REQUESTS'] ?? 6000);
const booked = 10_000;
const listOf = (name, standard) => process.env[name]?.split(',') ?? standard;
const operations = listOf('BENCH_OPERATIONS', ['create', 'get', 'list', 'cancel']);
const connectionCounts = listOf('BENCH_CONNECTIONS', ['1', '10', '50']).map(Number);

const token = await tokenFor(['ROLE_CLIENT_SERVICE', 'ROLE_SUPERVISOR']);

async function requestsOf(operation, contender, seed) {
  switch (operation) {
    case 'create':
      return { requests: createRequests(size, token, seed), expected: 200 };
    case 'get':
      return { requests: getRequests(size, token, contender.ids, seed), expected: 200 };
    case 'list':
      return { requests: listRequests(size / 2, token, seed), expected: 200 };
    case 'cancel':
      return {
        requests: cancelRequests(await book({ url: contender.url, token, count: size, seed }), token),
        expected: 204,
      };
  }
}

/** Both servers in turns, so that a machine that slows down slows both. */
async function compare(contenders, operation, connections) {
  const figures = contenders.map(() => []);
  const latencies = contenders.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const { requests, expected } = await requestsOf(operation, contender, 1000 * round + connections);
      const { perSecond, p99 } = await measure({ url: contender.url, connections, requests, expected });
      // The first round warms up.
      if (round > 0) {
        figures[index].push(perSecond);
        latencies[index].push(p99);
      }
    }
  }
  const [calends, baseline] = figures.map(median);
  const ratio = median(figures[0].map((figure, round) => figure / figures[1][round]));
  const line = { operation, connections, calends, baseline, ratio, p99: latencies.map(median) };
  console.log(
    `${operation.padEnd(7)} ${String(connections).padStart(3)} connections  ` +
      `calends ${Math.round(calends)}/s  by hand ${Math.round(baseline)}/s  ratio ${ratio.toFixed(2)}  ` +
      `p99 ${line.p99.join(' / ')} ms`,
  );
  return line;
}

/** Plans must not depend on whether the database has looked at its new tables yet. */
async function analyze(database) {
  const knex = openKnex(database);
  await knex.raw('analyze');
  await knex.destroy();
}

async function bench(kind) {
  console.log(`\n${kind}, ${booked} appointments booked before, ${rounds} rounds of ${size} requests, medians`);
  const folder = mkdtempSync(join(tmpdir(), 'calends-bench-'));
  const cleanUps = [() => rmSync(folder, { recursive: true })];
  const contenders = [];
  try {
    for (const [name, script] of [
      ['calends', 'calends-server.mjs'],
      ['baseline', 'baseline/server.mjs'],
    ]) {
      const database = await databaseFor(kind, name, folder);
      cleanUps.push(database.drop);
      const knex = openKnex(database.url);
      await migrate(knex);
      await knex.destroy();
      const server = await start(script, database.url);
      cleanUps.push(server.stop);
      contenders.push({ name, url: server.url, ids: await book({ url: server.url, token, count: booked, seed: 7 }) });
      await analyze(database.url);
    }
    for (const connections of connectionCounts) {
      for (const operation of operations) await compare(contenders, operation, connections);
    }
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

const kinds = process.argv.slice(2);
for (const kind of kinds.length === 0 ? ['sqlite', 'postgres'] : kinds) await bench(kind);
