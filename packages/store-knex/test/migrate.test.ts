import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { adding, anEvent, aProfile, aScheduledAppointment, insertion, notification } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterEach, expect, it } from 'vitest';
import { knexStore, type MigrationReport, sqliteKnex } from '../src/index.js';
import { mendAdditions } from '../src/migrations/0005-first-mend.js';
import { availabilityAdditions } from '../src/migrations/0006-availability.js';
import { countsLead, durationCountsLead, migrations } from '../src/migrations/migrations.js';
import { migrateThrough } from '../src/migrations/migrate.js';
import { actorRows, actorTable, customerTable } from '../src/tables/people.js';
import { availabilityTable } from '../src/tables/availability.js';
import { appointmentTable } from '../src/tables/appointments.js';
import { auditTable, sealTable } from '../src/tables/audit.js';
import { deliveryEventTable, notificationTable } from '../src/tables/notifications.js';
import { holdTable } from '../src/tables/holds.js';
import { leaseTable } from '../src/tables/leases.js';
import { endpointTable } from '../src/tables/endpoints.js';
import { eventTable } from '../src/tables/events.js';
import { otpTable } from '../src/tables/otp-challenges.js';
import { ticketTable } from '../src/tables/tickets.js';
import type { Fields } from '../src/sql/rows.js';
import type { SqlValue } from '../src/sql/sql.js';
import type { DatabaseKind, TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { aTicket } from './support/proofs.js';

const everyStep = [
  '0001_first_schema',
  '0002_notifications',
  '0003_customers_and_audit',
  '0004_notification_queue',
  '0005_first_mend',
  '0006_availability',
  '0007_counts',
  '0008_counts_lead',
  '0009_retention',
  '0010_guard_revisions',
  '0011_long_times',
  '0012_duration_counts',
  '0013_duration_counts_lead',
];
const leads: readonly string[] = [countsLead, durationCountsLead];
const opened: TestDatabase[] = [];

async function openBare(kind: DatabaseKind): Promise<TestDatabase> {
  const database = await kind.openBare();
  opened.push(database);
  return database;
}

afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
});

/** Older programs have ended: nobody is waited for. */
const migrate = (knex: Knex): Promise<MigrationReport> => migrateThrough(knex, migrations, { contractAfter: 0 });

async function expectWorking(knex: Knex): Promise<void> {
  const store = knexStore({ knex });
  await store.check();
  expect(await store.commit(insertion(aScheduledAppointment()))).toEqual({ status: 'committed' });
}

/** The contracting steps that are left after some were taken. */
const contractingAfter = (taken: number): readonly string[] =>
  everyStep.slice(taken).filter((name) => leads.includes(name));

/**
 * What is done with what a version or an attempt before has left: contracting steps come last, and wait where somebody may have
 * written who gives no signs of life.
 */
function reportAfter(taken: number): MigrationReport {
  if (taken === 0) return { applied: everyStep };
  const contracting = contractingAfter(taken);
  const expanding = everyStep.slice(taken).filter((name) => !contracting.includes(name));
  return taken < 5 ? { applied: expanding, waiting: contracting } : { applied: [...expanding, ...contracting] };
}

/** What the last of several attempts may have had left to do. */
const left = [
  ...everyStep.map((_, taken) => reportAfter(taken)),
  ...leads.map((_, taken) => ({ applied: leads.slice(taken) })),
  { applied: [] },
];

const ofTransaction = /^(begin|commit|rollback|savepoint|release|start transaction)/i;

const booked = aScheduledAppointment({ id: 'booked-before' });

/** The row of these values, without the columns that came later. */
const rowOf = (
  fields: Fields,
  values: readonly SqlValue[],
  later: readonly string[] = [],
): Readonly<Record<string, SqlValue>> =>
  Object.fromEntries(
    Object.keys(fields).flatMap((name, index) => (later.includes(name) ? [] : [[name, values[index] ?? null]])),
  );

/** A database as an earlier version left it, with an appointment in it. */
async function openEarlier(kind: DatabaseKind, stepsTaken: number): Promise<TestDatabase> {
  const database = await openBare(kind);
  const { knex } = database;
  await migrateThrough(knex, migrations.slice(0, stepsTaken));
  const later = [...(stepsTaken < 5 ? mendAdditions : []), ...availabilityAdditions].flatMap(({ columns }) =>
    columns.map(({ name }) => name),
  );
  await knex('calends_appointments').insert(
    rowOf(appointmentTable.fields, appointmentTable.values(booked, { wakeAt: null }), later),
  );
  await knex('calends_actors').insert(actorRows(booked).map((values) => rowOf(actorTable.fields, values, later)));
  const removal = ['removal_reason', 'removed_at'];
  await knex('calends_customers').insert(rowOf(customerTable.fields, customerTable.values(aProfile(booked)), removal));
  await knex('calends_events').insert(
    rowOf(
      eventTable.fields,
      eventTable.values(anEvent(booked), { dueAt: anEvent(booked).occurredAt, isDelivered: false }),
    ),
  );
  return database;
}

/** Versions before this one, by how many steps they had taken. */
const earlierVersions = [
  ['the first version', 1],
  ['the second version', 2],
  ['the third version', 3],
  ['the version before availability', 5],
] as const;

/** What the earlier version holds is there as ever, and what this one knows can be used with it. */
async function expectAllOfIt(knex: Knex): Promise<void> {
  await expectNotifying(knex);
  const store = knexStore({ knex });
  const { organizationId, id: appointmentId } = booked;
  await store.audit.recordRefusals([
    {
      id: 'refused-1',
      appointmentId,
      at: 1,
      actor: null,
      proof: 'none',
      operation: 'get',
      requestId: 'request-1',
      outcome: 'unauthenticated',
    },
  ]);
  expect(await store.audit.countUnsealed(organizationId)).toBe(1);
  // What was booked before is busy from start to end, and takes part in what was not known then.
  const { start, end } = booked.schedule;
  const window = { from: start, to: end };
  const question = { organizationId, actorIds: [booked.organizer.id], window };
  const entry = { actorId: booked.organizer.id, start, end, busy: window, blocks: true, appointmentId };
  expect(await store.availability?.listBusy(question)).toContainEqual(entry);
  const guard = { actorIds: question.actorIds, window, span: window };
  const appointmentIds: unknown = expect.arrayContaining([appointmentId]);
  const refused = { status: 'slotConflict', appointmentIds };
  expect(await store.commit({ organizationId, events: [], guard })).toEqual(refused);
  const profile = {
    organizationId,
    appointmentId,
    participantId: aProfile(booked).participantId,
    metadata: {},
    removal: { reason: 'PDM_ERASED', at: 1 },
  } as const;
  await store.commit({ organizationId, customers: [profile], events: [] });
  expect(await store.customers.find(organizationId, appointmentId, profile.participantId)).toEqual(profile);
}

async function expectNotifying(knex: Knex): Promise<void> {
  const store = knexStore({ knex });
  const { organizationId, id: appointmentId } = booked;
  expect(await store.appointments.find(organizationId, booked.id)).toEqual(booked);
  expect(await store.events.list({ organizationId, appointmentId })).toHaveLength(1);
  const row = notification({ organizationId, appointmentId });
  expect(await store.commit(adding(row))).toEqual({ status: 'committed' });
  expect(await store.notifications.find(organizationId, row.id)).toEqual({
    notification: row,
    appointment: booked,
    customer: aProfile(booked),
  });
}

/**
 * Stops run after run, each at a later statement before it is sent, until one comes to its end: answers what that said. A
 * transaction may always be rolled back.
 */
async function stopAtStatements(knex: Knex): Promise<unknown> {
  const run = { seen: 0, stoppedAt: 0 };
  let after = 0;
  const listener = ({ sql }: { sql: string }): void => {
    if (ofTransaction.test(sql)) return;
    run.seen += 1;
    if (run.stoppedAt > 0 || run.seen <= after) return;
    run.stoppedAt = run.seen;
    throw new Error('interrupted');
  };
  knex.on('query', listener);
  try {
    for (;;) {
      Object.assign(run, { seen: 0, stoppedAt: 0 });
      const outcome: unknown = await migrate(knex).catch((error: unknown) => error);
      if (run.stoppedAt === 0) return outcome;
      expect(outcome).toMatchObject({ name: 'StoreError' });
      after = run.stoppedAt;
    }
  } finally {
    knex.removeListener('query', listener);
  }
}

/**
 * Ends what hangs. On a PostgreSQL server each of a hundred stops takes all back that was made, and the next run makes it again: half
 * a second each, and more on a busy machine.
 */
const stopsTimeout = 300_000;

describeEach('migrate', (kind) => {
  it('migrate makes the tables, and does nothing the second time', async () => {
    const { knex } = await openBare(kind);
    expect(await migrate(knex)).toEqual({ applied: everyStep });
    expect(await migrate(knex)).toEqual({ applied: [] });
    await expectWorking(knex);
  });

  it('migrate makes every column that is written, and touches no table of the host', async () => {
    const { knex } = await openBare(kind);
    await knex.schema.createTable('hosts_own', (table) => table.string('name'));
    await knex('hosts_own').insert({ name: 'kept' });
    await migrate(knex);
    for (const [table, fields] of Object.entries({
      calends_appointments: appointmentTable.fields,
      calends_actors: actorTable.fields,
      calends_customers: customerTable.fields,
      calends_events: eventTable.fields,
      calends_notifications: notificationTable.fields,
      calends_delivery_events: deliveryEventTable.fields,
      calends_endpoints: endpointTable.fields,
      calends_otp_challenges: otpTable.fields,
      calends_tickets: ticketTable.fields,
      calends_audit: auditTable.fields,
      calends_audit_seals: sealTable.fields,
      calends_holds: holdTable.fields,
      calends_availability: availabilityTable.fields,
      calends_leases: leaseTable.fields,
    })) {
      const columns = Object.keys(await knex(table).columnInfo());
      expect(columns).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
    expect(await knex('hosts_own').select('name')).toEqual([{ name: 'kept' }]);
  });

  it('migrate goes on after a stop at any statement', { timeout: stopsTimeout }, async () => {
    const { knex } = await openBare(kind);
    // The very last statements only give the lock back: by then the step is taken. MySQL keeps each by itself.
    expect(left).toContainEqual(await stopAtStatements(knex));
    await expectWorking(knex);
  });

  it('check says of a database without tables that the migrations are to be run', async () => {
    const { knex } = await openBare(kind);
    await expect(knexStore({ knex }).check()).rejects.toThrow('run the migrations');
  });

  it('migrate goes on where a killed process left the lock of Knex behind', async () => {
    const { knex } = await openBare(kind);
    await migrate(knex);
    await knex('calends_migrations_lock').update({ is_locked: 1 });
    await knex('calends_migrations').del();
    expect(await migrate(knex)).toEqual({ applied: everyStep });
    await expectWorking(knex);
  });

  it.each(earlierVersions)('migrate brings %s with its rows to this one', async (_, stepsTaken) => {
    const { knex } = await openEarlier(kind, stepsTaken);
    await expect(knexStore({ knex }).check()).rejects.toMatchObject({ name: 'StoreError', code: 'schema' });
    expect(await migrate(knex)).toEqual(reportAfter(stepsTaken));
    await expectWorking(knex);
    await expectAllOfIt(knex);
  });

  it.each(earlierVersions)(
    'migrate goes on after a stop at any statement between %s and this one',
    { timeout: stopsTimeout },
    async (_, stepsTaken) => {
      const { knex } = await openEarlier(kind, stepsTaken);
      expect(left.slice(stepsTaken)).toContainEqual(await stopAtStatements(knex));
      await expectAllOfIt(knex);
    },
  );

  it('migrate takes away manage tickets whose appointment is gone, and no other', async () => {
    const { knex } = await openEarlier(kind, 4);
    const { organizationId, id: subjectId } = booked;
    const kept = [
      aTicket({ organizationId, subjectId }),
      aTicket({ organizationId, kind: 'CALENDAR_FEED', subjectId: 'agent-1', holderId: '' }),
    ];
    const orphans = [
      aTicket({ organizationId, subjectId: 'gone' }),
      aTicket({ organizationId, subjectId: 'gone', holderId: 'customer-2' }),
      aTicket({ organizationId: 'org-other', subjectId }),
    ];
    const rows = [...kept, ...orphans].map((ticket) => rowOf(ticketTable.fields, ticketTable.values(ticket)));
    await knex('calends_tickets').insert(rows);
    await migrate(knex);
    const store = knexStore({ knex });
    for (const ticket of kept) expect(await store.customers.findTicket(ticket)).toEqual(ticket);
    for (const ticket of orphans) expect(await store.customers.findTicket(ticket)).toBeUndefined();
  });

  it('migrate tells a schema that is missing or older from a current one, and goes on with one that was expanded since', async () => {
    const { knex } = await openBare(kind);
    const store = knexStore({ knex });
    await expect(store.check()).rejects.toMatchObject({ name: 'StoreError', code: 'schema' });
    await migrate(knex);
    await store.check();
    await knex('calends_migrations').insert({ name: '9999_of_the_future', batch: 2 });
    await store.check();
    expect(await migrate(knex)).toEqual({ applied: [] });
    await knex('calends_migrations').del();
    await expect(store.check()).rejects.toMatchObject({ name: 'StoreError', code: 'schema' });
  });
});

describeEach(
  'several processes that migrate at once',
  (kind) => {
    it('several processes that migrate at once are one that works, and others that find it done', async () => {
      const database = await openBare(kind);
      const instances = [database.knex, database.another(), database.another()];
      const reports = await Promise.all(instances.map((knex) => migrate(knex)));
      expect(reports.flatMap(({ applied }) => applied)).toEqual(everyStep);
      for (const knex of instances) await knexStore({ knex }).check();
      await expectWorking(database.knex);
    });
  },
  { shared: true },
);

describeEach(
  'a process killed in the middle of a migration',
  (kind) => {
    const versions = [
      ['an empty database', openBare, 12],
      ['the first version', (one: DatabaseKind) => openEarlier(one, 1), 12],
      ['the second version', (one: DatabaseKind) => openEarlier(one, 2), 14],
    ] as const;
    it.each(versions)(
      'a process killed in the middle of a migration leaves a file that the next one migrates: %s',
      async (_, open, killedAt) => {
        const { knex } = await open(kind);
        const filename = (knex.client as { connectionSettings: { filename: string } }).connectionSettings.filename;
        const folder = await mkdtemp(join(tmpdir(), 'calends-killed-'));
        const copies: Promise<unknown>[] = [];
        let seen = 0;
        // What is on the disk while the transaction is open is what a kill at that moment leaves.
        knex.on('query', () => {
          seen += 1;
          if (seen === killedAt) copies.push(copyDatabase(filename, folder));
        });
        await migrate(knex);
        await Promise.all(copies);
        expect(copies).toHaveLength(1);
        const survivor = sqliteKnex({ filename: join(folder, basename(filename)), driver: 'better-sqlite3' });
        try {
          await migrate(survivor);
          await expectWorking(survivor);
        } finally {
          await survivor.destroy();
          await rm(folder, { recursive: true });
        }
      },
    );
  },
  { families: ['sqlite'], durable: true },
);

async function copyDatabase(filename: string, folder: string): Promise<void> {
  for (const name of await readdir(dirname(filename))) {
    if (!name.endsWith('-shm')) await copyFile(join(dirname(filename), name), join(folder, name));
  }
}
