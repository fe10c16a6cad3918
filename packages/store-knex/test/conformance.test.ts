import { type OpenedStore, runConformance } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, describe, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { type DatabaseKind, databaseKinds, emptyTables, openDatabase } from './support/databases.js';

async function openStore(kind: DatabaseKind): Promise<OpenedStore> {
  const database = await openDatabase(kind);
  let store = knexStore({ knex: database.knex });
  // A store of its own for each case over one pool: idle connections of dozens of pools would be more than a server takes.
  let second: Knex | undefined;
  return {
    get store() {
      return store;
    },
    reset: () => emptyTables(database.knex),
    async reopen() {
      store = knexStore({ knex: await database.reopen() });
      return store;
    },
    secondWriter: () => Promise.resolve(knexStore({ knex: (second ??= database.another()) })),
    close: () => database.drop(),
  };
}

for (const kind of databaseKinds) {
  if (kind.missing !== undefined) {
    // Named in the report; with CALENDS_REQUIRE_DATABASES=1 the run has failed before.
    describe.skip(`the store on ${kind.name} (${kind.missing})`, () => {
      it('the store passes the conformance suite', () => undefined);
    });
    continue;
  }
  describe(`the store on ${kind.name}`, () => {
    runConformance({
      describe,
      it,
      afterAll,
      harness: {
        capabilities: { durable: kind.durable, sharedBetweenProcesses: kind.shared },
        open: () => openStore(kind),
      },
    });
  });
}
