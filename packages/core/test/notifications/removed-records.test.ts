import { describe, expect, it } from 'vitest';
import { days, hours, minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { CustomerSelection } from '../../src/operations.js';
import type { Notification } from '../../src/store.js';
import { payloadOf } from '../../src/delivery/step.js';
import {
  agentOne,
  booked,
  type Fixture,
  fixture,
  type FixtureOptions,
  foreignSupervisor,
  supervisor,
} from '../fixtures.js';
import { everything, type Notified, notified, reachable } from './notified.js';
import { notification } from './sample-notification.js';

const noReminders: ConfiguredNotifications = { ...everything, reminders: [] };
const mailsAlone: ConfiguredNotifications = { ...noReminders, sms: undefined, webhooks: [] };
const withReach = { customers: [reachable] };
const missed = { phase: 'DONE', status: 'CANCELLED', message: 'missed delivery window', attempts: 0 };

/** Another process on the same data that has no notifier at all. */
function without(base: Fixture, settings: ConfiguredNotifications): Fixture {
  const applications = { 'app-1': { notifications: settings } };
  return fixture({ applications, store: base.store, clock: base.clock, ids: base.ids, random: { next: () => 0.5 } });
}

/** A record that was removed, its last messages not yet looked at. */
async function removed(settings: ConfiguredNotifications): Promise<Notified> {
  const base = notified(settings);
  const { id } = await booked(base, withReach);
  await base.work();
  await base.appointments.remove(supervisor, id);
  return base;
}

/** Rows, and that none is over and keeps anything. */
async function rows({ store }: Fixture, type = 'CANCELLED'): Promise<readonly Notification[]> {
  const { items } = await store.notifications.list({
    organizationId: 'org-1',
    applicationId: 'app-1',
    scope: { kind: 'all' },
    types: [type as Notification['type']],
    sortField: 'id',
    sortOrder: 'asc',
    pageNumber: 1,
    pageSize: 1000,
  });
  const found = items.map((item) => item.notification);
  for (const { phase, kept } of found) if (phase === 'DONE') expect(kept).toBeUndefined();
  return found;
}

/** One pass of its workers after a time. */
async function passAfter(process: Fixture, milliseconds: number): Promise<void> {
  process.clock.advance(milliseconds);
  await process.scheduling.workers.runOnce();
}

describe('The last message of a removed record where no process has a notifier (ADR 0022)', () => {
  it('the last message of a removed record ends after a day, and its profile goes; a web hook ends after a week', async () => {
    const base = await removed(noReminders);
    const process = without(base, noReminders);
    await passAfter(process, days(1));
    const waiting = await rows(base);
    expect(waiting.map(({ channel, status }) => [channel, status])).toEqual([
      ['EMAIL', 'INITIALIZED'],
      ['SMS', 'INITIALIZED'],
      ['WEBHOOKS', 'INITIALIZED'],
    ]);
    expect(payloadOf(waiting[0] ?? notification()).customer).toBeDefined();
    await passAfter(process, hours(13));
    const at = base.clock.now();
    const [email, sms, webhook] = await rows(base);
    expect([email, sms]).toMatchObject([
      { ...missed, updatedAt: at },
      { ...missed, updatedAt: at },
    ]);
    expect(webhook).toMatchObject({ phase: 'READY', attempts: 0 });
    expect(process.signals.filter(({ type }) => type === 'notificationSettled')).toMatchObject([
      { channel: 'EMAIL', outcome: 'missed', attempt: false },
      { channel: 'SMS', outcome: 'missed', attempt: false },
    ]);
    for (let day = 0; day < 7; day += 1) await passAfter(process, days(1));
    expect((await rows(base))[2]).toMatchObject(missed);
  });

  it('the last message of a removed record ends also after an attempt, and after a claim that ended without a word', async () => {
    const base = await removed({ ...noReminders, webhooks: [] });
    base.email.answers({ status: 'failed', permanent: false, error: 'SMTP 451' });
    await base.store.notifications.claim({ channel: 'SMS', limit: 1, leaseFor: seconds(25), now: base.clock.now() });
    await base.work();
    const process = without(base, noReminders);
    for (let day = 0; day < 3; day += 1) await passAfter(process, days(1));
    expect(await rows(base)).toMatchObject([
      { ...missed, channel: 'EMAIL', attempts: 1 },
      { ...missed, channel: 'SMS', attempts: 1 },
    ]);
    const history = await base.history((await rows(base))[1]?.id);
    expect(history.map(({ message }) => message)).toEqual([
      'planned',
      'previous attempt had no known outcome',
      'missed delivery window',
    ]);
  });

  it('the last message of a removed record ends however many other messages wait before it', async () => {
    const base = notified(mailsAlone);
    const add = Array.from({ length: 600 }, (_, index) => {
      const id = `019a3f5b-0000-7000-8000-${String(index).padStart(12, '0')}`;
      const next = notification({ id, dedupeKey: id, createdAt: base.clock.now(), wakeAt: base.clock.now() });
      const event = {
        number: 1,
        timestamp: next.createdAt,
        status: next.status,
        attempts: 0,
        pollAttempts: 0,
      } as const;
      return { next, events: [event] };
    });
    await base.store.commit({ organizationId: 'org-1', events: [], notifications: { add } });
    base.clock.advance(minutes(1));
    const { id } = await booked(base, withReach);
    await base.appointments.remove(supervisor, id);
    const process = without(base, mailsAlone);
    base.clock.advance(days(1) + minutes(1));
    for (let passes = 0; passes < 3; passes += 1) await passAfter(process, minutes(1));
    expect(await rows(base)).toMatchObject([missed]);
  });

  it('the last message of a removed record leaves other messages to anyone who has a notifier, as if nobody had looked, and overdue for health pages', async () => {
    const base = notified(mailsAlone);
    await booked(base, { ...withReach, start: '2030-05-20T11:00:00Z' });
    const process = without(base, mailsAlone);
    for (let day = 0; day < 5; day += 1) await passAfter(process, days(1));
    const [backlog] = await base.store.notifications.backlog();
    expect(backlog).toMatchObject({ channel: 'EMAIL', phase: 'READY', count: 1 });
    expect(base.clock.now() - (backlog?.oldestWakeAt ?? Infinity)).toBeGreaterThanOrEqual(hours(12));
    await base.work();
    expect(base.email.types).toEqual(['CREATE']);
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED', retryCount: 1 }]);
    expect((await base.history()).map(({ status }) => status)).toEqual(['INITIALIZED', 'DELIVERED']);
  });
});

describe('The last message of a removed record whose settings cannot be read', () => {
  it('the last message of a removed record whose settings cannot be read ends after a day, and its profile goes', async () => {
    let isDown = false;
    const find = (): object => {
      if (isDown) throw new Error('down');
      return { notifications: mailsAlone };
    };
    const base = notified(mailsAlone, { applications: { find } });
    const { id } = await booked(base, withReach);
    await base.appointments.remove(supervisor, id);
    const other = await booked(base, { ...withReach, start: '2030-05-20T11:00:00Z' });
    isDown = true;
    await base.after(days(1));
    expect((await rows(base))[0]?.kept).toBeDefined();
    await base.after(seconds(30));
    expect(await rows(base)).toMatchObject([missed]);
    isDown = false;
    await base.after(seconds(30));
    expect(base.email.types).toEqual(['CREATE']);
    expect(await base.appointments.get(agentOne, other.id)).toMatchObject({ state: 'SCHEDULED' });
  });
});

describe('The last message of a removed record whose customer is erased', () => {
  const other = { contact: { primaryEmail: 'other@example.org' } };
  const named = { ...reachable, username: 'maria-1' };
  const isOut: ConfiguredNotifications = { ...noReminders, webhooks: [] };

  /** A record of two customers that was removed while no provider takes anything. */
  async function removedInVain(options: FixtureOptions = {}) {
    const base = notified(isOut, { worker: { settleWait: 0 }, ...options });
    const { id, participants } = await booked(base, { customers: [named, other] });
    await base.work();
    const refusal = { status: 'failed', permanent: false, error: 'down' } as const;
    base.email.answers(refusal);
    base.sms.answers(refusal);
    await base.appointments.remove(supervisor, id);
    const participantId = participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
    const recover = async (): Promise<readonly string[]> => {
      base.email.answers({ status: 'delivered' });
      base.sms.answers({ status: 'delivered' });
      base.email.sent.splice(0);
      base.sms.sent.splice(0);
      await base.after(hours(1));
      return [
        ...base.email.sent.map(({ message }) => message.to.address),
        ...base.sms.sent.map(({ message }) => message.to),
      ];
    };
    return { base, id, participantId, recover, customers: base.scheduling.customers };
  }

  const selections: readonly (readonly [string, (of: { id: string; participantId: string }) => CustomerSelection])[] = [
    ['an e-mail address in other letters', () => ({ primaryEmail: 'MARIA@example.org' })],
    ['a phone number', () => ({ primaryPhone: '+30 6900000000' })],
    ['a user name', () => ({ username: 'maria-1' })],
    ['the participant', ({ id: appointmentId, participantId }) => ({ appointmentId, participantId })],
  ];

  it.each(selections)(
    'the last message of a removed record is taken back when the customer is erased by %s, with all that it keeps of them',
    async (_by, of) => {
      const { base, customers, recover, ...made } = await removedInVain();
      await base.work();
      expect(await customers.erase(supervisor, of(made))).toBe(1);
      const left = (await rows(base)).filter(({ kept }) => kept !== undefined);
      expect(left.map((row) => payloadOf(row).customer?.primaryEmail)).toEqual(['other@example.org']);
      expect(JSON.stringify(await rows(base))).not.toMatch(/maria/i);
      const erased = (await rows(base)).filter(({ phase }) => phase === 'DONE');
      expect(erased.map(({ channel, status, message }) => [channel, status, message])).toEqual([
        ['EMAIL', 'CANCELLED', 'the personal data of the customer was removed'],
        ['SMS', 'CANCELLED', 'the personal data of the customer was removed'],
      ]);
      expect(await recover()).toEqual(['other@example.org']);
      const { items } = await base.scheduling.audit.list(supervisor, { appointmentId: made.id });
      expect(items.filter(({ operation }) => operation === 'eraseCustomer')).toHaveLength(1);
    },
  );

  it.each(selections)(
    'the last message of a removed record is found by an export of the customer by %s, and by no export once they are erased',
    async (_by, of) => {
      const { customers, ...made } = await removedInVain();
      const { records } = await customers.export(supervisor, of(made));
      expect(records).toMatchObject([
        {
          profile: { username: 'maria-1', participantId: made.participantId },
          appointment: { id: made.id, participants: [{ id: made.participantId }] },
          audit: [{ operation: 'exportCustomer' }],
        },
      ]);
      expect(records[0]?.notifications.filter(({ type }) => type === 'CANCELLED')).toHaveLength(2);
      expect(JSON.stringify(records)).not.toContain('other@example.org');
      await customers.erase(supervisor, of(made));
      const again = () => customers.export(supervisor, of(made)).then((found) => found.records.length);
      expect(await again().catch(codeOf)).toBe('participantId' in of(made) ? 'not_found' : 0);
      const erase = () => customers.erase(supervisor, of(made));
      expect(await erase().catch(codeOf)).toBe('participantId' in of(made) ? 'not_found' : 0);
    },
  );

  it.each(selections)(
    'the last message of a removed record is out of reach for other organizations, by %s',
    async (_by, of) => {
      const { customers, recover, ...made } = await removedInVain();
      const erase = () => customers.erase(foreignSupervisor, of(made));
      expect(await erase().catch(codeOf)).toBe('participantId' in of(made) ? 'not_found' : 0);
      expect(await recover()).toEqual(['maria@example.org', 'other@example.org', '+306900000000']);
    },
  );

  it('the last message of a removed record is not tried again where it is being sent while the customer is erased', async () => {
    const { base, customers, recover } = await removedInVain();
    let erasing: Promise<number> | undefined;
    base.email.answers(async ({ to }) => {
      if (to.address === 'maria@example.org') erasing ??= customers.erase(supervisor, { primaryEmail: to.address });
      await erasing;
      return { status: 'failed', permanent: false, error: 'down' };
    });
    await base.work();
    expect(await erasing).toBe(1);
    expect(JSON.stringify(await rows(base))).not.toMatch(/maria/i);
    expect(await recover()).toEqual(['other@example.org']);
  });

  it('the last message of a removed record is taken back together with the profiles of records that are there, however many there are', async () => {
    const base = notified(isOut);
    for (let made = 0; made < 3; made += 1) await booked(base, { customers: [named] });
    for (let made = 0; made < 105; made += 1) {
      const { id } = await booked(base, { customers: [named] });
      await base.appointments.remove(supervisor, id);
    }
    expect(await base.scheduling.customers.erase(supervisor, { username: 'maria-1' })).toBe(108);
    expect((await rows(base)).every(({ kept }) => kept === undefined)).toBe(true);
  });
});

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
