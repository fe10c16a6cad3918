import { createScheduling } from '@calends/core';
import type { StandingNotification } from '@calends/core/store';
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
  written,
} from '@calends/store-conformance';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { emptyTables, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { isOfProgramVersion } from './support/program-version.js';

const organizationId = 'org-1';
const appointment = aScheduledAppointment({ organizationId });
const claim = { channel: 'EMAIL', leaseFor: 1000, now: fixtureStart } as const;

describeEach('what the database is asked about notifications', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;

  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
  });
  afterEach(() => emptyTables(database.knex));
  afterAll(() => database.drop());

  /** The statements of a call, with how many values each had. */
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

  it('what the database is asked about notifications is the same for a foreign notification and for one that does not exist', async () => {
    const foreign = notification({ organizationId: 'org-owner', id: 'owned' });
    await store.commit(adding(foreign));
    const calls = (id: string): readonly (() => Promise<unknown>)[] => {
      const mine = notification({ organizationId, id });
      return [
        () => store.notifications.find(organizationId, id),
        () => store.notifications.countSending(organizationId, [id]),
        () =>
          store.notifications.findStanding({
            organizationId,
            id,
            appointmentId: mine.appointmentId,
            channel: 'EMAIL',
            addresseeId: 'customer-1',
            now: fixtureStart,
          }),
        () => store.notifications.settle([changed(mine, { message: 'x' })]),
        () => store.commit(notifying(organizationId, { update: changed(mine, { message: 'x' }) })),
      ];
    };
    const unknown = calls('unknown');
    for (const [index, call] of calls('owned').entries()) {
      const asked = await statementsOf(call);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked).toEqual(await statementsOf(unknown[index] ?? call));
    }
  });

  it('what the database is asked about notifications holds no value of a caller in its text', async () => {
    const mark = 'MARK';
    const scope = `o-${mark}`;
    const marked = notification({
      organizationId: scope,
      id: `i-${mark}`,
      applicationId: mark,
      appointmentId: mark,
      addressee: { type: 'SYSTEM', id: mark, label: mark },
      dedupeKey: mark,
      message: mark,
      kept: mark,
      wakeAt: 4710,
    });
    const endpoint = { organizationId: mark, applicationId: mark, endpointId: mark, addressHash: mark };
    const texts = await statementsOf(async () => {
      await store.commit(adding(marked, { ...marked, id: `j-${mark}` }));
      await store.notifications.claim({ channel: 'EMAIL', limit: 4711, leaseFor: 4712, now: 4713 });
      const claimed = await store.notifications.find(scope, marked.id);
      expect(claimed?.notification.phase).toBe('SENDING');
      const again = { ...marked, revision: 2 };
      await store.notifications.settle([changed(again, { messageId: mark, wakeAt: 4714 }, { message: mark })]);
      const cancel = [{ appointmentId: mark, addresseeId: mark, message: mark, at: 4715 }];
      await store.commit(notifying(scope, { cancel, update: changed({ ...marked, id: mark }, {}) }));
      await store.commit(notifying(scope, { cancel }));
      const filters = {
        applicationId: mark,
        scope: { kind: 'ofAgent', agentId: mark },
        from: 4716,
        to: 4717,
        pageNumber: 4718,
      } as const;
      await store.notifications.list(notificationQuery(scope, filters));
      await store.notifications.listEvents(deliveryEventQuery(scope, filters));
      await store.notifications.putEndpoint(endpoint, { failingSince: 4719, disabledAt: null, reason: mark });
      await store.notifications.findEndpoint(endpoint);
      await store.customers.list(mark, mark);
      await store.notifications.releaseReminders(mark, mark, 4720);
    });
    for (const text of texts) expect(text.replace(/^\d+ /, '')).not.toMatch(/MARK|471/);
  });

  it('what the database is asked about notifications stays a few statements on a server, however many notifications there are', async () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      notification({ organizationId, id: `n-${index}`, appointmentId: appointment.id }),
    );
    const write = { customers: [aProfile(appointment)], notifications: { add: many.map((next) => written(next)) } };
    const asked: Record<string, number> = {};
    const count = async (name: string, call: () => Promise<unknown>): Promise<void> => {
      const texts = await statementsOf(call);
      asked[name] = texts.filter((text) => !/^0 (begin|set|start|commit)/.test(text)).length;
    };
    await count('commit', () => store.commit(insertion(appointment, write)));
    await count('claim', () => store.notifications.claim({ ...claim, limit: 100 }));
    const { items } = await store.notifications.list(notificationQuery(organizationId));
    const outcomes = items.map((item) => changed(item.notification, { phase: 'RETRY_WAIT' }));
    const [first] = items;
    const look = { organizationId, id: 'n-0', appointmentId: appointment.id, channel: 'EMAIL' } as const;
    const addresseeId = first?.notification.addressee.id ?? '';
    await count('look', () => store.notifications.findStanding({ ...look, addresseeId, now: fixtureStart }));
    await count('settle', () => store.notifications.settle(outcomes));
    const cancel = [{ appointmentId: appointment.id, message: 'Moved.', at: fixtureStart }];
    await count('cancel', () => store.commit(notifying(organizationId, { cancel })));
    if (kind.family === 'postgres') expect(asked).toEqual({ commit: 1, claim: 1, look: 1, settle: 1, cancel: 1 });
    // Four of those of the commit are for the appointment, its actor, the profile and what is counted.
    if (kind.family === 'mysql') expect(asked).toEqual({ commit: 6, claim: 3, look: 1, settle: 3, cancel: 3 });
    expect((await store.notifications.find(organizationId, 'n-99'))?.notification.status).toBe('CANCELLED');
  });

  it('what the database is asked about notifications is one statement on a server for the looks of one moment, each with its own answer', async () => {
    const own = notification({ organizationId, appointmentId: appointment.id });
    const ids = Array.from({ length: 100 }, (_, index) => `n-${index}`);
    await store.commit(
      insertion(appointment, {
        customers: [aProfile(appointment)],
        notifications: { add: ids.map((id, index) => written({ ...own, id, scheduledFor: index, dedupeKey: id })) },
      }),
    );
    const look = {
      organizationId,
      appointmentId: appointment.id,
      channel: 'EMAIL',
      addresseeId: own.addressee.id,
    } as const;
    const looks = [...ids.map((id, now) => ({ ...look, id, now })), { ...look, id: 'unknown', now: fixtureStart }];
    let answers: readonly (StandingNotification | undefined)[] = [];
    const asked = await statementsOf(async () => {
      answers = await Promise.all(looks.map((each) => store.notifications.findStanding(each)));
    });
    // In one's own process there is no way to share.
    expect(asked).toHaveLength(kind.family === 'sqlite' ? looks.length : 1);
    expect(answers.map((answer) => answer?.others.length)).toEqual([...ids.map((_, index) => index), undefined]);
  });

  it('what the database is asked about notifications is few statements for each of many mails', async () => {
    const mails = 32;
    // SQLite claims and settles one by one, in transactions of many.
    const perMail = kind.family === 'sqlite' ? 5.6 : 1.5;
    const scheduling = createScheduling({
      store,
      secret: 'a secret of at least thirty-two bytes',
      applications: {
        'app-1': { notifications: { active: true, reminders: [], email: { from: 'desk@example.org' } } },
      },
      notifiers: {
        email: { capability: 'none', timeout: 10_000, send: () => Promise.resolve({ status: 'delivered' }) },
      },
      worker: { slots: { email: mails } },
    });
    // Retention has its turn before: it is due once a minute, whatever is sent.
    await scheduling.workers.runOnce();
    for (let index = 0; index < mails; index += 1) {
      await scheduling.appointments.schedule(
        { id: 'agent-1', organizationId, roles: ['ROLE_AGENT'] },
        {
          applicationId: 'app-1',
          start: '2999-05-06T09:00:00Z',
          duration: 'PT30M',
          timezone: 'Europe/Athens',
          customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
        },
      );
    }
    const asked = await statementsOf(() => scheduling.workers.runOnce());
    const { items } = await store.notifications.list(notificationQuery(organizationId, { pageSize: mails }));
    expect(items.filter((item) => item.notification.status === 'DELIVERED')).toHaveLength(mails);
    expect(asked.length / mails).toBeLessThan(perMail);
  });

  it('a commit leaves out what has a taken key also in a transaction of the host, which goes on', async () => {
    const first = notification({ organizationId, id: 'n-1' });
    await store.commit(adding(first));
    await database.knex.transaction(async (transaction) => {
      const joined = store.joining(transaction);
      const again = notification({ organizationId, id: 'n-2', dedupeKey: first.dedupeKey });
      expect(await joined.commit(adding(again, notification({ organizationId, id: 'n-3' })))).toEqual({
        status: 'committed',
      });
      expect((await joined.notifications.claim({ ...claim, limit: 9 })).claimed).toHaveLength(2);
    });
    const { items } = await store.notifications.list(notificationQuery(organizationId));
    expect(items.map(({ notification: { id, phase } }) => [id, phase])).toEqual([
      ['n-1', 'SENDING'],
      ['n-3', 'SENDING'],
    ]);
  });
});
