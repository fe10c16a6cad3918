import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { minutes, seconds } from '@calends/model';
import { createScheduling, type ConfiguredNotifications, type Scheduling } from '../../src/index.js';
import type { SmsMessage } from '../../src/notifier.js';
import { agentOne, booked } from '../fixtures.js';
import { now } from '../sample-appointments.js';
import { held } from './held.js';
import { everything, type Notified, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const mailsAlone: ConfiguredNotifications = { ...everything, sms: undefined, webhooks: [], reminders: [] };
const textsAlone: ConfiguredNotifications = { ...everything, email: undefined, webhooks: [], reminders: [] };
const withReach = { customers: [reachable] };
const at = (day: number) => ({ start: `2030-05-0${day}T09:00:00Z`, duration: 'PT30M', timezone: 'Europe/Athens' });
/** No change of these tests waits for what is being sent. */
const atOnce = { worker: { settleWait: 0 } };

const move = (base: Notified, id: string, day: number) => base.appointments.reschedule(agentOne, { id, ...at(day) });

/** Another process on the same data. */
const another = (base: Notified): Notified =>
  notified(mailsAlone, { ...atOnce, store: base.store, clock: base.clock, ids: base.ids });

/** A booking whose first move is being sent, and is moved once more. */
async function movedTwice() {
  const base = notified(mailsAlone, atOnce);
  const { id } = await booked(base, withReach);
  await base.work();
  await move(base, id, 7);
  const provider = held(base.email);
  const pass = base.work();
  await provider.called(2);
  await move(base, id, 8);
  return { base, provider, pass };
}

const subjects = ({ email }: Notified): readonly string[] => email.sent.map(({ message }) => message.subject);

describe('One message at a time to one recipient (D71)', () => {
  it('a worker that sends the older one sends the later one after it', async () => {
    const { base, provider, pass } = await movedTwice();
    const second = base.work();
    // It has looked by then: the later one waits for the outcome of the older one.
    while ((await base.store.notifications.backlog()).some(({ phase }) => phase === 'READY')) {
      await new Promise(setImmediate);
    }
    expect(base.email.sent).toHaveLength(2);
    provider.answer();
    await Promise.all([pass, second]);
    expect(base.email.types).toEqual(['CREATE', 'RESCHEDULE', 'RESCHEDULE']);
    expect(subjects(base)[2]).toContain('8');
  });

  it('another worker gives the later message back, uncounted, and sends it once the older one is out', async () => {
    const { base, provider, pass } = await movedTwice();
    const other = another(base);
    await other.work();
    expect(other.email.sent).toEqual([]);
    expect(await base.statuses({ statuses: ['INITIALIZED'] })).toMatchObject([{ type: 'RESCHEDULE', retryCount: 0 }]);
    provider.answer();
    await pass;
    await other.work();
    expect(other.email.sent).toEqual([]);
    await other.after(50);
    expect(other.email.types).toEqual(['RESCHEDULE']);
    const outcomes = other.signals.flatMap((one) => (one.type === 'notificationSettled' ? [one.outcome] : []));
    expect(outcomes).toEqual(['returned', 'delivered']);
  });

  it('the later message is given back for one lease at most', async () => {
    const { base, provider, pass } = await movedTwice();
    const other = another(base);
    await other.work();
    // The claim of the older one ends with it: what another worker makes of that is not waited for.
    await other.after(seconds(25));
    expect(other.email.types).toEqual(['RESCHEDULE']);
    provider.answer();
    await pass;
  });

  it('the later message waits only for as long as it may still be sent', async () => {
    const autoActivation = { enabled: false, leadTime: minutes(30) };
    const applications = { 'app-1': { notifications: mailsAlone, autoActivation } };
    const base = notified(mailsAlone, { ...atOnce, applications });
    const provider = held(base.email);
    // It begins within the lease of the message that is being sent.
    const { id } = await booked(base, { ...withReach, start: new Date(now + seconds(20)).toISOString() });
    const pass = base.work();
    await provider.called(1);
    await base.appointments.activate(agentOne, id);
    const other = notified(mailsAlone, {
      ...atOnce,
      applications,
      store: base.store,
      clock: base.clock,
      ids: base.ids,
    });
    await other.work();
    expect(other.email.sent).toEqual([]);
    for (let waited = 0; waited < seconds(21); waited += 100) await other.after(100);
    expect(other.email.types).toEqual(['ROOM']);
    provider.answer();
    await pass;
  });

  it('what waits for a receipt or another attempt holds nobody up, and an older one that waits is superseded', async () => {
    const base = notified(mailsAlone, atOnce);
    base.email.answers(({ type }) =>
      type === 'CREATE' ? { status: 'failed', permanent: false, error: 'SMTP 451' } : { status: 'delivered' },
    );
    const { id } = await booked(base, withReach);
    await base.work();
    await move(base, id, 7);
    await base.work();
    expect(base.email.types).toEqual(['CREATE', 'RESCHEDULE']);
    expect(await base.statuses({ types: ['CREATE'] })).toMatchObject([
      { status: 'CANCELLED', message: 'superseded by a later message', canRetry: false },
    ]);
    await base.after(seconds(60));
    expect(base.email.types).toEqual(['CREATE', 'RESCHEDULE']);
  });

  it('other channels and other recipients are not waited for', async () => {
    const base = notified({ ...everything, reminders: [] }, atOnce);
    const provider = held(base.email);
    const { id } = await booked(base, { customers: [reachable, { contact: { primaryEmail: 'nikos@example.org' } }] });
    const pass = base.work();
    const mailsUnderWay = async () =>
      (await base.store.notifications.backlog()).find(({ channel }) => channel === 'EMAIL')?.count;
    while ((await mailsUnderWay()) !== 1) await new Promise(setImmediate);
    await move(base, id, 7);
    const other = notified(
      { ...everything, reminders: [] },
      { ...atOnce, store: base.store, clock: base.clock, ids: base.ids },
    );
    await other.work();
    expect(other.email.sent.map(({ message }) => message.to.address)).toEqual(['nikos@example.org']);
    expect(other.sms.types).toEqual(['RESCHEDULE']);
    provider.answer();
    await pass;
  });
});

describe('A thousand pairs of moves, 0 to 30 ms apart, and two workers', () => {
  it('a thousand pairs of moves and two workers hand the old time over last never (D71)', async () => {
    const store = memoryStore();
    /** The schedules that were handed over, by appointment, in the order in which the provider had them. */
    const handedOver = new Map<string, string[]>();
    const sms = new Provider<SmsMessage>();
    const begun = new Set<string>();
    sms.answers(async ({ appointmentId = '', type, text }) => {
      if (type !== 'RESCHEDULE') return { status: 'delivered' };
      // The first one is on its way for as long as the second one may be later.
      const isFirst = !begun.has(appointmentId);
      begun.add(appointmentId);
      if (isFirst) await wait(30);
      handedOver.set(appointmentId, [...(handedOver.get(appointmentId) ?? []), text]);
      return { status: 'delivered' };
    });
    const options = {
      store,
      secret: 'a secret of at least thirty-two bytes',
      notifiers: { sms },
      applications: { 'app-1': { notifications: textsAlone } },
      worker: { settleWait: 0, interval: 20, slots: { sms: 100 } },
    };
    const processes: readonly Scheduling[] = [createScheduling(options), createScheduling(options)];
    const [{ appointments }] = processes as readonly [Scheduling, Scheduling];
    for (const { workers } of processes) workers.start();
    const booking = { applicationId: 'app-1', ...withReach, ...at(6) };
    const ids = await Promise.all(pairs.map(async () => (await appointments.schedule(agentOne, booking)).id));
    const idle = async (): Promise<void> => {
      while ((await store.notifications.backlog()).length > 0) await wait(5);
    };
    await idle();
    const left = [...ids.entries()];
    const lane = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const [index, id] = next;
        await appointments.reschedule(agentOne, { id, ...at(7) });
        await wait((index * 13) % 31);
        await appointments.reschedule(agentOne, { id, ...at(8) });
      }
    };
    await Promise.all(Array.from({ length: 50 }, lane));
    await idle();
    await Promise.all(processes.map((process) => process.close()));
    const last = ids.map((id) => handedOver.get(id)?.at(-1) ?? 'nothing');
    expect(new Set(last).size).toBe(1);
    expect(last[0]).toMatch(/8/);
    // Not because the first one was always taken back.
    expect([...handedOver.values()].filter(({ length }) => length === 2).length).toBeGreaterThan(0);
  });
});

const pairs = Array.from({ length: 1000 });
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
