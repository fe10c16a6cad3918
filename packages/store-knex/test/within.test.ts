import { type Caller, createScheduling, type Scheduling, type Signal } from '@calends/core';
import { StoreError } from '@calends/core/store';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { knexStore, openKnex } from '../src/index.js';
import { databaseKinds, emptyTables, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
const booking = {
  applicationId: 'app-1',
  start: '2999-05-06T09:00:00Z',
  duration: 'PT30M',
  timezone: 'Europe/Athens',
  customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
};
const changedMind = new Error('the host changed its mind');

/** Something that a test waits for. */
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** A host whose workers look by themselves every five minutes: within a test, only when they are woken. */
class Host {
  /** What happens, in order. */
  readonly log: string[] = [];
  readonly scheduling: Scheduling;
  /** The provider of e-mails answers no sooner than it may. */
  isSlow = false;
  readonly asked = new Gate();
  readonly mayAnswer = new Gate();
  #watchers: (() => void)[] = [];

  constructor(knex: Knex) {
    this.scheduling = createScheduling({
      store: knexStore({ knex }),
      secret: 'a secret of at least thirty-two bytes',
      applications: {
        'app-1': { notifications: { active: true, reminders: [], email: { from: 'desk@example.org' } } },
      },
      notifiers: {
        email: {
          capability: 'none',
          timeout: 10_000,
          send: async () => {
            this.asked.open();
            if (this.isSlow) {
              await this.mayAnswer.opened;
              this.say('sent');
            }
            return { status: 'delivered' };
          },
        },
      },
      worker: { interval: 300_000, settleWait: 60_000 },
      observer: { observe: (signal) => this.#observe(signal) },
    });
    this.scheduling.events.subscribe(({ type }) => this.say(`event ${type}`));
  }

  say(what: string): void {
    this.log.push(what);
    for (const look of this.#watchers) look();
  }

  /** Once it was said. */
  heard(what: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.log.includes(what)) resolve();
      };
      this.#watchers.push(look);
      look();
    });
  }

  /** Tells of another commit, and waits for all that follows from it: what was to come before it has come. */
  async settled(): Promise<void> {
    const { id } = await this.scheduling.appointments.schedule(agent, booking);
    await this.scheduling.appointments.abort(agent, { id, reason: 'x' });
    await this.heard('event APAbortedEvent');
  }

  #observe(signal: Signal): void {
    if (signal.type === 'committed') this.say(`told ${signal.event.type}`);
    if (signal.type === 'workerFailed') this.say(`failed ${signal.job}`);
  }
}

const otherwise = ['told APCreatedEvent', 'told APAbortedEvent', 'event APCreatedEvent', 'event APAbortedEvent'];

describeEach('the library inside a transaction of the host', (kind) => {
  let database: TestDatabase;
  let host: Host;

  beforeAll(async () => {
    database = await openDatabase(kind);
    await database.knex.schema.createTable('hosts_orders', (table) => table.string('name'));
  });
  beforeEach(() => {
    host = new Host(database.knex);
    host.scheduling.workers.start();
  });
  afterEach(async () => {
    host.mayAnswer.open();
    await host.scheduling.close();
    await emptyTables(database.knex);
    await database.knex('hosts_orders').del();
  });
  afterAll(() => database.drop());

  const total = async (): Promise<number> =>
    (await host.scheduling.appointments.list(agent, { applicationId: 'app-1' })).total;

  it('the library inside a transaction of the host tells of a change and wakes the workers after the commit, and not before', async () => {
    await database.knex.transaction(async (transaction) => {
      const { appointments } = host.scheduling.within(transaction);
      const { id } = await appointments.schedule(agent, booking);
      await transaction('hosts_orders').insert({ name: id });
      expect((await appointments.get(agent, id)).state).toBe('SCHEDULED');
      host.say('the host commits');
    });
    await host.heard('event APCreatedEvent');
    await host.asked.opened;
    expect(host.log).toEqual(['the host commits', 'told APCreatedEvent', 'event APCreatedEvent']);
  });

  it('the library inside a transaction of the host tells nothing of what the host rolls back', async () => {
    const failing = database.knex.transaction(async (transaction) => {
      await host.scheduling.within(transaction).appointments.schedule(agent, booking);
      throw changedMind;
    });
    await expect(failing).rejects.toBe(changedMind);
    expect(await total()).toBe(0);
    await host.settled();
    expect([...host.log].sort()).toEqual([...otherwise].sort());
  });

  it('the library inside a transaction of the host tells nothing of a savepoint that was rolled back, and of the rest once all is committed', async () => {
    await database.knex.transaction(async (transaction) => {
      const nested = transaction.transaction(async (savepoint) => {
        await host.scheduling.within(savepoint).appointments.schedule(agent, booking);
        throw changedMind;
      });
      await expect(nested).rejects.toBe(changedMind);
      await transaction.transaction(async (savepoint) => {
        const { appointments } = host.scheduling.within(savepoint);
        const { id } = await appointments.schedule(agent, booking);
        await appointments.abort(agent, { id, reason: 'x' });
      });
      host.say('the host commits');
    });
    await host.heard('event APAbortedEvent');
    expect(host.log[0]).toBe('the host commits');
    expect(host.log.slice(1).sort()).toEqual([...otherwise].sort());
  });

  it('the library inside a transaction of the host waits for messages that are being sent after the commit, and not in the transaction', async () => {
    host.isSlow = true;
    const { id } = await host.scheduling.appointments.schedule(agent, booking);
    await host.asked.opened;
    const calends = await database.knex.transaction(async (transaction) => {
      const within = host.scheduling.within(transaction);
      await within.appointments.cancel(agent, { id });
      return within;
    });
    const settled = calends.committed().then(() => host.say('settled'));
    await host.heard('event APCancelledEvent');
    expect(host.log).not.toContain('settled');
    host.mayAnswer.open();
    await settled;
    expect(host.log.indexOf('settled')).toBeGreaterThan(host.log.indexOf('sent'));
  });

  it('the library inside a transaction of the host works on a connection of the driver, and hears of the commit from the host', async () => {
    const pool = database.knex.client as {
      acquireConnection(): Promise<object>;
      releaseConnection(connection: object): Promise<void>;
    };
    const connection = await pool.acquireConnection();
    const run = async (statement: string): Promise<unknown> => database.knex.raw(statement).connection(connection);
    await run('begin');
    const rolledBack = host.scheduling.within(connection);
    await rolledBack.appointments.schedule(agent, booking);
    await run('rollback');
    rolledBack.rolledBack();
    await run('begin');
    const calends = host.scheduling.within(connection);
    const { id } = await calends.appointments.schedule(agent, booking);
    await run(`insert into hosts_orders (name) values ('x')`);
    await run('commit');
    await pool.releaseConnection(connection);
    expect(host.log).toEqual([]);
    const told = Promise.all([calends.committed(), calends.committed(), rolledBack.committed()]);
    await host.heard('event APCreatedEvent');
    await told;
    expect(host.log).toEqual(['told APCreatedEvent', 'event APCreatedEvent']);
    await expect(calends.appointments.cancel(agent, { id })).rejects.toBeInstanceOf(StoreError);
    expect(await total()).toBe(1);
  });

  it('the library inside a transaction of the host changes nothing on a connection whose transaction has ended, though nobody said so', async () => {
    const pool = database.knex.client as {
      acquireConnection(): Promise<object>;
      releaseConnection(connection: object): Promise<void>;
    };
    const connection = await pool.acquireConnection();
    await database.knex.raw('begin').connection(connection);
    const { appointments } = host.scheduling.within(connection);
    await database.knex.raw('commit').connection(connection);
    const outcome = await appointments.schedule(agent, booking).catch((error: unknown) => error);
    await pool.releaseConnection(connection);
    expect(outcome).toBeInstanceOf(StoreError);
    expect(await total()).toBe(0);
  });

  it('the library inside a transaction of the host says that no transaction is open on a connection where the host has begun none', async () => {
    const pool = database.knex.client as {
      acquireConnection(): Promise<object>;
      releaseConnection(connection: object): Promise<void>;
    };
    const connection = await pool.acquireConnection();
    const schedule = async (): Promise<unknown> =>
      host.scheduling.within(connection).appointments.schedule(agent, booking);
    const fault: unknown = await schedule().catch((error: unknown) => error);
    await pool.releaseConnection(connection);
    // SQLite tells it before anything is asked.
    const early = /a connection of the driver with a transaction open on it/;
    expect((fault as Error).message).toMatch(
      kind.family === 'sqlite' ? early : /^No transaction is open on the connection/,
    );
    expect(await total()).toBe(0);
  });

  it('the library inside a transaction of the host refuses a transaction in a database of another kind', async () => {
    const other =
      kind.family === 'sqlite' ? openKnex('postgres://nobody@127.0.0.1:1/none') : openKnex('sqlite::memory:');
    const transaction = Object.assign(() => undefined, { isTransaction: true, client: other.client as unknown });
    expect(() => host.scheduling.within(transaction)).toThrow(
      new TypeError('The transaction must be one in the database of the store.'),
    );
    await other.destroy();
  });

  it('the library knows a transaction from what is none', () => {
    for (const none of [database.knex, {}, { query: 'x' }, undefined, null, 'transaction', 5]) {
      expect(() => host.scheduling.within(none as object)).toThrow(
        new TypeError('Must be a transaction of Knex, or a connection of the driver with a transaction open on it.'),
      );
    }
  });

  it('the library inside a transaction of the host takes no one-time password, whose count of tries would be rolled back', async () => {
    await database.knex.transaction((transaction) => {
      expect(host.scheduling.within(transaction).appointments).not.toHaveProperty('scheduleAsCustomer');
      expect(host.scheduling.within(transaction).customers).not.toHaveProperty('requestOtp');
      return Promise.resolve();
    });
  });
});

describeEach(
  'PostgreSQL that answers the commit of a failed transaction well',
  (kind) => {
    it('the good answer of PostgreSQL to the commit of a failed transaction is not believed', async () => {
      const database = await openDatabase(kind);
      const host = new Host(database.knex);
      host.scheduling.workers.start();
      await database.knex.transaction(async (transaction) => {
        await host.scheduling.within(transaction).appointments.schedule(agent, booking);
        await transaction.raw('select 1 from nowhere').catch(() => undefined);
      });
      await host.settled();
      expect([...host.log].sort()).toEqual([...otherwise].sort());
      await host.scheduling.close();
      await database.drop();
    });
  },
  { families: ['postgres'] },
);

describeEach(
  'a query builder of the host that runs statements',
  (kind) => {
    it('a query builder of the host that runs statements is enough for every operation', async () => {
      const database = await openDatabase(kind);
      const host = new Host(database.knex);
      const pool = database.knex.client as {
        acquireConnection(): Promise<{ query(text: string, values: readonly unknown[]): Promise<object> }>;
        releaseConnection(connection: object): Promise<void>;
      };
      const connection = await pool.acquireConnection();
      const builder = { query: (text: string, values: readonly unknown[]) => connection.query(text, values) };
      await builder.query('begin', []);
      const calends = host.scheduling.within(builder);
      const { appointments, customers } = calends;
      const supervisor: Caller = { ...agent, id: 'supervisor-1', roles: ['ROLE_SUPERVISOR'] };
      const first = await appointments.schedule(agent, booking, { idempotency: { operation: 'schedule', key: 'k' } });
      const { id } = await appointments.schedule(agent, booking);
      await appointments.update(agent, { id, title: "Dr. O'Hara, {München}", notes: null });
      await appointments.reschedule(agent, { ...booking, id, start: '2999-05-07T09:00:00Z' });
      const [customer] = first.participants.filter(({ type }) => type === 'CUSTOMER');
      const link = { appointmentId: first.id, participantId: customer?.id ?? '' };
      await customers.issueManageLink(agent, link);
      expect(await customers.erase(supervisor, link)).toBe(1);
      await appointments.cancel(agent, { id });
      await builder.query('commit', []);
      await pool.releaseConnection(connection);
      await calends.committed();
      const kept = await host.scheduling.appointments.list(agent, { applicationId: 'app-1', agentIds: ['agent-1'] });
      expect(kept.items.map(({ title, state, version }) => ({ title, state, version }))).toEqual([
        { title: '', state: 'SCHEDULED', version: 2 },
        { title: "Dr. O'Hara, {München}", state: 'CANCELLED', version: 4 },
      ]);
      expect(host.log).toEqual([
        ...['told APCreatedEvent', 'told APCreatedEvent', 'told APUpdatedEvent', 'told APRescheduledEvent'],
        ...['told APParticipantUpdatedEvent', 'told APCancelledEvent'],
      ]);
      await host.scheduling.close();
      await database.drop();
    });
  },
  { families: ['postgres'] },
);

const sqlite = databaseKinds.find(({ name }) => name === 'SQLite file through libsql');

describe('a pool of one connection that the host holds', () => {
  it('a pool of one connection that the host holds is enough for the first write of a process', async () => {
    const database = await openDatabase(sqlite ?? expect.unreachable());
    const host = new Host(database.knex);
    const id = await database.knex.transaction(
      async (transaction) => (await host.scheduling.within(transaction).appointments.schedule(agent, booking)).id,
    );
    expect((await host.scheduling.appointments.get(agent, id)).state).toBe('SCHEDULED');
    await host.scheduling.close();
    await database.drop();
  });
});

describe('a savepoint of the host that is rolled back', () => {
  it('a savepoint of the host that is rolled back leaves no rules of a service that a search would go by', async () => {
    const database = await openDatabase(sqlite ?? expect.unreachable());
    const weekly = [{ days: ['MO' as const], from: '09:00', until: '12:00' }];
    const { within, close } = createScheduling({
      store: knexStore({ knex: database.knex }),
      secret: 'a secret of at least thirty-two bytes',
      // All of it in one millisecond.
      clock: { now: () => Date.parse('2030-05-01T00:00:00Z') },
      availability: { hours: { 'agent-1': { timezone: 'UTC', weekly } } },
    });
    const supervisor: Caller = { ...agent, id: 'supervisor-1', roles: ['ROLE_SUPERVISOR'] };
    const key = { applicationId: 'app-1', serviceId: 'talk' };
    const found = await database.knex.transaction(async (transaction) => {
      const { services, find } = within(transaction).availability;
      const durationsOf = async (duration: string): Promise<readonly number[]> => {
        const requirements = [{ kind: 'agent' as const, anyOf: ['agent-1'] }];
        const rules = { title: 'Talk', timezone: 'UTC', grid: { step: 'PT30M' }, durations: [duration], requirements };
        await services.save(supervisor, { ...key, rules });
        const window = { from: '2030-05-06T00:00:00Z', to: '2030-05-07T00:00:00Z' };
        return (await find(supervisor, { ...key, ...window })).durations.map((each) => each.duration / 60_000);
      };
      await transaction.raw('savepoint before_talk');
      const before = await durationsOf('PT30M');
      await transaction.raw('rollback to before_talk');
      return [before, await durationsOf('PT1H')];
    });
    expect(found).toEqual([[30], [60]]);
    await close();
    await database.drop();
  });
});
