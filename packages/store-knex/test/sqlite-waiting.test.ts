import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { aScheduledAppointment, insertion, listQuery } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqliteAccessOf } from '../src/connect/sqlite/access.js';
import type { Readers } from '../src/connect/sqlite/readers.js';
import type { Outcome } from '../src/sql/rows.js';
import { knexStore, migrate, sqliteKnex } from '../src/index.js';
import { sqliteDrivers } from './support/databases.js';
import { lockFile } from './support/file-lock.js';

let folder: string;
let filename: string;
const opened: Knex[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'calends-sqlite-'));
  filename = join(folder, 'calends.db');
});
afterEach(async () => {
  for (const knex of opened.splice(0)) await knex.destroy();
  await rm(folder, { recursive: true });
});

const appointment = aScheduledAppointment();
/** More than were ever made while SQLite itself waited. */
const attempts = 12;

function readersOf(knex: Knex): Readers {
  const access = sqliteAccessOf(knex);
  if (access === undefined) throw new Error('It has no file.');
  return access.readers;
}

describe.each(sqliteDrivers)('SQLite through %s', (driver) => {
  const open = (lockTimeout?: number): Knex => {
    const knex = sqliteKnex({ filename, driver, ...(lockTimeout === undefined ? {} : { lockTimeout }) });
    opened.push(knex);
    return knex;
  };
  const beginsSeen = (knex: Knex, count: number): Promise<void> =>
    new Promise((resolve) => {
      let seen = 0;
      knex.on('query', ({ sql }: { sql: string }) => {
        if (sql === 'begin immediate') seen += 1;
        if (seen === count) resolve();
      });
    });

  it('SQLite answers reads while another process keeps the file locked, and writes by timer once it is free', async () => {
    const knex = open();
    await migrate(knex);
    const store = knexStore({ knex });
    await store.commit(insertion(appointment));
    const seen = beginsSeen(knex, attempts);
    const unlock = await lockFile(filename);
    // What is answered before `unlock` is answered while the file is locked.
    const committed = store.commit(insertion(aScheduledAppointment({ id: 'at-2' })));
    expect(await store.appointments.find(appointment.organizationId, appointment.id)).toEqual(appointment);
    expect((await store.appointments.list(listQuery('org-1'))).total).toBe(1);
    await store.check();
    await seen;
    await unlock();
    expect(await committed).toEqual({ status: 'committed' });
    expect((await store.appointments.list(listQuery('org-1'))).total).toBe(2);
  });

  it('SQLite tells a write that waited in vain that the file is locked, and that nothing was written', async () => {
    await migrate(open());
    const store = knexStore({ knex: open(30) });
    await store.check();
    const unlock = await lockFile(filename);
    await expect(store.commit(insertion(appointment))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'unavailable',
      reason: 'fileLocked',
      outcome: 'none',
    });
    await store.check();
    await unlock();
    expect(await store.commit(insertion(appointment))).toEqual({ status: 'committed' });
  });

  it('SQLite lets transactions and statements of the host wait by timer too', async () => {
    const knex = open();
    await knex.schema.createTable('hosts_own', (table) => table.integer('number'));
    const unlock = await lockFile(filename);
    const insert = knex('hosts_own').insert({ number: 1 });
    const transaction = knex.transaction((trx) => trx('hosts_own').insert({ number: 2 }));
    const both = Promise.all([insert, transaction]);
    for (let turns = 0; turns < attempts; turns += 1) await turn();
    await unlock();
    await both;
    expect(await knex('hosts_own').orderBy('number')).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it('SQLite reads beside a transaction that the host keeps open, without what that has not committed', async () => {
    const knex = open();
    await migrate(knex);
    const store = knexStore({ knex });
    const transaction = await knex.transaction();
    await store.joining(transaction).commit(insertion(appointment));
    const { organizationId, id } = appointment;
    expect(await store.joining(transaction).appointments.find(organizationId, id)).toEqual(appointment);
    expect(await store.appointments.find(organizationId, id)).toBeUndefined();
    expect((await store.appointments.list(listQuery('org-1'))).total).toBe(0);
    await transaction.commit();
    expect(await store.appointments.find(organizationId, id)).toEqual(appointment);
  });

  it('SQLite goes on while a long read is under way', async () => {
    const knex = open();
    await migrate(knex);
    const store = knexStore({ knex });
    const readers = readersOf(knex);
    const count = (upTo: number): Promise<Outcome> => readers.far({ text: countTo, values: [upTo] });
    // Both threads have begun before the long read does.
    await Promise.all([count(2), count(2)]);
    let isOver = false;
    const long = count(1_000_000).finally(() => (isOver = true));
    for (let turns = 0; turns < 10; turns += 1) {
      await store.check();
      await turn();
    }
    const short = await count(2);
    expect(isOver).toBe(false);
    expect(short.rows.map(({ total }) => total)).toEqual([2]);
    expect((await long).rows.map(({ total }) => total)).toEqual([1_000_000]);
  });

  it('SQLite lets no reader write, and tells faults of the threads as those of the driver', async () => {
    const knex = open();
    await migrate(knex);
    await knexStore({ knex }).check();
    const readers = readersOf(knex);
    const write = 'delete from calends_events returning *';
    await expect(readers.far({ text: write, values: [] })).rejects.toMatchObject({ code: 'SQLITE_READONLY' });
    expect(() => readers.near().exec(write)).toThrow(/readonly/);
    await expect(readers.far({ text: 'select * from no_such_table', values: [] })).rejects.toThrow('no such table');
  });

  it('SQLite reads again after the Knex instance was ended and begun again', async () => {
    const knex = open();
    await migrate(knex);
    const store = knexStore({ knex });
    await store.commit(insertion(appointment));
    await store.appointments.list(listQuery('org-1'));
    await knex.destroy();
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
    knex.initialize();
    expect((await store.appointments.list(listQuery('org-1'))).total).toBe(1);
    expect(await store.appointments.find(appointment.organizationId, appointment.id)).toEqual(appointment);
  });
});

const countTo = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
  select count(*) as total from numbers`;
