import { describe, expect, it } from 'vitest';
import { memoryStore } from '@calends/store-memory';
import { hours, minutes, seconds } from '@calends/model';
import type { AccessProvider, Appointment, ConfiguredNotifications } from '../../src/index.js';
import { type SchedulingStore, StoreError } from '../../src/store.js';
import type { DeliveryReport, EmailMessage, SendResult, SmsMessage } from '../../src/notifier.js';
import { CountingRooms } from '../counting-rooms.js';
import { agentOne, booked, customerOf, maria, supervisor } from '../fixtures.js';
import { held } from './held.js';
import { everything, type Notified, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const mailsAlone: ConfiguredNotifications = { ...everything, sms: undefined, webhooks: [], reminders: [] };
const withReach = { customers: [reachable] };
const moved = { start: '2030-05-07T09:00:00Z', duration: 'PT30M', timezone: 'Europe/Athens' };
/** No call of these tests comes near it. */
const patience = { worker: { settleWait: seconds(30) } };

/** A booking whose first mail is on its way. */
async function sending(settings = mailsAlone, more: object = patience) {
  const base = notified(settings, more);
  const provider = held(base.email);
  const appointment = await booked(base, withReach);
  const pass = base.work();
  await provider.called(1);
  return { base, provider, appointment, pass };
}

const created = async (base: Notified) => (await base.statuses({ types: ['CREATE'] }))[0];

/** A store that cannot be asked some times what is being sent; then it can. */
function failing(times: number): SchedulingStore & { readonly answeredAgain: Promise<void> } {
  const inner = memoryStore();
  let left = times;
  let tell = (): void => undefined;
  const answeredAgain = new Promise<void>((resolve) => (tell = resolve));
  const answers = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (left-- > 0) throw new StoreError('unavailable', 'The database is out of reach.');
    const answer = await ask();
    tell();
    return answer;
  };
  const { list, countSending } = inner.notifications;
  return {
    ...inner,
    answeredAgain,
    notifications: {
      ...inner.notifications,
      list: (query) => answers(() => list(query)),
      countSending: (...of) => answers(() => countSending(...of)),
    },
  };
}

const changes: readonly [string, (base: Notified, appointment: Appointment) => Promise<unknown>][] = [
  ['cancelling', (base, { id }) => base.appointments.cancel(agentOne, { id })],
  ['deleting (v2)', (base, { id }) => base.appointments.softDelete(agentOne, id)],
  ['removing (v1)', (base, { id }) => base.appointments.remove(supervisor, id)],
  ['aborting', (base, { id }) => base.appointments.abort(supervisor, { id, reason: 'no room' })],
];

describe('A message that is being sent while its appointment ends', () => {
  it.each(changes)('%s returns only after the send has ended', async (_what, change) => {
    const { base, provider, appointment, pass } = await sending();
    const order: string[] = [];
    const ended = change(base, appointment).then(() => order.push('returned'));
    // The commit stands as soon as the row is marked; the call must still wait.
    for (;;) {
      const row = await base.store.notifications.find('org-1', (await created(base))?.id ?? '');
      if (row?.notification.cancelRequestedAt !== undefined) break;
    }
    order.push('answered');
    provider.answer();
    await ended;
    expect(order).toEqual(['answered', 'returned']);
    await pass;
  });

  it.each<[string, SendResult, object]>([
    ['delivered', { status: 'delivered' }, { status: 'DELIVERED', message: 'sent before cancellation' }],
    ['accepted', { status: 'submitted', messageId: 'm' }, { status: 'PENDING', message: 'sent before cancellation' }],
    [
      'refused for now',
      { status: 'failed', permanent: false, error: 'x' },
      { status: 'CANCELLED', message: 'the appointment changed while it was being sent' },
    ],
    ['refused for good', { status: 'failed', permanent: true, error: 'x' }, { status: 'CANCELLED' }],
    ['not answered', { status: 'unknown', error: 'x' }, { status: 'CANCELLED' }],
  ])(
    'a message that is being sent while its appointment ends is %s by the provider',
    async (_what, result, expected) => {
      const { base, provider, appointment, pass } = await sending();
      const cancelling = base.appointments.cancel(agentOne, { id: appointment.id });
      await Promise.resolve();
      provider.answer(result);
      await cancelling;
      expect(await created(base)).toMatchObject({ ...expected, retryCount: 1 });
      await pass;
      await base.work();
      expect(base.email.types).toEqual(['CREATE', 'CANCELLED']);
      expect((await created(base))?.nextRetryAt).toBeUndefined();
    },
  );

  it('a message that is being sent while its appointment ends is waited for no longer than settleWait', async () => {
    const { base, provider, appointment, pass } = await sending(mailsAlone, { worker: { settleWait: 40 } });
    await base.appointments.cancel(agentOne, { id: appointment.id });
    expect(await created(base)).toMatchObject({ status: 'PENDING' });
    provider.answer();
    await pass;
    expect(await created(base)).toMatchObject({ status: 'DELIVERED', message: 'sent before cancellation' });
  });

  it('a message that is being sent while its appointment ends is waited for by a call that is answered what another process has done', async () => {
    const { base, provider, appointment, pass } = await sending();
    const other = notified(mailsAlone, { store: base.store, clock: base.clock, ids: base.ids, ...patience });
    const once = { idempotency: { key: 'k', operation: 'cancel' } };
    const order: string[] = [];
    const cancelling = base.appointments.cancel(agentOne, { id: appointment.id }, once);
    for (;;) {
      const row = await base.store.notifications.find('org-1', (await created(base))?.id ?? '');
      if (row?.notification.cancelRequestedAt !== undefined) break;
    }
    const again = other.appointments.cancel(agentOne, { id: appointment.id }, once).then(() => order.push('returned'));
    // It has its answer by then.
    await new Promise(setImmediate);
    order.push('sent');
    provider.answer();
    await Promise.all([cancelling, again, pass]);
    expect(order).toEqual(['sent', 'returned']);
  });

  it.each<[string, (base: Notified, appointment: Appointment) => Promise<unknown>]>([
    ['cancelling', (base, { id }) => base.appointments.cancel(agentOne, { id })],
    ['moving', (base, { id }) => base.appointments.reschedule(agentOne, { id, ...moved })],
  ])(
    'a message that is being sent while its appointment ends is waited for by %s although the store cannot be asked for a moment',
    async (_what, change) => {
      const store = failing(2);
      const { base, provider, appointment, pass } = await sending(mailsAlone, { store, ...patience });
      const order: string[] = [];
      const changing = change(base, appointment).then(() => order.push('returned'));
      await Promise.race([store.answeredAgain, changing]);
      order.push('answered');
      provider.answer();
      await changing;
      expect(order).toEqual(['answered', 'returned']);
      await pass;
      expect(base.signals).not.toContainEqual(expect.objectContaining({ type: 'workerFailed' }));
    },
  );

  it('a message that is being sent while its appointment ends is waited for no longer than settleWait while the store cannot be asked, and the observer is told why', async () => {
    const store = failing(Infinity);
    const { base, provider, appointment, pass } = await sending(mailsAlone, { store, worker: { settleWait: 40 } });
    const { state } = await base.appointments.cancel(agentOne, { id: appointment.id });
    expect(state).toBe('CANCELLED');
    const error = new StoreError('unavailable', 'The database is out of reach.');
    expect(base.signals).toContainEqual({ type: 'workerFailed', job: 'sendsInFlight', error });
    provider.answer();
    await pass;
  });

  it('a message that is being sent while its appointment ends is marked once more by a second change, and its outcome counts all the same', async () => {
    const inner = memoryStore();
    let onFound = (): Promise<void> => Promise.resolve();
    const store: SchedulingStore = {
      ...inner,
      notifications: {
        ...inner.notifications,
        find: async (...of) => {
          const found = await inner.notifications.find(...of);
          await onFound();
          return found;
        },
      },
    };
    const { base, provider, appointment, pass } = await sending(mailsAlone, { store, worker: { settleWait: 0 } });
    await base.appointments.cancel(agentOne, { id: appointment.id });
    onFound = async () => {
      onFound = () => Promise.resolve();
      await base.appointments.remove(supervisor, appointment.id);
    };
    provider.answer();
    await pass;
    expect(await created(base)).toMatchObject({ status: 'DELIVERED', message: 'sent before cancellation' });
  });
});

describe('A message that its provider has taken before its appointment ends (D70)', () => {
  const textsAlone: ConfiguredNotifications = { ...everything, email: undefined, webhooks: [], reminders: [] };
  const tells = async (base: Notified) =>
    (await base.history()).filter(({ type }) => type === 'CREATE').map(({ status, message }) => [status, message]);
  const before = [
    ['INITIALIZED', 'planned'],
    ['PENDING', 'accepted by the provider'],
    ['PENDING', 'sent before cancellation'],
  ];

  it.each(changes)(
    'a message that its provider has taken before %s: its history says so at once, and once',
    async (_what, change) => {
      const base = notified(textsAlone);
      base.sms.answers({ status: 'submitted', messageId: 'm-1', providerStatus: 'queued' });
      const appointment = await booked(base, withReach);
      await base.work();
      await change(base, appointment);
      await base.appointments.remove(supervisor, appointment.id).catch(() => undefined);
      expect(await tells(base)).toEqual(before);
      expect(await created(base)).toMatchObject({ status: 'PENDING', message: 'sent before cancellation' });
    },
  );

  it.each<[DeliveryReport['state'], readonly string[]]>([
    ['delivered', ['DELIVERED', 'sent before cancellation']],
    ['failed', ['FAILED', 'the provider could not deliver it']],
    ['cancelled', ['CANCELLED', 'cancelled at the provider']],
    ['sent', ['PENDING', 'sent before cancellation']],
  ])('whatever becomes of a message that its provider has taken says so too: %s', async (state, last) => {
    const base = notified(textsAlone);
    base.sms.answers({ status: 'submitted', messageId: 'm-1', providerStatus: 'queued' });
    const { id } = await booked(base, withReach);
    await base.work();
    await base.appointments.cancel(agentOne, { id });
    const statusId = (await created(base))?.id ?? '';
    const report = { state, messageId: 'm-1', providerStatus: state };
    await base.scheduling.notifications.receive({ organizationId: 'org-1', notificationId: statusId, report });
    expect(await tells(base)).toEqual([...before, last]);
  });

  it('a message that its provider has taken is told of while the provider is asked about it: the answer counts all the same', async () => {
    const sms = new Provider<SmsMessage>();
    let cancel = (): Promise<unknown> => Promise.resolve();
    sms.fetchStatus = async () => {
      await cancel();
      return { state: 'delivered', providerStatus: 'delivered' };
    };
    const base = notified(textsAlone, { sms });
    base.sms.answers({ status: 'submitted', messageId: 'm-1', providerStatus: 'queued' });
    const { id } = await booked(base, withReach);
    await base.work();
    cancel = () => base.appointments.cancel(agentOne, { id });
    await base.after(seconds(15));
    expect(await tells(base)).toEqual([...before, ['DELIVERED', 'sent before cancellation']]);
  });
});

describe('A message whose outcome the provider is asked for while its appointment ends', () => {
  /** Holds the answer of the provider, and tells when it was asked. */
  function asking<Answer>() {
    let answer = (_value: Answer): void => undefined;
    let tell = (): void => undefined;
    const asked = new Promise<void>((resolve) => (tell = resolve));
    const ask = (): Promise<Answer> => {
      tell();
      return new Promise((resolve) => (answer = resolve));
    };
    return { ask, asked, answer: (value: Answer) => answer(value) };
  }
  const arrived = { status: 'DELIVERED', message: 'sent before cancellation', retryCount: 1 };
  const atOnce = { worker: { settleWait: 0 } };

  it('a message whose outcome the provider is asked for is delivered when the provider finds the attempt of a lost worker', async () => {
    const question = asking<SendResult>();
    const email = new Provider<EmailMessage>({ capability: 'lookup' });
    email.lookUp = question.ask;
    const base = notified(mailsAlone, { ...atOnce, email });
    const { id } = await booked(base, withReach);
    await base.store.notifications.claim({ channel: 'EMAIL', limit: 1, leaseFor: 1000, now: base.clock.now() });
    const pass = base.after(seconds(2));
    await question.asked;
    await base.appointments.cancel(agentOne, { id });
    question.answer({ status: 'delivered', messageId: 'm-1' });
    await pass;
    expect(await created(base)).toMatchObject(arrived);
    expect((await base.history()).map(({ messageId }) => messageId)).toContain('m-1');
  });

  it('a message whose outcome the provider is asked for is delivered when a retry by hand finds that it had arrived', async () => {
    const question = asking<DeliveryReport>();
    const email = new Provider<EmailMessage>().answers({ status: 'submitted', messageId: 'm-1' });
    let fetchStatus = (): Promise<DeliveryReport> => Promise.resolve({ state: 'pending' });
    email.fetchStatus = () => fetchStatus();
    const base = notified({ ...mailsAlone, poll: { maxAttempts: '1' } }, { ...atOnce, email });
    const { id } = await booked(base, withReach);
    await base.work();
    await base.after(seconds(15));
    fetchStatus = question.ask;
    await base.scheduling.notifications.retry(agentOne, (await created(base))?.id ?? '');
    const pass = base.work();
    await question.asked;
    await base.appointments.cancel(agentOne, { id });
    question.answer({ state: 'delivered', providerStatus: 'delivered' });
    await pass;
    expect(await created(base)).toMatchObject(arrived);
  });
});

describe('A message that is being sent while its appointment is moved', () => {
  it('a message that is being sent while its appointment is moved is waited for when it is a CREATE, and stays', async () => {
    const { base, provider, appointment, pass } = await sending();
    const order: string[] = [];
    const moving = base.appointments
      .reschedule(agentOne, { id: appointment.id, ...moved })
      .then(() => order.push('returned'));
    while ((await base.appointments.get(agentOne, appointment.id)).version === appointment.version);
    order.push('answered');
    provider.answer();
    await moving;
    expect(order).toEqual(['answered', 'returned']);
    await pass;
    await base.work();
    expect(await created(base)).toMatchObject({ status: 'DELIVERED', message: 'delivered' });
    expect(base.email.types).toEqual(['CREATE', 'RESCHEDULE']);
  });

  it('a message that is being sent while its appointment is moved is superseded when it tells of the former schedule', async () => {
    const base = notified(mailsAlone, patience);
    const { id } = await booked(base, withReach);
    await base.work();
    await base.appointments.reschedule(agentOne, { id, ...moved });
    const provider = held(base.email);
    const pass = base.work();
    await provider.called(2);
    const again = base.appointments.reschedule(agentOne, { id, ...moved, start: '2030-05-08T09:00:00Z' });
    await Promise.resolve();
    provider.answer({ status: 'failed', permanent: false, error: 'x' });
    await again;
    await pass;
    await base.work();
    const statuses = await base.statuses({ types: ['RESCHEDULE'], sortField: 'id', sortOrder: 'asc' });
    expect(statuses.map(({ status, message }) => [status, message])).toEqual([
      ['CANCELLED', 'the appointment changed while it was being sent'],
      ['DELIVERED', 'delivered'],
    ]);
  });
});

describe('A message that is being composed', () => {
  /** A booking whose first mail waits for its links. */
  async function composing() {
    let release = (): void => undefined;
    let tell = (): void => undefined;
    const asked = new Promise<void>((resolve) => (tell = resolve));
    const links = new Promise<void>((resolve) => (release = resolve));
    const linksFor = async (): Promise<object> => {
      tell();
      await links;
      return {};
    };
    const base = notified(mailsAlone, { linkSource: { linksFor }, worker: { settleWait: 40 } });
    const appointment = await booked(base, withReach);
    const pass = base.work();
    await asked;
    return { base, appointment, pass, release };
  }
  const told = (base: Notified) => base.email.sent.map(({ message }) => [message.type, message.to.address]);

  it('a message that is being composed while its appointment is moved is composed again: nothing with the old time goes out afterwards', async () => {
    const { base, appointment, pass, release } = await composing();
    await base.appointments.reschedule(agentOne, { id: appointment.id, ...moved });
    release();
    await pass;
    await base.work();
    const days = base.email.sent.map(({ message }) => [message.type, /\b[67] May\b/.exec(message.text)?.[0]]);
    expect(days.sort()).toEqual([
      ['CREATE', '7 May'],
      ['RESCHEDULE', '7 May'],
    ]);
    expect(await created(base)).toMatchObject({ status: 'DELIVERED', message: 'delivered', retryCount: 1 });
  });

  it('a message that is being composed while its customer gets another address goes to that one', async () => {
    const { base, appointment, pass, release } = await composing();
    const contact = { primaryEmail: 'right@example.org' };
    await base.appointments.update(agentOne, {
      id: appointment.id,
      customer: { id: customerOf(appointment), contact },
    });
    release();
    await pass;
    await base.work();
    expect(told(base)).toEqual([['CREATE', 'right@example.org']]);
  });

  it('a message that is being composed while its appointment is cancelled is not sent, although the cancel could not wait for it', async () => {
    const { base, appointment, pass, release } = await composing();
    await base.appointments.cancel(agentOne, { id: appointment.id });
    release();
    await pass;
    await base.work();
    expect(told(base)).toEqual([['CANCELLED', 'maria@example.org']]);
    expect(await created(base)).toMatchObject({ status: 'CANCELLED', retryCount: 0 });
  });
});

describe('What waits', () => {
  it('what waits for its first attempt is cancelled with the appointment, and its customers get CANCELLED only', async () => {
    const base = notified(everything);
    const { id } = await booked(base, withReach);
    await base.appointments.cancel(agentOne, { id });
    await base.work();
    for (const provider of [base.email, base.sms, base.webhooks]) expect(provider.types).toEqual(['CANCELLED']);
    const taken = (await base.statuses()).filter(({ type }) => type !== 'CANCELLED');
    for (const each of taken) expect(each).toMatchObject({ status: 'CANCELLED', retryCount: 0 });
  });

  it('what waits for another attempt is cancelled too', async () => {
    const base = notified(mailsAlone);
    base.email.answers({ status: 'failed', permanent: false, error: 'x' });
    const { id } = await booked(base, withReach);
    await base.work();
    await base.appointments.cancel(agentOne, { id });
    expect(await created(base)).toMatchObject({ status: 'CANCELLED', retryCount: 1, nextRetryAt: undefined });
  });

  it('what waits for another attempt since a room took its time has a history in the order in which it happened', async () => {
    let meanwhile = async (): Promise<unknown> => Promise.resolve();
    const rooms = new CountingRooms();
    const accessProvider: AccessProvider = {
      conferenceIsAppointment: false,
      openRoom: (subject) => meanwhile().then(() => rooms.openRoom(subject)),
      details: (grant, subject) => rooms.details(grant, subject),
    };
    const base = notified(mailsAlone, { accessProvider });
    const { id } = await booked(base, withReach);
    await base.work();
    await base.appointments.reschedule(agentOne, { id, ...moved });
    base.email.answers({ status: 'failed', permanent: false, error: 'busy' });
    meanwhile = () => base.after(seconds(5));
    const soon = new Date(base.clock.now() + minutes(10)).toISOString();
    await base.appointments.reschedule(agentOne, { id, ...moved, start: soon });
    const [first] = await base.statuses({ types: ['RESCHEDULE'], sortField: 'id', sortOrder: 'asc' });
    const history = await base.history(first?.id);
    expect(history.map(({ status }) => status)).toEqual(['INITIALIZED', 'PENDING', 'CANCELLED']);
  });

  it('A reminder that waits for another attempt goes out although its customer loses the other channel', async () => {
    const base = notified({ ...everything, webhooks: [], reminders: [hours(1)] });
    const appointment = await booked(base, withReach);
    await base.work();
    base.email.answers({ status: 'failed', permanent: false, error: 'x' });
    await base.after(hours(2));
    const customer = { id: customerOf(appointment), contact: { primaryPhone: '' } };
    await base.appointments.update(agentOne, { id: appointment.id, customer });
    base.email.answers({ status: 'delivered' });
    await base.after(minutes(1));
    const [reminder, ...others] = await base.statuses({ types: ['REMINDER'], channels: ['EMAIL'] });
    expect(others).toEqual([]);
    expect(reminder).toMatchObject({ status: 'DELIVERED', retryCount: 2 });
  });

  it('what waits for a customer who is taken out is cancelled, for the others it is sent', async () => {
    const base = notified(mailsAlone);
    const two = [reachable, { ...maria, contact: { primaryEmail: 'anna@example.org' } }];
    const appointment = await booked(base, { customers: two });
    const participantId = customerOf(appointment);
    await base.appointments.removeParticipant(agentOne, { id: appointment.id, participantId });
    await base.work();
    expect(base.email.sent.map(({ message }) => message.to.address)).toEqual(['anna@example.org']);
  });

  it('what waits is switched off with the application (D12)', async () => {
    const applications = new Map<string, object>([['app-1', { notifications: mailsAlone }]]);
    const base = notified(mailsAlone, { applications: { find: (id: string) => applications.get(id) } });
    await booked(base, withReach);
    applications.set('app-1', { notifications: { ...mailsAlone, active: false } });
    await base.work();
    expect(base.email.sent).toEqual([]);
    expect(await created(base)).toMatchObject({ status: 'CANCELLED', message: 'notifications are switched off' });
    applications.set('app-1', { notifications: mailsAlone });
    const silent = notified({ ...mailsAlone, active: false }, { store: base.store, ids: base.ids });
    const old = await booked(silent, { ...withReach, start: '2030-05-06T14:00:00Z' });
    await base.appointments.cancel(agentOne, { id: old.id });
    await base.work();
    expect(base.email.sent).toEqual([]);
  });
});
