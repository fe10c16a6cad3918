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

  it('is the same for a foreign notification and for one that does not exist', async () => {
    const foreign = notification({ organizationId: 'org-owner', id: 'owned' });
    await store.commit(adding(foreign));
    const calls = (id: string): readonly (() => Promise<unknown>)[] => {
      const mine = notification({ organizationId, id });
      return [
        () => store.findNotification(organizationId, id),
        () => store.countSending(organizationId, [id]),
        () =>
          store.findStanding({
            ...{ organizationId, id, appointmentId: mine.appointmentId, channel: 'EMAIL' },
            ...{ addresseeId: 'customer-1', now: fixtureStart },
          }),
        () => store.settleNotifications([changed(mine, { message: 'x' })]),
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

  it('holds no value of a caller in its text', async () => {
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
      await store.claimNotifications({ channel: 'EMAIL', limit: 4711, leaseFor: 4712, now: 4713 });
      const claimed = await store.findNotification(scope, marked.id);
      expect(claimed?.notification.phase).toBe('SENDING');
      const again = { ...marked, revision: 2 };
      await store.settleNotifications([changed(again, { messageId: mark, wakeAt: 4714 }, { message: mark })]);
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
      await store.listNotifications(notificationQuery(scope, filters));
      await store.listDeliveryEvents(deliveryEventQuery(scope, filters));
      await store.putEndpoint(endpoint, { failingSince: 4719, disabledAt: null, reason: mark });
      await store.findEndpoint(endpoint);
      await store.listCustomers(mark, mark);
      await store.releaseReminders(mark, mark, 4720);
    });
    for (const text of texts) expect(text.replace(/^\d+ /, '')).not.toMatch(/MARK|471/);
  });

  it('stays a few statements on a server, however many notifications there are', async () => {
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
    await count('claim', () => store.claimNotifications({ ...claim, limit: 100 }));
    const { items } = await store.listNotifications(notificationQuery(organizationId));
    const outcomes = items.map((item) => changed(item.notification, { phase: 'RETRY_WAIT' }));
    const [first] = items;
    const look = { organizationId, id: 'n-0', appointmentId: appointment.id, channel: 'EMAIL' } as const;
    const addresseeId = first?.notification.addressee.id ?? '';
    await count('look', () => store.findStanding({ ...look, addresseeId, now: fixtureStart }));
    await count('settle', () => store.settleNotifications(outcomes));
    const cancel = [{ appointmentId: appointment.id, message: 'Moved.', at: fixtureStart }];
    await count('cancel', () => store.commit(notifying(organizationId, { cancel })));
    if (kind.family === 'postgres') expect(asked).toEqual({ commit: 1, claim: 1, look: 1, settle: 1, cancel: 1 });
    // Three of those of the commit are for the appointment, its actor and the profile.
    if (kind.family === 'mysql') expect(asked).toEqual({ commit: 5, claim: 3, look: 1, settle: 3, cancel: 3 });
    expect((await store.findNotification(organizationId, 'n-99'))?.notification.status).toBe('CANCELLED');
  });

  it('leaves out what has a taken key also in a transaction of the host, which goes on', async () => {
    const first = notification({ organizationId, id: 'n-1' });
    await store.commit(adding(first));
    await database.knex.transaction(async (transaction) => {
      const joined = store.joining(transaction);
      const again = notification({ organizationId, id: 'n-2', dedupeKey: first.dedupeKey });
      expect(await joined.commit(adding(again, notification({ organizationId, id: 'n-3' })))).toEqual({
        status: 'committed',
      });
      expect((await joined.claimNotifications({ ...claim, limit: 9 })).claimed).toHaveLength(2);
    });
    const { items } = await store.listNotifications(notificationQuery(organizationId));
    expect(items.map(({ notification: { id, phase } }) => [id, phase])).toEqual([
      ['n-1', 'SENDING'],
      ['n-3', 'SENDING'],
    ]);
  });
});
