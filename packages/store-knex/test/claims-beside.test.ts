import {
  adding,
  aProfile,
  aScheduledAppointment,
  changed,
  fixtureStart,
  insertion,
  notification,
  notifying,
} from '@calends/store-conformance';
import type { SchedulingStore } from '@calends/core/store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { holdOpen } from './support/open-transactions.js';

const organizationId = 'org-1';
const appointments = [0, 1].map((number) => aScheduledAppointment({ organizationId, id: `appointment-${number}` }));
const claim = { limit: 1, leaseFor: 1000, now: fixtureStart } as const;
const mail = notification({ organizationId, id: 'mail', appointmentId: 'appointment-0' });
const hook = notification({ organizationId, id: 'hook', appointmentId: 'appointment-1', channel: 'WEBHOOKS' });

// Of a table of few rows MariaDB reads all of them rather than an index, and locks them.
describeEach(
  'a claim beside what is not committed yet, in a table of few rows',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;

    beforeEach(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
      for (const appointment of appointments) {
        await store.commit(insertion(appointment, { customers: [aProfile(appointment)] }));
      }
      await store.commit(adding(mail, hook));
    });
    afterEach(() => database.drop());

    it.each<[string, (joined: SchedulingStore) => Promise<unknown>]>([
      ['an outcome', (joined) => joined.notifications.settle([changed(mail, { message: 'Told.' })])],
      [
        'a cancellation',
        (joined) =>
          joined.commit(
            notifying(organizationId, {
              cancel: [{ appointmentId: 'appointment-0', types: ['CREATE'], message: 'Moved.', at: 1 }],
            }),
          ),
      ],
      ['a claim of another channel', (joined) => joined.notifications.claim({ ...claim, channel: 'EMAIL' })],
      ['a release', (joined) => joined.notifications.releaseReminders(organizationId, 'appointment-0', 1)],
    ])('a claim takes the message of another appointment beside %s that is not committed yet', async (_what, work) => {
      const open = await holdOpen(database.another(), work);
      const { claimed } = await store.notifications.claim({ ...claim, channel: 'WEBHOOKS' });
      await open.rollback();
      expect(claimed.map((each) => each.notification.id)).toEqual(['hook']);
    });
  },
  { families: ['postgres', 'mysql'] },
);
