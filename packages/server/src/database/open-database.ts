import { type SchedulingStore, StoreError } from '@calends/core';
import { knexStore, migrate, openKnex, sqliteKnex } from '@calends/store-knex';
import { memoryStore } from '@calends/store-memory';
import type { Knex } from 'knex';
import type { DatabaseAddress } from '../configuration/database-address.js';
import { UnavailableError } from '../unavailable-error.js';

/** An open database with the store over it. */
export interface Database {
  readonly store: SchedulingStore;
  /**
   * Brings the tables up to date; answers the names of the migrations that this took.
   *
   * @throws UnavailableError when the database does not answer
   */
  migrate(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * Opens what `DATABASE_URL` names.
 *
 * @throws UnavailableError when the file or its folder cannot be made
 */
export function openDatabase(address: DatabaseAddress): Database {
  if (address.kind === 'memory') {
    return { store: memoryStore(), migrate: () => Promise.resolve([]), close: () => Promise.resolve() };
  }
  const knex = openKnexAt(address);
  return { store: knexStore({ knex }), migrate: () => migrated(knex), close: () => knex.destroy() };
}

function openKnexAt(address: Exclude<DatabaseAddress, { kind: 'memory' }>): Knex {
  if (address.kind !== 'sqlite') return openKnex(address.url);
  try {
    return sqliteKnex({ filename: address.filename });
  } catch (cause) {
    throw new UnavailableError('the folder of the database cannot be made (DATABASE_URL)', { cause });
  }
}

async function migrated(knex: Knex): Promise<readonly string[]> {
  try {
    return (await migrate(knex)).applied;
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.code !== 'unavailable') throw cause;
    throw new UnavailableError('the database does not answer (DATABASE_URL)', { cause });
  }
}
