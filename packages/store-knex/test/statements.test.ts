import {
  aScheduledAppointment,
  anEvent,
  aProfile,
  insertion,
  listQuery,
  nextVersion,
  update,
} from '@calends/store-conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { isOfProgramVersion } from './support/program-version.js';

const owned = aScheduledAppointment({ organizationId: 'org-owner', id: 'owned' });

describeEach('what the database is asked', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;

  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
    await store.commit(insertion(owned, { customers: [aProfile(owned)], events: [anEvent(owned)] }));
  });
  afterAll(() => database.drop());

  /** The statements of a call, and how many values each had. */
  async function statementsOf(call: () => Promise<unknown>): Promise<readonly string[]> {
    const seen: string[] = [];
    const listener = ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }): void => {
      if (!isOfProgramVersion(sql)) seen.push(`${bindings.length} ${sql}`);
    };
    database.knex.on('query', listener);
    try {
      await call();
    } finally {
      database.knex.removeListener('query', listener);
    }
    return seen;
  }

  it('what the database is asked is the same for a foreign appointment and for one that does not exist', async () => {
    const pairs = (id: string): readonly (() => Promise<unknown>)[] => [
      () => store.appointments.find('org-1', id),
      () => store.customers.find('org-1', id, 'customer-1'),
      () => store.events.list({ organizationId: 'org-1', appointmentId: id }),
      () => store.commit(update(nextVersion({ ...owned, organizationId: 'org-1', id }))),
    ];
    const unknown = pairs('unknown');
    for (const [index, foreign] of pairs('owned').entries()) {
      const asked = await statementsOf(foreign);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked).toEqual(await statementsOf(unknown[index] ?? foreign));
    }
  });

  it('what the database is asked holds no value of a caller in its text', async () => {
    const mark = 'MARK';
    const texts = await statementsOf(async () => {
      const marked = aScheduledAppointment({
        organizationId: `o-${mark}`,
        id: `i-${mark}`,
        title: mark,
        organizerId: mark,
      });
      await store.commit(insertion(marked, { customers: [aProfile(marked)], events: [anEvent(marked)] }));
      await store.appointments.list(
        listQuery(marked.organizationId, {
          applicationIds: [mark, 'b'],
          agentIds: [mark, 'b'],
          organizerIds: [mark, 'b'],
          durations: [4711, 4712],
          ranges: [{ from: 4713 }, { to: 4714 }],
          sortField: 'title',
        }),
      );
      await store.appointments.countStarting({
        organizationId: mark,
        applicationId: mark,
        windows: [{ from: 4715, to: 4716 }],
      });
    });
    for (const text of texts) expect(text).not.toMatch(/MARK|471/);
  });

  it('what the database is asked is one statement for a commit, a find and a list where the database can do so', async () => {
    const count = async (call: () => Promise<unknown>): Promise<number> => (await statementsOf(call)).length;
    const second = aScheduledAppointment({ id: 'second' });
    const commits = await count(() => store.commit(insertion(second, { events: [anEvent(second)] })));
    if (kind.family === 'postgres') expect(commits).toBe(1);
    expect(await count(() => store.appointments.find('org-1', 'second'))).toBe(1);
    expect(await count(() => store.appointments.list(listQuery('org-1', { agentIds: ['agent-1'] })))).toBe(1);
  });
});
