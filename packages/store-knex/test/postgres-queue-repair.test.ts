import { adding, changed, notification } from '@calends/store-conformance';
import type { SchedulingStore } from '@calends/core/store';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { emptyTables, expectQueueInStep, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { holdOpen } from './support/open-transactions.js';

const queue = 'calends_notification_queue';
const claim = { channel: 'EMAIL', limit: 10, leaseFor: 1000 } as const;

describeEach(
  'notifications that a program of before has written beside the queue',
  (kind) => {
    let database: TestDatabase;
    let store: SchedulingStore;
    beforeAll(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
    });
    beforeEach(() => emptyTables(database.knex));
    afterAll(() => database.drop());

    const repair = (): Promise<unknown> =>
      store.notifications.repairQueue?.() ?? Promise.reject(new Error('It cannot repair.'));

    it('notifications that a program of before has written are claimed once their entries were put right: missing, left over, or of another time', async () => {
      const { knex } = database;
      const [missing, ended, moved, gone] = ['missing', 'ended', 'moved', 'gone'].map((id) => notification({ id }));
      if (missing === undefined || ended === undefined || moved === undefined || gone === undefined) throw new Error();
      await store.commit(adding(missing, ended, moved, gone));
      await knex(queue).where({ id: missing.id }).del();
      await knex('calends_notifications')
        .where({ id: ended.id })
        .update({ phase: 'DONE', status: 'CANCELLED', wake_at: null });
      await knex('calends_notifications').where({ id: moved.id }).update({ wake_at: 1 });
      await knex('calends_delivery_events').where({ notification_id: gone.id }).del();
      await knex('calends_notifications').where({ id: gone.id }).del();
      expect(await repair()).toEqual({ repaired: 4 });
      await expectQueueInStep(knex);
      expect(await repair()).toEqual({ repaired: 0 });
      const { claimed } = await store.notifications.claim(claim);
      expect(claimed.map(({ notification: { id } }) => id)).toEqual(['moved', 'missing']);
    });

    it('notifications that a program of before has written are all there is to put right: what is claimed, given back and ended stays as it is', async () => {
      const all = ['one', 'two', 'three'].map((id) => notification({ id }));
      await store.commit(adding(...all));
      const { claimed } = await store.notifications.claim({ ...claim, limit: 2 });
      const [first] = claimed.map((one) => one.notification);
      if (first === undefined) throw new Error('Nothing was claimed.');
      await store.notifications.settle([changed(first, { phase: 'DONE', status: 'CANCELLED', wakeAt: null })]);
      expect(await repair()).toEqual({ repaired: 0 });
      await expectQueueInStep(database.knex);
    });
  },
  { families: ['postgres'] },
);

describeEach(
  'a notification that somebody writes while the queue is repaired',
  (kind) => {
    it('a notification that somebody writes while the queue is repaired is left for the next round', async () => {
      const database = await openDatabase(kind);
      try {
        const { knex } = database;
        const store = knexStore({ knex });
        const row = notification();
        await store.commit(adding(row));
        await knex(queue).del();
        const held = await holdOpen(knex, (joined) => joined.notifications.settle([changed(row, { wakeAt: 7 })]));
        expect(await store.notifications.repairQueue?.()).toEqual({ repaired: 0 });
        await held.commit();
        await store.notifications.repairQueue?.();
        await expectQueueInStep(knex);
      } finally {
        await database.drop();
      }
    });
  },
  { families: ['postgres'], shared: true },
);
