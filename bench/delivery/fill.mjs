// Rows to deliver: appointments with one customer, and one web hook notification each.
import { createScheduling } from '@calends/core';

export const organizationId = 'org-1';
const secret = 'a secret of the benchmark, longer than 32 bytes';
const agent = { id: 'agent-1', organizationId, roles: ['ROLE_AGENT'] };

/** An endpoint that takes only what is measured. */
const endpoint = (types) => ({
  id: 'bench',
  label: 'Bench',
  url: 'https://bench.example/hooks',
  secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  types,
});

/** A notifier that does nothing. */
const nothing = { capability: 'idempotent', timeout: 10_000, send: async () => ({ status: 'delivered' }) };

/** The library over a store, with one web hook per appointment, or whatever `notifications` says. */
export function schedulingOver(store, { notifications, slots = 500 } = {}) {
  return createScheduling({
    store,
    secret,
    applications: {
      'app-1': {
        autoActivation: { enabled: false, leadTime: 0 },
        notifications: notifications ?? { active: true, reminders: [], webhooks: [endpoint(['CREATE'])] },
      },
    },
    notifiers: { webhooks: nothing },
    worker: { slots: { webhooks: slots } },
  });
}

/** Does what waits besides notifications, such as sealing the audit record: it is not what is measured. */
export const doTheRest = (store) => createScheduling({ store, secret, applications: {} }).workers.runOnce();

/** Books appointments in some lanes; answers how many a second. */
export async function book(scheduling, count, { lanes = 50, start = '2999-05-04T09:00:00Z' } = {}) {
  let left = count;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left > 0) {
        left -= 1;
        await scheduling.appointments.schedule(agent, {
          applicationId: 'app-1',
          start,
          duration: 'PT30M',
          timezone: 'Europe/Athens',
          customers: [{ contact: { primaryEmail: 'maria@example.org', primaryPhone: '+306900000000' } }],
        });
      }
    }),
  );
  return (count * 1000) / (performance.now() - began);
}

/** Settings under which an appointment has reminders far ahead, three rows in all channels each. */
export const remindersAlone = {
  active: true,
  reminders: [3_600_000],
  webhooks: [endpoint(['REMINDER'])],
};

/** Settings under which a creation plans six rows: mail, SMS, and two reminders of each. */
export const sixRows = {
  active: true,
  email: { from: 'no-reply@clinic.example' },
  sms: { from: '+3021000000' },
};

/** The body of a booking, as both contenders of the planning get it. */
export const bookingBody = (index) => ({
  applicationId: 'app-1',
  title: 'Consultation',
  notes: '',
  start: new Date(Date.UTC(2999, 4, 4) + index * 60_000).toISOString(),
  duration: 'PT30M',
  timezone: 'Europe/Athens',
  locale: 'en',
  metadata: {},
  customers: [
    {
      contact: { primaryEmail: 'maria@example.org', primaryPhone: '+306900000000' },
      name: { firstName: 'Maria', lastName: 'Papadaki' },
    },
  ],
  targetAssignment: { id: 'agent-1', type: 'AGENT' },
});

/** Runs so many calls in lanes; answers how many a second. */
export async function inLanes(count, call, lanes = 50) {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (next < count) await call((next += 1));
    }),
  );
  return (count * 1000) / (performance.now() - began);
}

/** Books through the library. */
export const bookOne = (scheduling) => (index) => scheduling.appointments.schedule(agent, bookingBody(index));
