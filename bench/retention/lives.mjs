// Whole lives of appointments: booked, reminded twice, opened, over; every event delivered, the record sealed.
import { createScheduling } from '@calends/core';
import { knexStore } from '@calends/store-knex';

export const organizationId = 'org-1';
export const secret = 'a secret of the benchmark, longer than 32 bytes';
const agent = { id: 'agent-1', organizationId, roles: ['ROLE_AGENT'] };
const minute = 60_000;
const day = 24 * 60 * minute;

/** What the mails of a customer are: the confirmation and two reminders. */
const notifications = { active: true, email: { from: 'no-reply@clinic.example' }, reminders: [day, 30 * minute] };
const nothing = { capability: 'idempotent', timeout: 10_000, send: async () => ({ status: 'delivered' }) };

/** The library with a clock that is set. */
export function libraryOver(knex, more = {}) {
  const clock = { time: Date.now(), now: () => clock.time };
  const scheduling = createScheduling({
    store: knexStore({ knex }),
    secret,
    clock,
    applications: { 'app-1': { notifications, autoActivation: { enabled: true, leadTime: 0 } } },
    notifiers: { email: nothing },
    worker: { slots: { email: 200 }, batchSize: 500 },
    observer: { observe: ({ type, error }) => void (type === 'workerFailed' && console.error(error)) },
    ...more,
  });
  return { scheduling, clock };
}

/** Books one, as typical as can be. */
export const book = (scheduling, start, index) =>
  scheduling.appointments.schedule(
    { ...agent, id: `agent-${index % 50}` },
    {
      applicationId: 'app-1',
      title: 'Consultation about the new contract',
      notes: 'First meeting, please bring the documents.',
      start: new Date(start).toISOString(),
      duration: 'PT30M',
      timezone: 'Europe/Athens',
      locale: 'el-GR',
      metadata: { channel: 'web', priority: 2 },
      customers: [
        {
          contact: { primaryEmail: `customer${index}@example.org`, primaryPhone: '+302100000000' },
          name: { firstName: 'Maria', lastName: 'Papadopoulou' },
        },
      ],
    },
  );

async function inLanes(count, call, lanes = 20) {
  let next = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await call((next += 1));
    }),
  );
}

async function workUntilDone(scheduling) {
  for (let idle = 0; idle < 2;) {
    const { appointments, events, notifications: sent } = await scheduling.workers.runOnce();
    idle = appointments + events + sent === 0 ? idle + 1 : 0;
  }
}

/** Lets so many appointments live. */
export async function live(knex, count) {
  const { scheduling, clock } = libraryOver(knex);
  scheduling.events.subscribe(() => undefined);
  const start = clock.time + 3 * day;
  await inLanes(count, (index) => book(scheduling, start, index));
  for (const time of [clock.time + minute, start - day, start - 30 * minute, start, start + 60 * minute]) {
    clock.time = time;
    await workUntilDone(scheduling);
  }
  clock.time += minute;
  await workUntilDone(scheduling);
  await scheduling.close();
  return clock.time;
}
