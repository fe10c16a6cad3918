import type { Knex } from 'knex';
import type { TestDatabase } from './databases.js';

/** A table that somebody has locked: every statement about it waits. */
export interface StalledTable {
  /** Ends the connections that wait for it, as the server does when it restarts; looks until there is one. */
  endWhoWaits(): Promise<void>;
  release(): Promise<void>;
}

interface Statements {
  readonly lock: (table: string) => string;
  readonly unlock: string;
  /** Ids of the connections that wait for a lock. */
  readonly waiting: string;
  readonly end: string;
}

const byFamily: Readonly<Record<'postgres' | 'mysql', Statements>> = {
  postgres: {
    lock: (table) => `lock table ${table} in access exclusive mode`,
    unlock: 'commit',
    waiting: `select pid as id from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    end: 'select pg_terminate_backend(?)',
  },
  mysql: {
    lock: (table) => `lock tables ${table} write`,
    unlock: 'unlock tables',
    waiting: `select id from information_schema.processlist where db = database() and state like 'Waiting for table%'`,
    end: 'kill connection ?',
  },
};

async function waitingOn(knex: Knex, { waiting }: Statements): Promise<readonly number[]> {
  const answer: unknown = await knex.raw(waiting);
  const rows = Array.isArray(answer) ? (answer[0] as { id: number }[]) : (answer as { rows: { id: number }[] }).rows;
  return rows.map(({ id }) => id);
}

/** Locks a table of PostgreSQL or MariaDB against everybody else. */
export async function stallTable(
  family: 'postgres' | 'mysql',
  database: TestDatabase,
  table: string,
): Promise<StalledTable> {
  const statements = byFamily[family];
  const admin = database.another();
  const holder = await database.another().transaction();
  await holder.raw(statements.lock(table));
  return {
    async endWhoWaits() {
      let ids: readonly number[] = [];
      while (ids.length === 0) ids = await waitingOn(admin, statements);
      for (const id of ids) await admin.raw(statements.end, [id]);
    },
    async release() {
      await holder.raw(statements.unlock);
      await holder.commit();
    },
  };
}
