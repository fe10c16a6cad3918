import { copyFile, mkdir, mkdtemp, open as openFile, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aProfile, aScheduledAppointment, insertion, nextVersion, removal, update } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type KnexStore, knexStore, migrate, sqliteKnex } from '../src/index.js';
import { sqliteDrivers } from './support/databases.js';
import { fillDisk } from './support/full-disk.js';

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
const { organizationId, id } = appointment;
const another = insertion(aScheduledAppointment({ id: 'at-2' }));
const files = ['', '-wal', '-shm'];
const removeAll = (): void => {
  for (const end of files) rmSync(`${filename}${end}`);
};
const replaced = { name: 'StoreError', code: 'unavailable', reason: 'fileReplaced' };

describe.each(sqliteDrivers)('a file of SQLite through %s', (driver) => {
  const open = (create = true): Knex => {
    const knex = sqliteKnex({ filename, driver, create });
    opened.push(knex);
    return knex;
  };
  const openStore = async (): Promise<{ readonly knex: Knex; readonly store: KnexStore }> => {
    const knex = open();
    await migrate(knex);
    const store = knexStore({ knex });
    await store.commit(insertion(appointment));
    return { knex, store };
  };

  it.each<readonly [what: string, take: () => void | Promise<void>]>([
    ['was removed, with those beside it', removeAll],
    ['was removed by itself', () => rm(filename)],
    ['lost the log beside it', () => rm(`${filename}-wal`)],
    [
      'was replaced by a copy of itself',
      () => copyFile(filename, `${filename}.copy`).then(() => rename(`${filename}.copy`, filename)),
    ],
  ])('a file of SQLite that %s takes no write any more, and the check tells why', async (_what, take) => {
    const { store } = await openStore();
    await take();
    await expect(store.commit(another)).rejects.toMatchObject(replaced);
    await expect(store.notifications.putEndpoint(endpoint, state)).rejects.toMatchObject(replaced);
    await expect(store.check()).rejects.toMatchObject(replaced);
  });

  it('a file of SQLite that is removed while a commit is under way: the commit is not acknowledged', async () => {
    const { knex, store } = await openStore();
    // What runs in this turn happens before the commit; the file is gone when it comes back.
    knex.on('query', ({ sql }: { sql: string }) => {
      if (sql === 'commit' && existsSync(filename)) removeAll();
    });
    await expect(store.commit(another)).rejects.toMatchObject({ ...replaced, outcome: 'unknown' });
  });

  it('a file of SQLite that is removed before the host commits: its transaction is told', async () => {
    const { knex, store } = await openStore();
    const work = knex.transaction(async (transaction) => {
      await store.joining(transaction).commit(another);
      removeAll();
    });
    await expect(work).rejects.toMatchObject(replaced);
  });

  it('a file of SQLite that was put back takes writes again, and nothing is lost', async () => {
    const { store } = await openStore();
    for (const end of files) renameSync(`${filename}${end}`, `${filename}${end}.away`);
    await expect(store.commit(another)).rejects.toMatchObject({ ...replaced, outcome: 'none' });
    for (const end of files) renameSync(`${filename}${end}.away`, `${filename}${end}`);
    await store.check();
    expect(await store.commit(another), 'what was refused was not written').toEqual({ status: 'committed' });
    expect(await store.appointments.find(organizationId, id)).toEqual(appointment);
  });

  it('a file of SQLite is not made when it is missing, where that was not asked for', async () => {
    const missing = { name: 'StoreError', code: 'unavailable', reason: 'fileMissing' };
    await expect(migrate(open(false))).rejects.toMatchObject(missing);
    expect(existsSync(filename)).toBe(false);
    await expect(knexStore({ knex: open(false) }).check()).rejects.toMatchObject(missing);
    await openStore();
    await knexStore({ knex: open(false) }).check();
  });

  it('a backup in the place of a file of SQLite and of the log that a killed process left has what it had, and takes writes', async () => {
    const { knex, store } = await openStore();
    const backup = join(folder, 'backup.db');
    await knex.raw(`vacuum into '${backup}'`);
    await store.commit(another);
    // As a killed process leaves it: nobody has closed the file, so its log stays.
    filename = join(folder, 'killed.db');
    for (const end of files) await copyFile(join(folder, `calends.db${end}`), `${filename}${end}`);
    removeAll();
    await copyFile(backup, filename);
    const restored = knexStore({ knex: open() });
    await expect(restored.appointments.find(organizationId, id)).resolves.toEqual(appointment);
    await expect(restored.appointments.find(organizationId, 'at-2')).resolves.toBeUndefined();
    expect(await restored.commit(another)).toEqual({ status: 'committed' });
  });

  it('a file of SQLite that was overwritten is told to be damaged when SQLite notices, until the process ends', async () => {
    const { knex, store } = await openStore();
    await knex.raw('pragma wal_checkpoint(truncate)');
    await writeFile(filename, 'no database '.repeat(10_000));
    const damaged = { name: 'StoreError', code: 'unavailable', reason: 'fileDamaged' };
    await expect(store.appointments.find(organizationId, id)).rejects.toMatchObject(damaged);
    await expect(store.check()).rejects.toMatchObject(damaged);
  });

  it('a file of SQLite of which an index is damaged is told to be damaged by the call that meets it, and by the check from then on', async () => {
    const { knex } = await openStore();
    await emptyIndex(knex, 'calends_appointments_by_start');
    const store = knexStore({ knex: open() });
    const damaged = { name: 'StoreError', code: 'unavailable', reason: 'fileDamaged' };
    await expect(store.commit(removal(appointment))).rejects.toMatchObject(damaged);
    await expect(store.check()).rejects.toMatchObject(damaged);
  });

  // Node itself tries for ever there. `/proc` is a folder that takes none, on Linux.
  it.skipIf(!existsSync('/proc/self'))('a file of SQLite whose folder cannot be made is refused at once', () => {
    filename = '/proc/calends/deeper/calends.db';
    expect(() => open()).toThrow(expect.objectContaining({ code: 'ENOENT' }) as Error);
  });

  it('a file of SQLite that is a folder is told to be nothing that can be opened', async () => {
    await mkdir(filename);
    const refused = { name: 'StoreError', code: 'unavailable', reason: 'fileRefused' };
    await expect(migrate(open())).rejects.toMatchObject(refused);
    await expect(knexStore({ knex: open() }).check()).rejects.toMatchObject(refused);
  });

  it('a file of SQLite is made where a link leads to one that is not there yet', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere', 'calends.db'), filename);
    const { store } = await openStore();
    expect(await store.commit(another)).toEqual({ status: 'committed' });
    expect(statSync(join(folder, 'elsewhere', 'calends.db')).mode & 0o777).toBe(0o600);
  });

  it('a file of SQLite to which a link leads takes no write any more when it lost the log beside it', async () => {
    await mkdir(join(folder, 'elsewhere'));
    const target = join(folder, 'elsewhere', 'calends.db');
    await symlink(target, filename);
    const { store } = await openStore();
    await rm(`${target}-wal`);
    await expect(store.commit(another)).rejects.toMatchObject(replaced);
    await expect(store.check()).rejects.toMatchObject(replaced);
  });

  it.each([
    ['a link that leads to itself', 'calends.db'],
    ['a link into a folder that is not there', 'nowhere/calends.db'],
  ])('a file of SQLite that is %s is told to be nothing that can be opened', async (_what, target) => {
    await symlink(join(folder, target), filename);
    const refused = { name: 'StoreError', code: 'unavailable', reason: 'fileRefused' };
    await expect(migrate(open())).rejects.toMatchObject(refused);
  });

  it('a file of SQLite from which profiles were erased has nothing of them any more once it is closed, nor has the log beside it', async () => {
    const { knex, store } = await openStore();
    const booked = Array.from({ length: 200 }, (_, number) =>
      aScheduledAppointment({ id: `erased-${String(number)}` }),
    );
    for (const [number, each] of booked.entries()) {
      const marked = { primaryEmail: `marker-${String(number)}@example.org`, lastName: 'Marker'.repeat(5) };
      await store.commit(insertion(each, { customers: [aProfile(each, marked)] }));
    }
    for (const each of booked) {
      const empty = aProfile(each, { primaryEmail: undefined, removal: { reason: 'PDM_ERASED', at: 1 } });
      await store.commit(update(nextVersion(each), { customers: [empty] }));
    }
    await knex.destroy();
    for (const end of files) {
      const content = existsSync(`${filename}${end}`) ? await readFile(`${filename}${end}`, 'latin1') : '';
      expect(new Set(content.match(/marker-\d+@|Marker/g)), `calends.db${end}`).toEqual(new Set());
    }
  });

  it('a file of SQLite on a full disk makes the check fail until a write finds room, and nothing of the probe stays', async () => {
    const { knex, store } = await openStore();
    const tables = await tablesOf(knex);
    const giveRoom = await fillDisk(knex);
    await store.check();
    const full = { name: 'StoreError', code: 'unavailable', reason: 'diskFull' };
    await expect(fillUp(store)).rejects.toMatchObject(full);
    await expect(store.check()).rejects.toMatchObject(full);
    await expect(store.check()).rejects.toMatchObject(full);
    await giveRoom();
    await store.check();
    expect(await tablesOf(knex)).toEqual(tables);
    expect(await store.commit(update(nextVersion(appointment)))).toEqual({ status: 'committed' });
  });

  it.each<readonly [what: string, work: (store: KnexStore) => Promise<unknown>]>([
    ['nothing', (store) => store.notifications.claim({ channel: 'EMAIL', limit: 1, leaseFor: 1 })],
    ['a single row', (store) => store.notifications.putEndpoint(endpoint, state)],
  ])('a file of SQLite on a full disk stays known to be full after a call that writes %s', async (_what, work) => {
    const { knex, store } = await openStore();
    await store.notifications.putEndpoint(endpoint, { ...state, failingSince: 0 });
    await fillDisk(knex);
    const full = { name: 'StoreError', code: 'unavailable', reason: 'diskFull' };
    await expect(fillUp(store)).rejects.toMatchObject(full);
    await work(store);
    await expect(store.check()).rejects.toMatchObject(full);
  });
});

const endpoint = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash' };
const state = { failingSince: 1, disabledAt: null, reason: null };

/** Closes the database, and takes every entry out of an index of one page. */
async function emptyIndex(knex: Knex, name: string): Promise<void> {
  const root = await knex<{ name: string; rootpage: number }>('sqlite_schema').where({ name }).first('rootpage');
  await knex.raw('pragma wal_checkpoint(truncate)');
  await knex.destroy();
  const file = await openFile(filename, 'r+');
  const { buffer: header } = await file.read(Buffer.alloc(100), 0, 100, 0);
  const pageSize = header.readUInt16BE(16);
  const page = Buffer.alloc(pageSize);
  page.writeUInt8(leafOfIndex, 0);
  page.writeUInt16BE(pageSize, contentBegin);
  await file.write(page, 0, pageSize, ((root?.rootpage ?? 0) - 1) * pageSize);
  await file.close();
}

/** Of the file format of SQLite: the type of a page, and where its header says at which byte the entries begin. */
const leafOfIndex = 0x0a;
const contentBegin = 5;

const tablesOf = async (knex: Knex): Promise<unknown> => knex('sqlite_schema').select('name').orderBy('name');

/** Writes until there is no room. */
async function fillUp(store: KnexStore): Promise<never> {
  for (let number = 0; ; number += 1) {
    await store.commit(insertion(aScheduledAppointment({ id: `filler-${String(number)}`, title: 'x'.repeat(200) })));
  }
}
