import {
  adding,
  aProfile,
  aScheduledAppointment,
  changed,
  fixtureStart,
  insertion,
  notification,
  notifying,
  written,
} from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { isOfProgramVersion } from './support/program-version.js';

const organizationId = 'org-1';
const claim = { channel: 'EMAIL', limit: 50, leaseFor: 1000, now: fixtureStart } as const;

interface Asked {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** The statements of a call. */
async function statementsOf(knex: Knex, call: () => Promise<unknown>): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  const listener = (statement: Asked): void => {
    if (!isOfProgramVersion(statement.sql)) asked.push(statement);
  };
  knex.on('query', listener);
  try {
    await call();
  } finally {
    knex.removeListener('query', listener);
  }
  return asked;
}

const repairOf = ({ notifications }: KnexStore, after: readonly string[] | undefined): Promise<unknown> =>
  notifications.repairQueue?.(after) ?? Promise.reject(new Error('It cannot repair.'));

/** Reminders of the far future, each of an appointment of its own, in one statement. */
const reminders = `insert into calends_notifications (organization_id, id, application_id, appointment_id,
    source_event_id, schedule_version, type, channel, addressee_type, addressee_id, dedupe_key, created_at, phase,
    status, wake_at, revision, event_count, updated_at, attempts, manual_retries, lost_claims, unknown_outcomes,
    poll_attempts)
  select '${organizationId}', 'reminder-' || n, 'app-1', 'appointment-' || n, 'event', 0, 'REMINDER', 'EMAIL',
    'CUSTOMER', 'customer-1', 'key-' || n, 0, 'READY', 'INITIALIZED', ${fixtureStart} + 1000000 + n, 1, 1, 0, 0, 0, 0, 0, 0
  from generate_series(1, ?::int) n`;

const enqueueAll = `insert into calends_notification_queue (organization_id, id, channel, phase, due_at)
  select organization_id, id, channel, phase, wake_at from calends_notifications`;

describeEach(
  'statements about notifications',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    // In process a tenth is enough to make a table that nobody wants to read from end to end.
    const stored = kind.shared ? 300_000 : 30_000;

    beforeAll(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
      await database.knex.raw(reminders, [stored]);
      await database.knex.raw(enqueueAll);
      await store.commit(adding(...Array.from({ length: 200 }, (_, n) => notification({ id: `due-${n}` }))));
      await database.knex.raw('analyze calends_notifications, calends_notification_queue');
    });
    afterAll(() => database.drop());

    /** How the one statement of a call would be carried out, in a transaction that is rolled back. */
    async function planOf(call: () => Promise<unknown>): Promise<string> {
      const [asked] = await statementsOf(database.knex, call);
      return planOfStatement(asked ?? { sql: '', bindings: [] });
    }

    async function planOfStatement({ sql, bindings }: Asked): Promise<string> {
      const transaction = await database.knex.transaction();
      try {
        // Lists stay parameters: Knex binds them as PostgreSQL arrays.
        const { rows } = await transaction.raw<{ rows: readonly Readonly<Record<string, string>>[] }>(
          `explain ${sql}`,
          [...bindings],
        );
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      } finally {
        await transaction.rollback();
      }
    }

    const outcomes = (count: number): readonly ReturnType<typeof changed>[] =>
      Array.from({ length: count }, (_, n) =>
        changed(notification({ id: `due-${n}`, revision: 99 }), { message: 'x' }),
      );
    const one = { appointmentId: 'appointment-7', message: 'Moved.', at: 1 };
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      'a claim': () => store.notifications.claim(claim),
      'the look before a send': () =>
        store.notifications.findStanding({
          organizationId,
          id: 'due-1',
          appointmentId: 'appointment-7',
          channel: 'EMAIL',
          addresseeId: 'customer-1',
          now: fixtureStart,
        }),
      'the looks of one moment': () =>
        Promise.all(
          ['due-1', 'due-2'].map((id) =>
            store.notifications.findStanding({
              organizationId,
              id,
              appointmentId: 'appointment-7',
              channel: 'EMAIL',
              addresseeId: 'customer-1',
              now: fixtureStart,
            }),
          ),
        ),
      'an outcome': () => store.notifications.settle(outcomes(1)),
      'many outcomes': () => store.notifications.settle(outcomes(kind.shared ? 500 : 50)),
      'a cancellation': () => store.commit(notifying(organizationId, { cancel: [one] })),
      'cancellations that overlap': () =>
        store.commit(notifying(organizationId, { cancel: [{ ...one, types: ['CREATE'] }, one] })),
      'a replacement': () => store.commit(notifying(organizationId, { update: outcomes(1)[0] })),
    };

    it.each(Object.entries(calls))('%s does not read the table from end to end', async (_, call) => {
      const plan = await planOf(call);
      expect(plan).toContain('Index Scan using calends_notifications');
      expect(plan).not.toMatch(/Seq Scan on calends_notification(s|_queue)/);
    });

    it.each([
      ['the first', undefined],
      ['a later', [organizationId, 'reminder-1']],
    ])('a repair of the queue reads %s portion of each table by its key', async (_, after) => {
      const statements = await statementsOf(database.knex, () => repairOf(store, after));
      expect(statements).toHaveLength(2);
      for (const asked of statements) {
        const plan = await planOfStatement(asked);
        expect(plan).toMatch(/Index (Only )?Scan using calends_notifications_pkey/);
        expect(plan).not.toMatch(/Seq Scan on calends_notification(s|_queue)/);
      }
    });

    it('the next time is read from the queue, from its first entries', async () => {
      const channels = ['EMAIL', 'SMS'] as const;
      const plan = await planOf(() => store.nextWakeAt({ appointments: false, events: false, channels }));
      expect(plan.match(/Index Scan using calends_notification_queue_due/g)).toHaveLength(4);
      expect(plan).not.toMatch(/Seq Scan|Sort Key/);
    });

    it('a claim reads what is due from the queue, in its order, locks one by one, and sorts only what it answers', async () => {
      const plan = await planOf(calls['a claim'] ?? (() => Promise.resolve()));
      expect(plan).toMatch(
        /Limit.*\n\s+->\s+Nested Loop.*\n\s+->\s+Limit[^]*?Index Scan using calends_notification_queue_due/,
      );
      expect(plan).toMatch(/LockRows.*\n\s+->\s+Index Scan using calends_notifications_pkey/);
      expect(plan).toMatch(/Index Cond: \(\(channel = '?EMAIL'?.*due_at <= /);
      expect(plan.match(/Sort Key/g)).toHaveLength(1);
    });
  },
  { families: ['postgres'] },
);

describeEach(
  'a claim on tables of which nothing is known yet',
  (kind) => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await openDatabase(kind);
      await database.knex.raw(reminders, [20_000]);
      await database.knex.raw(enqueueAll);
    });
    afterAll(() => database.drop());

    it('a claim on tables of which nothing is known yet reads the queue in its order, and does not sort all that is due', async () => {
      const store = knexStore({ knex: database.knex });
      const [asked] = await statementsOf(database.knex, () => store.notifications.claim(claim));
      let count = 0;
      const text = (asked?.sql ?? '').replaceAll('?', () => `$${++count}`);
      const plan = await database.knex.transaction(async (transaction) => {
        // The plan that a prepared statement has from its sixth run on.
        await transaction.raw('set local plan_cache_mode = force_generic_plan');
        await transaction.raw(`prepare claim_of_test as ${text}`);
        const { rows } = await transaction.raw<{ rows: readonly Readonly<Record<string, string>>[] }>(
          `explain execute claim_of_test(1000, ${fixtureStart}, 'EMAIL', 50)`,
        );
        await transaction.raw('deallocate claim_of_test');
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan).toContain('Index Scan using calends_notification_queue_due');
      expect(plan.match(/Sort Key/g)).toHaveLength(1);
    });
  },
  { families: ['postgres'] },
);

describeEach(
  'texts of statements about notifications',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;

    beforeAll(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
    });
    afterAll(() => database.drop());

    const textOf = async (call: () => Promise<unknown>): Promise<string> =>
      (await statementsOf(database.knex, call)).map(({ sql }) => sql).join('\n');
    const rows = (count: number, prefix: string): readonly ReturnType<typeof written>[] =>
      Array.from({ length: count }, (_, n) => written(notification({ id: `${prefix}-${n}`, eventCount: 1 + (n % 3) })));

    const calls: Readonly<Record<string, (count: number) => Promise<unknown>>> = {
      'a new appointment': (count) => {
        const next = aScheduledAppointment({ id: `with-${count}` });
        const notifications = { add: rows(count, next.id) };
        return store.commit(insertion(next, { customers: [aProfile(next)], notifications }));
      },
      'new notifications': (count) => store.commit(notifying(organizationId, { add: rows(count, `alone-${count}`) })),
      cancellations: (count) => {
        const cancel = rows(count, 'x').map(({ next: { id } }) => ({ appointmentId: id, message: 'x', at: 1 }));
        return store.commit(notifying(organizationId, { cancel }));
      },
      outcomes: (count) =>
        store.notifications.settle(rows(count, 'x').map(({ next }) => changed(next, { message: 'x' }))),
      claims: (limit) => store.notifications.claim({ ...claim, limit, ...(limit === 1 ? {} : { now: undefined }) }),
    };

    describe.each(Object.entries(calls))('of %s', (_, call) => {
      it('texts of statements are the same for one and for many', async () => {
        const text = await textOf(() => call(1));
        expect(text).toContain('calends_notifications');
        for (const count of [2, 3, 4, 40]) expect(await textOf(() => call(count))).toBe(text);
      });
    });

    it('texts of statements say nothing of notifications where a commit has none', async () => {
      const next = aScheduledAppointment({ id: 'plain' });
      const text = await textOf(() => store.commit(insertion(next, { customers: [aProfile(next)] })));
      expect(text).toContain('calends_appointments');
      expect(text).not.toMatch(/calends_notifications|calends_delivery|sending_id/);
    });
  },
  { families: ['postgres'] },
);
