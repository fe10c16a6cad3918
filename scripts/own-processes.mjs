// Processes that a trial starts for itself: on free ports of loopback, ended by their id.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The path of a program; undefined where it is not installed. */
export const onPath = (program) =>
  ['/usr/sbin', '/usr/bin', ...(process.env['PATH'] ?? '').split(':')]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** In a group of its own: some programs are scripts with processes below them, and all of them are killed at once. */
export function run(program, args, { env = {}, ...options } = {}) {
  return spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore', detached: true, ...options });
}

/** Ends a process and those below it as a crash does. */
export async function kill(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** Waits until something is so; fails when the process that is to make it so has ended, or after two minutes. */
export async function untilSo(what, isSo, child) {
  const deadline = Date.now() + 120_000;
  while (!(await isSo().catch(() => false))) {
    if (child !== undefined && child.exitCode !== null) throw new Error(`${what}: it ended with ${child.exitCode}`);
    if (Date.now() > deadline) throw new Error(`${what}: not within two minutes`);
    await pause(50);
  }
}
