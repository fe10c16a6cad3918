// PgBouncer in transaction mode before a PostgreSQL server, on loopback. From the Debian package pgbouncer.
import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../scripts/prepare.mjs';
import { freePort, kill, onPath, run, untilSo } from '../scripts/own-processes.mjs';

const { Client } = createRequire(join(root, 'package.json'))('pg');

const program = onPath('pgbouncer');

/** The packages to install for it; none where it is there. */
export const missingForPooler = program === undefined ? ['pgbouncer'] : [];

/** It refuses to run as root. */
function poolerUser() {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind) => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The guide says why, setting by setting. */
const settings = {
  pool_mode: 'transaction',
  default_pool_size: 20,
  max_client_conn: 500,
  server_login_retry: 1,
  server_connect_timeout: 2,
  query_wait_timeout: 5,
  query_timeout: 8,
};

/** Who is who is not what is tried here. */
const letsEverybodyIn = {
  listen_addr: '127.0.0.1',
  unix_socket_dir: '',
  auth_type: 'trust',
  admin_users: 'postgres',
};

const lines = (values) => Object.entries(values).map(([name, value]) => `${name} = ${value}`);

/**
 * Starts it before the server at a port of loopback.
 *
 * @returns addresses of databases through it, and how to turn it to another server
 */
export async function startPooler(firstPort, own = {}) {
  const user = poolerUser();
  const folder = mkdtempSync(join(tmpdir(), 'calends-pooler-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const listenPort = await freePort();
  const [configuration, users] = [join(folder, 'pgbouncer.ini'), join(folder, 'users')];
  writeFileSync(users, '"postgres" ""\n');
  const write = (port) => {
    const section = { ...letsEverybodyIn, auth_file: users, listen_port: listenPort, ...settings, ...own };
    const next = ['[databases]', `* = host=127.0.0.1 port=${port}`, '[pgbouncer]', ...lines(section), ''];
    writeFileSync(`${configuration}.next`, next.join('\n'));
    renameSync(`${configuration}.next`, configuration);
  };
  const asked = async (statement) => {
    const client = new Client({ host: '127.0.0.1', port: listenPort, user: 'postgres', database: 'pgbouncer' });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  write(firstPort);
  const child = run(program, [configuration], { ...user, cwd: folder });
  const end = async () => {
    await kill(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilSo('PgBouncer', () => asked('show version').then(() => true), child);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    url: (name) => `postgres://postgres@127.0.0.1:${listenPort}/${name}`,
    async turnTo(port) {
      write(port);
      await asked('reload');
    },
    end,
  };
}
