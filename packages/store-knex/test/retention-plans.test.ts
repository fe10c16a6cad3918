import { anEntry, anEvent, aScheduledAppointment, aSeal, fixtureStart, notification } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import type { TableNames } from '../src/sql/rows.js';
import type { SqlValue } from '../src/sql/sql.js';
import { appointmentTable } from '../src/tables/appointments.js';
import { auditTable, sealTable } from '../src/tables/audit.js';
import { eventTable } from '../src/tables/events.js';
import { deliveryEventTable, notificationTable } from '../src/tables/notifications.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { accessesOf, type TableAccess } from './support/query-plans.js';

const organizationId = 'org-1';
const stored = 4000;
const before = fixtureStart + 30 * 24 * 3_600_000;

const all = Array.from({ length: stored }, (_, index) =>
  notification({
    organizationId,
    id: `each-${index}`,
    applicationId: `app-${index % 20}`,
    eventCount: 2,
    appointmentId: `appointment-${index}`,
    createdAt: fixtureStart + index * 1000,
    wakeAt: null,
    phase: 'DONE',
    status: 'DELIVERED',
  }),
);
const events = all.flatMap((each) =>
  [1, 2].map((number) =>
    deliveryEventTable.values(
      { number, timestamp: each.createdAt + number, status: 'PENDING', attempts: 0, pollAttempts: 0 },
      each,
    ),
  ),
);
/** What the round has to look at beside them. */
const others = Array.from({ length: stored }, (_, index) =>
  aScheduledAppointment({ organizationId, id: `other-${index}`, start: before }),
);
const entries = Array.from({ length: stored }, (_, index) =>
  anEntry({ organizationId, id: `entry-${index}`, at: fixtureStart + index }),
);
const seals = Array.from({ length: stored / 4 }, (_, index) =>
  aSeal(`org-${index % 20}`, { number: 1 + Math.floor(index / 20), entryIds: ['a', 'b'] }),
);

async function insert(knex: Knex, { name, names }: TableNames, rows: readonly (readonly SqlValue[])[]): Promise<void> {
  const records = rows.map((row) => Object.fromEntries(names.map((column, index) => [column, row[index]])));
  await knex.batchInsert(name, records, 200);
}

// Statements are explained on a connection of their own.
describeEach(
  'statements of retention',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    let explaining: Knex;

    beforeAll(async () => {
      database = await openDatabase(kind);
      explaining = database.another();
      store = knexStore({ knex: database.knex });
      await insert(
        database.knex,
        notificationTable,
        all.map((each) => notificationTable.values(each)),
      );
      await insert(database.knex, deliveryEventTable, events);
      await insert(
        database.knex,
        appointmentTable,
        others.map((each) => appointmentTable.values(each, { wakeAt: null })),
      );
      await insert(
        database.knex,
        eventTable,
        others.map((each) => eventTable.values(anEvent(each), { dueAt: before, isDelivered: false })),
      );
      await insert(
        database.knex,
        auditTable,
        entries.map((each) => auditTable.values(each)),
      );
      await insert(
        database.knex,
        sealTable,
        seals.map((each) => sealTable.values(each)),
      );
      await database.knex('calends_audit').update({ seal_number: database.knex.raw('1 + happened_at % 1000') });
      const names =
        'calends_notifications, calends_delivery_events, calends_appointments, calends_events, calends_audit, calends_audit_seals';
      if (kind.family === 'mysql') await database.knex.raw(`analyze table ${names}`);
      if (kind.family === 'postgres') await database.knex.raw(`vacuum analyze ${names}`);
      if (kind.family === 'sqlite') await database.knex.raw('analyze');
    });
    afterAll(() => database.drop());

    const accesses = (call: () => Promise<unknown>): Promise<readonly TableAccess[]> =>
      accessesOf(kind, { asks: database.knex, explains: explaining }, call);

    const calls: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
      'the first step of a round': () => store.retention?.purgeNotifications({ before, limit: 5 }),
      'a step in an application': () =>
        store.retention?.purgeNotifications({
          before,
          limit: 5,
          after: [organizationId, 'app-7', String(fixtureStart + 9000), 'each-9'],
        }),
      'the end of an application': () =>
        store.retention?.purgeNotifications({
          before,
          limit: 5,
          after: [organizationId, 'app-7', String(before), ''],
        }),
      'the next seal': () => store.retention?.nextSealed('org-1'),
      'the end of seals': () => store.retention?.trimAudit({ organizationId, upTo: 3, anchor: 'x' }),
    };
    for (const [name, call] of Object.entries(calls)) {
      it(`${name}: no table or index is read from end to end`, async () => {
        const found = await accesses(() => Promise.resolve(call()));
        expect(found.length).toBeGreaterThan(0);
        expect(found.filter(({ isWhole }) => isWhole)).toEqual([]);
      });
    }

    it('a step removes what it says, with its history', async () => {
      const left = async (table: string): Promise<number> =>
        Number((await database.knex(table).count('* as c'))[0]?.['c']);
      const [notifications, history] = [await left('calends_notifications'), await left('calends_delivery_events')];
      const after = [organizationId, 'app-11', '0', ''];
      expect(await store.retention?.purgeNotifications({ before, limit: 5, after })).toMatchObject({ removed: 5 });
      expect(await left('calends_notifications')).toBe(notifications - 5);
      expect(await left('calends_delivery_events')).toBe(history - 10);
    });
  },
  { shared: true },
);
