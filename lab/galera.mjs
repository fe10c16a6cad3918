// A Galera cluster of two nodes that take writes, and an arbitrator, on loopback. From the Debian packages mariadb-server, galera-4,
// galera-arbitrator-4 and rsync.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../scripts/prepare.mjs';
import { freePort, kill, onPath, run, untilSo } from '../scripts/own-processes.mjs';

const { createConnection } = createRequire(join(root, 'packages', 'store-knex', 'package.json'))('mysql2/promise');
const execute = promisify(execFile);

const provider = [
  '/usr/lib/galera/libgalera_smm.so',
  '/usr/lib64/galera-4/libgalera_smm.so',
  '/usr/lib/libgalera_smm.so',
].find((path) => existsSync(path));

const needed = [
  ['mariadb-server', onPath('mariadbd')],
  ['mariadb-server', onPath('mariadb-install-db')],
  ['galera-4', provider],
  ['galera-arbitrator-4', onPath('garbd')],
  ['rsync', onPath('rsync')],
];

/** The packages to install for it, each once; none where all are there. */
export const missingForGalera = [...new Set(needed.flatMap(([name, found]) => (found === undefined ? [name] : [])))];

/** The server refuses to run as root unless it is told as whom. */
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? ['--user=mysql'] : [];

const settings = [
  ...['--wsrep-on=ON', `--wsrep-provider=${provider}`, '--wsrep-cluster-name=calends-lab', '--wsrep-sst-method=rsync'],
  ...[
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--innodb-buffer-pool-size=64M',
    '--bind-address=127.0.0.1',
  ],
  ...['--innodb-flush-log-at-trx-commit=2', '--performance-schema=OFF', '--innodb-log-file-size=48M'],
];

/** That another is gone is noticed within some seconds. */
const quickToNotice = ['evs.suspect_timeout=PT3S', 'evs.inactive_timeout=PT6S', 'evs.keepalive_period=PT0.5S'];

async function asked(port, text) {
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root', connectTimeout: 2000 });
  try {
    const [rows] = await connection.query(text);
    return rows;
  } finally {
    await connection.end();
  }
}

/** True once a node is in step with the cluster. */
async function isSynced(port) {
  const rows = await asked(port, `show status like 'wsrep_local_state_comment'`);
  return rows[0]?.Value === 'Synced';
}

async function newNode(folder, name, clusterPort) {
  const data = join(folder, name);
  const dataDirectory = `--datadir=${data}`;
  const installer = ['--no-defaults', ...asUser, dataDirectory, '--auth-root-authentication-method=normal'];
  await execute(onPath('mariadb-install-db'), [...installer, '--skip-test-db']);
  const [port, ist, sst] = [await freePort(), await freePort(), await freePort()];
  const options = [
    ...[`gmcast.listen_addr=tcp://127.0.0.1:${clusterPort}`, `ist.recv_addr=127.0.0.1:${ist}`, 'gcache.size=32M'],
    ...quickToNotice,
  ];
  const args = [
    ...[
      '--no-defaults',
      ...asUser,
      dataDirectory,
      `--socket=${join(data, 'socket')}`,
      `--pid-file=${join(data, 'pid')}`,
    ],
    ...[`--log-error=${join(data, 'log')}`, `--port=${port}`, ...settings, `--wsrep-node-name=${name}`],
    ...[`--wsrep-node-address=127.0.0.1:${clusterPort}`, `--wsrep-sst-receive-address=127.0.0.1:${sst}`],
    `--wsrep-provider-options=${options.join(';')}`,
  ];
  return { port, args };
}

/**
 * After a crash: the number of the last commit on disk, with which a node asks for those that it lacks and for no copy of everything. The
 * service of the package finds it in the same way before it starts a node.
 */
async function lastCommit(args, address) {
  const { stderr } = await execute(onPath('mariadbd'), [...args, address, '--wsrep-recover', '--disable-log-error']);
  const [, position] = /Recovered position: *(\S+)/.exec(stderr) ?? [];
  return position === undefined ? [] : [`--wsrep-start-position=${position}`];
}

/**
 * Starts a cluster. Its nodes are empty but for the database `calends`.
 *
 * @returns the addresses of the database through each node, and how to kill a node and start it again
 */
export async function startGalera() {
  const folder = mkdtempSync(join(tmpdir(), 'calends-galera-'));
  if (isRoot) await execute('chown', ['mysql:', folder]);
  const clusterPorts = [await freePort(), await freePort(), await freePort()];
  const members = `gcomm://${clusterPorts.map((port) => `127.0.0.1:${port}`).join(',')}`;
  const nodes = [];
  const running = [];

  const begin = async (index, address) => {
    const { port, args } = nodes[index];
    const child = run(onPath('mariadbd'), [...args, ...address]);
    running[index] = child;
    await untilSo(`node ${index + 1} of Galera`, () => isSynced(port), child);
  };
  const end = async () => {
    for (const child of running) if (child !== undefined) await kill(child);
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    for (const index of [0, 1]) nodes.push(await newNode(folder, `node${index + 1}`, clusterPorts[index]));
    await begin(0, ['--wsrep-cluster-address=gcomm://', '--wsrep-new-cluster']);
    await begin(1, [`--wsrep-cluster-address=${members}`]);
    const options = [`gmcast.listen_addr=tcp://127.0.0.1:${clusterPorts[2]}`, ...quickToNotice].join(';');
    const arbitrator = ['--group', 'calends-lab', '--address', members, '--log', join(folder, 'garbd.log')];
    await untilSo('the arbitrator of Galera', async () => {
      // On a busy machine it may come to the cluster too late, and gives up.
      if (running[2] === undefined || running[2].exitCode !== null) {
        running[2] = run(onPath('garbd'), [...arbitrator, '--options', options], { cwd: folder });
      }
      const rows = await asked(nodes[0].port, `show status like 'wsrep_cluster_size'`);
      return rows[0]?.Value === '3';
    });
    await asked(nodes[0].port, 'create database calends');
  } catch (error) {
    await end();
    throw error;
  }
  return {
    urls: nodes.map(({ port }) => `mysql://root@127.0.0.1:${port}/calends`),
    /** As a crash does. */
    kill: (index) => kill(running[index]),
    /**
     * Starts one again that was killed; resolves once it is in step. It gets the commits that it lacks, or, with `copied`, a copy of everything
     * from the other, which takes no writes meanwhile.
     */
    start: async (index, { copied = false } = {}) => {
      const address = `--wsrep-cluster-address=${members}`;
      const position = copied ? [] : await lastCommit(nodes[index].args, address);
      await begin(index, [address, ...position]);
    },
    end,
  };
}
