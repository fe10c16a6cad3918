import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Appointment } from '@calends/core';
import type { Change, TimeRange } from '@calends/core/store';
import {
  aCancelledAppointment,
  anAbortedAppointment,
  anActivatedAppointment,
  aScheduledAppointment,
  fixtureStart,
  insertion,
  listQuery,
  nextVersion,
  removal,
  update,
} from '@calends/store-conformance';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { storeOf } from '../src/knex-store.js';
import { migrateThrough } from '../src/migrations/migrate.js';
import { countsLead, durationCountsLead, migrations } from '../src/migrations/migrations.js';
import { appointmentTable } from '../src/tables/appointments.js';
import { emptyTables, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const states = ['SCHEDULED', 'ACTIVATED', 'CANCELLED', 'ABORTED'] as const;
const minutes = (count: number): number => count * 60_000;
const hours = (count: number): number => minutes(60 * count);
const days = (count: number): number => hours(24 * count);
const organizations = ['org-1', 'org-2'] as const;
const applications = ['app-1', 'app-2'] as const;
/** In the middle of a day (UTC). */
const noon = fixtureStart - (fixtureStart % days(1)) + hours(12);

const inState = {
  SCHEDULED: aScheduledAppointment,
  ACTIVATED: anActivatedAppointment,
  CANCELLED: aCancelledAppointment,
  ABORTED: anAbortedAppointment,
} as const;

const anyStep = fc.record({
  kind: fc.constantFrom('write', 'write', 'write', 'write', 'remove', 'stale', 'fold', 'repair'),
  organizationId: fc.constantFrom(...organizations),
  place: fc.nat(12),
  applicationId: fc.constantFrom(...applications),
  state: fc.constantFrom(...states),
  duration: fc.constantFrom(minutes(30), minutes(30), minutes(45)),
  /** Six days, on and around their bounds. */
  start: fc.oneof(
    fc.nat(6).map((day) => noon + day * days(1) - hours(12)),
    fc.nat(6).map((day) => noon + day * days(1) - hours(12) - 1),
    fc.nat(6 * 24 * 4).map((quarter) => noon + quarter * hours(0.25)),
  ),
});

const bound = fc.option(
  fc.nat(8 * 4).map((part) => noon - days(1) + part * hours(6)),
  { nil: undefined },
);
const anyRange = fc
  .tuple(bound, bound)
  .map(([one, other]): TimeRange =>
    one === undefined || other === undefined
      ? { from: one, to: other }
      : { from: Math.min(one, other), to: Math.max(one, other) },
  );
const anyQuestion = fc.record({
  organizationId: fc.constantFrom(...organizations),
  applicationIds: fc.option(fc.uniqueArray(fc.constantFrom(...applications), { minLength: 1 }), { nil: undefined }),
  states: fc.option(fc.uniqueArray(fc.constantFrom(...states), { minLength: 1 }), { nil: undefined }),
  /** The last is none's. */
  durations: fc.option(fc.uniqueArray(fc.constantFrom(minutes(30), minutes(45), minutes(60)), { minLength: 1 }), {
    nil: undefined,
  }),
  ranges: fc.option(fc.array(anyRange, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  sortOrder: fc.constantFrom('asc', 'desc'),
  pageSize: fc.integer({ min: 2, max: 5 }),
});

const isIn = (instant: number, { from = -Infinity, to = Infinity }: TimeRange): boolean =>
  instant >= from && instant < to;

type Question = typeof anyQuestion extends fc.Arbitrary<infer Value> ? Value : never;

const matches =
  ({ organizationId, applicationIds, states, durations, ranges }: Question) =>
  (one: Appointment): boolean =>
    one.organizationId === organizationId &&
    (applicationIds?.includes(one.applicationId as never) ?? true) &&
    (states?.includes(one.state) ?? true) &&
    (durations?.includes(one.schedule.end - one.schedule.start) ?? true) &&
    (ranges?.some((range) => isIn(one.schedule.start, range)) ?? true);

/** Every page of a list, and one past the end. */
function pagesOf(all: readonly Appointment[], { sortOrder, pageSize, ...question }: Question): readonly string[][] {
  const listed = all.filter(matches(question as Question)).map(({ id, schedule }) => ({ id, start: schedule.start }));
  listed.sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1));
  if (sortOrder === 'desc') listed.reverse();
  return Array.from({ length: Math.ceil(listed.length / pageSize) + 1 }, (_, page) =>
    listed.slice(page * pageSize, (page + 1) * pageSize).map(({ id }) => id),
  );
}

const isLive = ({ state }: Appointment): boolean => state === 'SCHEDULED' || state === 'ACTIVATED';

describeEach('totals and counts from what commits have counted', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;
  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
  });
  beforeEach(() => emptyTables(database.knex));
  afterAll(() => database.drop());

  const fold = (limit: number): Promise<number> => store.appointments.foldCounts?.(limit) ?? Promise.resolve(0);
  const repair = async (): Promise<number> => {
    let repaired = 0;
    let after: readonly string[] | undefined;
    do {
      const step = await store.appointments.repairCounts?.(after);
      repaired += step?.repaired ?? 0;
      after = step?.next;
    } while (after !== undefined);
    return repaired;
  };

  async function expectExact(all: readonly Appointment[], questions: readonly Question[]): Promise<void> {
    for (const question of questions) {
      const { organizationId, ...filters } = question;
      const total = all.filter(matches(question)).length;
      for (const [page, ids] of pagesOf(all, question).entries()) {
        const listed = await store.appointments.list(listQuery(organizationId, { ...filters, pageNumber: page + 1 }));
        const answer = { total: listed.total, ids: listed.items.map(({ id }) => id) };
        expect(answer, JSON.stringify({ ...question, page })).toEqual({ total, ids });
      }
      const windows = (question.ranges ?? []).map(({ from = 0, to = noon + days(30) }) => ({ from, to }));
      for (const applicationId of applications) {
        const own = all.filter((one) => one.organizationId === organizationId && one.applicationId === applicationId);
        const asked = { organizationId, applicationId, windows };
        expect(await store.appointments.countStarting(asked)).toEqual(
          windows.map((window) => own.filter((one) => isLive(one) && isIn(one.schedule.start, window)).length),
        );
        expect(await store.appointments.countOverlapping(asked)).toEqual(
          windows.map(
            ({ from, to }) =>
              own.filter((one) => isLive(one) && one.schedule.start < to && one.schedule.end > from).length,
          ),
        );
      }
    }
  }

  it(
    'totals and counts are those of the appointments, whatever was committed, folded or repaired',
    { timeout: 120_000 },
    async () => {
      const property = fc.asyncProperty(
        fc.array(anyStep, { minLength: 5, maxLength: 30 }),
        fc.array(anyQuestion, { minLength: 3, maxLength: 3 }),
        async (steps, questions) => {
          await emptyTables(database.knex);
          const stored = new Map<string, Appointment>();
          for (const { kind: step, organizationId, place, state, ...fields } of steps) {
            const id = `a-${place}`;
            const current = stored.get(`${organizationId} ${id}`);
            const version = (current?.version ?? 0) + 1;
            const next = inState[state]({ ...fields, organizationId, id, version });
            const expectCommitted = async (change: Change): Promise<void> => {
              expect(await store.commit(change)).toEqual({ status: 'committed' });
            };
            if (step === 'fold') await fold(3);
            else if (step === 'repair') expect(await repair()).toBe(0);
            else if (step === 'stale') {
              const late = { ...next, version: version + 5 };
              const change = update(late, { before: current ?? next });
              expect(await store.commit(change)).toEqual({ status: 'stale' });
            } else if (current === undefined) {
              await expectCommitted(insertion(next));
              stored.set(`${organizationId} ${id}`, next);
            } else if (step === 'remove') {
              await expectCommitted(removal(current));
              stored.delete(`${organizationId} ${id}`);
            } else {
              await expectCommitted(update(next, { before: current }));
              stored.set(`${organizationId} ${id}`, next);
            }
          }
          const all = [...stored.values()];
          await expectExact(all, questions);
          while ((await fold(7)) > 0);
          await expectExact(all, questions);
          expect(await repair()).toBe(0);
        },
      );
      await fc.assert(property, { numRuns: 15, seed: 20_260 });
    },
  );

  it(
    'totals and counts lead to the same pages while appointments move from day to day',
    { timeout: 60_000 },
    async () => {
      const made = Array.from({ length: 30 }, (_, index) =>
        aScheduledAppointment({ id: `a-${10 + index}`, start: noon + (index % 5) * days(1) }),
      );
      for (const next of made) await store.commit(insertion(next));
      await fold(17);
      const others = new Set(made.slice(1).map(({ id }) => id));
      const place = { moved: made[0] ?? aScheduledAppointment() };
      let isMoving = true;
      const move = async (): Promise<void> => {
        for (let count = 1; count <= 20; count += 1) {
          const next = aScheduledAppointment({
            id: place.moved.id,
            version: place.moved.version + 1,
            start: noon + (count % 2) * days(4),
          });
          await store.commit(update(next, { before: place.moved }));
          place.moved = next;
          if (count % 10 === 0) await fold(5);
        }
        isMoving = false;
      };
      const read = async (sortOrder: 'asc' | 'desc'): Promise<void> => {
        do {
          // A database in this process may answer within one turn of the event loop, and commits wait for the next.
          await nextTurn();
          for (const pageNumber of [2, 3]) {
            const asked = listQuery('org-1', { sortOrder, pageNumber, pageSize: 10 });
            const { total, items } = await store.appointments.list(asked);
            const starts = items.map(({ schedule }) => (sortOrder === 'asc' ? schedule.start : -schedule.start));
            expect(starts).toEqual(starts.toSorted((a, b) => a - b));
            // Of those that stand still, the page has all that lie between its first and its last.
            const still = items.filter(({ id }) => others.has(id));
            expect([total, items.length, still.length >= 9, new Set(items.map(({ id }) => id)).size]).toEqual([
              30,
              10,
              true,
              10,
            ]);
          }
        } while (isMoving);
      };
      await Promise.all([move(), read('asc'), read('desc')]);
    },
  );

  it(
    'totals and counts are added up by several at once without a loss, and while others commit',
    { timeout: 60_000 },
    async () => {
      const make = (count: number, prefix: string) =>
        Array.from({ length: count }, (_, index) =>
          aScheduledAppointment({ id: `${prefix}-${index}`, start: noon + (index % 5) * days(1) }),
        );
      await Promise.all(make(60, 'first').map((next) => store.commit(insertion(next))));
      const other = kind.shared ? knexStore({ knex: database.another() }) : store;
      await Promise.all([
        ...make(60, 'second').map((next) => store.commit(insertion(next))),
        ...[store, other, store, other].map((each) => each.appointments.foldCounts?.(25)),
        ...[store, other].map((each) => each.appointments.repairCounts?.()),
      ]);
      expect((await store.appointments.list(listQuery('org-1', { pageSize: 1 }))).total).toBe(120);
      while ((await fold(50)) > 0);
      expect((await store.appointments.list(listQuery('org-1', { pageSize: 1 }))).total).toBe(120);
      expect(await repair()).toBe(0);
    },
  );

  it('totals and counts are put right by a repair, for every organization and a portion at a time', async () => {
    const made = Array.from({ length: 50 }, (_, index) =>
      aScheduledAppointment({ organizationId: `org-${index}`, id: 'one', start: noon }),
    );
    for (const next of made) await store.commit(insertion(next));
    await fold(30);
    // As somebody leaves it who deletes rows of appointments and of counts by hand.
    await database.knex('calends_appointments').where({ organization_id: 'org-7' }).del();
    await database.knex('calends_counts').where({ organization_id: 'org-8' }).del();
    await database.knex('calends_count_changes').where({ organization_id: 'org-45' }).update({ amount: 5 });
    const total = async (organizationId: string): Promise<number> =>
      (await store.appointments.list(listQuery(organizationId))).total;
    expect(await Promise.all(['org-7', 'org-8', 'org-45'].map(total))).toEqual([1, 0, 5]);
    const first = await store.appointments.repairCounts?.();
    expect(first?.next).toBeDefined();
    await repair();
    expect(await Promise.all(['org-7', 'org-8', 'org-45', 'org-9'].map(total))).toEqual([0, 1, 1, 1]);
    expect(await repair()).toBe(0);
  });

  it('totals and counts are put right by a repair where only those of a duration are wrong', async () => {
    for (const [index, duration] of [minutes(30), minutes(30), minutes(45)].entries())
      await store.commit(insertion(aScheduledAppointment({ id: `a-${index}`, start: noon, duration })));
    await fold(2);
    // Of the sum nothing is missing.
    await database.knex('calends_duration_counts').where({ organization_id: 'org-1' }).del();
    const totals = (): Promise<readonly number[]> =>
      Promise.all(
        [undefined, [minutes(30)], [minutes(45)]].map(
          async (durations) => (await store.appointments.list(listQuery('org-1', { durations }))).total,
        ),
      );
    expect(await totals()).toEqual([3, 0, 1]);
    expect(await repair()).toBeGreaterThan(0);
    expect(await totals()).toEqual([3, 2, 1]);
    while ((await fold(1)) > 0);
    expect(await totals()).toEqual([3, 2, 1]);
    expect(await repair()).toBe(0);
  });

  it('totals and counts are added up by commits themselves where no worker does', { timeout: 60_000 }, async () => {
    const { knex } = database;
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      organization_id: 'org-9',
      application_id: 'app-1',
      day: noon - hours(12),
      state: 'SCHEDULED',
      amount: index % 2 === 0 ? 1 : -1,
    }));
    await knex.batchInsert('calends_count_changes', rows, 500);
    const waiting = async (): Promise<number> =>
      Number((await knex('calends_count_changes').count({ count: '*' }).first())?.count);
    let next: Appointment = aScheduledAppointment({ start: noon });
    const fresh = knexStore({ knex });
    await fresh.commit(insertion(next));
    // Nothing of these changes is counted: what waits only gets fewer.
    for (let count = 0; count < 498; count += 1) await fresh.commit(update((next = nextVersion(next))));
    expect(await waiting()).toBe(10_001);
    await fresh.commit(update(nextVersion(next)));
    expect(await waiting()).toBe(9001);
    expect((await fresh.appointments.list(listQuery('org-1'))).total).toBe(1);
  });
});

describeEach('counts beside programs that know nothing of them', (kind) => {
  it('counts beside programs that know nothing of them are answered only once those write no more, and what they wrote was counted', async () => {
    const database = await kind.openBare();
    try {
      const { knex } = database;
      await migrateThrough(knex, migrations.slice(0, 6));
      let written = 0;
      /** As a program of before writes it. */
      const byOlder = async (): Promise<void> => {
        const next = aScheduledAppointment({ id: `older-${(written += 1)}`, start: noon });
        const values = appointmentTable.values(next, { wakeAt: null });
        await knex('calends_appointments').insert(
          Object.fromEntries(appointmentTable.names.map((name, index) => [name, values[index]])),
        );
      };
      let now = 0;
      const store = storeOf({ knex }, { steps: migrations, monotonic: () => now });
      const told = async (): Promise<readonly unknown[]> => {
        now += 1000;
        const windows = [{ from: noon - days(1), to: noon + days(2) }];
        const { total } = await store.appointments.list(listQuery('org-1', { ranges: windows }));
        const taking = listQuery('org-1', { ranges: windows, durations: [hours(1)] });
        const { total: ofAnHour } = await store.appointments.list(taking);
        const asked = { organizationId: 'org-1', applicationId: 'app-1', windows };
        return [total, ofAnHour, ...(await store.appointments.countStarting(asked))];
      };
      await byOlder();
      expect(await told()).toEqual([1, 1, 1]);
      // All but the contracting steps.
      const expanding = migrations.filter(({ kind: kindOfStep }) => kindOfStep === 'expand');
      await migrateThrough(knex, expanding);
      await byOlder();
      // As a program of between: it counts what it writes, and no durations.
      await byOlder();
      const place = { organization_id: 'org-1', application_id: 'app-1', day: noon - hours(12), state: 'SCHEDULED' };
      await knex('calends_count_changes').insert({ ...place, amount: 1 });
      const own = aScheduledAppointment({ id: 'own', start: noon });
      await store.commit(insertion(own));
      await store.appointments.foldCounts?.(10);
      await store.commit(insertion(aScheduledAppointment({ id: 'own-2', start: noon })));
      expect(await told()).toEqual([5, 5, 5]);
      expect(await migrateThrough(knex, migrations, { contractAfter: 0 })).toEqual({
        applied: [countsLead, durationCountsLead],
      });
      expect(await told()).toEqual([5, 5, 5]);
      // Only what was counted is told from now on.
      await knex('calends_appointments').where({ id: 'older-1' }).del();
      expect(await told()).toEqual([5, 5, 5]);
      expect(await store.appointments.repairCounts?.()).toEqual({ repaired: 1 });
      expect(await told()).toEqual([4, 4, 4]);
      await store.appointments.foldCounts?.(100);
      expect(await told()).toEqual([4, 4, 4]);
    } finally {
      await database.drop();
    }
  });
});
