import { CalendsError, createScheduling, type Caller, type Scheduling } from '@calends/core';
import type { Notification, SchedulingStore } from '@calends/core/store';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { knexStore, migrate } from '../src/index.js';
import type { TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { unreliableProvider } from './torture/provider.js';
import { type DyingWorkers, dyingWorkers } from './torture/workers.js';

const organizationId = 'org-1';
const agent: Caller = { id: 'agent-1', organizationId, roles: ['ROLE_AGENT'] };
const secret = 'a secret of at least thirty-two bytes';

const appointments = 3000;
/** Milliseconds between the making of an appointment and its reminder. */
const remindedAfter = 10_000;
const ahead = 3_600_000;
const timeout = 500;
const settings = {
  applications: {
    'app-1': {
      allowPastStart: true,
      autoActivation: { enabled: false, leadTime: 0 },
      notifications: {
        active: true,
        email: { from: 'no-reply@clinic.example' },
        reminders: [ahead],
        retry: { email: [100, 200, 400, 800, 1600, 3200] },
        lateness: { reminder: 600_000 },
      },
    },
  },
  secret,
  timeout,
  worker: { deliveryLease: timeout + 5000, slots: { email: 20 }, interval: 200 },
};

/** What a slow machine reaches too, on which a process takes more than a second to start. */
const minKills = 15;
/** When a call that took a message back had returned, by appointment. */
type Returned = Map<
  string,
  | { readonly at: number; readonly what: 'cancelled' }
  /** `due`: when the reminder of the new schedule is to go out. */
  | { readonly at: number; readonly what: 'rescheduled'; readonly due: number }
>;

/** Makes the appointments, each with a reminder a while later, and disturbs two thirds of them around it. */
async function makeAndDisturb(scheduling: Scheduling): Promise<Returned> {
  const returned: Returned = new Map();
  const disturbances: Promise<void>[] = [];
  const lanes = 10;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let index = lane; index < appointments; index += lanes) {
        const due = Date.now() + remindedAfter;
        const { id } = await scheduling.appointments.schedule(agent, booking(due));
        disturbances.push(disturb(scheduling, { id, index, due }, returned));
      }
    }),
  );
  await Promise.all(disturbances);
  return returned;
}

/** Cancels every third appointment, and moves every third, within 300 ms around its reminder. */
async function disturb(
  scheduling: Scheduling,
  { id, index, due }: { readonly id: string; readonly index: number; readonly due: number },
  returned: Returned,
): Promise<void> {
  if (index % 3 === 0) return;
  await setTimeout(Math.max(0, due + ((index * 53) % 601) - 300 - Date.now()));
  if (index % 3 === 1) {
    await scheduling.appointments.cancel(agent, { id });
    returned.set(id, { at: Date.now(), what: 'cancelled' });
    return;
  }
  const next = Date.now() + remindedAfter / 2;
  await scheduling.appointments.reschedule(agent, { id, ...schedule(next) });
  returned.set(id, { at: Date.now(), what: 'rescheduled', due: next });
}

const schedule = (due: number) => ({
  start: new Date(due + ahead).toISOString(),
  duration: 'PT30M',
  timezone: 'Europe/Athens',
});

const booking = (due: number) => ({
  applicationId: 'app-1',
  customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
  ...schedule(due),
});

async function everyNotification(store: SchedulingStore): Promise<readonly Notification[]> {
  const found: Notification[] = [];
  for (let pageNumber = 1; ; pageNumber += 1) {
    const page = { sortField: 'id', sortOrder: 'asc', pageNumber, pageSize: 1000 } as const;
    const scope = { kind: 'all' } as const;
    const { items } = await store.notifications.list({ organizationId, applicationId: 'app-1', scope, ...page });
    found.push(...items.map(({ notification }) => notification));
    if (items.length < 1000) return found;
  }
}

/** Looks meanwhile whether enough workers were killed: a slow machine starts too few new ones before the last change. */
async function untilNothingWaits(store: SchedulingStore, workers: DyingWorkers): Promise<void> {
  const giveUp = Date.now() + 90_000;
  while ((await store.notifications.backlog()).length > 0) {
    if (workers.kills > minKills) workers.spare();
    if (Date.now() > giveUp) {
      const left = JSON.stringify(await store.notifications.backlog());
      throw new Error(`left waiting: ${left}; the workers said: ${workers.complaints().slice(0, 2000)}`);
    }
    await setTimeout(250);
  }
}

/**
 * A message whose workers were killed three times while they had it has failed and says so: somebody retries it by
 * hand, where its appointment still wants it.
 */
async function retryWhatItsWorkersTookAlong(scheduling: Scheduling, rows: readonly Notification[]): Promise<void> {
  const lost = rows.filter(({ status }) => status === 'FAILED');
  expect(lost.filter(({ message, lostClaims }) => message !== 'worker lost' || lostClaims < 3)).toEqual([]);
  expect(lost.length).toBeLessThan(rows.length / 50);
  for (const { id } of lost) {
    await scheduling.notifications.retry(agent, id).catch((error: unknown) => {
      if (!CalendsError.is(error) || error.code !== 'retry_not_allowed') throw error;
    });
  }
}

async function torture(database: TestDatabase, url: string): Promise<void> {
  await migrate(database.knex);
  const store = knexStore({ knex: database.knex });
  const provider = await unreliableProvider();
  const { applications, worker } = settings;
  const scheduling = createScheduling({ store, secret, applications, worker });
  const workers = await dyingWorkers(3, [url, provider.url, JSON.stringify(settings)]);
  try {
    const returned = await makeAndDisturb(scheduling);
    await untilNothingWaits(store, workers);
    workers.spare();
    await retryWhatItsWorkersTookAlong(scheduling, await everyNotification(store));
    await untilNothingWaits(store, workers);
    expect(workers.complaints()).toBe('');

    const rows = await everyNotification(store);
    expect(workers.kills).toBeGreaterThan(minKills);
    expectNoneLost(rows, provider.arrivals, returned, appointments);
    expectOneKeyForEachMessage(rows, provider.arrivals);
    expectNoneAfterItsEnd(rows, provider.arrivals, returned);
  } finally {
    await workers.end();
    await provider.close();
  }
}

type Arrivals = Awaited<ReturnType<typeof unreliableProvider>>['arrivals'];

/** Every message that was wanted arrived; what was not sent was taken back. */
function expectNoneLost(rows: readonly Notification[], arrivals: Arrivals, returned: Returned, made: number): void {
  const received = new Set(arrivals.filter(({ answer }) => answer !== 'refused').map(({ key }) => key));
  const cancelled = ({ appointmentId }: Notification): boolean => returned.get(appointmentId)?.what === 'cancelled';
  // What waited for another attempt when the later message began tells nothing any more (D71).
  const superseded = rows.filter(({ message }) => message === 'superseded by a later message');
  expect(
    superseded.filter((row) => row.type !== 'CREATE' || returned.get(row.appointmentId)?.what !== 'rescheduled'),
  ).toEqual([]);
  const isWanted = (row: Notification): boolean =>
    row.type === 'CANCELLED' ||
    (!cancelled(row) &&
      !superseded.includes(row) &&
      !(row.type === 'REMINDER' && row.scheduleVersion === 0 && returned.has(row.appointmentId)));
  const count = (type: string): number => rows.filter((row) => row.type === type).length;

  expect(rows.filter(({ phase }) => phase !== 'DONE')).toEqual([]);
  expect(rows.filter((row) => isWanted(row) && row.status !== 'DELIVERED')).toEqual([]);
  expect(rows.filter(({ status, id }) => status === 'DELIVERED' && !received.has(id))).toEqual([]);
  expect([count('CREATE'), count('CANCELLED'), count('RESCHEDULE')]).toEqual([made, made / 3, made / 3]);
  // One reminder for each appointment, and another one for each that was moved, unless the call took so long on this
  // machine that its time had passed (D49).
  const reminders = rows.filter(({ type }) => type === 'REMINDER');
  const again = new Set(reminders.filter((row) => row.scheduleVersion === 1).map((row) => row.appointmentId));
  expect(reminders).toHaveLength(made + again.size);
  const moved = [...returned].filter(([, end]) => end.what === 'rescheduled' && end.at < end.due);
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.filter(([id]) => !again.has(id))).toEqual([]);
  // The disturbance met messages before, during and after they were sent.
  const overtaken = rows.filter((row) => !isWanted(row));
  expect(overtaken.filter(({ status }) => status === 'DELIVERED').length).toBeGreaterThan(0);
  expect(overtaken.filter(({ status }) => status === 'CANCELLED').length).toBeGreaterThan(0);
}

/** Whatever happened to an attempt, the next one carries the same key, and no two rows are the same message. */
function expectOneKeyForEachMessage(rows: readonly Notification[], arrivals: Arrivals): void {
  const known = new Set(rows.map(({ id }) => id));
  expect(arrivals.filter(({ key }) => !known.has(key))).toEqual([]);
  const messages = new Set(
    rows.map(({ appointmentId, type, scheduledFor, scheduleVersion }) =>
      JSON.stringify([appointmentId, type, scheduledFor, scheduleVersion]),
    ),
  );
  expect(messages.size).toBe(rows.length);
}

/** No send of a message that was taken back begins once the call that did so has returned. */
function expectNoneAfterItsEnd(rows: readonly Notification[], arrivals: Arrivals, returned: Returned): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const late = arrivals.filter(({ key, began }) => {
    const row = byId.get(key);
    const end = row && returned.get(row.appointmentId);
    if (row === undefined || end === undefined || began <= end.at) return false;
    return end.what === 'cancelled' ? row.type !== 'CANCELLED' : row.type === 'REMINDER' && row.scheduleVersion === 0;
  });
  expect(late.map(({ key }) => byId.get(key))).toEqual([]);
}

describeEach(
  'Three workers, one of them killed every 150 to 400 ms, and a provider that fails',
  (kind) => {
    it(
      'three workers, one of them killed now and then, lose no message, double none, and send none for what no longer stands',
      { timeout: 240_000 },
      async () => {
        const database = await kind.openBare();
        try {
          await torture(database, database.url ?? '');
        } finally {
          await database.drop();
        }
      },
    );
  },
  { addressed: true },
);
