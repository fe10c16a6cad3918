// `npm run bench -- streams [sqlite|postgres …]`: 20 long answers at a time, and what others wait for meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { createScheduling } from '@calends/core';
import { knexStore, migrate, openKnex } from '@calends/store-knex';
import { fill, idAt } from './availability/fill.mjs';
import { databaseFor, librarySecret, start, tokenFor } from './contenders.mjs';
import { numbers } from './requests.mjs';

const sizes = (process.env['BENCH_BOOKINGS'] ?? '10000,100000').split(',').map(Number);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 15);
const atOnce = 20;
const perSecond = 40;
const agent = 'agent-0';

const percentile = (times, share) => [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * share)];

/** Milliseconds until the first byte of an answer, and until its end. */
function exchange(url, headers, connections, onFirstByte) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    let firstByte;
    let bytes = 0;
    request(url, { headers, agent: connections }, (response) => {
      response.on('data', (chunk) => {
        if (firstByte === undefined) {
          firstByte = performance.now() - began;
          onFirstByte?.(firstByte);
        }
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, firstByte, took: performance.now() - began, bytes }),
      );
    })
      .on('error', reject)
      .end();
  });
}

/** Long answers, as many as this at a time, until the time is over; in a thread of its own, so that reading them delays no other. */
async function readLongAnswers({ url, headers, until }) {
  const firstBytes = [];
  const connections = new Agent({ keepAlive: true });
  let finished = 0;
  const lane = async () => {
    while (Date.now() < until) {
      const { status } = await exchange(url, headers, connections, (after) => firstBytes.push(after)).catch(() => ({}));
      if (status === undefined) break;
      if (status !== 200) throw new Error(`${url} answered ${status}`);
      finished += 1;
    }
  };
  const running = Promise.all(Array.from({ length: atOnce }, lane));
  await Promise.race([running, setTimeout(until - Date.now() + 200)]);
  connections.destroy();
  return { firstBytes, finished };
}

/** Gets of single appointments at a fixed rate, whatever becomes of those before; milliseconds of each. */
async function paced(url, headers, bookings, until) {
  const next = numbers(3);
  const connections = new Agent({ keepAlive: true });
  const under = [];
  for (let at = Date.now(); at < until; at += 1000 / perSecond) {
    await setTimeout(Math.max(0, at - Date.now()));
    under.push(exchange(`${url}/api/v2/appointments/${idAt(Math.floor(next() * bookings))}`, headers, connections));
  }
  const found = await Promise.all(under);
  if (found.some(({ status }) => status !== 200)) throw new Error('a get failed');
  return found.map(({ took }) => took);
}

async function greatestMemory(server, until) {
  let greatest = 0;
  while (Date.now() < until) {
    greatest = Math.max(greatest, await server.memory());
    await setTimeout(100);
  }
  return Math.round(greatest / 2 ** 20);
}

async function measure(server, what, path, headers, bookings) {
  const rest = Date.now() + seconds * 1000;
  const [without, before] = await Promise.all([
    paced(server.url, headers, bookings, rest),
    greatestMemory(server, rest),
  ]);
  const until = Date.now() + seconds * 1000;
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { url: server.url + path, headers, until },
  });
  const answers = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const [during, memory] = await Promise.all([
    paced(server.url, headers, bookings, until),
    greatestMemory(server, until),
  ]);
  const { firstBytes, finished } = await answers;
  const { took, firstByte, bytes } = await exchange(server.url + path, headers);
  const shown = (times, share) => percentile(times, share)?.toFixed(1) ?? '–';
  console.log(
    `${what.padEnd(9)} alone: first byte ${firstByte.toFixed(1)} ms, whole ${took.toFixed(0)} ms, ${(bytes / 2 ** 20).toFixed(1)} MiB   ` +
      `${atOnce} at once: first byte ${shown(firstBytes, 0.5)} / ${shown(firstBytes, 1)} ms (median / last), ${finished} finished   ` +
      `get p99 ${shown(without, 0.99)} → ${shown(during, 0.99)} ms, median ${shown(without, 0.5)} → ${shown(during, 0.5)}   ` +
      `memory ${before} → ${memory} MiB`,
  );
}

async function bench(kind, bookings) {
  console.log(`\n${kind}, ${bookings} appointments, ${perSecond} gets a second for ${seconds} s without and with`);
  const folder = mkdtempSync(join(tmpdir(), 'calends-bench-'));
  const cleanUps = [() => rmSync(folder, { recursive: true })];
  try {
    const database = await databaseFor(kind, 'streams', folder);
    cleanUps.push(database.drop);
    const knex = openKnex(database.url);
    await migrate(knex);
    await fill(knex, bookings);
    // One agent has more than a feed shows.
    const given = Array.from({ length: Math.ceil((1100 * 500) / bookings) }, (_, index) => `agent-${index}`);
    await knex('calends_actors').whereIn('actor_id', given).update({ actor_id: agent });
    const library = createScheduling({ store: knexStore({ knex }), secret: librarySecret });
    const supervisor = { id: 'bench', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] };
    const { code } = await library.calendarFeeds.issue(supervisor, { agentId: agent });
    await library.close();
    await knex.destroy();
    const server = await start('calends-server.mjs', database.url);
    cleanUps.push(server.stop);
    const headers = { authorization: `Bearer ${await tokenFor(['ROLE_CLIENT_SERVICE', 'ROLE_SUPERVISOR'])}` };
    await measure(server, 'eligible', '/api/v2/appointments/eligible', headers, bookings);
    await measure(server, 'feed', `/api/calendar-feeds/${code}.ics`, headers, bookings);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

if (isMainThread) {
  const kinds = process.argv.slice(3);
  for (const kind of kinds.length === 0 ? ['sqlite', 'postgres'] : kinds) {
    for (const bookings of sizes) await bench(kind, bookings);
  }
} else {
  parentPort.postMessage(await readLongAnswers(workerData));
}
