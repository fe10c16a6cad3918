import {
  adding,
  aProfile,
  aScheduledAppointment,
  changed,
  deliveryEventQuery,
  fixtureStart,
  insertion,
  notification,
  notificationQuery,
  notifying,
} from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { type DatabaseKind, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { isOfProgramVersion } from './support/program-version.js';

const organizationId = 'org-1';
const appointment = aScheduledAppointment({ organizationId });
const due = Array.from({ length: 5 }, (_, index) => notification({ organizationId, id: `due-${index}` }));
const claim = { channel: 'EMAIL', limit: 3, leaseFor: 1000, now: fixtureStart } as const;
const endpoint = { organizationId, applicationId: 'app-1', endpointId: 'crm', addressHash: 'hash' };

/** Reminders of other appointments, and what was delivered long ago: most of what stands in the table. */
const others = Array.from({ length: 3000 }, (_, index) => {
  const place = { organizationId, id: `other-${index}`, appointmentId: `appointment-of-${index}` };
  const wakeAt = fixtureStart + 1_000_000 + index;
  return index % 2 === 0
    ? notification({ ...place, type: 'REMINDER', wakeAt, scheduledFor: wakeAt })
    : notification({ ...place, phase: 'DONE', status: 'DELIVERED', wakeAt: null });
});

interface Asked {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** How a table is read, for one that a statement reads. */
interface Look {
  /** Reads the table from its beginning to its end. */
  readonly scans: boolean;
  /** Reads the table, or all of an index. */
  readonly isWhole: boolean;
  readonly index: string;
  readonly detail: string;
}

async function looksOnMysql(knex: Knex, { sql, bindings }: Asked): Promise<readonly Look[]> {
  const [rows] = (await knex.raw(`explain ${sql}`, [...bindings])) as [
    readonly Record<string, string | number | null>[],
  ];
  return rows.map(({ table, type, key, rows: estimate, Extra }) => {
    // Neither what a statement has put together by itself nor the keys that it was given.
    const isOwn = table !== null && !String(table).startsWith('<') && !/Table function/.test(String(Extra));
    return {
      scans: isOwn && type === 'ALL',
      isWhole: isOwn && (type === 'ALL' || type === 'index'),
      index: String(key),
      detail: `${String(table)} ${String(type)} ${String(estimate)} ${String(Extra)}`,
    };
  });
}

async function looksOnSqlite(knex: Knex, { sql, bindings }: Asked): Promise<readonly Look[]> {
  const rows = await knex.raw<readonly { readonly detail: string }[]>(`explain query plan ${sql}`, [...bindings]);
  return rows.map(({ detail }) => {
    const isWhole = /^SCAN (calends_\w+|[nxaceo])\b/.test(detail);
    const index = / INDEX (\w+)/.exec(detail)?.[1] ?? '';
    return { scans: isWhole && index === '', isWhole, index, detail };
  });
}

/** How the statements of a call read their tables, one list for each statement. */
async function looksOn(
  { family }: DatabaseKind,
  { asks, explains }: { readonly asks: Knex; readonly explains: Knex },
  call: () => Promise<unknown>,
): Promise<readonly (readonly Look[])[]> {
  const asked: Asked[] = [];
  const listener = (statement: Asked): void => {
    if (/^(select|update|delete)/.test(statement.sql) && !isOfProgramVersion(statement.sql)) asked.push(statement);
  };
  asks.on('query', listener);
  try {
    await call();
  } finally {
    asks.removeListener('query', listener);
  }
  const explain = family === 'mysql' ? looksOnMysql : looksOnSqlite;
  return Promise.all(asked.map((statement) => explain(explains, statement)));
}

const lookBeforeSend = (store: KnexStore, id: string): Promise<unknown> =>
  store.notifications.findStanding({
    organizationId,
    id,
    appointmentId: appointment.id,
    channel: 'EMAIL',
    addresseeId: 'customer-1',
    now: fixtureStart,
  });
const looksOfOneMoment = (store: KnexStore): Promise<unknown> =>
  Promise.all(['due-1', 'due-2'].map((id) => lookBeforeSend(store, id)));

// Statements are explained on a connection of their own.
describeEach(
  'statements about notifications',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    let explaining: Knex;

    beforeAll(async () => {
      database = await openDatabase(kind);
      explaining = database.another();
      store = knexStore({ knex: database.knex });
      await store.commit(insertion(appointment, { customers: [aProfile(appointment)] }));
      await store.commit(adding(...due));
      for (let first = 0; first < others.length; first += 500) {
        await store.commit(adding(...others.slice(first, first + 500)));
      }
      if (kind.family === 'mysql') {
        await database.knex.raw('analyze table calends_notifications, calends_delivery_events');
      }
    });
    afterAll(() => database.drop());

    const looksOf = (call: () => Promise<unknown>): Promise<readonly (readonly Look[])[]> =>
      looksOn(kind, { asks: database.knex, explains: explaining }, call);
    const page = { sortField: 'createdAt', sortOrder: 'desc', pageSize: 10 } as const;
    const cancel = [{ appointmentId: appointment.id, types: ['CREATE', 'ROOM'] as const, message: 'Moved.', at: 1 }];
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      'a claim': () => store.notifications.claim(claim),
      'the next time': () => store.nextWakeAt({ appointments: false, events: false, channels: ['EMAIL', 'SMS'] }),
      'a find': () => store.notifications.find(organizationId, 'due-1'),
      'the look before a send': () => lookBeforeSend(store, 'due-1'),
      'the looks of one moment': () => looksOfOneMoment(store),
      'a count of what is being sent': () => store.notifications.countSending(organizationId, ['due-1', 'due-2']),
      'a search for messages of removed records': () => store.notifications.listKept({ organizationId, limit: 200 }),
      'a search for those of one appointment': () =>
        store.notifications.listKept({ organizationId, appointmentId: appointment.id, limit: 200 }),
      'a release': () => store.notifications.releaseReminders(organizationId, appointment.id, 1),
      'an outcome': () => store.notifications.settle(due.slice(3).map((row) => changed(row, { message: 'Told.' }))),
      'a cancellation': () => store.commit(notifying(organizationId, { cancel })),
      'the customers of an appointment': () => store.customers.list(organizationId, appointment.id),
      'an endpoint': () => store.notifications.findEndpoint(endpoint),
      'a list': () => store.notifications.list(notificationQuery(organizationId, page)),
      "an agent's list": () =>
        store.notifications.list(
          notificationQuery(organizationId, { ...page, scope: { kind: 'ofAgent', agentId: 'agent-1' } }),
        ),
      'a list of what still has an appointment': () =>
        store.notifications.list(notificationQuery(organizationId, { ...page, scope: { kind: 'existing' } })),
      'a list of events': () =>
        store.notifications.listEvents(deliveryEventQuery(organizationId, { ...page, sortField: 'timestamp' })),
    };
    for (const [name, call] of Object.entries(calls)) {
      it(`${name} reads no table or index from end to end`, async () => {
        const looks = (await looksOf(call)).flat();
        expect(looks.length).toBeGreaterThan(0);
        expect(looks.filter(({ isWhole }) => isWhole)).toEqual([]);
      });
    }

    it('a claim reads what is due from the index, in its order, and nothing of the future', async () => {
      const [looks = []] = await looksOf(() => store.notifications.claim(claim));
      const first = looks.find(({ index }) => index === 'calends_notifications_due');
      // What is found this way is locked by its key where locks of the index would reach into another channel.
      if (kind.family === 'mysql') expect(looks.map(({ index }) => index)).toContain('PRIMARY');
      else expect(looks[0]).toBe(first);
      expect(first).toBeDefined();
      expect(first?.detail).not.toMatch(/filesort/);
      if (kind.family === 'sqlite') expect(first?.detail).toContain('(channel=? AND wake_at<?)');
      else expect(Number(/ range (\d+) /.exec(first?.detail ?? '')?.[1])).toBeLessThan(20);
    });

    it('a claim sorts nothing', async () => {
      const looks = await looksOf(() => store.notifications.claim(claim));
      expect(looks.flat().filter(({ detail }) => /filesort|TEMP B-TREE/.test(detail))).toEqual([]);
    });

    it('the backlog is counted from indices alone', async () => {
      const looks = (await looksOf(() => store.notifications.backlog())).flat();
      expect(looks.filter(({ scans }) => scans)).toEqual([]);
      const own = looks.filter(({ index }) => index.startsWith('calends_'));
      expect(own).toHaveLength(2);
      for (const { detail } of own) expect(detail).toMatch(/COVERING INDEX|Using index/);
    });
  },
  { families: ['sqlite', 'mysql'], shared: true },
);

describeEach(
  'the looks of one moment on a server that knows nothing of the table yet',
  (kind) => {
    it('the looks of one moment read the notifications of their appointments, not those of the organization', async () => {
      const database = await openDatabase(kind);
      await database.knex.raw('alter table calends_notifications stats_auto_recalc = 0');
      await database.knex.raw('analyze table calends_notifications');
      const store = knexStore({ knex: database.knex });
      await store.commit(insertion(appointment, { customers: [aProfile(appointment)] }));
      await store.commit(adding(...due, ...others.slice(0, 100)));
      const looks = await looksOn(kind, { asks: database.knex, explains: database.another() }, () =>
        looksOfOneMoment(store),
      );
      expect(looks.flat().map(({ index }) => index)).toContain('calends_notifications_by_appointment');
      await database.drop();
    });
  },
  { families: ['mysql'] },
);
