import { adding, deliveryEvent, notification, notificationIn, notifying, written } from '@calends/store-conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { deleteNotification, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const organizationId = 'org-1';
const rows = {
  ready: notification({ id: 'ready' }),
  sending: notificationIn('SENDING', { id: 'sending' }),
  waiting: notificationIn('RETRY_WAIT', { id: 'waiting' }),
  delivered: notificationIn('DONE', { id: 'delivered' }),
};

/** What no row may become: the row, the columns, and the rule they break. */
const refused: readonly (readonly [id: keyof typeof rows, columns: Record<string, unknown>, rule: string])[] = [
  ['ready', { phase: 'DREAMT' }, 'there are six phases'],
  ['ready', { status: 'SUBMITTED' }, 'there are five states (D50)'],
  ['ready', { channel: 'PIGEON' }, 'there are three channels'],
  ['ready', { addressee_type: 'AGENT' }, 'customers and endpoints are addressed'],
  ['ready', { addressee_label: 'Anna' }, 'a customer has no label'],
  ['ready', { status: 'DELIVERED' }, 'who waits is not delivered'],
  ['sending', { status: 'INITIALIZED' }, 'who is being sent is pending'],
  ['sending', { status: 'CANCELLED' }, 'who is being sent is not cancelled yet'],
  ['waiting', { phase: 'DONE', wake_at: null }, 'who is done is delivered, failed or cancelled'],
  ['delivered', { wake_at: 1 }, 'who is done waits for nothing'],
  ['delivered', { status: 'PENDING' }, 'who is pending is not done'],
  ['ready', { revision: -1 }, 'revisions are counted up'],
  ['ready', { attempts: -1 }, 'nobody tries less than never'],
  ['ready', { poll_attempts: -1 }, 'nobody asks less than never'],
  ['ready', { dedupe_key: rows.sending.dedupeKey }, 'a key is taken once (D56)'],
];

describeEach('the schema of notifications', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;

  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
    await store.commit(adding(...Object.values(rows)));
  });
  afterAll(() => database.drop());

  for (const [id, columns, rule] of refused) {
    it(`the schema of notifications refuses what the domain does not know: ${rule}: ${id} with ${Object.keys(columns).join(', ')}`, async () => {
      const before = await database.knex('calends_notifications').where({ id }).first();
      await expect(database.knex('calends_notifications').where({ id }).update(columns)).rejects.toThrow();
      expect(await database.knex('calends_notifications').where({ id }).first()).toEqual(before);
    });
  }

  /** What may not be left out silently as a notification whose key is taken is. */
  const faulty = {
    'an id that is taken, under a free key': adding({ ...rows.ready, dedupeKey: 'free' }),
    'an id that stands twice in the commit': adding(
      notification({ id: 'twice', dedupeKey: 'one' }),
      notification({ id: 'twice', dedupeKey: 'other' }),
    ),
    'a row that breaks a rule': adding({ ...notification({ id: 'broken' }), phase: 'DONE' }),
    'a row that breaks a rule, after one whose key is taken': adding(rows.ready, {
      ...notification({ id: 'broken' }),
      attempts: -1,
    }),
    'an event that stands already': notifying(organizationId, {
      add: [written(notification({ id: 'fresh' }), [deliveryEvent(), deliveryEvent()])],
    }),
  };
  for (const [name, change] of Object.entries(faulty)) {
    it(`the schema of notifications leaves out only what has a taken key, and fails for ${name}`, async () => {
      const before = await database.knex('calends_notifications').count({ amount: '*' });
      const good = notification({ id: 'good', appointmentId: 'another' });
      const both = await Promise.allSettled([store.commit(change), store.commit(adding(good))]);
      expect(both[0]).toMatchObject({ status: 'rejected', reason: { name: 'StoreError', code: 'unexpected' } });
      expect(both[1]).toMatchObject({ status: 'fulfilled', value: { status: 'committed' } });
      await deleteNotification(database.knex, 'good');
      expect(await database.knex('calends_notifications').count({ amount: '*' })).toEqual(before);
    });
  }
});
