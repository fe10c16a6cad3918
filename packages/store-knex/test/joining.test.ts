import {
  anEvent,
  aRequest,
  aScheduledAppointment,
  completing,
  fixtureStart,
  insertion,
  listQuery,
  nextVersion,
  update,
} from '@calends/store-conformance';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { emptyTables, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const appointment = aScheduledAppointment({ id: 'booked' });
const { organizationId } = appointment;

describeEach('a store that has joined a transaction of the host', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;

  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
    await database.knex.schema.createTable('hosts_orders', (table) => table.string('name'));
  });
  afterEach(async () => {
    await emptyTables(database.knex);
    await database.knex('hosts_orders').del();
  });
  afterAll(() => database.drop());

  const orders = async (): Promise<number> => (await database.knex('hosts_orders').select('name')).length;

  it('a store that has joined a transaction of the host commits with the rows of the host', async () => {
    await database.knex.transaction(async (transaction) => {
      const joined = store.joining(transaction);
      await transaction('hosts_orders').insert({ name: 'x' });
      expect(await joined.commit(insertion(appointment, { events: [anEvent(appointment)] }))).toEqual({
        status: 'committed',
      });
      expect(await joined.appointments.find(organizationId, 'booked')).toEqual(appointment);
    });
    expect(await store.appointments.find(organizationId, 'booked')).toEqual(appointment);
    expect(await orders()).toBe(1);
  });

  it('a store that has joined a transaction of the host rolls back with the rows of the host', async () => {
    const failing = database.knex.transaction(async (transaction) => {
      await transaction('hosts_orders').insert({ name: 'x' });
      await store.joining(transaction).commit(insertion(appointment, { events: [anEvent(appointment)] }));
      throw new Error('the host changed its mind');
    });
    await expect(failing).rejects.toThrow('the host changed its mind');
    expect(await store.appointments.find(organizationId, 'booked')).toBeUndefined();
    expect(await store.events.list({ organizationId, appointmentId: 'booked' })).toEqual([]);
    expect(await orders()).toBe(0);
  });

  it('a store that has joined a transaction of the host refuses like the store itself, and the host may go on', async () => {
    await store.commit(insertion(appointment));
    const window = { from: appointment.schedule.start, to: appointment.schedule.end };
    await database.knex.transaction(async (transaction) => {
      const joined = store.joining(transaction);
      const second = aScheduledAppointment({ id: 'second' });
      expect(await joined.commit(update({ ...appointment, version: 9 }, { before: appointment }))).toEqual({
        status: 'stale',
      });
      expect(await joined.commit(insertion(appointment))).toEqual({ status: 'stale' });
      expect(await joined.commit(insertion(second, { guard: { actorIds: ['agent-1'], window } }))).toEqual({
        status: 'slotConflict',
        appointmentIds: ['booked'],
      });
      const request = aRequest(organizationId);
      expect(await joined.commit(completing(request))).toEqual({ status: 'committed' });
      expect(await joined.commit(insertion(second, { request }))).toEqual({ status: 'requestLost' });
      await transaction('hosts_orders').insert({ name: 'x' });
      expect(await joined.commit(update(nextVersion(appointment)))).toEqual({ status: 'committed' });
    });
    expect((await store.appointments.find(organizationId, 'booked'))?.version).toBe(2);
    expect((await store.appointments.list(listQuery(organizationId))).total).toBe(1);
    expect(await orders()).toBe(1);
  });

  it('a store that has joined a transaction of the host undoes a commit that fails and no more, and the host may go on', async () => {
    const event = anEvent(appointment);
    await store.commit(insertion(appointment, { events: [event] }));
    await database.knex.transaction(async (transaction) => {
      const joined = store.joining(transaction);
      await transaction('hosts_orders').insert({ name: 'x' });
      const second = aScheduledAppointment({ id: 'second' });
      await expect(joined.commit(insertion(second, { events: [event] }))).rejects.toMatchObject({
        name: 'StoreError',
        code: 'unexpected',
      });
      expect(await joined.commit(insertion(aScheduledAppointment({ id: 'third' })))).toEqual({ status: 'committed' });
    });
    expect(await store.appointments.find(organizationId, 'second')).toBeUndefined();
    expect(await store.appointments.find(organizationId, 'third')).toBeDefined();
    expect(await orders()).toBe(1);
  });

  it('a store that has joined a transaction of the host keeps calls made at once apart', async () => {
    await database.knex.transaction(async (transaction) => {
      const joined = store.joining(transaction);
      const results = await Promise.all([
        ...[1, 2, 3, 4].map((index) => joined.commit(insertion(aScheduledAppointment({ id: `at-${index}` })))),
        joined.commit(completing(aRequest(organizationId))),
        joined.appointments.claimDue({ now: fixtureStart, limit: 1, leaseUntil: fixtureStart + 1 }),
      ]);
      expect(results.slice(0, 5)).toEqual([...Array.from({ length: 5 }, () => ({ status: 'committed' }))]);
    });
    expect((await store.appointments.list(listQuery(organizationId))).total).toBe(4);
  });

  it('a store that has joined a transaction of the host keeps calls of two handles on one transaction apart', async () => {
    const event = anEvent(appointment);
    await store.commit(insertion(appointment, { events: [event] }));
    const outcomes = await database.knex.transaction((transaction) =>
      Promise.allSettled([
        store.joining(transaction).commit(insertion(aScheduledAppointment({ id: 'second' }), { events: [event] })),
        store.joining(transaction).commit(insertion(aScheduledAppointment({ id: 'third' }))),
      ]),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await store.appointments.find(organizationId, 'second')).toBeUndefined();
    expect(await store.appointments.find(organizationId, 'third')).toBeDefined();
  });

  it('a store that has joined a transaction of the host does nothing once the transaction is over', async () => {
    const transaction = await database.knex.transaction();
    const joined = store.joining(transaction);
    await transaction.commit();
    await expect(joined.commit(insertion(appointment))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'unexpected',
    });
    expect(await store.appointments.find(organizationId, 'booked')).toBeUndefined();
  });
});

describeEach(
  'a host that reads from one state of the database',
  (kind) => {
    it.each(['repeatable read', 'serializable'] as const)(
      'a host that reads from one state of the database at %s is told that the overlap guard would not see what was committed since, and books nothing twice',
      async (isolationLevel) => {
        const database = await openDatabase(kind);
        const store = knexStore({ knex: database.knex });
        const guard = {
          actorIds: ['agent-1'],
          window: { from: appointment.schedule.start, to: appointment.schedule.end },
        };
        await database.knex.transaction(
          async (transaction) => {
            await transaction.raw('select count(*) from calends_appointments');
            expect(await store.commit(insertion(appointment, { guard }))).toEqual({ status: 'committed' });
            const second = insertion(aScheduledAppointment({ id: 'second' }), { guard });
            await expect(store.joining(transaction).commit(second)).rejects.toMatchObject({ code: 'unexpected' });
          },
          { isolationLevel },
        );
        expect(await store.appointments.find(organizationId, 'second')).toBeUndefined();
        await database.drop();
      },
    );
  },
  { families: ['postgres'], shared: true },
);
