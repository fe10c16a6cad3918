import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, sqliteKnex } from '@calends/store-knex';
import type { Knex } from 'knex';
import { beforeAll, describe, expect, it } from 'vitest';
import { SchedulingClient, secrets } from './scheduling-client.js';
import { calends, cli, type Ending } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();

function run(words: readonly string[], variables: NodeJS.ProcessEnv = {}, at = folder()): Promise<Ending> {
  return calends(words, variables, at).ended;
}

describe('calends', () => {
  it('calends explains itself', async () => {
    const [help, version] = await Promise.all([run(['--help']), run(['--version'])]);
    expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/serve[^]*token[^]*migrate[^]*openapi/) });
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('calends answers what it does not understand with the usage and exit code 64', async () => {
    const ending = await run(['sreve']);
    expect(ending).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining('did you mean serve?') });
    expect(ending.stderr).toContain('Usage: calends <command>');
  });

  it('calends lists all faults of environment and configuration file in one message, and exits with 78', async () => {
    const file = join(folder(), 'faulty.json');
    writeFileSync(file, JSON.stringify({ applications: { 'app-1': { agent: [], allowPastStart: 'hunter2' } } }));
    const variables = { PORT: 'hunter2', CALENDS_SECRET: 'hunter2', CALENDS_CONFIG: file, CALENDS_SECRT: 'hunter2' };
    const ending = await run(['serve'], variables);
    expect(ending).toMatchObject({ code: 78, stdout: '' });
    expect(ending.stderr.trimEnd().split('\n')).toEqual([
      'calends: warning: the variable CALENDS_SECRT is not known; did you mean CALENDS_SECRET?',
      'calends: the configuration has 4 faults:',
      '  - PORT: must be a whole number from 0 to 65535',
      '  - CALENDS_SECRET: must have at least 32 bytes',
      '  - CALENDS_CONFIG: applications.app-1.allowPastStart: must be true or false',
      '  - CALENDS_CONFIG: applications.app-1.agent: is not known; did you mean agents?',
    ]);
  });

  it('calends does not serve in production without secrets', async () => {
    const ending = await run(['serve'], { NODE_ENV: 'production', DATABASE_URL: 'memory:' });
    expect(ending).toMatchObject({ code: 78, stdout: '' });
    expect(ending.stderr).toContain('CALENDS_JWT_SECRET or CALENDS_JWKS_URL: one must be set in production');
    expect(ending.stderr).toContain('CALENDS_SECRET: must be set in production');
  });

  it.each(['serve', 'migrate', 'token --role ROLE_AGENT'])(
    'calends %s says that the folder in which it was started was removed, and exits with 69',
    async (words) => {
      const gone = mkdtempSync(join(folder(), 'gone-'));
      const shell = ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, cli, ...words.split(' ')];
      const { status, stdout, stderr } = spawnSync('sh', shell, { cwd: gone, env: {}, timeout: 20_000 });
      expect({ status, stdout: stdout.toString(), stderr: stderr.toString() }).toEqual({
        status: 69,
        stdout: '',
        stderr: expect.stringMatching(/^calends: the folder in which this was started was removed: change to /),
      });
    },
  );
});

describe('calends openapi', () => {
  it('calends openapi ends without a word when its reader has seen enough', async () => {
    const printing = calends(['openapi'], secrets, folder());
    printing.closeOutput();
    expect(await printing.ended).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it.each([
    ['an address', { CALENDS_PUBLIC_URL: 'https://example.org/calends/' }, 'https://example.org/calends', true],
    ['one-time passwords turned off', { CALENDS_OTP_REQUESTS: 'off' }, '/', false],
  ])('calends openapi prints what the server of the environment serves: with %s', async (_what, given, url, hasOtp) => {
    const variables = { ...secrets, ...given, DATABASE_URL: 'memory:', PORT: '0' };
    const server = calends(['serve'], variables, folder());
    const [{ code, stdout }, address] = await Promise.all([run(['openapi'], variables), server.listening()]);
    expect(code).toBe(0);
    const printed = JSON.parse(stdout) as { readonly servers: unknown; readonly paths: object };
    expect(printed).toEqual(await (await fetch(`${address}/openapi.json`)).json());
    expect(printed.servers).toEqual([{ url }]);
    expect('/api/customers/one-time-passwords' in printed.paths).toBe(hasOtp);
  });
});

describe('calends token', () => {
  it('calends token makes a token that the server of the same environment accepts', async () => {
    const variables = {
      ...secrets,
      DATABASE_URL: 'memory:',
      PORT: '0',
      CALENDS_JWT_ISSUER: 'i',
      CALENDS_JWT_AUDIENCE: 'a',
    };
    const server = calends(['serve'], variables, folder());
    const { code, stdout } = await run(['token', '--role', 'ROLE_AGENT', '--organization', 'org-7'], variables);
    expect(code).toBe(0);
    const client = new SchedulingClient(await server.listening(), stdout.trim());
    await expect(client.schedule()).resolves.toMatch(/^[\da-f-]{36}$/);
  });

  it.each<readonly [string, object, string]>([
    [
      'the first application',
      { 'app-1': { organizationId: 'clinic' }, 'app-2': { organizationId: 'other' } },
      'clinic',
    ],
    ['none', { 'app-1': {} }, 'default'],
  ])('calends token is for the organization that is named by %s', async (_by, applications, organizationId) => {
    const path = join(folder(), 'named.json');
    writeFileSync(path, JSON.stringify({ applications }));
    const variables = { ...secrets, DATABASE_URL: 'memory:', CALENDS_CONFIG: path };
    const { stdout } = await run(['token', '--role', 'ROLE_AGENT'], variables);
    const [, claims = ''] = stdout.split('.');
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ organizationId });
  });

  it('calends token signs with the secret that the server keeps beside its database, readable for its owner only', async () => {
    const at = join(folder(), 'kept');
    mkdirSync(at);
    const server = calends(['serve'], { PORT: '0' }, at);
    const address = await server.listening();
    const { stdout } = await run(['token', '--role', 'ROLE_CLIENT_SERVICE'], {}, at);
    await expect(new SchedulingClient(address, stdout.trim()).schedule()).resolves.toBeDefined();
    const path = join(at, 'data', 'calends.secret');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(server.stdout).not.toContain(readFileSync(path, 'utf8').trim());
  });

  it.each([
    ['in production', { NODE_ENV: 'production' }],
    ['with a store in memory', { DATABASE_URL: 'memory:' }],
    ['where a key set verifies', { CALENDS_JWKS_URL: 'https://example.org/keys' }],
  ])('calends token has nothing to sign with %s: exit code 78', async (_when, variables) => {
    expect(await run(['token', '--role', 'ROLE_AGENT'], variables)).toMatchObject({ code: 78, stdout: '' });
  });
});

describe('calends migrate', () => {
  it('calends migrate makes the tables once, and finds them made the next time', async () => {
    const variables = { DATABASE_URL: 'sqlite:./migrated/calends.db' };
    const first = await run(['migrate'], variables);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Migrating: 0001(.*\n)+Migrated: 0001\S+.*\.\n$/),
    });
    const second = await run(['migrate'], variables);
    expect(second).toMatchObject({ code: 0, stdout: 'The tables are up to date.\n' });
  });

  it('calends migrate says in one line that a database does not answer, without its password, and exits with 69', async () => {
    const ending = await run(['migrate'], { DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/nothing' });
    expect(ending).toMatchObject({ code: 69, stdout: '' });
    expect(ending.stderr).toMatch(/^calends: .*database.*\n$/);
    expect(ending.stderr).not.toContain('hunter2');
  });
});

describe('calends without a driver for its database', () => {
  it.each([
    ['libsql', 'sqlite:calends.db'],
    ['@libsql', 'sqlite:calends.db'],
    ['pg', 'postgres://u@127.0.0.1/d'],
    ['mysql2', 'mysql://u@127.0.0.1/d'],
  ])('calends without %s says that the driver cannot be loaded, and ends with 69', async (driver, DATABASE_URL) => {
    const place = folder();
    writeFileSync(join(place, 'without.cjs'), withoutPackage(driver));
    const variables = { ...secrets, DATABASE_URL, NODE_OPTIONS: '--require ./without.cjs', PORT: '0' };
    const refusal = { code: 69, stderr: expect.stringMatching(/^calends: the driver of the database .*\n$/) };
    for (const command of ['migrate', 'serve']) {
      await expect(calends([command], variables, place).ended).resolves.toMatchObject(refusal);
    }
  });
});

/** Lets Node find no such package, as after an installation that left it out. */
const withoutPackage = (name: string): string => `
  const Module = require('node:module');
  const find = Module._resolveFilename;
  Module._resolveFilename = function (request, ...rest) {
    if (request === '${name}' || request.startsWith('${name}/')) {
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    }
    return find.call(this, request, ...rest);
  };`;

describe('calends where there is no database', () => {
  it.each([
    'notifications list --application app-1',
    'services list --application app-1',
    'hours list',
    'availability talk',
  ])('calends %s says so in one line, exits with 69, and begins none', async (words) => {
    const at = mkdtempSync(join(folder(), 'empty-'));
    expect(await run(words.split(' '), secrets, at)).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringMatching(/^calends: there is no database file, or it is empty \(DATABASE_URL\): .*\n$/),
    });
    expect(readdirSync(at)).toEqual([]);
  });
});

describe('calends, older than the tables of its database', () => {
  let filename = '';
  beforeAll(async () => {
    filename = join(folder(), 'newer.db');
    const knex = sqliteKnex({ filename });
    try {
      await migrate(knex);
      await knex('calends_schema').insert({ step: '9999_from_the_future', written_from: 9999 });
    } finally {
      await knex.destroy();
    }
  });

  it.each<[string, NodeJS.ProcessEnv?]>([
    ['serve'],
    ['serve', { CALENDS_MIGRATE: 'off' }],
    ['serve', { CALENDS_PROCESSES: '2', CALENDS_PROCESSES_ON_SQLITE: 'on' }],
    ['migrate'],
    ['notifications list --application app-1'],
    ['services list --application app-1'],
  ])(
    'calends %s says in one line that it is too old for the tables, and exits with 69: %j',
    async (words, more = {}) => {
      const variables = { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${filename}`, ...more };
      const { code, stderr } = await run(words.split(' '), variables);
      expect(code, stderr).toBe(69);
      expect(stderr).toMatch(
        /^calends: this program is too old for the tables of the database .*start a newer version.*\n$/,
      );
    },
  );
});

describe('calends with tables that are older than it', () => {
  it.each<[string, NodeJS.ProcessEnv?]>([
    ['serve', { CALENDS_MIGRATE: 'off' }],
    ['notifications list --application app-1'],
  ])('calends %s sends to the migrations, and exits with 69: %j', async (words, more = {}) => {
    const filename = join(folder(), `older-${words.length}.db`);
    const knex = sqliteKnex({ filename });
    try {
      await migrate(knex);
      await knex('calends_migrations').where({ name: '0011_long_times' }).delete();
    } finally {
      await knex.destroy();
    }
    const ending = await run(words.split(' '), { ...secrets, PORT: '0', DATABASE_URL: `sqlite:${filename}`, ...more });
    expect(ending).toMatchObject({
      code: 69,
      stderr: expect.stringMatching(/^calends: the .*run `?calends migrate.*\n$/),
    });
  });
});

describe('calends beside a program of an older version', () => {
  const filename = (): string => join(folder(), 'beside.db');
  const variables = (): NodeJS.ProcessEnv => ({ ...secrets, PORT: '0', DATABASE_URL: `sqlite:${filename()}` });
  const onFile = async (work: (knex: Knex) => Promise<unknown>): Promise<void> => {
    const knex = sqliteKnex({ filename: filename() });
    try {
      await work(knex);
    } finally {
      await knex.destroy();
    }
  };
  const told =
    '0008_counts_lead, 0013_duration_counts_lead not taken yet, for a program of an older version may still write: run calends migrate a minute after the last one has ended';
  beforeAll(() =>
    onFile(async (knex) => {
      await migrate(knex);
      await knex('calends_migrations').whereIn('name', ['0008_counts_lead', '0013_duration_counts_lead']).delete();
      await knex('calends_schema').delete();
      await knex('calends_processes').insert({ id: 'older', version: 6, seen_at: Date.now() + 3_600_000 });
    }),
  );

  it('calends migrate names the steps that wait for it, and does not say that all is done', async () => {
    expect(await run(['migrate'], variables())).toEqual({ code: 0, stdout: `${told}.\n`, stderr: '' });
  });

  it('calends serve names them in its log and, until they are taken, in the details of /readyz', async () => {
    const server = calends(['serve'], { ...variables(), CALENDS_MIGRATE: 'off' }, folder());
    const address = await server.listening();
    await server.says(/"level":"warn".*"msg":"0008_counts_lead, 0013_duration_counts_lead not taken yet, /);
    const warnings = async (): Promise<readonly string[]> =>
      ((await (await fetch(`${address}/readyz`)).json()) as { readonly warnings: readonly string[] }).warnings;
    expect(await warnings()).toContain(told);
    await onFile((knex) =>
      knex('calends_migrations').insert([{ name: '0008_counts_lead' }, { name: '0013_duration_counts_lead' }]),
    );
    // What was found before holds for a second.
    while ((await warnings()).includes(told));
    await server.signal('SIGTERM');
  });
});
