import {
  aScheduledAppointment,
  aTicket,
  firstIssue,
  insertion,
  keeping,
  nextVersion,
  proving,
  update,
} from '@calends/store-conformance';
import type { Change } from '@calends/core/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { knexStore, type KnexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const appointment = aScheduledAppointment();
const ticket = aTicket();
const { kind, subjectId, holderId, nonce } = ticket;
const guard = { actorIds: ['agent-1'], window: { from: 0, to: 1 } };

// A cluster that certifies commits (Galera) compares the rows that they wrote: two that only lock one row both commit.
describeEach(
  'a commit writes the row that it depends on',
  (database) => {
    let opened: TestDatabase;
    let store: KnexStore;
    beforeAll(async () => {
      opened = await openDatabase(database);
      store = knexStore({ knex: opened.knex });
      for (const change of [
        insertion(appointment),
        proving(appointment.organizationId, { ticket: firstIssue(ticket) }),
      ]) {
        expect(await store.commit(change)).toEqual({ status: 'committed' });
      }
    });
    afterAll(() => opened.drop());

    const revisionOf = async (table: string, column: string): Promise<number> => {
      const [row] = await opened.knex<Record<string, number | null>>(table).select(column);
      return row?.[column] ?? 0;
    };

    it.each<[what: string, table: string, column: string, change: Change]>([
      ['the actor whose time is taken', 'calends_actor_locks', 'revision', keeping(appointment, { guard })],
      ['the appointment that must be live', 'calends_appointments', 'guard_revision', keeping(appointment)],
      [
        'the ticket that must hold',
        'calends_tickets',
        'guard_revision',
        update(nextVersion(appointment), { proof: { kind, subjectId, holderId, nonce } }),
      ],
    ])('a commit writes the row that it depends on: %s', async (_, table, column, change) => {
      const before = await revisionOf(table, column);
      expect(await store.commit(change)).toEqual({ status: 'committed' });
      expect(await revisionOf(table, column)).toBe(before + 1);
    });
  },
  { families: ['mysql'] },
);
