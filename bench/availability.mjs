// `npm run bench -- availability [sqlite|postgres …]`: free times beside a get and beside the same by hand, as ratios.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKnex, migrate } from '@calends/store-knex';
import { fill, firstDay, idAt } from './availability/fill.mjs';
import { placeFor, start, tokenFor } from './contenders.mjs';
import { median } from './load.mjs';
import { numbers } from './requests.mjs';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const sizes = (process.env['BENCH_BOOKINGS'] ?? '10000,1000000').split(',').map(Number);
const day = 86_400_000;

/** Each question, with how often it is asked in a round. */
const questions = [
  { name: '1 agent × 7 days', serviceId: 'one', span: 7, count: 200 },
  { name: '10 agents × 31 days', serviceId: 'ten', span: 31, count: 60 },
  { name: '50 agents × 31 days', serviceId: 'fifty', span: 31, count: 30 },
];

/** Milliseconds of each request, one after the other. */
async function timed(url, paths, headers) {
  const times = [];
  let size = 0;
  for (const path of paths) {
    const began = performance.now();
    const response = await fetch(url + path, { headers });
    size = (await response.arrayBuffer()).byteLength;
    times.push(performance.now() - began);
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  }
  return { times, size };
}

const percentile = (times, share) => [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * share)];

function pathsOf({ serviceId, span, count }, next) {
  return Array.from({ length: count }, () => {
    const from = firstDay + (30 + Math.floor(next() * 250)) * day;
    const window = `from=${new Date(from).toISOString()}&to=${new Date(from + span * day).toISOString()}`;
    return `/api/v2/availability?applicationId=app-1&serviceId=${serviceId}&${window}`;
  });
}

async function measureAll(calends, byHand, bookings, headers) {
  const next = numbers(bookings);
  const gets = [];
  const found = questions.map(() => ({ calends: [], byHand: [], ratios: [], all: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    const ids = Array.from({ length: 300 }, () => `/api/v2/appointments/${idAt(Math.floor(next() * bookings))}`);
    const get = await timed(calends.url, ids, headers);
    if (round > 0) gets.push(median(get.times));
    for (const [index, question] of questions.entries()) {
      const paths = pathsOf(question, next);
      const ours = await timed(calends.url, paths, headers);
      const theirs = await timed(byHand.url, paths, headers);
      // The first round warms up.
      if (round === 0) continue;
      const figures = found[index];
      figures.calends.push(median(ours.times));
      figures.byHand.push(median(theirs.times));
      figures.ratios.push(median(theirs.times) / median(ours.times));
      figures.all.push(...ours.times);
      figures.sizes = [ours.size, theirs.size];
    }
  }
  const get = median(gets);
  console.log(`get                  ${get.toFixed(2)} ms`);
  for (const [index, { name }] of questions.entries()) {
    const { calends: ours, byHand: theirs, ratios, all, sizes: bytes } = found[index];
    const p95 = percentile(all, 0.95);
    console.log(
      `${name.padEnd(20)} calends ${median(ours).toFixed(1)} ms (${(median(ours) / get).toFixed(2)} × get; p95 ${p95.toFixed(1)} ms, ` +
        `${(p95 / get).toFixed(1)} × get)  by hand ${median(theirs).toFixed(1)} ms  ratio ${median(ratios).toFixed(2)}  bytes ${bytes.join(' / ')}`,
    );
  }
}

async function bench(kind, bookings) {
  console.log(`\n${kind}, ${bookings} bookings of 500 agents, ${rounds} rounds, one caller, medians`);
  const folder = mkdtempSync(join(tmpdir(), 'calends-bench-'));
  const cleanUps = [() => rmSync(folder, { recursive: true })];
  try {
    const database = await placeFor(kind, { name: 'availability', size: bookings }, folder);
    cleanUps.push(database.drop);
    const knex = openKnex(database.url);
    await migrate(knex);
    const isFilled = (await knex('calends_appointments').first('id')) !== undefined;
    if (!isFilled) await fill(knex, bookings);
    await knex.destroy();
    const servers = [];
    for (const script of ['availability/calends-server.mjs', 'availability/by-hand.mjs']) {
      const server = await start(script, database.url);
      cleanUps.push(server.stop);
      servers.push(server);
    }
    const headers = { authorization: `Bearer ${await tokenFor(['ROLE_CLIENT_SERVICE', 'ROLE_SUPERVISOR'])}` };
    await measureAll(servers[0], servers[1], bookings, headers);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

const kinds = process.argv.slice(3);
for (const kind of kinds.length === 0 ? ['sqlite', 'postgres'] : kinds) {
  for (const bookings of sizes) await bench(kind, bookings);
}
