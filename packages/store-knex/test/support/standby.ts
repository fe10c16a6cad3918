import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openKnex } from '../../src/index.js';

const execute = promisify(execFile);

/** Where Debian keeps the programs of each version. */
const versions = '/usr/lib/postgresql';
const programs = (existsSync(versions) ? readdirSync(versions) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(versions, version, 'bin'))
  .find((folder) => ['initdb', 'pg_basebackup', 'postgres'].every((name) => existsSync(join(folder, name))));

/** Why no standby can be started here. */
export const standbyMissing =
  programs === undefined ? 'the programs of a PostgreSQL server are not installed' : undefined;

/** The server refuses to run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind: string): number => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A primary and its standby, of a test of its own. */
export interface ReplicatedServers {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** How many milliseconds later than the primary the standby has what is committed; at least. */
  delay(milliseconds: number): Promise<void>;
  /** Ends the standby as a crash does. */
  killStandby(): Promise<void>;
  startStandby(): Promise<void>;
  /** Has the standby go its own way. */
  promote(): Promise<void>;
  end(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${String(port)}/postgres`;

async function asked(url: string, statement: string): Promise<unknown> {
  const knex = openKnex(url);
  try {
    return await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}

/** Looks until something is so; fails after half a minute. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('It was not so within half a minute.');
    await pause(20);
  }
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      await asked(url, 'select 1');
      return;
    } catch (error) {
      if (child.exitCode !== null || performance.now() > deadline) throw error;
      await pause(50);
    }
  }
}

/** Starts a server of its own with a standby by streaming replication, on free ports of loopback. */
export async function startReplicatedServers(): Promise<ReplicatedServers> {
  const bin = programs ?? '';
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'calends-standby-'));
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const [primary, standby] = [join(folder, 'primary'), join(folder, 'standby')];
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const running = new Map<string, ChildProcess>();

  const start = async (data: string, port: number): Promise<void> => {
    const child = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port)], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    });
    running.set(data, child);
    await untilItAnswers(urlOf(port), child);
  };
  const kill = async (data: string): Promise<void> => {
    const child = running.get(data);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    // Its way to end at once: its processes end with it, which those of a killed one may not.
    child.kill('SIGQUIT');
    await ended;
  };
  const end = async (): Promise<void> => {
    for (const data of running.keys()) await kill(data);
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    await execute(join(bin, 'initdb'), ['-D', primary, '-A', 'trust', '-U', 'postgres', '-N'], {
      ...user,
      cwd: folder,
    });
    const settings = [
      'fsync = off',
      'shared_buffers = 64MB',
      'max_connections = 60',
      `unix_socket_directories = '${folder}'`,
    ];
    appendFileSync(join(primary, 'postgresql.conf'), `${settings.join('\n')}\n`);
    await start(primary, primaryPort);
    const source = ['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'postgres'];
    await execute(join(bin, 'pg_basebackup'), [...source, '-D', standby, '-R', '-c', 'fast', '-N'], {
      ...user,
      cwd: folder,
    });
    await start(standby, standbyPort);
  } catch (error) {
    await end();
    throw error;
  }
  const standbyUrl = urlOf(standbyPort);
  return {
    primaryUrl: urlOf(primaryPort),
    standbyUrl,
    delay: async (milliseconds) => {
      await asked(standbyUrl, `alter system set recovery_min_apply_delay = '${String(milliseconds)}ms'`);
      await asked(standbyUrl, 'select pg_reload_conf()');
    },
    killStandby: () => kill(standby),
    startStandby: () => start(standby, standbyPort),
    promote: async () => {
      await asked(standbyUrl, 'select pg_promote()');
    },
    end,
  };
}
