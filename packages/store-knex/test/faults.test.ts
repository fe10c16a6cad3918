import { inspect } from 'node:util';
import {
  aScheduledAppointment,
  changed,
  deliveryEventQuery,
  insertion,
  nextVersion,
  notification,
  notificationQuery,
  update,
} from '@calends/store-conformance';
import makeKnex, { type Knex } from 'knex';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../src/connect/silent-log.js';
import { knexStore, openKnex, sqliteKnex } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const secret = 'a-value-that-must-not-show';
const appointment = aScheduledAppointment({ id: secret, title: secret });

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it should have failed'),
    (error: unknown) => error,
  );
}

describe('a database out of reach', () => {
  for (const url of ['postgres://nobody:pass-word@127.0.0.1:1/none', 'mysql://nobody:pass-word@127.0.0.1:1/none']) {
    it(`a database out of reach is told as unavailable, without password: ${url.slice(0, url.indexOf(':'))}`, async () => {
      const knex = openKnex(url);
      const fault = await faultOf(knexStore({ knex }).check());
      expect(fault).toMatchObject({ name: 'StoreError', code: 'unavailable' });
      expect(inspect(fault)).not.toContain('pass-word');
      await knex.destroy();
    });
  }

  it.each([
    ['postgres', { code: '55000' }],
    ['mysql', { errno: 4150, sqlState: 'HY000' }],
  ])(
    'a database out of reach is told as unavailable: %s that lets nobody in, whatever it gives as its reason',
    async (scheme, refusal) => {
      const knex = openKnex(`${scheme}://nobody@127.0.0.1:1/none`);
      Reflect.set(knex.client, 'acquireRawConnection', () => Promise.reject(Object.assign(new Error('no'), refusal)));
      await expect(knexStore({ knex }).check()).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
      await knex.destroy();
    },
  );

  it('a database out of reach is told as unavailable: a Knex that the host has ended', async () => {
    const knex = sqliteKnex({ filename: ':memory:' });
    await knex.destroy();
    await expect(knexStore({ knex }).check()).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
  });

  it('a database out of reach is told as unavailable: a pool that stays exhausted', async () => {
    const knex = sqliteKnex({ filename: ':memory:' });
    Reflect.set(knex.client.pool, 'acquireTimeoutMillis', 20);
    const held = await knex.transaction();
    await expect(knexStore({ knex }).check()).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' });
    await held.rollback();
    await knex.destroy();
  });
});

const mariadbUrl = process.env['CALENDS_TEST_MARIADB_URL'] ?? '';
for (const url of mariadbUrl === '' ? [] : [new URL(mariadbUrl)]) {
  it('a MariaDB that has no TLS, or none that is trusted, is told as such to who asks for it', async () => {
    const { hostname: host, username: user, port } = url;
    const connection = { host, user, port: Number(port), database: url.pathname.slice(1), ssl: {} };
    const knex = makeKnex({ client: 'mysql2', connection, log: silentLog });
    const fault = { name: 'StoreError', code: 'unavailable', reason: 'tlsRefused' };
    await expect(knexStore({ knex }).check()).rejects.toMatchObject(fault);
    await knex.destroy();
    for (const mode of ['REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY']) {
      const asking = openKnex(`${url.href}?ssl-mode=${mode}`);
      await expect(knexStore({ knex: asking }).check()).rejects.toMatchObject(fault);
      await asking.destroy();
    }
  });
}

describeEach('faults', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await openDatabase(kind);
  });
  afterEach(() => database.drop());

  it('missing tables are told as such by every call', async () => {
    const { knex } = database;
    const tables = ['appointments', 'actors', 'customers', 'events', 'requests', 'migrations'];
    for (const table of [...tables, 'notifications', 'delivery_events', 'endpoints']) {
      await knex.schema.dropTable(`calends_${table}`);
    }
    await knex.schema.dropTableIfExists('calends_notification_queue');
    const endpoint = { organizationId: 'org-1', applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash' };
    const store = knexStore({ knex });
    const claim = { now: 1, limit: 1, leaseUntil: 2 };
    const calls = [
      () => store.check(),
      () => store.appointments.find('org-1', 'x'),
      () => store.commit(insertion(appointment)),
      () => store.events.claim(claim),
      () => store.appointments.claimDue(claim),
      () => store.nextWakeAt({ appointments: true, events: true, channels: ['EMAIL'] }),
      () => store.notifications.claim({ channel: 'EMAIL', limit: 1, leaseFor: 1, now: 1 }),
      () => store.notifications.settle([changed(notification(), {})]),
      () => store.notifications.list(notificationQuery('org-1')),
      () => store.notifications.listEvents(deliveryEventQuery('org-1')),
      () => store.notifications.find('org-1', 'x'),
      () => store.notifications.countSending('org-1', ['x']),
      () => store.notifications.listKept({ organizationId: 'org-1', limit: 1 }),
      () => store.notifications.releaseReminders('org-1', 'x', 1),
      () => store.notifications.backlog(),
      () => store.notifications.findEndpoint(endpoint),
      () => store.notifications.putEndpoint(endpoint, { failingSince: 1, disabledAt: null, reason: null }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ name: 'StoreError', code: 'schema' });
    }
  });

  it('a violated rule of the schema is unexpected, and shows neither SQL nor values', async () => {
    const store = knexStore({ knex: database.knex });
    const { start } = appointment.schedule;
    const change = insertion({ ...appointment, schedule: { start, end: start - 1, timezone: secret } });
    const fault = await faultOf(store.commit(change));
    expect(fault).toMatchObject({ name: 'StoreError', code: 'unexpected' });
    const shown = inspect(fault, { depth: 10 });
    expect(shown).not.toContain(secret);
    expect(shown).not.toMatch(/insert into|values \(/i);
    expect(await store.appointments.find(appointment.organizationId, appointment.id)).toBeUndefined();
  });

  it('faults leave no connection behind', async () => {
    const { knex } = database;
    const store = knexStore({ knex });
    const { start } = appointment.schedule;
    const broken = insertion({ ...appointment, schedule: { start, end: start, timezone: 'UTC' } });
    await Promise.all(Array.from({ length: 30 }, () => faultOf(store.commit(broken))));
    expect((knex.client as { pool: { numUsed(): number } }).pool.numUsed()).toBe(0);
    expect(await store.commit(insertion(appointment))).toEqual({ status: 'committed' });
  });
});

/** Ends every other connection to a database, as its restart does. */
const disconnectAll: Readonly<Record<string, (admin: Knex, database: string) => Promise<void>>> = {
  async postgres(admin, name) {
    await admin.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = ? and pid <> pg_backend_pid()',
      [name],
    );
  },
  async mysql(admin, name) {
    const [rows] = (await admin.raw(
      // Those that wait first: once the holder of their lock is gone, they would go through.
      `select p.id from information_schema.processlist p
       left join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id and t.trx_state = 'LOCK WAIT'
       where p.db = ? and p.id <> connection_id() order by t.trx_id is null`,
      [name],
    )) as [{ id: number }[]];
    for (const { id } of rows) await admin.raw('kill connection ?', [id]);
  },
};

async function databaseName(knex: Knex): Promise<string> {
  const settings = (knex.client as { connectionSettings: { database?: string; connectionString?: string } })
    .connectionSettings;
  return settings.database ?? new URL(settings.connectionString ?? '').pathname.slice(1);
}

describeEach(
  'a database that restarts',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await openDatabase(kind);
    });
    afterEach(() => database.drop());

    const disconnect = async (): Promise<void> => {
      const admin = database.another();
      await disconnectAll[kind.family]?.(admin, await databaseName(database.knex));
    };

    it('a database that restarts ends idle connections: the process lives, and the store works again', async () => {
      const store = knexStore({ knex: database.knex });
      await store.commit(insertion(appointment));
      await disconnect();
      // One call may still meet a connection that does not know yet that it has ended.
      await store.check().catch(() => undefined);
      expect(await store.appointments.find(appointment.organizationId, appointment.id)).toEqual(appointment);
    });

    it('a database that restarts ends connections at work: their calls are told that it is out of reach', async () => {
      const store = knexStore({ knex: database.knex, answerTimeout: 60_000 });
      await store.commit(insertion(appointment));
      const rival = database.another();
      const held = await rival.transaction();
      await held('calends_appointments').where({ id: appointment.id }).forUpdate().first();
      const waiting = faultOf(store.commit(update(nextVersion(appointment))));
      await untilSomebodyWaits(kind.family, database.another());
      await disconnect();
      expect(await waiting).toMatchObject({ name: 'StoreError', code: 'unavailable' });
      await held.rollback().catch(() => undefined);
      await store.check().catch(() => undefined);
      expect(await store.commit(update(nextVersion(appointment)))).toEqual({ status: 'committed' });
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);

const waitingQueries: Readonly<Record<string, string>> = {
  postgres: `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  mysql: `select 1 from information_schema.innodb_trx t
    join information_schema.processlist p on p.id = t.trx_mysql_thread_id
    where t.trx_state = 'LOCK WAIT' and p.db = database()`,
};

async function untilSomebodyWaits(family: string, knex: Knex): Promise<void> {
  for (;;) {
    // InnoDB repeats what it told of its transactions until nobody has asked for a tenth of a second.
    if (family === 'mysql') await knex.raw('do sleep(0.15)');
    const answer: unknown = await knex.raw(waitingQueries[family] ?? '');
    const rows = Array.isArray(answer) ? (answer[0] as unknown[]) : (answer as { rows: unknown[] }).rows;
    if (rows.length > 0) return;
  }
}
