// Two nodes that take writes. `npm run lab -- galera` runs 10,000 races, and the whole conformance suite with a node for each of its two writers.
import { type DoorRace, doorRaces, type OpenedStore, runConformance } from '@calends/store-conformance';
import { knexStore, type KnexStore, migrate, openKnex } from '@calends/store-knex';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Galera, missingForGalera, startGalera } from './galera.mjs';
import { openStoreOver } from './opened-store.js';

const asked = process.env['CALENDS_RACES'];
/** Of each kind. */
const races = Math.ceil(Number(asked ?? 260) / doorRaces.length);
/** Races of one kind that run side by side. */
const beside = 4;
/** Races after which others come with new connections: what is wrong while a statement is prepared shows on those. */
const round = 20;
const statementTimeout = 30_000;

let galera: Galera;
/** Of the first node. */
let knex: Knex;

/** Races between the two nodes, over new connections; what went wrong. */
async function raceRound({ name, run }: DoorRace, first: number, count: number): Promise<readonly unknown[]> {
  const own = [0, 1].map((node) => openKnex(String(galera.urls[node]), { statementTimeout }));
  const [one, other] = own.map((each) => knexStore({ knex: each })) as [KnexStore, KnexStore];
  const wrong: unknown[] = [];
  let next = first;
  const racing = async (): Promise<void> => {
    while (next < first + count) {
      const number = next++;
      const doors = number % 2 === 0 ? ([one, other] as const) : ([other, one] as const);
      await run(doors, `${name.slice(0, 40)}-${String(number)}`).catch((error: unknown) => wrong.push(error));
    }
  };
  await Promise.all(Array.from({ length: beside }, racing));
  for (const each of own) await each.destroy();
  return wrong;
}

/** A store through the first node, whose second writer goes through the other. */
async function openBetweenNodes(): Promise<OpenedStore> {
  const openAt = (node: number): Knex => {
    const url = new URL(String(galera.urls[node]));
    url.pathname = '/conformance';
    return openKnex(url.href, { statementTimeout });
  };
  await knex.raw('create database conformance');
  return openStoreOver(
    () => openAt(0),
    () => openAt(1),
  );
}

const isMissing = missingForGalera.length > 0;
const why = isMissing ? ` (left out: ${missingForGalera.join(', ')} not installed)` : '';

// Only where Debian's packages of Galera are installed: the title says which are not.
describe.skipIf(isMissing)(`Two nodes of Galera${why}`, () => {
  beforeAll(async () => {
    galera = await startGalera();
    knex = openKnex(String(galera.urls[0]), { statementTimeout });
    await migrate(knex);
  }, 180_000);
  afterAll(async () => {
    await knex.destroy();
    await galera.end();
  }, 60_000);

  describe('as two doors to the same data', () => {
    for (const race of doorRaces) {
      const { name } = race;
      it(name, { timeout: 60_000 + races * 500 }, async () => {
        const wrong: unknown[] = [];
        for (let first = 0; first < races; first += round) {
          wrong.push(...(await raceRound(race, first, Math.min(round, races - first))));
        }
        if (asked !== undefined)
          process.stdout.write(`${name}: ${String(races)} races, ${String(wrong.length)} wrong\n`);
        expect(wrong).toEqual([]);
      });
    }
  });

  // A minute or more: by `npm run lab` alone.
  if (asked !== undefined) {
    describe('each under one of two stores', () => {
      runConformance({
        describe,
        it,
        afterAll,
        harness: { capabilities: { durable: true, sharedBetweenProcesses: true }, open: openBetweenNodes },
      });
    });
  }
});
