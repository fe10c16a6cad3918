// `npm run bench -- layers [sqlite|postgres …]`: where the processor time of a request goes, layer by layer, from samples of the server.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isBuilt, sourceOf } from '../scripts/source-files.mjs';
import { databaseFor, start, tokenFor } from './contenders.mjs';
import { book, measure } from './load.mjs';
import { cancelRequests, createRequests, getRequests, listRequests } from './requests.mjs';

const size = Number(process.env['BENCH_REQUESTS'] ?? 6000);
const booked = 10_000;
const connections = 10;
const token = await tokenFor(['ROLE_CLIENT_SERVICE', 'ROLE_SUPERVISOR']);

/** The first that fits names the layer of a file; the path of a source begins at `packages/`, that of a dependency has its folder. */
const layers = [
  ['profiler', /^node:inspector$/],
  ['verify', /^http\/src\/(authentication\/|pipeline\/auth)|^core\/src\/limiting\/|node_modules\/jose\//],
  [
    'decode',
    /^http-contract\/|^http\/src\/(request\/|pipeline\/decode|operations\/commands)|^core\/src\/domain\/calls\/input/,
  ],
  ['encode', /^http\/src\/(presenters|response)\//],
  ['decide', /^core\//],
  ['SQL', /^store-knex\/|node_modules\/(pg|pg-[^/]+|postgres-[^/]+|knex|tarn|libsql|@libsql\/[^/]+)\//],
  ['door', /^(http|adapter-express)\/|node_modules\/(express|router|body-parser|finalhandler|send)\//],
];
const shown = ['verify', 'decode', 'decide', 'SQL', 'encode', 'door', 'garbage', 'other'];

/** The layer of a frame; none where only its caller can say: the model, zod, Node and the engine serve all layers. */
function layerOf({ functionName, url, lineNumber, columnNumber }) {
  if (functionName === '(idle)') return 'waiting';
  if (functionName === '(garbage collector)') return 'garbage';
  const path = isBuilt(url) ? sourceOf(url, lineNumber, columnNumber) : url;
  return layers.find(([, pattern]) => path !== undefined && pattern.test(path))?.[0];
}

/** Microseconds by layer: each sample counts for the innermost frame that has one. */
function timeByLayer({ nodes, samples, timeDeltas }) {
  const layerOfNode = new Map();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node, ofCaller) => {
    const layer = ofCaller === 'profiler' ? ofCaller : (layerOf(node.callFrame) ?? ofCaller);
    layerOfNode.set(node.id, layer);
    for (const child of node.children ?? []) visit(byId.get(child), layer);
  };
  visit(nodes[0], 'other');
  const times = new Map();
  for (const [index, id] of samples.entries()) {
    const layer = layerOfNode.get(id);
    if (shown.includes(layer)) times.set(layer, (times.get(layer) ?? 0) + timeDeltas[index]);
  }
  return times;
}

async function report(server, operation, requestsOf, expected) {
  // As much again before, so that what is sampled is warm.
  await measure({ url: server.url, connections, requests: await requestsOf(1010), expected });
  const requests = await requestsOf(2010);
  await server.profile();
  await measure({ url: server.url, connections, requests, expected });
  const times = timeByLayer(await server.profiled());
  const whole = [...times.values()].reduce((sum, time) => sum + time, 0);
  const cells = shown.map((layer) => {
    const time = times.get(layer) ?? 0;
    return `${layer} ${(time / requests.length).toFixed(0)} (${((100 * time) / whole).toFixed(0)} %)`;
  });
  console.log(`${operation.padEnd(7)} ${(whole / requests.length).toFixed(0).padStart(4)} µs: ${cells.join('  ')}`);
}

async function bench(kind) {
  console.log(`\n${kind}, ${connections} connections: microseconds of the server's JavaScript for a request, by layer`);
  const folder = mkdtempSync(join(tmpdir(), 'calends-bench-'));
  const cleanUps = [() => rmSync(folder, { recursive: true })];
  try {
    const database = await databaseFor(kind, 'layers', folder);
    cleanUps.push(database.drop);
    const server = await start('calends-server.mjs', database.url);
    cleanUps.push(server.stop);
    const { url } = server;
    const ids = await book({ url, token, count: booked, seed: 7 });
    await report(server, 'create', (seed) => createRequests(size, token, seed), 200);
    await report(server, 'get', (seed) => getRequests(size, token, ids, seed), 200);
    await report(server, 'list', (seed) => listRequests(size / 2, token, seed), 200);
    const bookedFor = (seed) => book({ url, token, count: size, seed });
    await report(server, 'cancel', async (seed) => cancelRequests(await bookedFor(seed), token), 204);
  } finally {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  }
}

const kinds = process.argv.slice(3);
for (const kind of kinds.length === 0 ? ['sqlite', 'postgres'] : kinds) await bench(kind);
