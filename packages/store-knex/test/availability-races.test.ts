import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { racing, runRaces } from './support/races.js';

// More by scripts/availability-races.mjs.
const races = Number(process.env['CALENDS_RACES'] ?? 60);
const seed = Number(process.env['CALENDS_RACES_SEED'] ?? 1);

describe('A race for one time in memory', () => {
  it(
    'has as many winners as actors and limits allow, and losers know why',
    { timeout: 60_000 + races * 1000 },
    async () => {
      const store = memoryStore();
      const figures = await runRaces([racing(store), racing(store)], races, seed);
      if (races > 60) process.stdout.write(`${JSON.stringify(figures)}\n`);
      expect(figures.races).toBe(races);
    },
  );
});

describeEach('A race for one time', (kind) => {
  it(
    'has as many winners as actors and limits allow, and losers know why',
    { timeout: 60_000 + races * 1000 },
    async () => {
      const database = await openDatabase(kind);
      try {
        const knexes = kind.shared ? [database.knex, database.another()] : [database.knex];
        const stores = knexes.map((knex) => knexStore({ knex }));
        const figures = await runRaces(
          stores.map((store) => racing(store)),
          races,
          seed,
        );
        if (races > 60) process.stdout.write(`${JSON.stringify(figures)}\n`);
        expect(figures.races).toBe(races);
      } finally {
        await database.drop();
      }
    },
  );
});
