import { randomUUID } from 'node:crypto';
import { anEvent, aScheduledAppointment, insertion, notification, written } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterEach, expect, it } from 'vitest';
import { run } from '../src/sql/steps.js';
import { type KnexStore, type ProgramOptions, storeOf } from '../src/knex-store.js';
import { countsLead, durationCountsLead, type Migration, migrations } from '../src/migrations/migrations.js';
import { versionOf } from '../src/migrations/write-gate.js';
import { migrateThrough } from '../src/migrations/migrate.js';
import { type DatabaseKind, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const leads = [countsLead, durationCountsLead];
const own = versionOf(migrations);

const expanding: Migration = {
  name: '9001_expands',
  kind: 'expand',
  *up() {
    yield* run('create table trial_expanded (id integer)');
  },
};

const widened = [
  ...['appointments', 'audit', 'audit_seals', 'availability', 'customers', 'delivery_events', 'endpoints', 'events'],
  ...['holds', 'keys', 'notifications', 'otp_challenges', 'requests', 'schema', 'tickets'],
];

/** Gives the tables of the present program a column more. */
const widening: Migration = {
  name: '9001_widens',
  kind: 'expand',
  *up() {
    for (const table of widened) yield* run(`alter table calends_${table} add column trial_added integer`);
  },
};

/** Takes away what the present program writes. */
const contracting: Migration = {
  name: '9002_contracts',
  kind: { contract: { writtenFrom: own + 1 } },
  *up() {
    yield* run('create table trial_contracted (id integer)');
  },
};

const expanded = [...migrations, expanding];
const contracted = [...expanded, contracting];

const opened: TestDatabase[] = [];
async function open(kind: DatabaseKind): Promise<TestDatabase> {
  const database = await openDatabase(kind);
  opened.push(database);
  return database;
}
afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
});

const booked = (): ReturnType<typeof aScheduledAppointment> => aScheduledAppointment({ id: randomUUID() });
const book = (): ReturnType<typeof insertion> => {
  const next = booked();
  return insertion(next, { events: [anEvent(next)] });
};
const schemaFault = { name: 'StoreError', code: 'schema', reason: 'programTooOld' };

/** Calls that answer rows, whether there are some or not. */
function readsAndClaims(store: KnexStore): readonly (() => Promise<unknown> | undefined)[] {
  const { appointments, customers, notifications, events, audit, availability, keys, retention } = store;
  const organizationId = 'org-1';
  const window = { from: 0, to: 1 };
  const claim = { now: 1, limit: 1, leaseUntil: 2 };
  const page = { sortOrder: 'asc', pageNumber: 1, pageSize: 1 } as const;
  const told = { ...page, organizationId, applicationId: 'app-1', scope: { kind: 'all' } } as const;
  const ticket = { organizationId, kind: 'MANAGE', subjectId: 'a', holderId: 'p' } as const;
  const challenge = { organizationId, subject: 's' };
  return [
    () => appointments.find(organizationId, 'a'),
    () => appointments.list({ ...page, organizationId, sortField: 'start' }),
    () => appointments.listEligible(organizationId, { limit: 1 }),
    () => appointments.walk({ limit: 1 }),
    () => appointments.claimDue(claim),
    () => customers.list(organizationId, 'a'),
    () => customers.findByContact({ organizationId, username: 'u', limit: 1 }),
    () => customers.findChallenge(organizationId, 's'),
    () => customers.countTry({ ...challenge, now: 1, limit: 1 }),
    () => customers.findTicket(ticket),
    () => notifications.claim({ channel: 'EMAIL', limit: 1, leaseFor: 1 }),
    () => notifications.list({ ...told, sortField: 'createdAt' }),
    () => notifications.listEvents({ ...told, sortField: 'timestamp' }),
    () => notifications.find(organizationId, 'n'),
    () => notifications.findEndpoint({ organizationId, applicationId: 'app-1', endpointId: 'e', addressHash: 'h' }),
    () => events.claim(claim),
    () => events.list({ organizationId, appointmentId: 'a' }),
    () => store.requests.find({ organizationId, callerId: 'c', operation: 'o', key: 'k' }, 1),
    () => audit.list({ organizationId, pageNumber: 1, pageSize: 1 }),
    () => audit.unsealed(1),
    () => audit.listSeals(organizationId, 1, 1),
    () => availability?.listRecords({ organizationId, kinds: ['hours'] }),
    () => availability?.listBusy({ organizationId, actorIds: ['agent-1'], window }),
    () => availability?.findHold(organizationId, 'h'),
    () => keys.list(),
    () => retention?.nextSealed(),
  ];
}

/** A program whose time goes on only when told. */
function program(steps: readonly Migration[]): ProgramOptions & { readonly lookEnds: () => void } {
  let now = 0;
  return { steps, monotonic: () => now, lookEnds: () => (now += 1000) };
}
const endOfOthers = (knex: Knex): Promise<unknown> => knex('calends_processes').decrement('seen_at', 61_000);

/** Statements about the versions of programs that a call made the store send. */
async function asked(knex: Knex, call: () => Promise<unknown>): Promise<readonly string[]> {
  const seen: string[] = [];
  const listener = ({ sql }: { sql: string }): void => {
    if (/calends_(schema|processes)/.test(sql)) seen.push(sql.split(' ', 1).join());
  };
  knex.on('query', listener);
  await call().finally(() => knex.removeListener('query', listener));
  return seen;
}

describeEach('a program beside a newer one', (kind) => {
  it('a program beside a newer one goes on after an expanding step, and its check does not mind', async () => {
    const { knex } = await open(kind);
    const older = storeOf({ knex }, { steps: migrations });
    expect(await migrateThrough(knex, expanded)).toEqual({ applied: [expanding.name] });
    await older.check();
    expect(await older.commit(book())).toEqual({ status: 'committed' });
    expect(await migrateThrough(knex, migrations), 'started again').toEqual({ applied: [] });
    await storeOf({ knex }, { steps: expanded }).check();
  });

  it('a program beside a newer one reads and claims what it did before an expanding step gave every table a column more', async () => {
    const { knex } = await open(kind);
    const older = storeOf({ knex }, { steps: migrations });
    await older.commit(book());
    const calls = readsAndClaims(older);
    for (const call of calls) await call();
    await migrateThrough(knex, [...migrations, widening]);
    for (const call of calls) await call();
    expect(await older.commit(book())).toEqual({ status: 'committed' });
  });

  it('a program beside a newer one keeps a contracting step waiting while it gives signs of life, and both write', async () => {
    const { knex } = await open(kind);
    const [older, newer] = [storeOf({ knex }, { steps: migrations }), storeOf({ knex }, { steps: contracted })];
    await older.commit(book());
    const report = { applied: [expanding.name], waiting: [contracting.name] };
    expect(await migrateThrough(knex, contracted, { contractAfter: 0 })).toEqual(report);
    await newer.check();
    for (const store of [older, newer]) expect(await store.commit(book())).toEqual({ status: 'committed' });
    expect(await knex.schema.hasTable('trial_contracted')).toBe(false);
  });

  it('a program beside a newer one does not keep it waiting once it was silent for a minute, and writes nothing from then on', async () => {
    const { knex } = await open(kind);
    const present = program(migrations);
    const [older, newer] = [storeOf({ knex }, present), storeOf({ knex }, { steps: contracted })];
    await older.commit(book());
    await endOfOthers(knex);
    const applied = [expanding.name, contracting.name];
    expect(await migrateThrough(knex, contracted, { contractAfter: 0 })).toEqual({ applied });
    present.lookEnds();
    await expect(older.commit(book())).rejects.toMatchObject(schemaFault);
    await expect(older.appointments.claimDue({ now: 1, limit: 1, leaseUntil: 2 })).rejects.toMatchObject(schemaFault);
    await expect(older.check()).rejects.toMatchObject(schemaFault);
    await expect(migrateThrough(knex, migrations), 'started again').rejects.toMatchObject(schemaFault);
    expect(await newer.commit(book())).toEqual({ status: 'committed' });
    await newer.check();
  });

  it('a program beside a newer one is told to write no more where the contracting step was told to come', async () => {
    const { knex } = await open(kind);
    const present = program(migrations);
    const older = storeOf({ knex }, present);
    await older.commit(book());
    const applied = [expanding.name, contracting.name];
    expect(await migrateThrough(knex, contracted, { contract: true, contractAfter: 0 })).toEqual({ applied });
    present.lookEnds();
    await expect(older.commit(book())).rejects.toMatchObject(schemaFault);
    expect(await migrateThrough(knex, contracted, { contractAfter: 0 })).toEqual({ applied: [] });
  });

  it('a program beside a newer one reads on where it may not write', async () => {
    const { knex } = await open(kind);
    const older = storeOf({ knex }, { steps: migrations });
    const change = book();
    await older.commit(change);
    await migrateThrough(knex, contracted, { contract: true, contractAfter: 0 });
    expect(await older.events.list({ organizationId: change.organizationId, appointmentId: 'none' })).toEqual([]);
  });

  it('a program beside a newer one may not write inside a transaction of the host either', async () => {
    const { knex } = await open(kind);
    await migrateThrough(knex, contracted, { contract: true, contractAfter: 0 });
    const older = storeOf({ knex }, { steps: migrations });
    await knex.transaction(async (transaction) => {
      const joined = older.joining(transaction);
      await expect(joined.commit(book())).rejects.toMatchObject(schemaFault);
      await expect(joined.check()).rejects.toMatchObject(schemaFault);
    });
  });
});

describeEach('a contracting step', (kind) => {
  it('a contracting step comes at once to an empty database', async () => {
    const database = await kind.openBare();
    opened.push(database);
    const applied = contracted.map(({ name }) => name);
    expect(await migrateThrough(database.knex, contracted, { contractAfter: 3_600_000 })).toEqual({ applied });
    await expect(storeOf({ knex: database.knex }, { steps: migrations }).check()).rejects.toMatchObject(schemaFault);
  });

  it('a contracting step does not come in the run in which signs of life begin: programs of before give none', async () => {
    const database = await kind.openBare();
    opened.push(database);
    const { knex } = database;
    await migrateThrough(knex, migrations.slice(0, 4));
    const report = await migrateThrough(knex, contracted, { contractAfter: 0 });
    expect(report).toEqual({
      applied: [
        ...['0005_first_mend', '0006_availability', '0007_counts', '0009_retention', '0010_guard_revisions'],
        ...['0011_long_times', '0012_duration_counts'],
        expanding.name,
      ],
      waiting: [...leads, contracting.name],
    });
    expect(await migrateThrough(knex, contracted, { contractAfter: 0 })).toEqual({
      applied: [...leads, contracting.name],
    });
  });
});

describeEach('looking whether a program may write', (kind) => {
  it('looking whether a program may write happens at most once a second and not per write, with one sign of life', async () => {
    const { knex } = await open(kind);
    const present = program(migrations);
    const store = storeOf({ knex }, present);
    const seen = await asked(knex, async () => {
      for (let count = 0; count < 20; count += 1) await store.commit(book());
      present.lookEnds();
      await Promise.all(Array.from({ length: 20 }, () => store.commit(book())));
    });
    expect(seen).toEqual(['select', 'insert', 'delete', 'select']);
    const signs: { version: unknown }[] = await knex('calends_processes').select('version');
    expect(signs.map(({ version }) => Number(version))).toEqual([own]);
  });

  it('looking whether a program may write costs a call nothing that only reads', async () => {
    const { knex } = await open(kind);
    const store = storeOf({ knex }, { steps: migrations });
    expect(await asked(knex, () => store.appointments.find('org-1', 'none'))).toEqual([]);
  });
});

describeEach(
  'programs of two versions on one database under load',
  (kind) => {
    it(
      'programs of two versions lose nothing, and none is refused before the contracting step',
      { timeout: 60_000 },
      async () => {
        const database = await open(kind);
        const [older, newer] = [
          storeOf({ knex: database.knex }, { steps: migrations }),
          storeOf({ knex: database.another() }, { steps: contracted }),
        ];
        const acknowledged: string[] = [];
        const refused: unknown[] = [];
        let going = true;
        const watchers = new Set<() => void>();
        /** Comes back once so many more were acknowledged. */
        const more = (count: number): Promise<void> =>
          new Promise((resolve) => {
            const wanted = acknowledged.length + count;
            const look = (): void => {
              if (acknowledged.length >= wanted && watchers.delete(look)) resolve();
            };
            watchers.add(look);
          });
        const load = async (store: typeof older): Promise<void> => {
          while (going) {
            const next = booked();
            const add = [written(notification({ id: randomUUID(), appointmentId: next.id }))];
            try {
              await store.commit(insertion(next, { notifications: { add } }));
              acknowledged.push(next.id);
              for (const look of watchers) look();
            } catch (error) {
              refused.push(error);
              return;
            }
          }
        };
        const migrating = database.another();
        const olderLoad = [load(older), load(older)];
        await more(5);
        await migrateThrough(migrating, contracted, { contractAfter: 0 });
        const newerLoad = [load(newer), load(newer)];
        await more(20);
        expect(refused).toEqual([]);
        await migrateThrough(migrating, contracted, { contract: true, contractAfter: 1500 });
        await Promise.all(olderLoad);
        expect(refused).toEqual([expect.objectContaining(schemaFault), expect.objectContaining(schemaFault)]);
        await more(20);
        going = false;
        await Promise.all(newerLoad);
        const stored: { id: string }[] = await database.knex('calends_appointments').select('id');
        expect(stored.map(({ id }) => id).sort()).toEqual([...acknowledged].sort());
        expect(refused).toHaveLength(2);
      },
    );
  },
  { shared: true },
);
