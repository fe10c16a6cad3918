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
import { agents, fill, idAt } from './availability/fill.mjs';
import { databaseFor, librarySecret, start, tokenFor } from './contenders.mjs';
import { numbers } from './requests.mjs';

const sizes = (process.env['BENCH_BOOKINGS'] ?? '10000,100000').split(',').map(Number);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 15);
const atOnce = 20;
const perSecond = 40;
/** More appointments than a feed shows, and records of an export. */
const perFeed = 1100;
const perExport = 200;

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

/** Milliseconds until the first byte of an answer that is given up then. */
function firstByteOf(url, headers, connections) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const asked = request(url, { headers, agent: connections }, (response) => {
      response.once('data', () => {
        resolve(performance.now() - began);
        asked.destroy();
      });
      response.on('error', () => undefined);
    });
    asked.on('error', reject).end();
  });
}

/**
 * Long answers, as many as this at a time, until the time is over, and now and then one more that is given up at its first byte; in a
 * thread of its own, so that reading them delays no other. Each begins on a connection that has been used.
 */
async function readLongAnswers({ urls, warmUp, headers, until }) {
  const ofFirst = [];
  const ofMore = [];
  const connections = new Agent({ keepAlive: true });
  let finished = 0;
  const urlOf = (index) => urls[index % urls.length];
  await Promise.all(Array.from({ length: atOnce }, () => exchange(warmUp, headers, connections)));
  const lane = async (_, index) => {
    const url = urlOf(index);
    for (let isFirst = true; Date.now() < until; isFirst = false) {
      const onFirstByte = isFirst ? (after) => ofFirst.push(after) : undefined;
      const { status } = await exchange(url, headers, connections, onFirstByte).catch(() => ({}));
      if (status === undefined) break;
      if (status !== 200) throw new Error(`${url} answered ${status}`);
      finished += 1;
    }
  };
  const oneMore = async () => {
    for (let index = 0; Date.now() < until; index += 1) {
      await setTimeout(150);
      ofMore.push(await firstByteOf(urlOf(index), headers, connections).catch(() => Infinity));
    }
  };
  const running = Promise.all([...Array.from({ length: atOnce }, lane), oneMore()]);
  await Promise.race([running, setTimeout(until - Date.now() + 200)]);
  connections.destroy();
  return { ofFirst, ofMore: ofMore.filter(Number.isFinite), finished };
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

async function measure(server, what, paths, headers, bookings) {
  const urls = paths.map((path) => server.url + path);
  const [url] = urls;
  // The first answer of a process is slow, whatever it is.
  await firstByteOf(url, headers);
  const rest = Date.now() + seconds * 1000;
  const [without, before] = await Promise.all([
    paced(server.url, headers, bookings, rest),
    greatestMemory(server, rest),
  ]);
  const until = Date.now() + seconds * 1000;
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: { urls, warmUp: `${server.url}/api/v2/appointments/${idAt(0)}`, headers, until },
  });
  const answers = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const [during, memory] = await Promise.all([
    paced(server.url, headers, bookings, until),
    greatestMemory(server, until),
  ]);
  const { ofFirst, ofMore, finished } = await answers;
  const { took, firstByte, bytes } = await exchange(url, headers);
  const shown = (times, share) => percentile(times, share)?.toFixed(1) ?? '–';
  console.log(
    `${what.padEnd(9)} alone: first byte ${firstByte.toFixed(1)} ms, whole ${took.toFixed(0)} ms, ${(bytes / 2 ** 20).toFixed(1)} MiB   ` +
      `${atOnce} at once: first byte ${shown(ofFirst, 0.5)} / ${shown(ofFirst, 1)} ms (median / last), ${finished} finished   ` +
      `one more beside them: ${shown(ofMore, 0.5)} / ${shown(ofMore, 0.99)} ms (median / p99 of ${ofMore.length})   ` +
      `get p99 ${shown(without, 0.99)} → ${shown(during, 0.99)} ms, median ${shown(without, 0.5)} → ${shown(during, 0.5)}   ` +
      `memory ${before} → ${memory} MiB`,
  );
}

/** Gives some agents the appointments of others, so that each has more than a feed shows. */
async function fillFeeds(knex, bookings) {
  const of = Math.ceil((perFeed * agents) / bookings);
  const ids = Array.from({ length: Math.min(atOnce, Math.floor(agents / of)) }, (_, index) => `agent-${index * of}`);
  for (const [index, id] of ids.entries()) {
    const given = Array.from({ length: of }, (_, at) => `agent-${index * of + at}`);
    await knex('calends_actors').whereIn('actor_id', given).update({ actor_id: id });
  }
  await knex.raw(knex.client.dialect === 'postgresql' ? 'vacuum analyze' : 'analyze');
  return ids;
}

/** Twenty customers with some appointments each. */
async function fillCustomers(knex) {
  const emails = Array.from({ length: atOnce }, (_, index) => `customer-${index}@example.org`);
  const rows = emails.flatMap((primary_email, index) =>
    Array.from({ length: perExport }, (_, at) => ({
      organization_id: 'org-1',
      appointment_id: idAt(index * perExport + at),
      participant_id: `customer-${index}`,
      primary_email,
      metadata: '{}',
    })),
  );
  await knex.batchInsert('calends_customers', rows, 100);
  return emails;
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
    const supervisor = { id: 'bench', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] };
    const library = createScheduling({ store: knexStore({ knex }), secret: librarySecret });
    const feeds = [];
    for (const agentId of await fillFeeds(knex, bookings)) {
      const { code } = await library.calendarFeeds.issue(supervisor, { agentId });
      feeds.push(`/api/calendar-feeds/${code}.ics`);
    }
    const exports = (await fillCustomers(knex)).map((email) => `/exports?primaryEmail=${email}`);
    await library.close();
    await knex.destroy();
    const server = await start('calends-server.mjs', database.url);
    cleanUps.push(server.stop);
    const headers = { authorization: `Bearer ${await tokenFor(['ROLE_CLIENT_SERVICE', 'ROLE_SUPERVISOR'])}` };
    await measure(server, 'eligible', ['/api/v2/appointments/eligible'], headers, bookings);
    await measure(server, 'feed', feeds, headers, bookings);
    await measure(server, 'export', exports, headers, bookings);
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
