import type { SchedulingStore } from '@calends/core/store';
import type { Knex } from 'knex';
import { knexStore } from '../../src/index.js';

/** Work that was done in a transaction which is still open. */
export interface HeldOpen<Result> {
  readonly result: Result;
  readonly commit: () => Promise<unknown>;
  readonly rollback: () => Promise<unknown>;
}

/** Does work in a transaction of its own and leaves that open. */
export async function holdOpen<Result>(
  knex: Knex,
  work: (joined: SchedulingStore) => Promise<Result>,
): Promise<HeldOpen<Result>> {
  const transaction = await knex.transaction();
  try {
    const result = await work(knexStore({ knex }).joining(transaction));
    return { result, commit: () => transaction.commit(), rollback: () => transaction.rollback() };
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

/** Comes back when a statement on this PostgreSQL database waits for a lock. */
export async function untilSomebodyWaits(knex: Knex): Promise<void> {
  for (;;) {
    const { rows } = await knex.raw<{ rows: readonly unknown[] }>(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) return;
  }
}
