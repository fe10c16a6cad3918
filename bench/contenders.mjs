// Servers and databases of a run: each server in a process of its own, each database dropped at the end.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openKnex } from '@calends/store-knex';
import { SignJWT } from 'jose';

const secret = 'a secret of the benchmark, longer than 32 bytes';
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A bearer token that the servers take. */
export function tokenFor(roles) {
  return new SignJWT({ roles, organizationId: 'org-1' })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject('bench')
    .setExpirationTime('2h')
    .sign(new TextEncoder().encode(secret));
}

/** Starts a server in a process of its own over a database. */
export async function start(script, database) {
  const child = fork(here(script), [database, secret], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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
  return { url, stop };
}

/** An empty database; `drop` ends it. */
export async function databaseFor(kind, name, folder) {
  if (kind === 'sqlite') return { url: `sqlite:${join(folder, `${name}.db`)}`, drop: async () => undefined };
  const server = new URL(process.env['CALENDS_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres');
  const admin = openKnex(server.href);
  const database = `calends_bench_${name}_${process.pid}`;
  await admin.raw(`create database ${database}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return {
    url: url.href,
    drop: async () => {
      await admin.raw(`drop database ${database} with (force)`);
      await admin.destroy();
    },
  };
}
