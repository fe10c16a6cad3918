import { type Caller, createScheduling, type Scheduling, type Signal } from '@calends/core';
import type { Notification, SchedulingStore } from '@calends/core/store';
import { deliveryEventQuery, notificationQuery } from '@calends/store-conformance';
import { expect } from 'vitest';

const organizationId = 'org-1';
const agent: Caller = { id: 'agent-1', organizationId, roles: ['ROLE_AGENT'] };
const endpoint = {
  id: 'crm',
  label: 'CRM',
  url: 'https://crm.example/hooks',
  secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  types: ['CREATE' as const],
};
/** Milliseconds that a claim lasts, and one more. */
const longerThanAClaim = 25_001;

/** The time and the ids that several processes share. */
export class World {
  #time = Date.parse('2030-05-06T08:00:00Z');
  #count = 0;
  readonly clock = { now: (): number => this.#time };
  readonly ids = {
    next: (): string => `019a3f5c-0000-7000-8000-${(this.#count += 1).toString(16).padStart(12, '0')}`,
  };
  /** Idempotency keys that the provider was given, in order. */
  readonly sent: string[] = [];

  letClaimsRunOut(): void {
    this.#time += longerThanAClaim;
  }
}

/** A process that delivers web hooks, to a provider inside of it. */
export class DeliveringProcess {
  readonly scheduling: Scheduling;
  /** What the provider does before it answers that it has delivered. */
  beforeAnswer: () => Promise<void> | void = () => undefined;
  /** Outcomes that it told, in order. */
  readonly told: string[] = [];
  readonly #world: World;
  #watchers: ((signal: Signal) => void)[] = [];

  constructor(world: World, store: SchedulingStore) {
    this.#world = world;
    const { clock, ids, sent } = world;
    const send = async (_message: unknown, { idempotencyKey }: { readonly idempotencyKey: string }) => {
      sent.push(idempotencyKey);
      await this.beforeAnswer();
      return { status: 'delivered' as const };
    };
    this.scheduling = createScheduling({
      store,
      clock,
      ids,
      secret: 'a secret of at least thirty-two bytes',
      applications: { 'app-1': { notifications: { active: true, reminders: [], webhooks: [endpoint] } } },
      notifiers: { webhooks: { capability: 'idempotent', timeout: 10_000, send } },
      worker: { interval: 20, slots: { webhooks: 100 } },
      observer: {
        observe: (signal) => {
          if (signal.type === 'notificationSettled') this.told.push(signal.outcome);
          for (const watch of this.#watchers) watch(signal);
        },
      },
    });
  }

  /** Delivers one message of another organization: a process that has delivered none claims little first. */
  async warmUp(): Promise<this> {
    await this.book(1, { ...agent, organizationId: 'org-0' });
    await this.scheduling.workers.runOnce();
    for (const seen of [this.#world.sent, this.told]) seen.length = 0;
    return this;
  }

  /** Books appointments, with a web hook each. */
  async book(count: number, by = agent): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      await this.scheduling.appointments.schedule(by, {
        applicationId: 'app-1',
        start: '2030-05-07T09:00:00Z',
        duration: 'PT30M',
        timezone: 'Europe/Athens',
        customers: [{ contact: { primaryEmail: 'maria@example.org' } }],
      });
    }
  }

  /** The fault with which the loop of the web hooks fails next. */
  nextLoopFault(): Promise<unknown> {
    return new Promise((resolve) => {
      this.#watchers.push((signal) => {
        if (signal.type === 'workerFailed' && signal.job === 'delivery WEBHOOKS') resolve(signal.error);
      });
    });
  }
}

/** Looks until something is so; lets the process do other things in between. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}

/** Until a worker looks at nothing any more: every row is in its last state. */
export const untilNothingWaits = (store: SchedulingStore): Promise<void> =>
  until(async () => (await store.notifications.backlog()).length === 0);

/** Until every notification is as it should be. */
export const untilEach = (store: SchedulingStore, isSo: (row: Notification) => boolean): Promise<void> =>
  until(async () => (await notificationsIn(store)).every(isSo));

async function notificationsIn(store: SchedulingStore): Promise<readonly Notification[]> {
  const { items } = await store.notifications.list(notificationQuery(organizationId));
  return items.map(({ notification }) => notification);
}

/** What the history says of each notification, in the order of their ids. */
export async function historyIn(store: SchedulingStore): Promise<readonly (readonly string[])[]> {
  const { items } = await store.notifications.listEvents(deliveryEventQuery(organizationId));
  const rows = await notificationsIn(store);
  return rows.map(({ id, eventCount }) => {
    const events = items.filter(({ notification }) => notification.id === id).map(({ event }) => event);
    expect(events.map(({ number }) => number)).toEqual(Array.from({ length: eventCount }, (_, index) => index + 1));
    return events.map(({ status, message }) => `${status} ${message ?? ''}`);
  });
}

/** Fails unless every notification was delivered, under its own key only, each sent so often. */
export async function expectDelivered(store: SchedulingStore, { sent }: World, times: number): Promise<void> {
  const rows = await notificationsIn(store);
  expect(rows.filter(({ status, phase }) => status !== 'DELIVERED' || phase !== 'DONE')).toEqual([]);
  expect([...sent].sort()).toEqual(rows.flatMap(({ id }) => Array.from({ length: times }, () => id)).sort());
}
