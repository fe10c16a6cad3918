import { aScheduledAppointment, insertion } from '@calends/store-conformance';
import makeKnex, { type Knex } from 'knex';
import type { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

/** A column as a host reads it that has JSON in columns of text, or numbers where they are exact. */
interface Column {
  readonly type: string;
  string(): string | null;
}

const jsonOfText = ({ type, string }: Column, next: () => unknown): unknown => {
  if (type !== 'BLOB' && type !== 'VAR_STRING') return next();
  const text = string();
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return text;
  }
};
const exactIntegers = ({ type, string }: Column, next: () => unknown): unknown =>
  type === 'LONGLONG' ? BigInt(string() ?? 0) : next();

// First of all: mysql2 keeps what it reads rows with for the whole process, and would have it of a connection without these settings.
describeEach(
  'a store over a Knex instance of the host',
  (kind) => {
    it.each([
      ['JSON of text', { typeCast: jsonOfText }],
      ['integers that are exact', { typeCast: exactIntegers }],
      ['nothing but bytes', { typeCast: false }],
      ['rows that are lists', { rowsAsArray: true }],
      ['rows by table', { nestTables: true }],
      ['texts for large numbers and dates', { supportBigNumbers: true, bigNumberStrings: true, dateStrings: true }],
    ])(
      'a store over a Knex instance of the host reads its own rows where the host asks its driver for %s',
      async (_, reading) => {
        const database = await openDatabase(kind);
        const { config } = database.knex.client as { readonly config: Knex.Config };
        const knex = makeKnex({ ...config, connection: { ...(config.connection as object), ...reading } });
        try {
          const store = knexStore({ knex });
          const appointment = aScheduledAppointment({ id: 'booked', title: '1', metadata: { a: { b: [1] } } });
          expect(await store.commit(insertion(appointment))).toEqual({ status: 'committed' });
          expect(await store.appointments.find('org-1', 'booked')).toEqual(appointment);
          const joined = await knex.transaction((transaction) =>
            store.joining(transaction).appointments.find('org-1', 'booked'),
          );
          expect(joined).toEqual(appointment);
        } finally {
          await knex.destroy();
          await database.drop();
        }
      },
    );

    it.each([['utf8'], ['latin1']])(
      'a store over a Knex instance of the host refuses connections of %s, which do not carry every text',
      async (charset) => {
        const database = await openDatabase(kind);
        const { config } = database.knex.client as { readonly config: Knex.Config };
        const knex = makeKnex({ ...config, connection: { ...(config.connection as object), charset } });
        const refusal = { name: 'StoreError', outcome: 'none', message: expect.stringContaining('utf8mb4') as string };
        try {
          const change = insertion(aScheduledAppointment({ id: 'booked', title: 'ключ 😀' }));
          await expect(knexStore({ knex }).check()).rejects.toMatchObject(refusal);
          await expect(knexStore({ knex }).commit(change)).rejects.toMatchObject(refusal);
          const { joining } = knexStore({ knex: database.knex });
          const joined = knex.transaction((transaction) => joining(transaction).commit(change));
          await expect(joined).rejects.toMatchObject(refusal);
          expect(await database.knex('calends_appointments')).toEqual([]);
        } finally {
          await knex.destroy();
          await database.drop();
        }
      },
    );
  },
  { families: ['mysql'], shared: true },
);

describeEach(
  'stores over one Knex instance',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await openDatabase(kind);
    });
    afterEach(() => database.drop());

    it('stores over one Knex instance set a connection up once', async () => {
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
