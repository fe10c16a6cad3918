import { knexStore, type KnexStore, openKnex } from '../src/index.js';
import type { Knex } from 'knex';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BreakingNetwork, breakingNetwork } from './support/breaking-network.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import {
  DeliveringProcess,
  expectDelivered,
  historyIn,
  until,
  untilEach,
  untilNothingWaits,
  World,
} from './support/delivering.js';
import { describeEach } from './support/each-database.js';
import { fillDisk } from './support/full-disk.js';
import { stallTable } from './support/stalled-table.js';

/** So many that their outcomes find no room in the pages that there are. */
const count = 60;
const onceDelivered = ['INITIALIZED planned', 'DELIVERED delivered'];
const sentAgain = ['INITIALIZED planned', 'PENDING previous attempt had no known outcome', 'DELIVERED delivered'];
const givenUp = ['INITIALIZED planned', 'PENDING previous attempt had no known outcome', 'FAILED worker lost'];
const each = <Item>(item: Item): readonly Item[] => Array.from({ length: count }, () => item);
const outOfReach = { name: 'StoreError', code: 'unavailable' };

let world: World;
let database: TestDatabase;
let store: KnexStore;
let worker: DeliveringProcess;

async function begin(kind: Parameters<typeof openDatabase>[0]): Promise<void> {
  world = new World();
  database = await openDatabase(kind);
  store = knexStore({ knex: database.knex });
  worker = await new DeliveringProcess(world, store).warmUp();
}

async function end(): Promise<void> {
  await worker.scheduling.close();
  await database.drop();
}

describeEach(
  'A full disk while web hooks are delivered',
  (kind) => {
    /** Processes that have delivered before, and know nothing of the disk. */
    let others: readonly DeliveringProcess[] = [];
    beforeEach(async () => {
      await begin(kind);
      others = [0, 1, 2].map(() => new DeliveringProcess(world, store));
      for (const other of others) await other.warmUp();
      await worker.book(count);
    });
    afterEach(async () => {
      await Promise.all(others.map(({ scheduling }) => scheduling.close()));
      await end();
    });

    /** Lets the disk be full from when the first message is sent until outcomes were refused, and something is done. */
    async function fullWhile(whileFull: () => Promise<void>): Promise<void> {
      let filled: ReturnType<typeof fillDisk> | undefined;
      worker.beforeAnswer = async () => {
        worker.beforeAnswer = () => undefined;
        filled = fillDisk(database.knex);
        await filled;
      };
      const refused = rolledBackTwice(database.knex);
      worker.scheduling.workers.start();
      await refused;
      await whileFull();
      const makeRoom = await filled;
      await makeRoom?.();
      await untilNothingWaits(store);
    }

    it('a full disk makes no outcome unknown: they are written once there is room', async () => {
      await fullWhile(() => Promise.resolve());
      await expectDelivered(store, world, 1);
      expect(await historyIn(store)).toEqual(each(onceDelivered));
    });

    /** Lets claims run out; one process after the other claims what was claimed. */
    function takeOver(times: number): void {
      world.letClaimsRunOut();
      others[times]?.scheduling.workers.start();
    }

    /** Lets one process after another send everything while the disk is full. */
    async function sentTimes(times: number): Promise<void> {
      for (let sent = 2; sent <= times; sent += 1) {
        takeOver(sent - 2);
        await until(() => Promise.resolve(world.sent.length === sent * count));
      }
    }

    it('a full disk for longer than a claim: every message is sent again, under the same key', async () => {
      await fullWhile(() => sentTimes(2));
      await expectDelivered(store, world, 2);
      expect(await historyIn(store)).toEqual(each(sentAgain));
    });

    it('a full disk for longer than three claims: no message is sent any more, and each says so', async () => {
      await fullWhile(async () => {
        await sentTimes(3);
        takeOver(2);
        await untilEach(store, ({ lostClaims }) => lostClaims === 3);
      });
      expect(world.sent).toHaveLength(3 * count);
      expect(await historyIn(store)).toEqual(each(givenUp));
    });
  },
  // What lies in memory is on no disk.
  { families: ['sqlite'], durable: true },
);

/** When a transaction is given up the second time. */
const rolledBackTwice = (knex: Knex): Promise<void> =>
  new Promise((resolve) => {
    let times = 0;
    knex.on('query', ({ sql }: { readonly sql: string }) => {
      if (sql === 'rollback') times += 1;
      if (times === 2) resolve();
    });
  });

describeEach(
  'A database server that ends connections while web hooks are delivered',
  (kind) => {
    const family = kind.family === 'mysql' ? 'mysql' : 'postgres';
    beforeEach(async () => {
      await begin(kind);
      await worker.book(count);
    });
    afterEach(end);

    it('a server that ends connections in the middle of a claim: the loop claims again', async () => {
      const table = await stallTable(family, database, 'calends_notifications');
      const fault = worker.nextLoopFault();
      worker.scheduling.workers.start();
      await table.endWhoWaits();
      expect(await fault).toMatchObject(outOfReach);
      await table.release();
      await untilNothingWaits(store);
      await expectDelivered(store, world, 1);
      expect(await historyIn(store)).toEqual(each(onceDelivered));
    });

    it('a server that ends connections in the middle of an outcome: it is written again, and nothing is sent twice', async () => {
      let ended = Promise.resolve();
      worker.beforeAnswer = async () => {
        worker.beforeAnswer = () => ended;
        const stalled = stallTable(family, database, 'calends_delivery_events');
        ended = stalled.then(() => undefined);
        await ended;
        void stalled.then(async (table) => {
          await table.endWhoWaits();
          await table.release();
        });
      };
      worker.scheduling.workers.start();
      await untilNothingWaits(store);
      await expectDelivered(store, world, 1);
      expect(await historyIn(store)).toEqual(each(onceDelivered));
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);

/** A claim of notifications up to its end, and outcomes up to theirs, as they go over the network. */
const wholeClaim = {
  postgres: /calends_notification_queue[^]*skip locked/,
  mysql: /from calends_notifications force index[^]*skip locked[^]*commit/,
};
const wholeOutcome = {
  postgres: /insert into calends_delivery_events/,
  mysql: /insert into calends_delivery_events[^]*commit/,
};

describeEach(
  'A network that breaks while web hooks are delivered',
  (kind) => {
    const family = kind.family === 'mysql' ? 'mysql' : 'postgres';
    let network: BreakingNetwork;
    let knex: Knex;
    let remote: DeliveringProcess;

    beforeEach(async () => {
      await begin(kind);
      if (database.url !== undefined) {
        network = await breakingNetwork(database.url);
        knex = openKnex(network.url);
        remote = await new DeliveringProcess(world, knexStore({ knex })).warmUp();
      }
      await worker.book(count);
    });
    afterEach(async () => {
      if (database.url !== undefined) {
        await remote.scheduling.close();
        await knex.destroy();
        await network.close();
      }
      await end();
    });

    it('a network that breaks before a claim is answered: what nobody knows of is claimed again when it runs out', async () => {
      network.loseAnswersTo(wholeClaim[family]);
      const fault = remote.nextLoopFault();
      remote.scheduling.workers.start();
      await untilEach(store, ({ phase }) => phase === 'SENDING');
      network.cut();
      expect(await fault).toMatchObject(outOfReach);
      expect(world.sent).toEqual([]);
      world.letClaimsRunOut();
      await untilNothingWaits(store);
      await expectDelivered(store, world, 1);
      expect(await historyIn(store)).toEqual(each(sentAgain));
    });

    it('a network that breaks before an outcome is answered: it stands, and is told, once', async () => {
      remote.beforeAnswer = () => {
        network.loseAnswersTo(wholeOutcome[family]);
      };
      remote.scheduling.workers.start();
      await untilEach(store, ({ phase }) => phase === 'DONE');
      network.cut();
      await remote.scheduling.close();
      await expectDelivered(store, world, 1);
      expect(remote.told).toEqual(each('delivered'));
      expect(await historyIn(store)).toEqual(each(onceDelivered));
    });

    it('a network that breaks until others have taken over: what it knows then comes too late', async () => {
      remote.beforeAnswer = () => {
        network.goDown();
      };
      const fault = remote.nextLoopFault();
      remote.scheduling.workers.start();
      expect(await fault).toMatchObject(outOfReach);
      world.letClaimsRunOut();
      await worker.scheduling.workers.runOnce();
      network.comeBack();
      await remote.scheduling.close();
      await expectDelivered(store, world, 2);
      expect([remote.told, worker.told]).toEqual([[], each('delivered')]);
      expect(await historyIn(store)).toEqual(each(sentAgain));
    });
  },
  { families: ['postgres', 'mysql'], shared: true },
);
