import { type Caller, createScheduling, type Scheduling } from '@calends/core';
import type { EmailMessage, Notifier } from '@calends/core/notifier';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };
const on = (day: number) => ({ start: `2030-05-0${day}T09:00:00Z`, duration: 'PT30M', timezone: 'Europe/Athens' });
const booking = {
  applicationId: 'app-1',
  customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
  ...on(6),
};
const pairs = 60;

describeEach('Pairs of moves, 0 to 30 ms apart, and two workers', (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase(kind);
  });
  afterAll(() => database.drop());

  it('two workers never hand the old time over last (D71)', async () => {
    const store = knexStore({ knex: database.knex });
    /** What was handed over, by appointment, in the order in which the provider had it. */
    const handedOver = new Map<string, string[]>();
    const begun = new Set<string>();
    const email: Notifier<EmailMessage> = {
      capability: 'none',
      timeout: 10_000,
      send: async ({ appointmentId = '', type, subject }) => {
        if (type !== 'RESCHEDULE') return { status: 'delivered' };
        // The first one is on its way for as long as the second one may be later.
        const isFirst = !begun.has(appointmentId);
        begun.add(appointmentId);
        if (isFirst) await setTimeout(30);
        handedOver.set(appointmentId, [...(handedOver.get(appointmentId) ?? []), subject]);
        return { status: 'delivered' };
      },
    };
    const options = {
      store,
      secret: 'a secret of at least thirty-two bytes',
      notifiers: { email },
      applications: {
        'app-1': { notifications: { active: true, email: { from: 'no-reply@clinic.example' }, reminders: [] } },
      },
      worker: { settleWait: 0, interval: 20, slots: { email: 20 } },
    };
    const processes: readonly [Scheduling, Scheduling] = [createScheduling(options), createScheduling(options)];
    const [{ appointments }] = processes;
    for (const { workers } of processes) workers.start();
    const idle = async (): Promise<void> => {
      while ((await store.notifications.backlog()).length > 0) await setTimeout(5);
    };
    const ids: string[] = [];
    for (let made = 0; made < pairs; made += 1) ids.push((await appointments.schedule(agent, booking)).id);
    await idle();
    const left = [...ids.entries()];
    const lane = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [index, id] = next;
        await appointments.reschedule(agent, { id, ...on(7) });
        await setTimeout((index * 13) % 31);
        // However slow the database is, the message of the first move is on its way in some pairs.
        while (index % 6 === 0 && !begun.has(id)) await setTimeout(1);
        await appointments.reschedule(agent, { id, ...on(8) });
      }
    };
    await Promise.all(Array.from({ length: 10 }, lane));
    await idle();
    await Promise.all(processes.map((process) => process.close()));
    const last = new Set(ids.map((id) => handedOver.get(id)?.at(-1) ?? 'nothing'));
    expect(last.size).toBe(1);
    expect([...last][0]).toMatch(/8/);
    // Not because the first one was always taken back.
    expect([...handedOver.values()].filter(({ length }) => length === 2).length).toBeGreaterThan(0);
  });
});
