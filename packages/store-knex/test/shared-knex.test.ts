import type { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

describeEach(
  'stores over one Knex instance',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await openDatabase(kind);
    });
    afterEach(() => database.drop());

    it('set a connection up once', async () => {
      const source = database.knex.client as {
        acquireConnection(): Promise<EventEmitter>;
        releaseConnection(connection: EventEmitter): Promise<void>;
      };
      const listeners = async (): Promise<number> => {
        const connection = await source.acquireConnection();
        await source.releaseConnection(connection);
        return connection.listenerCount('error');
      };
      await knexStore({ knex: database.knex }).appointments.find('org-1', 'none');
      const before = await listeners();
      for (let count = 0; count < 12; count += 1)
        await knexStore({ knex: database.knex }).appointments.find('org-1', 'none');
      expect(await listeners()).toBe(before);
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);
