import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigurationError } from './configuration-error.js';
import { readEnvironment } from './environment.js';
import { exampleAvailability } from './example-availability.js';

const secret = 'a secret of more than thirty-two bytes';

function faultsOf(variables: NodeJS.ProcessEnv, options?: { serving: boolean }): readonly string[] {
  try {
    readEnvironment(variables, options);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'calends-environment-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the environment of the server', () => {
  it('the environment of the server needs nothing outside production', () => {
    expect(readEnvironment({}, { serving: true })).toEqual({
      port: 3000,
      host: '127.0.0.1',
      readers: [],
      database: { kind: 'sqlite', filename: './data/calends.db' },
      createDatabase: true,
      applications: {},
      availability: exampleAvailability,
      retention: {},
      bookingPage: { applicationId: 'app-1' },
      jwt: { organizationClaim: 'optional' },
      customerPages: true,
      otpRequests: true,
      trustProxy: 0,
      maxConnections: 1000,
      engine: 'proven',
      processes: 1,
      migrate: true,
      worker: true,
      metrics: true,
      admin: 'public',
      production: false,
      logLevel: 'info',
    });
  });

  const inMemory = ['CALENDS_PROCESSES: must be 1 where DATABASE_URL is in memory, which processes cannot share'];
  const onSqlite = [
    'CALENDS_PROCESSES: must be 1 on SQLite, where one process writes at a time; CALENDS_PROCESSES_ON_SQLITE=on permits more',
  ];
  const noNumber = ['CALENDS_PROCESSES: must be a whole number from 1 to 64'];
  it.each<readonly [string, string, string, readonly string[]]>([
    ['64', 'postgres://h/d', '', []],
    ['2', 'mysql://h/d', '', []],
    ['1', 'memory:', '', []],
    ['2', 'memory:', 'on', inMemory],
    ['2', 'sqlite::memory:', 'on', inMemory],
    ['2', 'sqlite:c.db', '', onSqlite],
    ['2', '', '', onSqlite],
    ['2', 'sqlite:c.db', 'on', []],
    ['0', 'postgres://h/d', '', noNumber],
    ['65', 'postgres://h/d', '', noNumber],
    ['02', 'postgres://h/d', '', noNumber],
    ['1.5', 'postgres://h/d', '', noNumber],
    ['auto', 'postgres://h/d', '', noNumber],
  ])(
    'the environment of the server has %j processes on %j (SQLite permitted: %j): %j',
    (processes, url, told, faults) => {
      const variables = { CALENDS_PROCESSES: processes, DATABASE_URL: url, CALENDS_PROCESSES_ON_SQLITE: told };
      expect(faultsOf(variables, { serving: true })).toEqual(faults);
      // What serves nothing is one process whatever the server is.
      expect(faultsOf(variables)).toEqual(faults === noNumber ? faults : []);
    },
  );

  it.each<readonly [NodeJS.ProcessEnv, object, object | undefined]>([
    [{ NODE_ENV: 'production' }, {}, undefined],
    [{ NODE_ENV: 'production' }, { availability: { public: true } }, { public: true }],
    [{ NODE_ENV: 'production', CALENDS_AVAILABILITY: 'on' }, {}, {}],
    [{ CALENDS_AVAILABILITY: 'off' }, { availability: {} }, undefined],
    [{}, {}, {}],
    [{}, { availability: { public: true } }, { public: true }],
  ])('the environment of the server has availability on or off by variable and file: %j, %j', (given, file, there) => {
    const path = join(folder, 'availability.json');
    writeFileSync(path, JSON.stringify(file));
    expect(readEnvironment({ ...given, CALENDS_CONFIG: path }).availability).toEqual(there);
  });

  it('the environment of the server takes an empty variable as one that is not set', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '', CALENDS_SECRET: '' })).toEqual(readEnvironment({}));
  });

  it.each([
    ['PORT', '0', { port: 0 }],
    ['HOST', '::', { host: '::' }],
    ['HOST', 'fe80::1%eth0', { host: 'fe80::1%eth0' }],
    ['HOST', 'calends.example', { host: 'calends.example' }],
    ['PORT', '65535', { port: 65535 }],
    ['DATABASE_URL', 'memory:', { database: { kind: 'memory' } }],
    ['DATABASE_URL', 'sqlite::memory:', { database: { kind: 'sqlite', filename: ':memory:' } }],
    ['DATABASE_URL', 'sqlite:./a/b.db', { database: { kind: 'sqlite', filename: './a/b.db' } }],
    ['DATABASE_URL', 'sqlite:///var/b.db', { database: { kind: 'sqlite', filename: '/var/b.db' } }],
    ['DATABASE_URL', 'postgres://u:p@h/d', { database: { kind: 'postgresql', url: 'postgres://u:p@h/d' } }],
    ['DATABASE_URL', 'mysql://u:p@h/d', { database: { kind: 'mysql', url: 'mysql://u:p@h/d' } }],
    ['CALENDS_CREATE_DATABASE', 'off', { createDatabase: false }],
    ['NODE_ENV', 'production', { createDatabase: false }],
    ['CALENDS_PUBLIC_URL', 'https://example.org/calends/', { publicUrl: 'https://example.org/calends' }],
    ['CALENDS_JWKS_URL', 'http://localhost:8080/keys', { jwt: { jwksUrl: 'http://localhost:8080/keys' } }],
    ['SMTP_URL', 'smtps://user:p%40ss@mail.example:465', { smtpUrl: 'smtps://user:p%40ss@mail.example:465' }],
    [
      'CALENDS_SMS_URL',
      'https://AC1:token@api.twilio.com',
      { sms: { accountSid: 'AC1', authToken: 'token', baseUrl: 'https://api.twilio.com' } },
    ],
    ['CALENDS_MIGRATE', 'off', { migrate: false }],
    ['CALENDS_WORKER', 'off', { worker: false }],
    ['CALENDS_WORKER', 'on', { worker: true }],
    ['CALENDS_METRICS', 'off', { metrics: false }],
    ['CALENDS_LIMITS', 'off', { limits: 'off' }],
    ['CALENDS_LIMITS', 'concurrent=9', { limits: { concurrent: 9 } }],
    ['CALENDS_TRUST_PROXY', '2', { trustProxy: 2 }],
    ['CALENDS_MAX_CONNECTIONS', '50', { maxConnections: 50 }],
    ['CALENDS_CUSTOMER_PAGES', 'off', { customerPages: false }],
    ['CALENDS_OTP_REQUESTS', 'off', { otpRequests: false }],
    [
      'CALENDS_SIGNING_KEYS',
      `new:${'n'.repeat(32)}, old:${'o:'.repeat(16)}`,
      {
        signingKeys: [
          { id: 'new', secret: 'n'.repeat(32) },
          { id: 'old', secret: 'o:'.repeat(16) },
        ],
      },
    ],
    ['CALENDS_SECRET', secret, { secrets: [secret] }],
    ['CALENDS_SECRET', `another ${secret},${secret}`, { secrets: [`another ${secret}`, secret] }],
    ['CALENDS_SECRET', String.raw`with a comma\, ${secret}`, { secrets: [`with a comma, ${secret}`] }],
    ['CALENDS_SECRET', ` another ${secret} , ${secret} `, { secrets: [`another ${secret}`, secret] }],
    // What stands alone is no list.
    ['CALENDS_SECRET', ` ${secret} `, { secrets: [` ${secret} `] }],
    ['CALENDS_SECRET', String.raw`another ${secret}, \ ${secret}\ `, { secrets: [`another ${secret}`, ` ${secret} `] }],
    ['CALENDS_SECRET', String.raw`another\ ${secret},${secret}`, { secrets: [String.raw`another\ ${secret}`, secret] }],
    ['CALENDS_JWT_ISSUER', 'https://login.example', { jwt: { issuer: 'https://login.example' } }],
    ['CALENDS_READERS', '', { readers: [] }],
    ['CALENDS_ADMIN', 'public', { admin: 'public' }],
    ['CALENDS_ADMIN', 'off', { admin: 'off' }],
    ['CALENDS_ADMIN', '9090', { admin: { host: '127.0.0.1', port: 9090 } }],
    ['CALENDS_ADMIN', '0.0.0.0:9090', { admin: { host: '0.0.0.0', port: 9090 } }],
    ['CALENDS_ADMIN', '[::1]:9090', { admin: { host: '::1', port: 9090 } }],
    ['CALENDS_ORGANIZATION_CLAIM', 'required', { jwt: { organizationClaim: 'required' } }],
    ['NODE_ENV', 'production', { production: true, admin: 'off' }],
    ['NODE_ENV', 'test', { production: false }],
  ])('the environment of the server reads %s=%s', (name, value, expected) => {
    expect(readEnvironment({ [name]: value })).toMatchObject(expected);
  });

  it('the environment of the server reads standbys of PostgreSQL, separated by commas', () => {
    const [DATABASE_URL, one, other] = ['postgres://u:p@h/d', 'postgres://u:p@one/d', 'postgres://u:p@other/d'];
    const variables = { DATABASE_URL, CALENDS_READERS: `${one}, ${other}` };
    expect(readEnvironment(variables)).toMatchObject({ readers: [one, other] });
  });

  it('the environment of the server reads a pooler before PostgreSQL, and refuses one before another database', () => {
    const pooled = { CALENDS_POOLER: 'transaction' };
    expect(readEnvironment({ DATABASE_URL: 'postgres://u:p@h/d', ...pooled })).toMatchObject({ pooler: 'transaction' });
    expect(() => readEnvironment({ DATABASE_URL: 'mysql://u:p@h/d', ...pooled })).toThrow(
      'CALENDS_POOLER: must not be set unless DATABASE_URL is PostgreSQL',
    );
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['HOST', 'a b'],
    ['HOST', '[::1]'],
    ['HOST', '127.0.0.1:80'],
    ['HOST', 'localhost:3000'],
    ['HOST', '999.1.1.1'],
    ['HOST', '%'],
    ['HOST', 'http://localhost'],
    ['DATABASE_URL', 'oracle://host/db'],
    ['DATABASE_URL', 'mysql:///d'],
    ['DATABASE_URL', 'postgres://host'],
    ['DATABASE_URL', 'mysql://u:hunter2%@host/d'],
    ['DATABASE_URL', 'sqlite:./a/b.db?mode=ro'],
    ['CALENDS_READERS', 'mysql://hunter2@host/d'],
    ['CALENDS_READERS', 'postgres://u:hunter2@host/d,'],
    ['CALENDS_READERS', 'postgres://u:hunter2@host/d'],
    ['CALENDS_POOLER', 'session'],
    ['CALENDS_CONFIG', '/there/is/no/such/file.json'],
    ['CALENDS_JWT_SECRET', 'too short'],
    ['CALENDS_SECRET', 'too short'],
    ['CALENDS_SECRET', 'x'.repeat(32)],
    ['CALENDS_SECRET', `${secret},too short`],
    ['CALENDS_SECRET', `${secret},${secret}`],
    ['CALENDS_SECRET', `${secret}, ${secret}`],
    ['CALENDS_SECRET', `${secret},`],
    ['CALENDS_JWT_ISSUER', '  '],
    ['CALENDS_JWT_ISSUER', ' https://login.example'],
    ['CALENDS_JWT_AUDIENCE', '\t'],
    ['CALENDS_JWT_AUDIENCE', 'calends\r'],
    ['CALENDS_JWKS_URL', 'http://example.org/keys'],
    ['CALENDS_JWKS_URL', 'https://user:hunter2@example.org/keys'],
    ['CALENDS_PUBLIC_URL', 'ftp://example.org'],
    ['CALENDS_PUBLIC_URL', 'https://example.org/?a=b'],
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'mail.example:25'],
    ['SMTP_URL', 'smtp://hunter2@mail.example'],
    ['SMTP_URL', 'smtp://user:hunter2@mail.example/path'],
    ['CALENDS_SMS_URL', 'api.twilio.com'],
    ['CALENDS_SMS_URL', 'http://AC1:hunter2@api.twilio.com'],
    ['CALENDS_SMS_URL', 'https://AC1@api.twilio.com'],
    ['CALENDS_SMS_URL', 'https://AC1:hunter2@api.twilio.com?from=1'],
    ['CALENDS_CREATE_DATABASE', 'yes'],
    ['CALENDS_WORKER', 'yes'],
    ['CALENDS_METRICS', 'true'],
    ['CALENDS_LIMITS', 'name=5'],
    ['CALENDS_TRUST_PROXY', 'all'],
    ['CALENDS_MAX_CONNECTIONS', '0'],
    ['CALENDS_ADMIN', 'on'],
    ['CALENDS_ADMIN', '90900'],
    ['CALENDS_ADMIN', 'host:'],
    ['CALENDS_ORGANIZATION_CLAIM', 'always'],
    ['CALENDS_CUSTOMER_PAGES', 'yes'],
    ['CALENDS_OTP_REQUESTS', '1'],
    ['CALENDS_SIGNING_KEYS', 'new'],
    ['CALENDS_SIGNING_KEYS', 'new:too short'],
    ['CALENDS_SIGNING_KEYS', `a:${'x'.repeat(32)},a:${'y'.repeat(32)}`],
    ['CALENDS_SIGNING_KEYS', ['a', 'b', 'c'].map((id) => `${id}:${'x'.repeat(32)}`).join(',')],
    ['LOG_LEVEL', 'loud'],
    ['NODE_ENV', 'production '],
    ['NODE_ENV', 'production\r'],
    ['NODE_ENV', 'Production'],
    ['NODE_ENV', ' PRODUCTION'],
  ])('the environment of the server refuses %s=%s without repeating the value', (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(new RegExp(`^${name}: \\w`));
    expect(faults[0]).not.toContain(value);
    expect(faults[0]).not.toContain('hunter2');
  });

  it('the environment of the server names the words that a variable may be', () => {
    expect(faultsOf({ CALENDS_ENGINE: 'x' })).toEqual(['CALENDS_ENGINE: must be one of: proven, unproven']);
  });

  it('the environment of the server lists every fault in one message', () => {
    const variables = { PORT: 'x', LOG_LEVEL: 'y', CALENDS_SECRET: 'z', CALENDS_CONFIG: '/no', NODE_ENV: 'production' };
    expect(faultsOf(variables, { serving: true }).map((fault) => fault.split(':')[0])).toEqual([
      'PORT',
      'CALENDS_SECRET',
      'LOG_LEVEL',
      'CALENDS_JWT_SECRET or CALENDS_JWKS_URL',
      'CALENDS_CONFIG',
    ]);
  });

  it('the environment of the server verifies tokens by a secret or by a key set, not by both', () => {
    expect(faultsOf({ CALENDS_JWT_SECRET: secret, CALENDS_JWKS_URL: 'https://example.org/keys' })).toEqual([
      'CALENDS_JWT_SECRET, CALENDS_JWKS_URL: set one of them, not both',
    ]);
  });

  it.each([
    [{ PORT: '9090', CALENDS_ADMIN: '9090' }],
    [{ CALENDS_ADMIN: '3000' }],
    [{ PORT: '9090', HOST: 'localhost', CALENDS_ADMIN: '127.0.0.1:9090' }],
    [{ PORT: '9090', HOST: '0.0.0.0', CALENDS_ADMIN: '9090' }],
    [{ PORT: '9090', CALENDS_ADMIN: '0.0.0.0:9090' }],
    [{ PORT: '9090', HOST: '::', CALENDS_ADMIN: '9090' }],
    [{ PORT: '9090', CALENDS_ADMIN: '[::]:9090' }],
    [{ PORT: '9090', HOST: '::1', CALENDS_ADMIN: '[::1]:9090' }],
  ])('the server cannot listen twice where it is reached: %j', (variables) => {
    expect(faultsOf(variables, { serving: true })).toEqual([
      'CALENDS_ADMIN, PORT: must be different ports where both are on one address',
    ]);
    expect(faultsOf(variables)).toEqual([]);
  });

  it.each([
    [{ PORT: '9090', CALENDS_ADMIN: '9091' }],
    [{ PORT: '9090', HOST: '10.0.0.7', CALENDS_ADMIN: '9090' }],
    [{ PORT: '9090', HOST: '0.0.0.0', CALENDS_ADMIN: '[::1]:9090' }],
    [{ PORT: '0', CALENDS_ADMIN: '0' }],
    [{ PORT: '9090', CALENDS_ADMIN: 'public' }],
  ])('the server may listen at two places: %j', (variables) => {
    expect(faultsOf(variables, { serving: true })).toEqual([]);
  });

  it('the environment of the server misses secrets only in production, and only to serve', () => {
    const production = { NODE_ENV: 'production' };
    expect(faultsOf(production, { serving: true })).toHaveLength(2);
    expect(faultsOf(production)).toEqual([]);
    expect(faultsOf({ ...production, CALENDS_JWT_SECRET: secret, CALENDS_SECRET: secret }, { serving: true })).toEqual(
      [],
    );
  });

  describe('with applications that send mails and SMS', () => {
    const production = { NODE_ENV: 'production', CALENDS_JWT_SECRET: secret, CALENDS_SECRET: secret };
    const missing = [
      'SMTP_URL: must be set in production: applications.app-2 has notifications.email',
      'CALENDS_SMS_URL: must be set in production: applications.app-2 has notifications.sms',
    ];
    const providers = { SMTP_URL: 'smtp://mail.example', CALENDS_SMS_URL: 'https://AC1:token@api.twilio.com' };
    let file: { readonly CALENDS_CONFIG: string };
    beforeAll(() => {
      file = { CALENDS_CONFIG: join(folder, 'calends.json') };
      const notifications = { email: { from: 'no-reply@clinic.example' }, sms: { from: 'CLINIC' } };
      writeFileSync(file.CALENDS_CONFIG, JSON.stringify({ applications: { 'app-1': {}, 'app-2': { notifications } } }));
    });

    it.each([
      ['production without providers misses both', production, missing],
      ['production with one misses the other', { ...production, SMTP_URL: providers.SMTP_URL }, missing.slice(1)],
      ['production with both misses none', { ...production, ...providers }, []],
      ['a process without a worker sends nothing', { ...production, CALENDS_WORKER: 'off' }, []],
      ['development misses none', {}, []],
    ])('%s', (_what, variables, faults) => {
      expect(faultsOf({ ...variables, ...file }, { serving: true })).toEqual(faults);
      expect(faultsOf({ ...variables, ...file })).toEqual([]);
    });
  });
});
