import { type OpenedStore, runConformance } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, describe, it } from 'vitest';
import { knexStore, type KnexStore } from '../src/index.js';
import { type DatabaseKind, databaseKinds, emptyTables, openDatabase } from './support/databases.js';

/** One whose only reader is no standby: what it reads comes from the primary, what it commits has marks. */
const storeWithMarks = (knex: Knex): KnexStore => knexStore({ knex, readers: [knex] });

async function openStore(kind: DatabaseKind): Promise<OpenedStore> {
  const database = await openDatabase(kind);
  let store = storeWithMarks(database.knex);
  // A store of its own for each case over one pool: idle connections of dozens of pools would be more than a server takes.
  let second: Knex | undefined;
  return {
    get store() {
      return store;
    },
    reset: () => emptyTables(database.knex),
    async reopen() {
      store = storeWithMarks(await database.reopen());
      return store;
    },
    secondWriter: () => Promise.resolve(storeWithMarks((second ??= database.another()))),
    close: () => database.drop(),
  };
}

for (const kind of databaseKinds.filter(({ family }) => family === 'postgres')) {
  describe(`the store on ${kind.name}, whose commits have marks`, () => {
    runConformance({
      describe,
      it,
      afterAll,
      harness: {
        capabilities: { durable: kind.durable, sharedBetweenProcesses: kind.shared, marksCommits: true },
        open: () => openStore(kind),
      },
    });
  });
}
