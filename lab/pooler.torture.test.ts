// PgBouncer in transaction mode before PostgreSQL. `npm run lab -- pooler` also runs the whole conformance suite through it.
import { aScheduledAppointment, insertion, type OpenedStore, runConformance } from '@calends/store-conformance';
import { knexStore, migrate, type MigrationProgress, openKnex } from '@calends/store-knex';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { migrateThrough } from '../packages/store-knex/src/migrations/migrate.js';
import { migrations } from '../packages/store-knex/src/migrations/migrations.js';
import { type BreakingNetwork, breakingNetwork } from '../packages/store-knex/test/support/breaking-network.js';
import {
  answerTimeout,
  casesOfSilence,
  impatient,
  outcomeOf,
  times,
  unavailable,
  usedOf,
} from '../packages/store-knex/test/support/silence.js';
import { standbyMissing, startServer, type TestServer } from '../packages/store-knex/test/support/standby.js';
import { openStoreOver } from './opened-store.js';
import { missingForPooler, type Pooler, startPooler } from './pooler.mjs';

const isWhole = process.env['CALENDS_POOLER_CONFORMANCE'] !== undefined;
const needs = [...(standbyMissing === undefined ? [] : [standbyMissing]), ...missingForPooler];
const why = needs.length === 0 ? '' : ` (left out: ${needs.join(', ')})`;
const pooled = { pooler: 'transaction' } as const;

// Only where PostgreSQL and PgBouncer are installed: the title says which are not.
describe.skipIf(needs.length > 0)(`PgBouncer in transaction mode${why}`, () => {
  let server: TestServer;
  let pooler: Pooler;
  let admin: Knex;
  let count = 0;

  beforeAll(async () => {
    server = await startServer();
    admin = openKnex(server.url);
    pooler = await startPooler(server.port);
  }, 120_000);
  afterAll(async () => {
    await admin.destroy();
    await pooler.end();
    await server.end();
  }, 60_000);

  /** A database of its own, in which the server ends what takes long; it goes with the server. */
  async function newDatabase({ statement = '60s', idle = '60s' } = {}): Promise<string> {
    count += 1;
    const name = `calends_${String(count)}`;
    await admin.raw(`create database ${name}`);
    await admin.raw(`alter database ${name} set statement_timeout = '${statement}'`);
    await admin.raw(`alter database ${name} set idle_in_transaction_session_timeout = '${idle}'`);
    return name;
  }
  const directUrl = (name: string): string => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  };

  describe('without its option', () => {
    it('PgBouncer in transaction mode without its option is out of reach: it refuses time-outs as parameters of a connection', async () => {
      const knex = openKnex(pooler.url(await newDatabase()));
      await expect(knex.raw('select 1')).rejects.toThrow('unsupported startup parameter: statement_timeout');
      await knex.destroy();
    });
  });

  describe('with its option', () => {
    let name: string;
    let knex: Knex;
    const opened: Knex[] = [];
    const another = (): Knex => {
      const made = openKnex(pooler.url(name), pooled);
      opened.push(made);
      return made;
    };
    beforeEach(async () => {
      name = await newDatabase();
      knex = another();
    });
    afterEach(async () => {
      for (const each of opened.splice(0)) await each.destroy();
    });

    it('a store behind PgBouncer in transaction mode migrates, and leaves nothing set on connections that others get', async () => {
      await migrateThrough(knex, migrations.slice(0, 8), { contractAfter: 0 });
      const told: MigrationProgress[] = [];
      const found = new Set<string>();
      const over = new AbortController();
      // Others are given each connection in turns, and see what was set on it.
      const others = times(8, async () => {
        while (!over.signal.aborted) {
          const { rows } = await knex.raw<{ rows: { settings: string }[] }>(
            `select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') as settings`,
          );
          for (const { settings } of rows) found.add(settings);
        }
      });
      await migrate(another(), { onProgress: (progress) => told.push(progress) });
      over.abort();
      await others;
      expect(told).toContainEqual({ type: 'step', name: '0011_long_times' });
      expect([...found]).toEqual(['1min 0']);
    });

    it('a store behind PgBouncer in transaction mode names no statement, though every connection runs each of them again and again', async () => {
      await migrate(knex);
      const store = knexStore({ knex });
      const committed = await times(100, (index) =>
        store.commit(insertion(aScheduledAppointment({ id: `at-${String(index)}` }))),
      );
      expect(committed).toEqual(committed.map(() => ({ status: 'committed' })));
      const found = await times(100, (index) => store.appointments.find('org-1', `at-${String(index)}`));
      expect(found.filter((each) => each !== undefined)).toHaveLength(100);
    });

    it('PgBouncer in transaction mode is warned of by check where the role has no time-outs', async () => {
      await migrate(knex);
      expect((await knexStore({ knex }).check()).warnings).toBeUndefined();
      const bare = `${name}_bare`;
      await admin.raw(`create database ${bare}`);
      const without = openKnex(pooler.url(bare), pooled);
      await migrate(without);
      const { warnings } = await knexStore({ knex: without }).check();
      await without.destroy();
      expect(warnings).toEqual([
        expect.stringMatching(/^statement_timeout is not set: /),
        expect.stringMatching(/^idle_in_transaction_session_timeout is not set: /),
      ]);
    });
  });

  describe('behind a network that falls silent and tells nobody (half-open)', () => {
    casesOfSilence('postgres', async () => {
      const name = await newDatabase({ statement: '1s', idle: '2s' });
      const network = await breakingNetwork(pooler.url(name));
      const knex = openKnex(network.url, { ...impatient, ...pooled });
      await migrate(knex);
      const others: Knex[] = [];
      return {
        network,
        knex,
        another() {
          const other = openKnex(directUrl(name));
          others.push(other);
          return other;
        },
        async close() {
          await network.close();
          for (const each of [knex, ...others]) await each.destroy();
        },
      };
    });
  });

  describe('before a network to its server that falls silent (half-open)', () => {
    let network: BreakingNetwork;
    let before: Pooler;
    let knex: Knex;
    beforeEach(async () => {
      const name = await newDatabase({ statement: '1s', idle: '2s' });
      network = await breakingNetwork(directUrl(name));
      before = await startPooler(Number(new URL(network.url).port), { query_timeout: 2, query_wait_timeout: 1 });
      knex = openKnex(before.url(name), { ...impatient, ...pooled });
      await migrate(knex);
    });
    afterEach(async () => {
      await network.close();
      await knex.destroy();
      await before.end();
    });

    it('no call waits longer than its time-out, and some seconds after it passes again there is service', async () => {
      const store = knexStore({ knex, answerTimeout });
      const create = (id: string): Promise<unknown> => store.commit(insertion(aScheduledAppointment({ id })));
      await times(10, () => store.check());
      network.fallSilent();
      const waits: number[] = [];
      const during = await times(40, async (index) => {
        const began = performance.now();
        const outcome = await outcomeOf(create(`during-${String(index)}`));
        waits.push(performance.now() - began);
        return outcome;
      });
      expect(during).toMatchObject(during.map(() => unavailable));
      network.passAgain();
      const began = performance.now();
      for (let turn = 0; (await outcomeOf(create(`try-${String(turn)}`))) !== 'done'; turn += 1) await pause(20);
      // The pooler finds out what is dead of its own connections by its `query_timeout`, and waits a second to connect again.
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(await times(40, (index) => create(`after-${String(index)}`))).toEqual(
        Array.from({ length: 40 }, () => ({ status: 'committed' })),
      );
      expect(usedOf(knex)).toBe(0);
      // For a connection of the pool, and for the answer.
      expect(Math.max(...waits)).toBeLessThan(3 * answerTimeout);
    });
  });

  // A minute or more: by `npm run lab` alone.
  if (isWhole) {
    describe('under a store', () => {
      const open = async (): Promise<OpenedStore> => {
        const url = pooler.url(await newDatabase());
        return openStoreOver(() => openKnex(url, pooled));
      };
      runConformance({
        describe,
        it,
        afterAll,
        harness: { capabilities: { durable: true, sharedBetweenProcesses: true }, open },
      });
    });
  }
});
