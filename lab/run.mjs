// `npm run lab -- NAME`: starts a topology from Debian packages, on loopback and in a temporary folder, runs its trial at full length and ends
// all of it again.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { missingBroker } from '../scripts/brokers.mjs';
import { build, root } from '../scripts/prepare.mjs';
import { missingForGalera } from './galera.mjs';
import { missingForPooler } from './pooler.mjs';

const missingPostgres = existsSync('/usr/lib/postgresql') ? [] : ['postgresql'];

const trials = {
  galera: {
    missing: missingForGalera,
    file: 'lab/galera.torture.test.ts',
    env: { CALENDS_RACES: '10000' },
  },
  'galera-kills': {
    missing: missingForGalera,
    file: 'lab/galera-kills.torture.test.ts',
    env: { CALENDS_KILLS: '12' },
  },
  readers: {
    missing: missingPostgres,
    file: 'packages/store-knex/test/readers.torture.test.ts',
    env: { CALENDS_PAIRS: '100000' },
  },
  pooler: {
    missing: [...missingPostgres, ...missingForPooler],
    file: 'lab/pooler.torture.test.ts',
    env: { CALENDS_POOLER_CONFORMANCE: '1' },
  },
  failover: {
    missing: [...missingPostgres, ...missingForPooler],
    file: 'lab/failover.torture.test.ts',
    env: { CALENDS_FAILOVERS: '5' },
  },
  brokers: {
    missing: ['nats', 'rabbitmq', 'redis'].flatMap((kind) => missingBroker(kind) ?? []),
    file: 'scripts/publishers.torture.test.ts',
    env: { CALENDS_RESTARTS: '20' },
  },
};

const name = process.argv[2] ?? '';
if (!Object.hasOwn(trials, name)) {
  console.error(`npm run lab -- NAME, which is one of ${Object.keys(trials).join(', ')}`);
  process.exit(2);
}
const { missing, file, env } = trials[name];
if (missing.length > 0) {
  console.error(`Not installed here, from Debian: apt-get install ${missing.join(' ')}`);
  process.exit(1);
}
await build();
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const child = spawn(process.execPath, [vitest, 'run', file], {
  cwd: root,
  // What the environment sets, as a shorter trial, goes before.
  env: { ...env, ...process.env },
  stdio: 'inherit',
});
child.on('close', (code) => (process.exitCode = code ?? 1));
