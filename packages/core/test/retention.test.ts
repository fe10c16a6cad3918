import { memoryStore } from '@calends/store-memory';
import { describe, expect, it } from 'vitest';
import { days, hours, minutes, seconds } from '@calends/model';
import type { Ids } from '../src/index.js';
import type { SchedulingStore } from '../src/store.js';
import { answerOrCode } from './error-of.js';
import { booked, countedIds, fixture, type Fixture, type FixtureOptions, supervisor } from './fixtures.js';
import { everything, type Notified, notified, reachable } from './notifications/notified.js';

const mails = { ...everything, sms: undefined, webhooks: [], reminders: [] };

/** A booking whose mails are sent and whose time has passed. */
async function settled(options: FixtureOptions = {}): Promise<Notified> {
  const base = notified(mails, options);
  const { schedule } = await booked(base, { customers: [reachable] });
  await base.work();
  base.clock.set(schedule.end);
  await base.work();
  return base;
}

/** Lets days pass, and the workers look. */
async function pass(base: Fixture, time: number): Promise<void> {
  base.clock.advance(time);
  await base.scheduling.workers.runOnce();
}

const removed = ({ upkeep }: Fixture): readonly string[] =>
  upkeep.flatMap((signal) => (signal.type === 'rowsRemoved' ? [`${signal.kind} ${String(signal.count)}`] : []));

const caughtUp = ({ upkeep }: Fixture): readonly string[] =>
  upkeep.flatMap((signal) => (signal.type === 'retentionCaughtUp' ? [signal.kind] : []));

const longAfter = days(400);

/** Ids that no other library over the same store makes. */
function otherIds(variant = '9'): Ids {
  const { next } = countedIds();
  return { next: () => next().replace('8000', `${variant}000`) };
}

describe('Retention of notifications', () => {
  it('notifications and the audit record are kept for ever unless the host says otherwise', async () => {
    const base = await settled();
    await pass(base, longAfter);
    expect(await base.statuses()).not.toEqual([]);
    expect((await base.scheduling.audit.list(supervisor)).total).toBeGreaterThan(0);
  });

  it('notifications go with their history once they are settled and their appointment is over for so long', async () => {
    const base = await settled({ retention: { notifications: days(7) } });
    await pass(base, days(7));
    expect(await base.statuses()).not.toEqual([]);
    await pass(base, hours(1) + 1);
    expect(await base.statuses()).toEqual([]);
    expect(await base.history()).toEqual([]);
    expect(removed(base).some((each) => each.startsWith('notifications '))).toBe(true);
  });

  it('a notification that was removed is not found: its status, its retry and its receipt', async () => {
    const base = await settled({ retention: { notifications: days(7) } });
    const [{ id } = { id: '' }] = await base.statuses();
    await pass(base, days(8));
    const { notifications } = base.scheduling;
    expect(await answerOrCode(() => notifications.retry(supervisor, id))).toBe('not_found');
    const report = { state: 'delivered', messageId: 'm-1' } as const;
    expect(await notifications.receive({ organizationId: 'org-1', notificationId: id, report })).toBe(false);
  });

  it('notifications of an appointment still to come stay, however old they are', async () => {
    const base = notified(mails, { retention: { notifications: days(7) } });
    await booked(base, { customers: [reachable], start: '2030-12-01T10:00:00Z' });
    await base.work();
    await pass(base, days(60));
    expect(await base.statuses()).toMatchObject([{ status: 'DELIVERED' }]);
  });
});

describe('Retention of the audit record', () => {
  const retention = { audit: days(30) };
  const ahead = { start: '2040-05-07T11:00:00Z' };

  /** A record of several seals, all old; and one booking since. */
  async function aged(options: FixtureOptions = {}): Promise<Fixture> {
    const base = fixture({ retention, ...options });
    for (let count = 0; count < 3; count += 1) {
      await booked(base, ahead);
      await pass(base, seconds(10));
    }
    base.clock.advance(days(30));
    await booked(base, ahead);
    await pass(base, seconds(10));
    return base;
  }

  it('the audit record goes from its beginning, and what is left is verified from its anchor', async () => {
    const base = await aged();
    await pass(base, hours(2));
    const { audit } = base.scheduling;
    expect((await audit.list(supervisor)).total).toBe(1);
    expect(await audit.verify(supervisor)).toMatchObject({ intact: true, seals: 4, removedSeals: 3, entries: 1 });
    await booked(base, ahead);
    await pass(base, seconds(10));
    expect(await audit.verify(supervisor)).toMatchObject({ intact: true, seals: 5, removedSeals: 3, entries: 2 });
    await pass(base, days(31));
    await pass(base, hours(2));
    expect(await audit.verify(supervisor)).toMatchObject({ intact: true, seals: 5, removedSeals: 5, entries: 0 });
  });

  it('a secret that has taken the place of another verifies what was removed before', async () => {
    const [first, second] = ['a first secret of at least 32 bytes!', 'the second secret, 32 bytes and more'];
    const store = memoryStore();
    const { clock } = await aged({ store, secret: first });
    const both = fixture({ store, secret: [second, first], retention, ids: otherIds() });
    both.clock.set(clock.now());
    await booked(both, ahead);
    await pass(both, seconds(10));
    expect(await both.scheduling.audit.verify(supervisor)).toMatchObject({ intact: true, removedSeals: 3 });
    await pass(both, days(31));
    expect(await both.scheduling.audit.verify(supervisor)).toMatchObject({ intact: true, removedSeals: 5 });
  });

  it.each([
    ['an anchor that nobody with the secret made', (anchor: string) => `${anchor.slice(0, -1)}A`],
    ['an anchor of another key', (anchor: string) => `unknown1${anchor.slice(8)}`],
    ['no anchor', () => undefined],
  ])('a record that begins behind %s is not intact', async (_what, forged) => {
    const inner = memoryStore();
    const { clock } = await aged({ store: inner });
    const listSeals: SchedulingStore['audit']['listSeals'] = async (...asked) =>
      (await inner.audit.listSeals(...asked)).map(({ seal, entries }) => ({
        entries,
        seal: seal.anchor === undefined ? seal : { ...seal, anchor: forged(`${seal.anchor.slice(0, -1)}B`) },
      }));
    const base = fixture({ store: { ...inner, audit: { ...inner.audit, listSeals } } });
    base.clock.set(clock.now());
    expect(await base.scheduling.audit.verify(supervisor)).toMatchObject({ intact: false, brokenSeal: 1 });
  });

  it('what another process removes while a step reads the record raises no alarm', async () => {
    const inner = memoryStore();
    const { clock } = await aged({ store: inner, retention: {} });
    const other = fixture({ store: inner, retention, ids: otherIds('a') });
    const listSeals: SchedulingStore['audit']['listSeals'] = async (...asked) => {
      const read = await inner.audit.listSeals(...asked);
      // What a process finds that hung for longer than its lease between its two statements.
      other.clock.set(clock.now() + minutes(1));
      await other.scheduling.workers.runOnce();
      return read.map(({ seal }) => ({ seal, entries: [] }));
    };
    const store = { ...inner, audit: { ...inner.audit, listSeals } };
    const base = fixture({ store, retention, ids: otherIds() });
    base.clock.set(clock.now());
    await base.scheduling.workers.runOnce();
    expect(base.signals).toEqual([]);
    expect(await other.scheduling.audit.verify(supervisor)).toMatchObject({ intact: true, removedSeals: 3 });
  });

  it('what does not hold is not removed, nor what follows it', async () => {
    const inner = memoryStore();
    const listSeals: SchedulingStore['audit']['listSeals'] = async (...asked) =>
      (await inner.audit.listSeals(...asked)).map(({ seal, entries }) => ({
        seal,
        entries: seal.number === 2 ? entries.map((each) => ({ ...each, version: 9 })) : entries,
      }));
    const base = await aged({ store: { ...inner, audit: { ...inner.audit, listSeals } } });
    base.upkeep.length = 0;
    await pass(base, hours(2));
    const { audit } = base.scheduling;
    expect((await audit.list(supervisor)).total).toBe(3);
    expect(await audit.verify(supervisor)).toMatchObject({ intact: false, brokenSeal: 2, removedSeals: 1 });
    expect(base.signals).toContainEqual(expect.objectContaining({ type: 'workerFailed', job: 'retention' }));
    expect(caughtUp(base)).toContain('events');
    expect(caughtUp(base)).not.toContain('audit');
  });
});

describe('The job of retention', () => {
  it('one process at a time removes; another one goes on once that has gone', async () => {
    const store = memoryStore();
    const claims: boolean[] = [];
    const claim: NonNullable<SchedulingStore['retention']>['claim'] = async (asked) => {
      const answer = (await store.retention?.claim(asked)) ?? false;
      claims.push(answer);
      return answer;
    };
    const watched = { ...store, retention: { ...store.retention, claim } } as SchedulingStore;
    const [one, two] = [fixture({ store: watched }), fixture({ store: watched, ids: otherIds() })];
    await one.scheduling.workers.runOnce();
    await two.scheduling.workers.runOnce();
    two.clock.advance(minutes(1));
    await two.scheduling.workers.runOnce();
    expect(claims).toEqual([true, false, true]);
  });

  it('a kind that fails is told, and holds up no other', async () => {
    const inner = memoryStore();
    const error = new Error('away');
    const store = { ...inner, events: { ...inner.events, purge: () => Promise.reject(error) } };
    const base = fixture({ store });
    await base.scheduling.workers.runOnce();
    expect(base.signals).toContainEqual({ type: 'workerFailed', job: 'retention', error });
    expect(caughtUp(base)).toEqual(['requests', 'oneTimePasswords']);
  });

  it('every kind goes on when the clock, which was ahead, has gone back', async () => {
    const base = fixture();
    await pass(base, days(365));
    base.upkeep.length = 0;
    await pass(base, -days(365));
    expect(base.upkeep.map(({ type }) => type)).toEqual(Array.from({ length: 3 }, () => 'retentionCaughtUp'));
  });

  it('kinds take turns while much of one is to go', async () => {
    const inner = memoryStore();
    const asked: string[] = [];
    const much = (name: string) => () => Promise.resolve(asked.push(name) > 0 ? 500 : 0);
    const requests = { ...inner.requests, purge: much('requests') };
    const events = { ...inner.events, purge: much('events') };
    await fixture({ store: { ...inner, requests, events } }).scheduling.workers.runOnce();
    expect(asked.slice(0, 6)).toEqual(['requests', 'events', 'requests', 'events', 'requests', 'events']);
    expect(asked.length).toBeLessThanOrEqual(50);
  });

  it('a store without retention serves everything, and removes what it did before', async () => {
    const { retention: _, ...store } = memoryStore();
    const base = fixture({ store });
    await booked(base);
    await pass(base, days(31));
    expect(removed(base)).toEqual(['events 1']);
  });
});
