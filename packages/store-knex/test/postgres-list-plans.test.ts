import type { AppointmentListQuery } from '@calends/core/store';
import { fixtureStart, listQuery } from '@calends/store-conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const hour = 3_600_000;
const day = 24 * hour;
const organizationId = 'org-1';

/** An appointment every three minutes, and one of its agents. */
const stored = 100_000;
const startOf = `${fixtureStart} + n * ${hour / 20}::int8`;
const appointments = `insert into calends_appointments (organization_id, id, application_id, title, notes, metadata, locale,
    start_at, end_at, duration, timezone, organizer, participants, interaction, created_at, updated_at, version,
    schedule_version, state, notification_headers, notifications_active, customer_reschedules)
  select '${organizationId}', 'appointment-' || n, 'app-1', '', '', '{}', 'en', ${startOf}, ${startOf} + 1, 1, 'UTC',
    '{"id":"agent-1","type":"AGENT"}', '[]', '{"state":"PENDING","acceptedBy":[],"customFields":{},"properties":{}}',
    0, 0, 1, 0, 'SCHEDULED', '{}', 0, 0
  from generate_series(1, ${stored}) n`;
const actors = `insert into calends_actors (organization_id, appointment_id, actor_id, relations, application_id, start_at,
    end_at, state, blocks)
  select '${organizationId}', 'appointment-' || n, 'agent-' || n % 10, 3, 'app-1', ${startOf}, ${startOf} + 1, 'SCHEDULED', 1
  from generate_series(1, ${stored}) n`;

// Neither edge lies at midnight.
const ranges = [{ from: fixtureStart + 20 * day + hour / 6, to: fixtureStart + 20 * day + 2 * hour }];

describeEach(
  'lists in the order of an index',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;

    beforeAll(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
      await database.knex.raw(appointments);
      await database.knex.raw(actors);
      let after: readonly string[] | undefined;
      do after = (await store.appointments.repairCounts?.(after))?.next;
      while (after !== undefined);
      await database.knex.raw('vacuum analyze');
    });
    afterAll(() => database.drop());

    const list = (asked: Partial<AppointmentListQuery>) => (): Promise<unknown> =>
      store.appointments.list(listQuery(organizationId, { applicationIds: ['app-1'], pageSize: 20, ...asked }));
    const calls: readonly (readonly [title: string, call: () => Promise<unknown>])[] = [
      ['first page', list({})],
      ['first page of an organization', list({ applicationIds: undefined })],
      ['first page of two hours', list({ ranges })],
      ['first page of an agent', list({ agentIds: ['agent-1'] })],
      ['first page of an agent and two hours', list({ agentIds: ['agent-1'], ranges })],
      ['second page', list({ pageNumber: 2 })],
      ['page at half depth', list({ pageNumber: stored / 40, sortOrder: 'desc' })],
      ['page of a state', list({ states: ['SCHEDULED'] })],
      [
        'count of two hours',
        () => store.appointments.countStarting({ organizationId, applicationId: 'app-1', windows: ranges }),
      ],
      [
        'next page of eligible appointments',
        () => store.appointments.listEligible(organizationId, { after: 'appointment-2', limit: 20 }),
      ],
    ];

    /** Of the statements of lists and counts: how often PostgreSQL has planned them for these values, and how often it took the plan for all. */
    async function plans(): Promise<{ readonly planned: number; readonly kept: number }> {
      const { rows } = await database.knex.raw<{ rows: { planned: string; kept: string }[] }>(
        `select coalesce(sum(custom_plans), 0) as planned, coalesce(sum(generic_plans), 0) as kept
           from pg_prepared_statements where statement like '%calends_appointments%'`,
      );
      return { planned: Number(rows[0]?.planned), kept: Number(rows[0]?.kept) };
    }

    it.each(calls)('the %s is not planned again each time', async (_, call) => {
      // The first five times it looks what a plan for the values costs.
      for (let time = 0; time < 5; time += 1) await call();
      const before = await plans();
      for (let time = 0; time < 5; time += 1) await call();
      expect(await plans()).toEqual({ planned: before.planned, kept: before.kept + 5 });
    });
  },
  { families: ['postgres'], shared: true },
);
