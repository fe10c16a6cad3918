import { aScheduledAppointment, insertion, nextVersion, update } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { knexStore, type KnexStore } from '../../src/index.js';
import type { BreakingNetwork } from './breaking-network.js';

/** A database behind a network that the test breaks. */
export interface DatabaseBehindNetwork {
  readonly network: BreakingNetwork;
  /** Through the network, with the time-outs of `impatient`. */
  readonly knex: Knex;
  /** Another Knex instance on the same data, past the network. */
  readonly another: () => Knex;
  close(): Promise<void>;
}

/** Milliseconds; the defaults would make these tests slow. */
export const impatient = { statementTimeout: 1000, connectTimeout: 1500 };
/** Milliseconds that an answer is waited for. */
export const answerTimeout = 1500;

export const times = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<readonly Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
export const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => error,
  );
export const unavailable = { name: 'StoreError', code: 'unavailable' };
/** The statement with which a change is committed, as it goes over the network. */
const commitOf = {
  postgres: /insert into calends_appointments/,
  mysql: /insert into calends_appointments[^]*commit/,
} as const;
const guarded = { guard: { actorIds: ['agent-1'], window: { from: 0, to: 1 } } };

export const usedOf = (knex: Knex): number => (knex.client as { pool: { numUsed(): number } }).pool.numUsed();

/** Cases of a network that falls silent and tells nobody (half-open). */
export function casesOfSilence(family: 'postgres' | 'mysql', open: () => Promise<DatabaseBehindNetwork>): void {
  let database: DatabaseBehindNetwork;
  let network: BreakingNetwork;
  let knex: Knex;
  let store: KnexStore;
  beforeEach(async () => {
    database = await open();
    ({ network, knex } = database);
    store = knexStore({ knex, answerTimeout });
  });
  afterEach(() => database.close());

  const used = (): number => usedOf(knex);
  const create = (id: string): Promise<unknown> =>
    store.commit(insertion(aScheduledAppointment({ id, organizationId: 'org-1' })));

  /** Connections that were being made in the silence end with their time-out; nothing else may be in the way. */
  const untilItWrites = async (): Promise<void> => {
    for (let turn = 0; (await outcomeOf(create(`try-${turn}`))) !== 'done'; turn += 1);
  };

  it('a silent network keeps no call for ever and no place in the pool, and the first call after it finds a new connection', async () => {
    await times(10, () => store.check());
    expect(network.open()).toBeGreaterThan(4);
    network.fallSilent();
    expect(await times(2, () => outcomeOf(store.check()))).toMatchObject([unavailable, unavailable]);
    expect(used()).toBe(0);
    network.passAgain();
    // Those that were idle meanwhile are as dead: they cost this call no further wait.
    await store.check();
  });

  it('a silent network under forty clients leaves a store that writes again, and nothing acknowledged is lost', async () => {
    await times(10, () => store.check());
    network.fallSilent();
    const during = await times(40, (index) => outcomeOf(create(`during-${index}`)));
    expect(during).toMatchObject(during.map(() => unavailable));
    network.passAgain();
    await untilItWrites();
    expect(await times(40, (index) => create(`after-${index}`))).toEqual(
      Array.from({ length: 40 }, () => ({ status: 'committed' })),
    );
    expect(used()).toBe(0);
  });

  it('a silent network again and again adds nothing up', async () => {
    for (let round = 0; round < 4; round += 1) {
      await times(6, () => store.check());
      network.fallSilent();
      await times(6, (index) => outcomeOf(create(`${round}-${index}`)));
      network.passAgain();
      await untilItWrites();
    }
    expect(used()).toBe(0);
  });

  it('a silent network before a change was sent: nothing was written, and the fault says so', async () => {
    await store.check();
    network.fallSilent();
    const fault = await outcomeOf(store.commit(insertion(aScheduledAppointment({ id: 'a' }), guarded)));
    expect(fault).toMatchObject({ ...unavailable, outcome: 'none' });
  });

  it('a silent network before a commit was answered: nobody knows, and the fault says so', async () => {
    const appointment = aScheduledAppointment({ id: 'a', title: 'first' });
    await store.check();
    network.loseAnswersTo(commitOf[family]);
    expect(await outcomeOf(store.commit(insertion(appointment)))).toMatchObject({
      ...unavailable,
      outcome: 'unknown',
    });
    expect(await store.appointments.find(appointment.organizationId, 'a')).toEqual(appointment);
  });

  it('a silent network right after a connection had answered: that one is as dead, and costs the next call no further wait', async () => {
    const other = knexStore({ knex: database.another() });
    await other.check();
    await times(2, () => store.check());
    network.loseAnswersTo(commitOf[family]);
    const lost = outcomeOf(create('a'));
    while ((await other.appointments.find('org-1', 'a')) === undefined);
    await store.check();
    network.fallSilent();
    expect(await lost).toMatchObject(unavailable);
    network.passAgain();
    await store.check();
  });

  it('a silent network with a transaction of the host ends the wait, and leaves the connection to the host', async () => {
    const transaction = await knex.transaction();
    const joined = store.joining(transaction);
    await joined.check();
    const open = network.open();
    network.fallSilent();
    expect(await outcomeOf(joined.check())).toMatchObject(unavailable);
    // At once: the transaction is of no use any more, and the host is to end it.
    expect(await outcomeOf(joined.check())).toMatchObject(unavailable);
    expect([network.open(), transaction.isCompleted(), used()]).toEqual([open, false, 1]);
    network.cut();
    await transaction.rollback().catch(() => undefined);
  });

  it('a silent network leaves no locks: the database ends a transaction that nobody goes on with', async () => {
    const appointment = aScheduledAppointment({ id: 'a' });
    await store.commit(insertion(appointment));
    const abandoned = await knex.transaction();
    await abandoned('calends_appointments').where({ id: 'a' }).forUpdate().first();
    network.fallSilent();
    const other = knexStore({ knex: database.another() });
    // Its lock is waited for, and let go two seconds after the last statement.
    expect(await other.commit(update(nextVersion(appointment)))).toEqual({ status: 'committed' });
    network.cut();
    await abandoned.rollback().catch(() => undefined);
  });
}
