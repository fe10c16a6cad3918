// PostgreSQL and PgBouncer as Debian installs them, for tests and trials that start servers of their own.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, kill, onPath, run, untilSo } from './own-processes.mjs';

/** Where Debian keeps the programs of each version. */
const versions = '/usr/lib/postgresql';

/** The folder of the newest programs; undefined where no server is installed. */
export const postgresPrograms = (existsSync(versions) ? readdirSync(versions) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(versions, version, 'bin'))
  .find((folder) => ['initdb', 'pg_basebackup', 'postgres'].every((name) => existsSync(join(folder, name))));

/** What is not installed here of PgBouncer, by the name of Debian's package. */
export const missingForPooler = onPath('pgbouncer') === undefined ? ['pgbouncer'] : [];

/** As whom servers are started: they refuse root. */
export function serverUser() {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A temporary folder that belongs to that user. */
export function folderForServer(name) {
  const folder = mkdtempSync(join(tmpdir(), `calends-${name}-`));
  const user = serverUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

/** What a trial needs to see quickly that a server has gone or come; the rest is as PgBouncer has it. */
const settings = [
  ...['pool_mode = transaction', 'default_pool_size = 20', 'max_client_conn = 400', 'auth_type = any'],
  ...['server_login_retry = 1', 'server_connect_timeout = 3', 'query_wait_timeout = 5', 'idle_transaction_timeout = 7'],
  ...['listen_addr = 127.0.0.1', 'unix_socket_dir =', 'log_connections = 0', 'log_disconnections = 0'],
];

/**
 * Starts PgBouncer in transaction mode before the PostgreSQL server of a port of loopback, with every database of it.
 */
export async function startPgBouncer(serverPort) {
  const folder = folderForServer('pgbouncer');
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const write = (target) => {
    const database = `* = host=127.0.0.1 port=${target} user=postgres`;
    const own = [`listen_port = ${port}`, `logfile = ${join(folder, 'log')}`];
    writeFileSync(file, ['[databases]', database, '[pgbouncer]', ...settings, ...own, ''].join('\n'));
  };
  write(serverPort);
  const child = run(onPath('pgbouncer'), ['-q', file], { ...serverUser(), cwd: folder });
  const end = async () => {
    await kill(child);
    rmSync(folder, { recursive: true, force: true });
  };
  const listens = async () => {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } finally {
      socket.destroy();
    }
  };
  try {
    await untilSo('PgBouncer', listens, child);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    port,
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    /** Has it lead to another server: it reads its file again. */
    pointTo(target) {
      write(target);
      process.kill(child.pid, 'SIGHUP');
    },
    end,
  };
}
