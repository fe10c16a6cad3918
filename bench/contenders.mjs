// Servers and databases of a run: each server in a process of its own, each database dropped at the end.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openKnex } from '@calends/store-knex';
import { SignJWT } from 'jose';

/** Of the library in the servers, and of bearer tokens. */
export const librarySecret = 'a secret of the benchmark, longer than 32 bytes';
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A bearer token that the servers take. */
export function tokenFor(roles) {
  return new SignJWT({ roles, organizationId: 'org-1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('bench')
    .setExpirationTime('2h')
    .sign(new TextEncoder().encode(librarySecret));
}

/**
 * Starts a server in a process of its own over a database; `processorTime` tells the microseconds that it has spent, `memory` the bytes that it
 * takes; the library's server samples itself between `profile` and `profiled`.
 */
export async function start(script, database, ...more) {
  const child = fork(here(script), [database, librarySecret, ...more], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const port = await new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message.port));
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  const url = `http://127.0.0.1:${port}`;
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.kill();
    });
  const ask = async (question) => {
    child.send(question);
    const [answer] = await once(child, 'message');
    return answer;
  };
  return {
    url,
    stop,
    processorTime: async () => (await ask('figures')).processorTime,
    memory: async () => (await ask('figures')).memory,
    profile: () => ask('profile'),
    profiled: async () => (await ask('profiled')).profile,
  };
}

/** Starts `calends serve` in so many processes, without limits of requests and without a line for each. */
export async function serve(database, processes) {
  const port = await freePort();
  const child = fork(here('../packages/server/dist/cli.js'), ['serve'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      PORT: String(port),
      DATABASE_URL: database,
      CALENDS_JWT_SECRET: librarySecret,
      // A comma separates several.
      CALENDS_SECRET: librarySecret.replaceAll(',', '\\,'),
      CALENDS_CREATE_DATABASE: 'on',
      CALENDS_LIMITS: 'off',
      CALENDS_ADMIN: 'public',
      CALENDS_PROCESSES: String(processes),
      CALENDS_PROCESSES_ON_SQLITE: 'on',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const figure = async (name) => {
    const page = await (await fetch(`${url}/metrics`).catch(() => undefined))?.text();
    const line = page?.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length));
  };
  const isUp = async () =>
    processes === 1
      ? (await figure('process_cpu_seconds_total')) !== undefined
      : (await figure('calends_processes{figures="told"}')) === processes;
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`calends serve ended with ${child.exitCode}`);
    await setTimeout(100);
  }
  const stop = async () => {
    child.kill();
    await once(child, 'exit');
  };
  return { url, stop, processorTime: async () => (await figure('process_cpu_seconds_total')) * 1e6 };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const servers = {
  postgres: process.env['CALENDS_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  mariadb: process.env['CALENDS_TEST_MARIADB_URL'] ?? 'mysql://root@127.0.0.1:3306/test',
};

/** An empty database; `drop` ends it. */
export async function databaseFor(kind, name, folder) {
  if (kind === 'sqlite') return { url: `sqlite:${join(folder, `${name}.db`)}`, drop: async () => undefined };
  const server = new URL(servers[kind]);
  const admin = openKnex(server.href);
  const database = `calends_bench_${name}_${process.pid}`;
  await admin.raw(`create database ${database}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return {
    url: url.href,
    drop: async () => {
      await admin.raw(`drop database ${database}${kind === 'postgres' ? ' with (force)' : ''}`);
      await admin.destroy();
    },
  };
}

/** The database of BENCH_KEPT (with `{size}` where its rows go in), which stays after the run; else an empty one. */
export function placeFor(kind, { name, size }, folder) {
  const kept = process.env['BENCH_KEPT'];
  return kept === undefined
    ? databaseFor(kind, `${name}_${size}`, folder)
    : { url: kept.replace('{size}', String(size)), drop: () => undefined };
}
