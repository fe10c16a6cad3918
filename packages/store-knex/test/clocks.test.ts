import { type Caller, createScheduling } from '@calends/core';
import type { Notifier, SmsMessage, WebhookMessage } from '@calends/core/notifier';
import type { Change } from '@calends/core/store';
import { aHold, anEvent, aScheduledAppointment, insertion, notification, written } from '@calends/store-conformance';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';

const hour = 3_600_000;
const agent: Caller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] };

/** A booking by a process whose clock says `now`, with a message that goes at once and one an hour later. */
function bookedAt(now: number): Change {
  const next = aScheduledAppointment({ id: `at-${String(now)}` });
  const row = (id: string, wakeAt: number) => written(notification({ id, appointmentId: next.id, wakeAt }));
  return {
    ...insertion(next, {
      events: [anEvent(next, { occurredAt: now })],
      notifications: { add: [row('at-once', now), row('later', now + hour)] },
    }),
    now,
  };
}

describeEach(
  'a process whose clock is two hours fast (D80)',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await openDatabase(kind);
    });
    afterEach(async () => {
      vi.useRealTimers();
      await database.drop();
    });
    const claim = { channel: 'EMAIL', limit: 10, leaseFor: hour } as const;

    it('a process whose clock is two hours fast has what is due now sent now, by the clock of the store, and nothing earlier than that', async () => {
      const right = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: right + 2 * hour });
      const store = knexStore({ knex: database.knex });
      expect(await store.commit(bookedAt(Date.now()))).toEqual({ status: 'committed' });
      const { claimed } = await store.notifications.claim(claim);
      expect(claimed.map(({ notification: { id } }) => id)).toEqual(['at-once']);
      expect(claimed[0]?.dueAt).toBeGreaterThan(right - hour);
      const events = await store.events.claim({ now: right + hour, limit: 10, leaseUntil: right + 2 * hour });
      expect(events).toHaveLength(1);
    });

    it('a process whose clock is two hours fast since its last commit has what is due now sent now, too', async () => {
      const right = Date.now();
      const store = knexStore({ knex: database.knex });
      await store.commit(bookedAt(right));
      vi.useFakeTimers({ toFake: ['Date'], now: right + 2 * hour });
      await store.commit(bookedAt(Date.now()));
      const events = await store.events.claim({ now: right + hour, limit: 10, leaseUntil: right + 2 * hour });
      expect(events).toHaveLength(2);
    });

    it('a process whose clock is two hours fast has a hold end by the clock of the store, as long from now as it was to live', async () => {
      const right = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: right + 2 * hour });
      const store = knexStore({ knex: database.knex });
      const add = aHold({ until: Date.now() + hour });
      const { organizationId } = add;
      await store.commit({ organizationId, events: [], holds: { add }, now: Date.now() });
      const until = (await store.availability?.findHold(organizationId, add.id))?.until ?? 0;
      expect(Math.abs(until - right - hour)).toBeLessThan(hour / 2);
      await store.commit({
        organizationId,
        events: [],
        holds: { release: [add.id], add: aHold({ ...add, id: 'over', until: right + hour }) },
        now: Date.now(),
      });
      const use = { organizationId, events: [], holds: { consume: 'over' } };
      expect(await store.commit(use)).toEqual({ status: 'holdLost' });
    });

    it('a process whose clock is two hours fast ends no appointment that has not begun, and those that are over', async () => {
      const process = () =>
        createScheduling({
          store: knexStore({ knex: database.knex }),
          secret: 'a secret of at least thirty-two bytes',
          applications: { 'app-1': { allowPastStart: true } },
        });
      const { appointments } = process();
      const right = Date.now();
      const starts = [right + hour, right - 2 * hour].map((start) => new Date(start).toISOString());
      const booking = {
        applicationId: 'app-1',
        duration: 'PT30M',
        timezone: 'UTC',
        customers: [{ username: 'maria' }],
      };
      const made = await Promise.all(starts.map((start) => appointments.schedule(agent, { ...booking, start })));
      vi.useFakeTimers({ toFake: ['Date'], now: right + 2 * hour });
      await process().workers.runOnce();
      const after = await Promise.all(made.map(({ id }) => appointments.get(agent, id)));
      expect(after.map(({ interaction }) => interaction.state)).toEqual(['PENDING', 'NO_SHOW']);
    });

    it('a process whose clock is two hours fast has an event that a subscriber refused tried again a second later, by whichever process', async () => {
      const right = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: right + 2 * hour });
      const store = knexStore({ knex: database.knex });
      const { appointments, events, workers } = createScheduling({
        store,
        secret: 'a secret of at least thirty-two bytes',
      });
      events.subscribe(() => Promise.reject(new Error('The subscriber is not ready.')));
      const booking = {
        applicationId: 'app-1',
        duration: 'PT30M',
        timezone: 'UTC',
        customers: [{ username: 'maria' }],
      };
      await appointments.schedule(agent, { ...booking, start: '2999-05-06T09:00:00Z' });
      await workers.runOnce();
      const again = await store.events.claim({ now: right + hour, limit: 10, leaseUntil: right + 2 * hour });
      expect(again.map(({ attempts }) => attempts)).toEqual([2]);
    });

    it('a process whose clock is two hours fast has a message sent again now whose failure its provider reports, after a retry by hand has asked for that', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hour });
      const sent: string[] = [];
      const sms: Notifier<SmsMessage> = {
        capability: 'none',
        timeout: 1000,
        send: async ({ notificationId }) => {
          const messageId = `m-${sent.push(notificationId)}`;
          return Promise.resolve({ status: 'submitted', messageId, providerStatus: 'queued' });
        },
        fetchStatus: async () => Promise.resolve({ state: 'failed', providerStatus: 'undelivered' }),
      };
      const { appointments, notifications, workers } = createScheduling({
        store: knexStore({ knex: database.knex }),
        secret: 'a secret of at least thirty-two bytes',
        notifiers: { sms },
        applications: { 'app-1': { notifications: { active: true, sms: { from: '+3021000000' }, reminders: [] } } },
      });
      await appointments.schedule(agent, {
        applicationId: 'app-1',
        start: '2999-05-06T09:00:00Z',
        duration: 'PT30M',
        timezone: 'Europe/Athens',
        customers: [{ contact: { primaryPhone: '+302101234567' } }],
      });
      await workers.runOnce();
      const [notificationId = ''] = sent;
      await notifications.retry(agent, notificationId);
      const report = { state: 'failed', messageId: 'm-1', providerStatus: 'undelivered' } as const;
      await notifications.receive({ organizationId: agent.organizationId, notificationId, report });
      await workers.runOnce();
      expect(sent).toEqual([notificationId, notificationId]);
    });

    it('a process whose clock is two hours fast has a change carried out as it stands that says nothing of now', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * hour });
      const store = knexStore({ knex: database.knex });
      await store.commit({ ...bookedAt(Date.now()), now: undefined });
      expect((await store.notifications.claim(claim)).claimed).toEqual([]);
    });
  },
  // SQLite has the clock of the process.
  { families: ['postgres', 'mysql'], shared: true },
);

describeEach(
  'a process whose clock is two hours slow (D80)',
  (kind) => {
    let database: TestDatabase;
    beforeEach(async () => {
      database = await openDatabase(kind);
    });
    afterEach(async () => {
      vi.useRealTimers();
      await database.drop();
    });

    it('a process whose clock is two hours slow replays what has failed for an endpoint until now, by the clock of the store', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hour });
      let calls = 0;
      const webhooks: Notifier<WebhookMessage> = {
        capability: 'idempotent',
        timeout: 1000,
        send: async () => {
          calls += 1;
          return Promise.resolve({ status: 'failed', permanent: true, error: 'The endpoint answered 400.' });
        },
      };
      const crm = { id: 'crm', label: 'CRM', url: 'https://crm.example/', secret: `whsec_${'A'.repeat(32)}` };
      const { appointments, notifications, workers } = createScheduling({
        store: knexStore({ knex: database.knex }),
        secret: 'a secret of at least thirty-two bytes',
        notifiers: { webhooks },
        applications: { 'app-1': { notifications: { active: true, webhooks: [crm], reminders: [] } } },
      });
      await appointments.schedule(agent, {
        applicationId: 'app-1',
        start: '2999-05-06T09:00:00Z',
        duration: 'PT30M',
        timezone: 'Europe/Athens',
        customers: [{ username: 'maria' }],
      });
      await workers.runOnce();
      const since = new Date(Date.now() - hour).toISOString();
      const administrator: Caller = { ...agent, roles: ['ROLE_ADMIN'] };
      const replay = { applicationId: 'app-1', endpointId: 'crm', since };
      const answer = await notifications.replayEndpoint(administrator, replay);
      expect(answer).toMatchObject({ retried: 1, skipped: 0 });
      await workers.runOnce();
      expect(calls).toBe(2);
    });
  },
  // SQLite has the clock of the process.
  { families: ['postgres', 'mysql'], shared: true },
);
