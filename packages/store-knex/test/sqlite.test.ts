import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aScheduledAppointment, insertion, listQuery } from '@calends/store-conformance';
import makeKnex, { type Knex } from 'knex';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { knexStore, migrate, openKnex, readDatabaseAddress, sqliteKnex } from '../src/index.js';
import { sqliteDrivers } from './support/databases.js';

const full = [{ synchronous: 2 }];
let folder: string;
const opened: Knex[] = [];

const keep = (knex: Knex): Knex => {
  opened.push(knex);
  return knex;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'calends-sqlite-'));
});
afterEach(async () => {
  for (const knex of opened.splice(0)) await knex.destroy();
  await rm(folder, { recursive: true });
});

describe.each(sqliteDrivers)('SQLite through %s', (driver) => {
  const open = (): Knex => keep(sqliteKnex({ filename: join(folder, 'deeper', 'calends.db'), driver }));

  it('SQLite keeps what it commits when the power fails: WAL and synchronous=FULL, also after it was opened again', async () => {
    const first = open();
    await migrate(first);
    await knexStore({ knex: first }).commit(insertion(aScheduledAppointment()));
    expect(await first.raw('pragma synchronous')).toEqual(full);
    expect(await first.raw('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    await first.destroy();

    const second = open();
    await knexStore({ knex: second }).check();
    expect(await second.raw('pragma synchronous')).toEqual(full);
    expect(await second.raw('pragma busy_timeout')).toEqual([{ timeout: 0 }]);
  });

  it('SQLite writes and finds whatever a tracer of the host does', async () => {
    const knex = open();
    await migrate(knex);
    const tracer = {
      startActiveSpan: () => {
        throw new Error('The exporter is gone.');
      },
    };
    const store = knexStore({ knex, tracer });
    const appointment = aScheduledAppointment();
    await store.commit(insertion(appointment));
    expect((await store.appointments.find(appointment.organizationId, appointment.id))?.id).toBe(appointment.id);
  });

  it('SQLite makes its files and folders for their owner only, whatever the process usually does', async () => {
    const umask = process.umask(0o022);
    onTestFinished(() => void process.umask(umask));
    const knex = open();
    await migrate(knex);
    const made = ['deeper', ...['', '-wal', '-shm'].map((end) => `deeper/calends.db${end}`)];
    expect(made.map((path) => statSync(join(folder, path)).mode & 0o777)).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it('SQLite leaves the mode of files that are there as it is', async () => {
    await mkdir(join(folder, 'deeper'), { mode: 0o750 });
    await writeFile(join(folder, 'deeper', 'calends.db'), '', { mode: 0o640 });
    await migrate(open());
    const modes = ['deeper', 'deeper/calends.db', 'deeper/calends.db-wal'].map(
      (path) => statSync(join(folder, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o750, 0o640, 0o640]);
  });

  it('SQLite begins transactions of the host for writing at once', async () => {
    const first = open();
    await first.schema.createTable('hosts_own', (table) => table.integer('number'));
    const second = keep(sqliteKnex({ filename: join(folder, 'deeper', 'calends.db'), driver, lockTimeout: 0 }));
    await first.transaction(async () => {
      await expect(second.transaction(async (trx) => trx('hosts_own').insert({ number: 1 }))).rejects.toMatchObject({
        code: 'SQLITE_BUSY',
      });
    });
  });

  it('SQLite joins commits made at once into one transaction', async () => {
    const knex = open();
    await migrate(knex);
    const store = knexStore({ knex });
    await store.commit(insertion(aScheduledAppointment()));
    const seen: string[] = [];
    knex.on('query', ({ sql }: { sql: string }) => seen.push(sql));
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => store.commit(insertion(aScheduledAppointment({ id: `at-${index}` })))),
    );
    expect(results.every(({ status }) => status === 'committed')).toBe(true);
    expect(seen.filter((sql) => sql === 'commit')).toHaveLength(1);
  });

  it('SQLite works beside another process that writes to the same file', async () => {
    const knex = open();
    await migrate(knex);
    await knex.schema.createTable('hosts_own', (table) => table.integer('number'));
    const store = knexStore({ knex });
    const other = spawn(process.execPath, ['-e', rival, join(folder, 'deeper', 'calends.db'), driver], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(other, 'exit');
    await once(other.stdout, 'data');
    for (let index = 0; index < 60; index += 1) {
      expect(await store.commit(insertion(aScheduledAppointment({ id: `at-${index}` })))).toEqual({
        status: 'committed',
      });
    }
    expect(await ended).toEqual([0, null]);
    expect((await store.appointments.list(listQuery('org-1'))).total).toBe(60);
    expect(await knex('hosts_own').count({ count: '*' })).toEqual([{ count: 100 }]);
  });
});

const require = createRequire(import.meta.url);

/** A program that writes a hundred rows, each in a transaction that it keeps open for a while. */
const rival = `
  const [, filename, driver] = process.argv;
  const Database = require({ libsql: ${JSON.stringify(require.resolve('libsql'))}, 'better-sqlite3': ${JSON.stringify(require.resolve('better-sqlite3'))} }[driver]);
  const database = new Database(filename);
  database.pragma('busy_timeout = 5000');
  for (let number = 0; number < 100; number += 1) {
    database.exec('begin immediate');
    database.exec('insert into hosts_own (number) values (' + number + ')');
    if (number === 0) console.log('writing');
    const until = Date.now() + 3;
    while (Date.now() < until);
    database.exec('commit');
  }
  database.close();
`;

describe.runIf(sqliteDrivers.includes('better-sqlite3'))('a Knex of the host over better-sqlite3', () => {
  it('a Knex of the host over better-sqlite3 gets synchronous=FULL and secure_delete on the connection that the store uses', async () => {
    const knex = keep(
      makeKnex({
        client: 'better-sqlite3',
        connection: { filename: join(folder, 'host.db') },
        useNullAsDefault: true,
      }),
    );
    await knex.raw('pragma journal_mode = wal');
    await knex.raw('pragma synchronous = normal');
    await migrate(knex);
    await knexStore({ knex }).check();
    expect(await knex.raw('pragma synchronous')).toEqual(full);
    expect(await knex.raw('pragma secure_delete')).toEqual([{ secure_delete: 1 }]);
  });
});

describe('sqliteKnex', () => {
  it.each<[unknown, string]>([
    [undefined, 'options: must be an object with filename.'],
    ['./e.db', 'options: must be an object with filename.'],
    [{}, 'options.filename: must be the path of a file, or :memory:.'],
    [{ filename: 5 }, 'options.filename: must be the path of a file, or :memory:.'],
    [{ crate: false }, 'options: unknown option crate; did you mean create?'],
    [{ filename: ':memory:', driver: 'sqlite3' }, 'options.driver: must be libsql or better-sqlite3.'],
    [{ filename: ':memory:', create: 'false' }, 'options.create: must be a boolean.'],
    [{ filename: ':memory:', lockTimeout: '9s' }, 'options.lockTimeout: must be a number of milliseconds.'],
    [{ filename: ':memory:', lockTimeout: -1 }, 'options.lockTimeout: must be a number of milliseconds.'],
    [{ filename: ':memory:', lockTimeout: NaN }, 'options.lockTimeout: must be a number of milliseconds.'],
  ])('sqliteKnex refuses the options %j', (options, fault) => {
    expect(() => sqliteKnex(options as { filename: string })).toThrow(new TypeError(fault));
  });

  it('sqliteKnex makes no file and no folder where an option is misspelt', () => {
    const filename = join(folder, 'deeper', 'calends.db');
    // @ts-expect-error -- hosts in plain JavaScript
    expect(() => sqliteKnex({ filename, crate: false })).toThrow('did you mean create?');
    expect(existsSync(join(folder, 'deeper'))).toBe(false);
  });
});

describe('openKnex', () => {
  it('openKnex opens files and memory', async () => {
    const file = keep(openKnex(`sqlite:${join(folder, 'a.db')}`));
    const memory = keep(openKnex('sqlite::memory:'));
    await migrate(file);
    await migrate(memory);
    expect(knexStore({ knex: file }).capabilities).toEqual({ durable: true, sharedBetweenProcesses: true });
    expect(knexStore({ knex: memory }).capabilities).toEqual({ durable: false, sharedBetweenProcesses: false });
  });

  it('openKnex refuses other addresses without repeating them', () => {
    const urls = [
      'oracle://user:pass-word@host/x',
      'pass-word',
      '',
      'http://x/',
      '__proto__:x',
      'toString:x',
      'sqlite',
      'mysql',
      undefined,
      Object.create(null),
      Symbol('x'),
    ];
    for (const url of urls as string[]) {
      expect(() => openKnex(url)).toThrow(/^The address of the database must begin with /);
      expect(() => openKnex(url)).not.toThrow('pass-word');
    }
  });
});

describe('the address of a database', () => {
  const noFile = 'The address of the database must name a file after sqlite:, or :memory:, and have no query.';
  const noName = (schema: string): string =>
    `The address of the database must have its name: ${schema}://user:password@host/name, each part percent-encoded.`;

  const noMode =
    'The query of an address of MySQL or MariaDB must be ssl-mode=, one of DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY.';

  it.each([
    ['sqlite:', noFile],
    ['sqlite://', noFile],
    ['sqlite:./e.db?mode=ro', noFile],
    ['sqlite::memory:?cache=shared', noFile],
    ['postgres://u:pass-word@h:5432', noName('postgres')],
    ['postgres://u:pass-word@h:5432/', noName('postgres')],
    ['postgresql://u:pass-word@h?sslmode=require', noName('postgresql')],
    ['postgres://u:pass-word@h/?application_name=a/b', noName('postgres')],
    ['postgres:u:pass-word@h/d', noName('postgres')],
    ['mysql://u:pass-word@h:3306', noName('mysql')],
    ['mariadb://u:pass-word@h/', noName('mariadb')],
    ['mysql://u:pass-word@h:99999/d', noName('mysql')],
    ['mysql://u:pass-word%zz@h/d', noName('mysql')],
    ['mariadb://u:pass-word%E9@h/d', noName('mariadb')],
    ['postgres://u:pass-word%E9@h/d', noName('postgres')],
    ['mysql://u:pass-word@h/d?ssl=true', noMode],
    ['mysql://u:pass-word@h/d?ssl-mode=preferred', noMode],
    ['mariadb://u:pass-word@h/d?ssl-mode=REQUIRED&x=1', noMode],
  ])('the address of a database is refused before anything is made of it: %s', (url, fault) => {
    expect(() => openKnex(url)).toThrow(new TypeError(fault));
  });

  it.each([
    'postgres://u:pass-word@h:5432/d?sslmode=require',
    'postgresql:///d',
    'postgres://u:100%@h/d',
    'postgres://u:pass-word@/d?host=/var/run/postgresql',
    'postgres://u@%2Fvar%2Frun%2Fpostgresql/d',
    'mysql://u:p%2Fw@h/d',
    'mysql://u:p@h/d?ssl-mode=verify_identity',
    'mariadb://u:p@h/d?ssl-mode=DISABLED',
  ])('the address of a database may be %s', async (url) => {
    const knex = openKnex(url);
    await knex.destroy();
    expect(readDatabaseAddress(url)).toMatchObject({ url });
  });

  it('an address of MariaDB may have a host of IPv6', async () => {
    const knex = openKnex('mysql://u:p@[::1]:3307/d');
    await knex.destroy();
    expect(knex.client).toMatchObject({ connectionSettings: { host: '::1', port: 3307 } });
  });
});

describe('openKnex and migrate', () => {
  it('openKnex and migrate refuse options that are misspelt', async () => {
    const open = (): unknown => openKnex('sqlite::memory:', { poolr: 'transaction' } as object);
    expect(open).toThrow(new TypeError('options: unknown option poolr; did you mean pooler?'));
    const migrated = migrate(keep(openKnex('sqlite::memory:')), { onProgres: () => undefined } as object);
    await expect(migrated).rejects.toThrow('options: unknown option onProgres; did you mean onProgress?');
  });
});

it('openKnex takes an address that is a URL', () => {
  // @ts-expect-error -- hosts in plain JavaScript
  const knex = keep(openKnex(new URL('mysql://u:p@127.0.0.1:3307/d')));
  expect(knex.client.config.connection).toMatchObject({ host: '127.0.0.1', port: 3307, database: 'd' });
});

describe('options with values of no use', () => {
  it.each<[unknown, string]>([
    [null, 'options: must be an object.'],
    ['contract', 'options: must be an object.'],
    [{ contract: 'false' }, 'options.contract: must be a boolean.'],
    [{ contract: 1 }, 'options.contract: must be a boolean.'],
    [{ onProgress: 'log' }, 'options.onProgress: must be a function.'],
    [{ lockPatience: '60s' }, 'options.lockPatience: must be a number of milliseconds.'],
    [{ lockPatience: NaN }, 'options.lockPatience: must be a number of milliseconds.'],
    [{ lockPatience: -1 }, 'options.lockPatience: must be a number of milliseconds.'],
  ])('migrate refuses the options %j', async (options, fault) => {
    const knex = keep(openKnex('sqlite::memory:'));
    await expect(migrate(knex, options as object)).rejects.toThrow(new TypeError(fault));
    expect(await knex.schema.hasTable('calends_appointments')).toBe(false);
  });

  it.each([[null], [5], ['pooler'], [true]])('openKnex refuses %j in the place of options', (options) => {
    // @ts-expect-error -- hosts in plain JavaScript
    expect(() => openKnex('postgres://u@h/d', options)).toThrow(new TypeError('options: must be an object.'));
  });
});

describe('migrate', () => {
  it.each([[undefined], [{}], ['sqlite::memory:'], [{ knex: {} }]])(
    'migrate refuses %j, which is no Knex instance',
    async (given) => {
      // @ts-expect-error -- hosts in plain JavaScript
      await expect(migrate(given)).rejects.toThrow(new TypeError('knex: must be a Knex instance.'));
    },
  );
});

describe('knexStore', () => {
  it('knexStore refuses drivers that it does not know', () => {
    expect(() => knexStore({ knex: makeKnex({ client: 'mssql' }) })).toThrow(/must use one of the drivers/);
  });

  it.each<[object, string]>([
    [{ reader: [] }, 'options: unknown option reader; did you mean readers?'],
    [{ answerTimout: 5 }, 'options: unknown option answerTimout; did you mean answerTimeout?'],
    [{ preparedStatements: 'false' }, 'options.preparedStatements: must be a boolean.'],
    [{ engine: 'any' }, 'options.engine: must be `proven` or `unproven`.'],
    [{ tracer: {} }, 'options.tracer: must have startActiveSpan.'],
    [{ readers: 'postgres://standby' }, 'options.readers: must be a list of Knex instances.'],
    [{ readers: ['postgres://standby'] }, 'options.readers: must be a list of Knex instances.'],
    [{ readers: [null] }, 'options.readers: must be a list of Knex instances.'],
    [{ knex: () => undefined }, 'options.knex: must be a Knex instance.'],
    [{ onShownRead: true }, 'options.onShownRead: must be a function.'],
    [{ readerTimeout: '1s' }, 'options.readerTimeout: must be a number of milliseconds.'],
    [{ knex: {} }, 'options.knex: must be a Knex instance.'],
    [{ knex: undefined }, 'options.knex: must be a Knex instance.'],
  ])('knexStore refuses the options %j', (options, fault) => {
    const knex = keep(openKnex('sqlite::memory:'));
    expect(() => knexStore({ knex, ...options })).toThrow(new TypeError(fault));
  });

  it('knexStore refuses a bare Knex instance in the place of options, and says so', () => {
    const knex = keep(openKnex('sqlite::memory:'));
    // @ts-expect-error -- hosts in plain JavaScript
    expect(() => knexStore(knex)).toThrow(new TypeError('options.knex: must be a Knex instance.'));
  });
});

// Plain `npm test` leaves better-sqlite3 out and says so: then there is no other library.
describe.runIf(sqliteDrivers.length > 1).each(sqliteDrivers)('A store through %s', (driver) => {
  it.each(sqliteDrivers.filter((other) => other !== driver))(
    'a store refuses transactions through %s, whose close would take away the locks of the file',
    async (other) => {
      const { joining } = knexStore({ knex: keep(sqliteKnex({ filename: ':memory:', driver })) });
      const fault = /^The transaction must be one of the library by which the store opens its file: commits are lost/;
      const host = keep(sqliteKnex({ filename: ':memory:', driver: other }));
      await host.transaction(async (transaction) => {
        expect(() => joining(transaction)).toThrow(fault);
        const connection = (await (transaction.client as Knex.Client).acquireConnection()) as object;
        expect(() => joining(connection)).toThrow(fault);
      });
    },
  );
});
