import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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

/** A server of a test of its own. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  end(): Promise<void>;
}

/** A primary and its standby, of a test of its own. */
export interface ReplicatedServers {
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  readonly primaryPort: number;
  readonly standbyPort: number;
  /** How many milliseconds later than the primary the standby has what is committed; at least. */
  delay(milliseconds: number): Promise<void>;
  /** Ends the standby as a crash does. */
  killStandby(): Promise<void>;
  startStandby(): Promise<void>;
  /** Ends the primary and all its processes by SIGKILL, at once. */
  killPrimary(): Promise<void>;
  /** Stops the primary and all its processes where they are: it says nothing any more, and keeps its connections. */
  freezePrimary(): void;
  /** Lets a frozen primary go on. */
  thawPrimary(): void;
  /** Has the standby go its own way. */
  promote(): Promise<void>;
  end(): Promise<void>;
}

/** How a standby follows. */
export interface Replication {
  /** True: no commit is acknowledged before the standby has it on disk. Default false; then nothing waits for a disk either. */
  readonly synchronous?: boolean;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

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

/** Ids of the processes of a server: each is the leader of a group of its own, so that a group does not name them. */
const processesOf = (pid: number): readonly number[] => [
  ...readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number),
  pid,
];

/** What servers of one test are run from. */
class Place {
  readonly bin = programs ?? '';
  readonly user = serverUser();
  readonly folder = mkdtempSync(join(tmpdir(), 'calends-standby-'));

  constructor() {
    if (this.user !== undefined) chownSync(this.folder, this.user.uid, this.user.gid);
  }

  async run(program: string, args: readonly string[]): Promise<void> {
    await execute(join(this.bin, program), args, { ...this.user, cwd: this.folder });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One server, which is started and ended by its process id. */
class Server implements TestServer {
  readonly data: string;
  readonly port: number;
  readonly #place: Place;
  #child: ChildProcess | undefined;

  constructor(place: Place, name: string, port: number) {
    this.#place = place;
    this.data = join(place.folder, name);
    this.port = port;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${String(this.port)}/postgres`;
  }

  async make(isSafe: boolean): Promise<void> {
    await this.#place.run('initdb', ['-D', this.data, '-A', 'trust', '-U', 'postgres', '-N']);
    const settings = [
      `fsync = ${isSafe ? 'on' : 'off'}`,
      'shared_buffers = 64MB',
      'max_connections = 80',
      // One that is killed leaves its shared memory behind: in its folder, that goes with it.
      'dynamic_shared_memory_type = mmap',
      `unix_socket_directories = '${this.#place.folder}'`,
    ];
    appendFileSync(join(this.data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  }

  async start(): Promise<void> {
    const { bin, user, folder } = this.#place;
    const args = ['-D', this.data, '-p', String(this.port)];
    this.#child = spawn(join(bin, 'postgres'), args, { ...user, cwd: folder, stdio: 'ignore' });
    await untilItAnswers(this.url, this.#child);
  }

  /** Undefined where it does not run. */
  get #running(): ChildProcess | undefined {
    const child = this.#child;
    return child === undefined || child.exitCode !== null || child.signalCode !== null ? undefined : child;
  }

  async end(): Promise<void> {
    // One that is frozen would not hear it.
    this.signal('SIGCONT');
    const child = this.#running;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    // Its way to end at once: its processes end with it, which those of a killed one may not.
    child.kill('SIGQUIT');
    await ended;
  }

  async kill(): Promise<void> {
    const child = this.#running;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    // The id of the segment by which it keeps a second one from its data; one that is killed leaves it behind.
    const lines = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
    const segment = lines[6]?.trim().split(/\s+/)[1] ?? '';
    this.signal('SIGKILL');
    await ended;
    await execute('ipcrm', ['-m', segment]);
  }

  /** To all its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    const pid = this.#running?.pid;
    if (pid === undefined) return;
    // New ones that it makes meanwhile would be missed: it stands first.
    process.kill(pid, 'SIGSTOP');
    for (const each of processesOf(pid)) process.kill(each, signal);
  }
}

/** Starts a server of its own, on a free port of loopback. */
export async function startServer(): Promise<TestServer> {
  const place = new Place();
  const server = new Server(place, 'server', await freePort());
  const end = async (): Promise<void> => {
    await server.end();
    place.remove();
  };
  try {
    await server.make(false);
    await server.start();
  } catch (error) {
    await end();
    throw error;
  }
  return { url: server.url, port: server.port, end };
}

/** Starts a server of its own with a standby by streaming replication, on free ports of loopback. */
export async function startReplicatedServers({ synchronous = false }: Replication = {}): Promise<ReplicatedServers> {
  const place = new Place();
  const primary = new Server(place, 'primary', await freePort());
  const standby = new Server(place, 'standby', await freePort());
  const end = async (): Promise<void> => {
    for (const server of [primary, standby]) await server.end();
    place.remove();
  };

  try {
    await primary.make(synchronous);
    await primary.start();
    const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
    await place.run('pg_basebackup', [...source, '-D', standby.data, '-R', '-c', 'fast', '-N']);
    await standby.start();
    // Of the primary alone: a copy of it would have the standby wait for another one once it has taken over.
    if (synchronous) {
      await asked(primary.url, "alter system set synchronous_standby_names = '*'");
      await asked(primary.url, 'select pg_reload_conf()');
    }
  } catch (error) {
    await end();
    throw error;
  }
  return {
    primaryUrl: primary.url,
    standbyUrl: standby.url,
    primaryPort: primary.port,
    standbyPort: standby.port,
    delay: async (milliseconds) => {
      await asked(standby.url, `alter system set recovery_min_apply_delay = '${String(milliseconds)}ms'`);
      await asked(standby.url, 'select pg_reload_conf()');
    },
    killStandby: () => standby.end(),
    startStandby: () => standby.start(),
    killPrimary: () => primary.kill(),
    freezePrimary: () => {
      primary.signal('SIGSTOP');
    },
    thawPrimary: () => {
      primary.signal('SIGCONT');
    },
    promote: async () => {
      await asked(standby.url, 'select pg_promote()');
    },
    end,
  };
}
