import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { startRacer } from './support/racer.js';
import { racing, runRaces } from './support/races.js';

// More by scripts/availability-races.mjs.
const races = Number(process.env['CALENDS_RACES'] ?? 60);
const seed = Number(process.env['CALENDS_RACES_SEED'] ?? 1);

describe('A race for one time in memory', () => {
  it(
    'a race for one time has as many winners as actors and limits allow, and losers know why',
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
    'a race for one time has as many winners as actors and limits allow, and losers know why',
    { timeout: 60_000 + races * 1000 },
    async () => {
      const database = await openDatabase(kind);
      // Half of the callers are in another process, where one can reach the database.
      const other = kind.addressed ? startRacer(database.url ?? '') : undefined;
      try {
        const knexes = kind.shared && other === undefined ? [database.knex, database.another()] : [database.knex];
        const here = knexes.map((knex) => racing(knexStore({ knex })));
        const figures = await runRaces(other === undefined ? here : [...here, other], races, seed);
        if (races > 60) process.stdout.write(`${JSON.stringify(figures)}\n`);
        expect(figures.races).toBe(races);
      } finally {
        await other?.close();
        await database.drop();
      }
    },
  );
});
