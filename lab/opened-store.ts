import type { OpenedStore } from '@calends/store-conformance';
import { knexStore, migrate } from '@calends/store-knex';
import type { Knex } from 'knex';
import { emptyTables } from '../packages/store-knex/test/support/databases.js';

/** A store over a topology as the conformance suite wants it; its second writer may go another way to the same data. */
export async function openStoreOver(open: () => Knex, openSecond = open): Promise<OpenedStore> {
  const own: Knex[] = [];
  const kept = (knex: Knex): Knex => {
    own.push(knex);
    return knex;
  };
  let knex = kept(open());
  await migrate(knex);
  let store = knexStore({ knex });
  return {
    get store() {
      return store;
    },
    reset: () => emptyTables(knex),
    async reopen() {
      await knex.destroy();
      knex = kept(open());
      store = knexStore({ knex });
      return store;
    },
    secondWriter: () => Promise.resolve(knexStore({ knex: kept(openSecond()) })),
    async close() {
      for (const each of own) await each.destroy();
    },
  };
}
