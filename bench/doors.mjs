// `npm run bench -- doors|processes [sqlite|postgres …]`: the doors of the library beside each other, or the server in one process
// and in two: requests a second, and processor time a request.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openKnex } from '@calends/store-knex';
import { databaseFor, serve, start, tokenFor } from './contenders.mjs';
import { book, measure, median } from './load.mjs';
import { createRequests, getRequests } from './requests.mjs';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const size = Number(process.env['BENCH_REQUESTS'] ?? 6000);
const booked = 10_000;
const [subject, ...kinds] = process.argv.slice(2);

const token = await tokenFor(['ROLE_CLIENT_SERVICE', 'ROLE_SUPERVISOR']);

/** How each contender is started over a database; the first is what the others are compared with. */
const contendersOf = {
  doors: ['Express', 'nodeHandler', 'fetchHandler'].map((door) => ({
    name: door,
    open: (database) => start('calends-server.mjs', database, door),
  })),
  processes: [1, 2].map((count) => ({
    name: `${count} ${count === 1 ? 'process' : 'processes'}`,
    open: (database) => serve(database, count),
  })),
};

/** All in turns, so that a machine that slows down slows all; the first round warms up. */
async function compare(servers, operation, connections, requestsOf) {
  const found = servers.map(() => ({ perSecond: [], processorTime: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { url, processorTime }] of servers.entries()) {
      const before = await processorTime();
      const requests = requestsOf(1000 * round + 10 * index + connections);
      const { perSecond } = await measure({ url, connections, requests, expected: 200 });
      if (round === 0) continue;
      found[index].perSecond.push(perSecond);
      found[index].processorTime.push(((await processorTime()) - before) / requests.length);
    }
  }
  for (const [index, { name }] of servers.entries()) {
    const { perSecond, processorTime } = found[index];
    const ratio = median(perSecond.map((figure, round) => figure / found[0].perSecond[round]));
    const ofTime = median(processorTime.map((figure, round) => figure / found[0].processorTime[round]));
    console.log(
      `${operation.padEnd(7)} ${String(connections).padStart(3)} connections  ${name.padEnd(13)} ` +
        `${Math.round(median(perSecond))}/s (ratio ${ratio.toFixed(2)})  ` +
        `${Math.round(median(processorTime))} µs of processor time a request (ratio ${ofTime.toFixed(2)})`,
    );
  }
}

async function bench(kind) {
  console.log(`\n${kind}, ${booked} appointments booked before, ${rounds} rounds of ${size} requests, medians`);
  const folder = mkdtempSync(join(tmpdir(), 'calends-bench-'));
  const cleanUps = [() => rmSync(folder, { recursive: true })];
  try {
    const database = await databaseFor(kind, subject, folder);
    cleanUps.push(database.drop);
    const knex = openKnex(database.url);
    await migrate(knex);
    await knex.destroy();
    const servers = [];
    for (const { name, open } of contendersOf[subject]) {
      const server = await open(database.url);
      cleanUps.push(server.stop);
      servers.push({ name, ...server });
    }
    const ids = await book({ url: servers[0].url, token, count: booked, seed: 7 });
    for (const connections of [10, 50]) {
      await compare(servers, 'get', connections, (seed) => getRequests(size, token, ids, seed));
      await compare(servers, 'create', connections, (seed) => createRequests(size, token, seed));
    }
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

for (const kind of kinds.length === 0 ? ['sqlite', 'postgres'] : kinds) await bench(kind);
