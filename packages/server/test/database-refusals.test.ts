import { createScheduling } from '@calends/core';
import { openKnex } from '@calends/store-knex';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DatabaseAddress } from '../src/configuration/database-address.js';
import { openDatabase } from '../src/database/open-database.js';
import { createApplication } from '../src/http/application.js';
import { createLog } from '../src/log/log.js';
import { secrets } from './scheduling-client.js';
import { calends } from './server-process.js';
import { temporaryFolder } from './temporary-folder.js';

const folder = temporaryFolder();
const unique = `calends_refusals_${process.pid}`;
/** Let in, with no right to make tables. */
const limited = `${unique}_limited`.slice(0, 32);
/** Has one connection at a time. */
const crowded = `${unique}_crowded`.slice(0, 32);
/** Not let in. */
const barred = `${unique}_barred`.slice(0, 32);
const password = 'hunter2';

/** How to make a database with its users on a server, and how to take it away again. */
interface Kind {
  readonly name: string;
  readonly kind: 'postgresql' | 'mysql';
  readonly url: string;
  readonly make: readonly string[];
  readonly remove: readonly string[];
}

const kinds: readonly Kind[] = [
  {
    name: 'PostgreSQL',
    kind: 'postgresql',
    url: process.env['CALENDS_TEST_POSTGRES_URL'] ?? '',
    make: [
      `create database ${unique}`,
      `create role ${limited} login`,
      `create role ${crowded} login connection limit 1`,
      `create role ${barred} nologin`,
    ],
    remove: [
      `drop database if exists ${unique} with (force)`,
      `drop role if exists ${limited}`,
      `drop role if exists ${crowded}`,
      `drop role if exists ${barred}`,
    ],
  },
  {
    name: 'MariaDB',
    kind: 'mysql',
    url: process.env['CALENDS_TEST_MARIADB_URL'] ?? '',
    make: [
      `create database ${unique}`,
      `create user ${limited}@'%' identified by '${password}'`,
      `grant select on ${unique}.* to ${limited}@'%'`,
      `create user ${crowded}@'%' identified by '${password}' with max_user_connections 1`,
      `grant select on ${unique}.* to ${crowded}@'%'`,
    ],
    remove: [
      `drop database if exists ${unique}`,
      `drop user if exists ${limited}@'%'`,
      `drop user if exists ${crowded}@'%'`,
    ],
  },
];

async function onServer(url: string, statements: readonly string[]): Promise<void> {
  const knex = openKnex(url);
  try {
    for (const statement of statements) await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}

/** The sentence that `serve` and `migrate` end with. */
async function refusalOf(address: DatabaseAddress): Promise<unknown> {
  const database = openDatabase(address, false);
  try {
    return await database.migrate().catch((fault: unknown) => fault);
  } finally {
    await database.close();
  }
}

/** What the details of `/readyz` say of the store. */
async function readiness(address: DatabaseAddress): Promise<unknown> {
  const database = openDatabase(address, false);
  const scheduling = createScheduling({ store: database.store, secret: secrets.CALENDS_SECRET });
  const parts = { authentication: { secret: secrets.CALENDS_JWT_SECRET }, publicUrl: undefined, hasWorker: false };
  const application = createApplication({ ...parts, scheduling, log: createLog('silent'), isStopping: () => false });
  const server = await new Promise<Server>((resolve) => {
    const listening = createServer(application).listen(0, '127.0.0.1', () => resolve(listening));
  });
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect(response.status).toBe(503);
    const details = (await response.json()) as { readonly store: unknown };
    expect(JSON.stringify(details)).not.toContain(unique);
    return details.store;
  } finally {
    server.close();
    server.closeAllConnections();
    await scheduling.close();
    await database.close();
  }
}

it.each<DatabaseAddress>([
  { kind: 'postgresql', url: 'postgres://someone:hunter2@127.0.0.1:1/none' },
  { kind: 'mysql', url: 'mysql://someone:hunter2@127.0.0.1:1/none' },
])('a database that is not there is told so, at the start and in /readyz: $kind', async (address) => {
  expect(await refusalOf(address)).toMatchObject({
    name: 'UnavailableError',
    message: expect.stringMatching(/does not answer, no connection/),
  });
  expect(await readiness(address)).toBe('unreachable');
});

// What such a server says first is different each time: drivers make many faults of it.
it.each<DatabaseAddress['kind'] & ('postgresql' | 'mysql')>(['postgresql', 'mysql'])(
  'a server that speaks another language than that of the address is told so, at the start and in /readyz: %s',
  async (kind) => {
    const sockets: Socket[] = [];
    const server = createTcpServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.write(Buffer.from('5f0000000a352e352e352d31302e31312e36', 'hex'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const scheme = kind === 'postgresql' ? 'postgres' : 'mysql';
    const address = { kind, url: `${scheme}://someone:hunter2@127.0.0.1:${port}/none` };
    try {
      expect(await refusalOf(address)).toMatchObject({
        name: 'UnavailableError',
        message: expect.stringMatching(/does not answer/),
      });
      expect(await readiness(address)).toBe('unreachable');
    } finally {
      server.close();
      // The driver of PostgreSQL leaves its end open.
      for (const socket of sockets) socket.destroy();
    }
  },
);

it('a database of which a table is gone ends calends serve and calends migrate with one sentence, and with 69', async () => {
  const url = `sqlite:${folder()}/gone.db`;
  const variables = { ...secrets, PORT: '0', DATABASE_URL: url };
  expect(await calends(['migrate'], variables, folder()).ended).toMatchObject({ code: 0 });
  await onServer(url, ['drop table calends_schema']);
  for (const word of ['serve', 'migrate']) {
    const { code, stderr } = await calends([word], variables, folder()).ended;
    expect({ code, stderr: stderr.split('\n') }).toEqual({
      code: 69,
      stderr: [expect.stringMatching(/^calends: a table is missing .*restore a whole backup$/), ''],
    });
  }
});

for (const { name, kind, url: given, make, remove } of kinds.filter(({ url }) => url !== '')) {
  describe(`${name} that refuses`, () => {
    const at = (change: (url: URL) => void): DatabaseAddress => {
      const url = new URL(given);
      url.pathname = `/${unique}`;
      change(url);
      return { kind, url: url.href };
    };
    beforeAll(async () => {
      await onServer(given, [...remove, ...make]);
    });
    afterAll(() => onServer(given, remove));

    const asLimited = at((url) => Object.assign(url, { username: limited, password }));
    const cases: readonly (readonly [what: string, address: DatabaseAddress, sentence: RegExp, words: string])[] = [
      [
        'because there is no such database',
        at((url) => (url.pathname = '/calends_no_such')),
        /no database of that name.*create database/,
        'unknown database',
      ],
      [
        'a login',
        at((url) => Object.assign(url, { username: barred, password })),
        /refuses the login.*user and password/,
        'login refused',
      ],
      ...(kind === 'postgresql'
        ? [['TLS', at((url) => (url.search = '?sslmode=verify-full')), /TLS.*sslmode/, 'TLS refused'] as const]
        : []),
    ];

    it.each(cases)(
      'a database that refuses %s says so, at the start and in /readyz',
      async (_what, address, sentence, words) => {
        expect(await refusalOf(address)).toMatchObject({
          name: 'UnavailableError',
          message: expect.stringMatching(sentence),
        });
        expect(await readiness(address)).toBe(words);
      },
    );

    it('a database that refuses another connection says so, at the start and in /readyz', async () => {
      const address = at((url) => Object.assign(url, { username: crowded, password }));
      const holder = openKnex('url' in address ? address.url : '');
      try {
        await holder.raw('select 1');
        expect(await refusalOf(address)).toMatchObject({
          name: 'UnavailableError',
          message: expect.stringMatching(/runs and lets no more connections in/),
        });
        expect(await readiness(address)).toBe('connections used up');
      } finally {
        await holder.destroy();
      }
    });

    it('a right says which, and how it is granted', async () => {
      const refusal = {
        name: 'UnavailableError',
        message: expect.stringMatching(/may not do.*`grant (create|all) on /),
      };
      expect(await refusalOf(asLimited)).toMatchObject(refusal);
      expect(await refusalOf(at(() => undefined))).toMatchObject({
        applied: expect.arrayContaining(['0001_first_schema']),
      });
      expect(await readiness(asLimited)).toBe('right missing');
    });

    if (kind === 'postgresql') {
      it('a database that refuses changes, as a standby does, says so in /readyz', async () => {
        const address = at(() => undefined);
        expect(await refusalOf(address)).not.toBeInstanceOf(Error);
        const set = (value: 'on' | 'off') => [
          'set default_transaction_read_only = off',
          `alter database ${unique} set default_transaction_read_only = ${value}`,
        ];
        await onServer(given, set('on'));
        expect(await readiness(address)).toBe('read only');
        await onServer(given, set('off'));
      });
    }

    it('a database that refuses ends calends serve and calends migrate with that one sentence, and with 69', async () => {
      const address = at((url) => Object.assign(url, { username: barred, password, search: '' }));
      const variables = { ...secrets, PORT: '0', DATABASE_URL: 'url' in address ? address.url : '' };
      for (const word of ['serve', 'migrate']) {
        const { code, stderr, stdout } = await calends([word], variables, folder()).ended;
        expect({ code, stderr: stderr.split('\n') }).toEqual({
          code: 69,
          stderr: [expect.stringMatching(/^calends: the database refuses the login /), ''],
        });
        for (const secret of [password, barred]) expect(`${stdout}${stderr}`).not.toContain(secret);
      }
    });
  });
}
