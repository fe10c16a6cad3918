import { createScheduling, type Scheduling } from '@calends/core';
import type { SchedulingStore, ShownRead } from '@calends/core/store';
import { aScheduledAppointment, insertion, listQuery, nextVersion, update } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unhandledIn } from '../../../scripts/unhandled.js';
import { knexStore, type KnexStore, migrate, openKnex, sqliteKnex } from '../src/index.js';
import { storeOf } from '../src/knex-store.js';
import { migrations } from '../src/migrations/migrations.js';
import type { OnShownRead } from '../src/readers/readers.js';
import { type ReplicatedServers, standbyMissing, startReplicatedServers, until } from './support/standby.js';

describe('readers', () => {
  it('readers are refused where the database is not PostgreSQL, and the option is named', async () => {
    const knex = sqliteKnex({ filename: ':memory:' });
    expect(() => knexStore({ knex, readers: [knex] })).toThrow(/^options\.readers: /);
    await knex.destroy();
  });
});

describe.skipIf(standbyMissing !== undefined)(
  `a standby that answers what is only shown${standbyMissing === undefined ? '' : ` (left out: ${standbyMissing})`}`,
  () => {
    let servers: ReplicatedServers;
    let primary: Knex;
    let standby: Knex;
    let store: KnexStore;
    let now: number;
    let reads: string[];
    let made = 0;

    beforeAll(async () => {
      servers = await startReplicatedServers();
      primary = openKnex(servers.primaryUrl);
      await migrate(primary);
      await primary.destroy();
    });
    afterAll(() => servers.end());

    beforeEach(async () => {
      primary = openKnex(servers.primaryUrl);
      standby = openKnex(servers.standbyUrl);
      now = 0;
      reads = [];
      store = storeWithReaders();
      await caughtUp();
      await shown('none');
      reads = [];
    });
    afterEach(async () => {
      await goOn();
      await primary.destroy();
      await standby.destroy();
    });

    const told: OnShownRead = (by, reason) => reads.push(reason === undefined ? by : `${by}, ${reason}`);
    const storeWithReaders = (onShownRead = told): KnexStore =>
      storeOf(
        {
          knex: primary,
          readers: [standby],
          onShownRead,
        },
        { steps: migrations, monotonic: () => now },
      );

    const xminOf = async (knex: Knex): Promise<string> => {
      const { rows } = await knex.raw<{ rows: { xmin: string }[] }>(
        'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin',
      );
      return String(rows[0]?.xmin);
    };
    /** Until the standby has what the primary has. */
    const caughtUp = (): Promise<void> => until(async () => (await xminOf(standby)) === (await xminOf(primary)));
    const standbySays = async (question: string): Promise<unknown> => {
      const { rows } = await standby.raw<{ rows: { said: unknown }[] }>(`select ${question} as said`);
      return rows[0]?.said;
    };
    /** From now on the standby has nothing that is new. */
    const stop = async (): Promise<void> => {
      await standby.raw('select pg_wal_replay_pause()');
      await until(async () => (await standbySays('pg_get_wal_replay_pause_state()')) === 'paused');
    };
    const goOn = async (): Promise<void> => {
      await standby.raw('select pg_wal_replay_resume() where pg_is_in_recovery()');
    };

    const shown = (id: string, after?: string): Promise<unknown> => store.appointments.find('org-1', id, { after });
    const booked = async (
      through: SchedulingStore = store,
    ): Promise<{ readonly id: string; readonly mark: string }> => {
      made += 1;
      const id = `booked-${String(made).padStart(4, '0')}`;
      const result = await through.commit(insertion(aScheduledAppointment({ id, organizationId: 'org-1' })));
      return { id, mark: result.status === 'committed' ? String(result.mark) : result.status };
    };

    it.each<[string, () => unknown]>([
      [
        'throws',
        () => {
          throw new Error('the metrics are away');
        },
      ],
      ['rejects', () => Promise.reject(new Error('the metrics are away'))],
    ])('a standby answers where the host that is told of it %s', async (_how, tell) => {
      const unhandled = await unhandledIn(async () => {
        store = storeWithReaders(tell);
        const { id, mark } = await booked();
        await caughtUp();
        expect(await shown(id, mark)).toMatchObject({ id });
        await stop();
        const next = await booked();
        expect(await shown(next.id, next.mark)).toMatchObject({ id: next.id });
      });
      expect(unhandled).toEqual([]);
    });

    it('a standby lacks what was committed a moment ago, where nobody asks for it', async () => {
      await stop();
      const { id } = await booked();
      expect(await shown(id)).toBeUndefined();
      expect(reads).toEqual(['reader']);
    });

    it('a standby leaves a read to the primary that must not lack a commit, until it has it', async () => {
      await stop();
      const { id, mark } = await booked();
      expect(await shown(id, mark)).toMatchObject({ id });
      await goOn();
      await caughtUp();
      expect(await shown(id, mark)).toMatchObject({ id });
      expect(reads).toEqual(['primary, unseen', 'reader']);
    });

    it('a standby is never asked where the answer decides on something', async () => {
      await stop();
      const { id } = await booked();
      expect(await store.appointments.find('org-1', id)).toMatchObject({ id });
      expect(reads).toEqual([]);
    });

    it('a standby lacks a commit whose transaction began before one that it has', async () => {
      const slow = await primary.transaction();
      const { id, mark } = await booked(store.joining(slow));
      const quick = await booked();
      await until(async () => (await standby('calends_appointments').where({ id: quick.id })).length === 1);
      await stop();
      await slow.commit();
      const wrong = await standbySays(`pg_visible_in_snapshot('${String(BigInt(mark))}'::xid8, pg_current_snapshot())`);
      expect(await shown(id, mark)).toMatchObject({ id });
      expect(reads).toEqual(['primary, unseen']);
      // Which is why the store does not go by it.
      expect(wrong).toBe(true);
    });

    it('a standby serves those of a batch of finds whose commits it has, and sends nobody else to the primary', async () => {
      const old = await booked();
      await caughtUp();
      await stop();
      const fresh = await booked();
      const asked: readonly (readonly [string, string | undefined])[] = [
        [old.id, undefined],
        [fresh.id, fresh.mark],
        [old.id, old.mark],
        [fresh.id, undefined],
        [old.id, 'no mark'],
      ];
      const found = await Promise.all(asked.map(([id, after]) => shown(id, after)));
      expect(found.map((each) => each !== undefined)).toEqual([true, true, true, false, true]);
      expect(reads.toSorted()).toEqual(['primary, unseen', 'primary, unseen', 'reader', 'reader', 'reader']);
    });

    it('a standby answers lists, counts and busy times as the primary does, in the same order', async () => {
      for (const minute of [3, 1, 2]) {
        const start = Date.UTC(2030, 0, 1, 9, minute);
        const next = aScheduledAppointment({
          id: `at-${String(minute)}`,
          organizationId: 'org-2',
          start,
          agentIds: ['agent-2'],
        });
        await store.commit(insertion(next));
      }
      await caughtUp();
      const window = { from: Date.UTC(2030, 0, 1), to: Date.UTC(2030, 0, 2) };
      const counting = { organizationId: 'org-2', applicationId: 'app-1', windows: [window] };
      const of = { organizationId: 'org-2', actorIds: ['agent-1', 'agent-2'], window };
      const questions: readonly ((shown?: ShownRead) => Promise<unknown> | undefined)[] = [
        (read) => store.appointments.list(listQuery('org-2', { sortField: 'start', sortOrder: 'desc' }), read),
        (read) => store.appointments.list(listQuery('org-2', { pageNumber: 9 }), read),
        (read) => store.appointments.list(listQuery('org-2', { applicationIds: [] }), read),
        (read) => store.appointments.countStarting(counting, read),
        (read) => store.appointments.countOverlapping(counting, read),
        (read) => store.availability?.listBusy(of, read),
        (read) => store.availability?.listTimes({ ...of, buffers: { before: 0, after: 0 } }, read),
      ];
      const answers = await Promise.all(questions.map(async (question) => question()));
      expect(answers[0]).toMatchObject({ items: [{ id: 'at-3' }, { id: 'at-2' }, { id: 'at-1' }], total: 3 });
      for (const [index, question] of questions.entries()) expect(await question({})).toEqual(answers[index]);
      expect(reads).toEqual(questions.map(() => 'reader'));
    });

    it('a standby costs no statement more: one at the reader for a read, one at the primary for a commit', async () => {
      // The first write of a process looks whether it may write, the first list whether the counts are complete.
      await booked();
      await caughtUp();
      await store.appointments.list(listQuery('org-1'), {});
      const statements: string[] = [];
      const ears = (
        [
          ['primary', primary],
          ['reader', standby],
        ] as const
      ).map(([name, knex]) => {
        const heard = ({ sql }: { sql: string }): void =>
          void statements.push(`${name} ${sql.trimStart().split(/\s/, 1)[0]}`);
        knex.on('query', heard);
        return () => knex.removeListener('query', heard);
      });
      await store.appointments.list(listQuery('org-1'), {});
      await booked();
      for (const close of ears) close();
      expect(statements).toEqual(['reader select', 'primary with']);
    });

    it('a standby is left alone for five seconds once it lacks what is old, and asked again then', async () => {
      await stop();
      const { id } = await booked();
      for (let second = 0; second < 20 && !reads.includes('primary, behind'); second += 1) {
        now += 1000;
        await shown(id);
      }
      expect(reads.at(-1)).toBe('primary, behind');
      expect(await shown(id)).toMatchObject({ id });
      expect(reads.at(-1)).toBe('primary, resting');
      expect((await store.check()).readers).toEqual(['behind']);
      await goOn();
      await caughtUp();
      now += 5000;
      expect(await shown(id)).toMatchObject({ id });
      expect(reads.at(-1)).toBe('reader');
      expect((await store.check()).readers).toEqual(['reading']);
    });

    it('a standby is not left alone because somebody sends what is no mark, or one that was never given', async () => {
      const { id } = await booked();
      await caughtUp();
      for (const after of [
        '',
        '0',
        '-1',
        'x'.repeat(64),
        '9'.repeat(19),
        '9'.repeat(20),
        '09999999999999999999',
        "'",
      ]) {
        expect(await shown(id, after)).toMatchObject({ id });
      }
      expect(new Set(reads)).toEqual(new Set(['primary, unseen']));
      await shown(id);
      expect(reads.at(-1)).toBe('reader');
    });

    describe('under the operations of the library', () => {
      const agent = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;
      const other = { ...agent, id: 'agent-2', roles: ['ROLE_SUPERVISOR'] } as const;
      const make = (): Scheduling =>
        createScheduling({ store: storeWithReaders(), secret: 'thirty-two bytes that are the same here' });
      let scheduling: Scheduling;
      let elsewhere: Scheduling;
      const schedule = (operations: Pick<Scheduling, 'appointments'> = scheduling) =>
        operations.appointments.schedule(agent, {
          applicationId: 'app-1',
          start: '2999-05-04T09:00:00Z',
          duration: 'PT30M',
          timezone: 'UTC',
          customers: [{ contact: { primaryEmail: 'customer@example.org' } }],
        });
      const isFound = (by: typeof agent | typeof other, id: string, operations = scheduling): Promise<boolean> =>
        operations.appointments.get(by, id).then(
          () => true,
          () => false,
        );

      beforeEach(async () => {
        scheduling = make();
        elsewhere = make();
        const { id } = await schedule();
        // The first read of a process asks for all that there is by then.
        for (const each of [scheduling, elsewhere]) await isFound(other, id, each);
        await caughtUp();
        await stop();
      });

      it('a standby shows callers what they have written in this process; others see it when the standby has it', async () => {
        const { id } = await schedule();
        expect([await isFound(agent, id), await isFound(other, id)]).toEqual([true, false]);
        await goOn();
        await caughtUp();
        expect(await isFound(other, id)).toBe(true);
      });

      it('a standby shows what was written to who brings the token to another process', async () => {
        const calls = scheduling.consistent?.();
        const written = await calls?.run(() => schedule());
        const id = String(written?.id);
        const read = (token?: string) => elsewhere.consistent?.(token).run(() => isFound(agent, id, elsewhere));
        expect(calls?.token).toMatch(/^\d{20}$/);
        expect([await read(), await read(calls?.token), await read('not one of ours!')]).toEqual([false, true, true]);
      });

      it('an operation leaves no token where nothing was written', async () => {
        const calls = scheduling.consistent?.('00000000000000000001');
        await calls?.run(() => isFound(agent, 'none'));
        expect(calls?.token).toBeUndefined();
      });

      it('a standby shows callers what they have written in a transaction of the host, once that is committed', async () => {
        const transaction = await primary.transaction();
        const within = scheduling.within(transaction);
        const { id } = await schedule(within as unknown as Scheduling);
        expect(await isFound(agent, id)).toBe(false);
        await transaction.commit();
        await within.committed();
        expect([await isFound(agent, id), await isFound(other, id)]).toEqual([true, false]);
      });
    });

    describe('that is away', () => {
      it('a standby that is away makes nothing fail; the primary answers, and the standby once it is back', async () => {
        const { id, mark } = await booked();
        await servers.killStandby();
        for (const after of [undefined, mark]) expect(await shown(id, after)).toMatchObject({ id });
        expect(reads).toEqual(['primary, away', 'primary, resting']);
        expect((await store.check()).readers).toEqual(['away']);
        await servers.startStandby();
        await caughtUp();
        now += 5000;
        expect(await shown(id, mark)).toMatchObject({ id });
        expect(reads.at(-1)).toBe('reader');
      });

      it('a standby that is away is asked nothing any more once it was promoted', async () => {
        await servers.promote();
        await until(async () => (await standbySays('pg_is_in_recovery()')) === false);
        const { id } = await booked();
        expect(await shown(id)).toMatchObject({ id });
        expect((await store.check()).readers).toEqual(['notAStandby']);
        await store.commit(update(nextVersion(aScheduledAppointment({ id, organizationId: 'org-1' }))));
      });
    });
  },
);
