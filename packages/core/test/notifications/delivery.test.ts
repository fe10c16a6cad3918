import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '@calends/model';
import type { SmsMessage } from '../../src/notifier.js';
import { agentOne, booked, supervisor } from '../fixtures.js';
import { endpoint, everything, notified, reachable } from './notified.js';
import { Provider } from './provider.js';

const withReach = { customers: [reachable] };

describe('A created appointment', () => {
  it('a created appointment tells its customer by mail and SMS and its subscriber by web hook, once (D49)', async () => {
    const base = notified();
    const appointment = await booked(base, withReach);
    expect(await base.statuses({ types: ['CREATE'] })).toHaveLength(3);
    await base.work();
    await base.work();
    expect(base.email.types).toEqual(['CREATE']);
    expect(base.sms.types).toEqual(['CREATE']);
    expect(base.webhooks.types).toEqual(['CREATE']);
    expect(base.email.sent[0]?.message).toMatchObject({
      to: { name: 'Maria Papadaki', address: 'maria@example.org' },
      from: 'Clinic <no-reply@clinic.example>',
      calendar: { method: 'PUBLISH' },
    });
    expect(base.sms.sent[0]?.message).toMatchObject({ to: '+306900000000', from: '+3021000000' });
    expect(JSON.parse(base.webhooks.sent[0]?.message.body ?? '')).toMatchObject({
      type: 'CREATE',
      payload: { appointmentId: appointment.id, state: 'SCHEDULED' },
    });
    expect(base.webhooks.sent[0]?.message.endpoint).toEqual(endpoint);
    const statuses = await base.statuses({ types: ['CREATE'] });
    expect(statuses.map(({ status, retryCount }) => [status, retryCount])).toEqual(
      Array.from({ length: 3 }, () => ['DELIVERED', 1]),
    );
  });

  it('a created appointment sends nobody a link that the one who books has written into title or name', async () => {
    const base = notified();
    const customer = { ...reachable, name: { firstName: 'Maria', lastName: 'www.evil.example' } };
    await booked(base, { title: 'win at evil.example/x', customers: [customer] });
    await base.work();
    const [mail, text] = [base.email.sent[0]?.message, base.sms.sent[0]?.message];
    expect(mail).toMatchObject({
      to: { name: 'Maria', address: 'maria@example.org' },
      text: expect.stringContaining('Subject: win at evil. example/x\n'),
      calendar: { content: expect.stringContaining('SUMMARY:win at evil. example/x\r\n') },
    });
    expect(JSON.stringify([mail, text])).not.toContain('evil.example');
  });

  it('a created appointment is reminded of a day and half an hour before, where that lies ahead (D55)', async () => {
    const base = notified();
    await booked(base, { ...withReach, start: '2030-05-08T11:00:00Z' });
    const reminders = await base.statuses({ types: ['REMINDER'], channels: ['EMAIL'], sortField: 'scheduledFor' });
    expect(reminders.map(({ offset }) => offset)).toEqual([minutes(30), hours(24)]);
    const near = notified();
    await booked(near, withReach);
    const left = await near.statuses({ types: ['REMINDER'] });
    expect(left.map(({ offset }) => offset)).toEqual([minutes(30), minutes(30), minutes(30)]);
    await near.work();
    expect(near.email.types).toEqual(['CREATE']);
    await near.after(hours(2.5));
    expect(near.email.types).toEqual(['CREATE', 'REMINDER']);
  });
});

describe('A change of an appointment', () => {
  it.each([
    ['cancelled', 'cancel'],
    ['deleted (v2)', 'softDelete'],
  ] as const)('an appointment that is %s takes back its reminders and tells so (D49)', async (_what, operation) => {
    const base = notified();
    const { id } = await booked(base, withReach);
    await base.work();
    await (operation === 'cancel'
      ? base.appointments.cancel(agentOne, { id })
      : base.appointments.softDelete(agentOne, id));
    const reminders = await base.statuses({ types: ['REMINDER'] });
    expect(reminders.map(({ status, message }) => [status, message])).toEqual(
      Array.from({ length: 3 }, () => ['CANCELLED', 'the appointment was cancelled']),
    );
    await base.after(hours(3));
    expect(base.email.types).toEqual(['CREATE', 'CANCELLED']);
    expect(base.email.sent[1]?.message.calendar?.method).toBe('CANCEL');
    expect(base.webhooks.types).toEqual(['CREATE', 'CANCELLED']);
  });

  it('a change that removes the record (v1) still tells its customers, of whom nothing is kept afterwards', async () => {
    const base = notified();
    const { id } = await booked(base, withReach);
    await base.work();
    await base.appointments.remove(supervisor, id);
    await base.work();
    expect(base.email.types).toEqual(['CREATE', 'CANCELLED']);
    expect(base.email.sent[1]?.message.to.address).toBe('maria@example.org');
    expect(base.webhooks.types).toEqual(['CREATE', 'CANCELLED']);
    const [row] = await base.statuses({ types: ['CANCELLED'], channels: ['EMAIL'] });
    expect(row).toMatchObject({
      status: 'DELIVERED',
      canRetry: false,
      recipient: { displayName: '-', reasonCode: 'NOT_FOUND' },
    });
    const kept = await base.store.notifications.find('org-1', row?.id ?? '');
    expect(kept?.notification.kept).toBeUndefined();
  });

  it('a change that removes the record (v1) leaves no profile with what a provider has taken', async () => {
    const sms = new Provider<SmsMessage>().reports({ state: 'pending' });
    const base = notified({ ...everything, email: undefined, webhooks: [], poll: { enabled: 'false' } }, { sms });
    const { id } = await booked(base, withReach);
    await base.appointments.remove(supervisor, id);
    const [row] = await base.statuses({ types: ['CANCELLED'] });
    const kept = async () => (await base.store.notifications.find('org-1', row?.id ?? ''))?.notification.kept;
    expect(await kept()).toContain('+306900000000');
    await base.work();
    expect(await base.statuses({ types: ['CANCELLED'] })).toMatchObject([{ status: 'PENDING' }]);
    expect(await kept()).toBeUndefined();
  });

  it('a change that removes the record (v1) is not told of after a day, when nothing is kept of its customers any more', async () => {
    const base = notified();
    const { id } = await booked(base, withReach);
    await base.appointments.remove(supervisor, id);
    await base.after(hours(24) + 1);
    expect([base.email.types, base.sms.types]).toEqual([[], []]);
    const rows = await base.statuses({ types: ['CANCELLED'], channels: ['EMAIL', 'SMS'] });
    expect(rows).toMatchObject([
      { status: 'CANCELLED', message: 'missed delivery window' },
      { status: 'CANCELLED', message: 'missed delivery window' },
    ]);
    for (const row of rows) {
      expect((await base.store.notifications.find('org-1', row.id))?.notification.kept).toBeUndefined();
    }
  });

  it('a change that moves an appointment recomputes its reminders in the same commit (D20)', async () => {
    const base = notified();
    const { id } = await booked(base, withReach);
    await base.work();
    const schedule = { start: '2030-05-07T09:00:00Z', duration: 'PT30M', timezone: 'Europe/Athens' };
    await base.appointments.reschedule(agentOne, { id, ...schedule });
    const reminders = await base.statuses({ types: ['REMINDER'], channels: ['EMAIL'] });
    expect(reminders.filter(({ status }) => status === 'CANCELLED')).toHaveLength(1);
    const waiting = reminders.filter(({ status }) => status === 'INITIALIZED');
    expect(waiting.map(({ scheduledFor }) => scheduledFor)).toEqual([
      Date.UTC(2030, 4, 7, 8, 30),
      Date.UTC(2030, 4, 6, 9, 0),
    ]);
    await base.after(hours(1));
    expect(base.email.types).toEqual(['CREATE', 'RESCHEDULE', 'REMINDER']);
    await base.after(hours(2));
    expect(base.email.types).toHaveLength(3);
    await base.after(hours(21.5));
    expect(base.email.types).toHaveLength(4);
  });
});

describe('A failing provider', () => {
  it('a failing provider is tried again at 0, 30 s, 2 min, 10 min and 30 min, then the message has failed (D54)', async () => {
    const base = notified({ ...everything, sms: undefined, webhooks: [], reminders: [] });
    base.email.answers({ status: 'failed', permanent: false, error: 'SMTP 451' });
    await booked(base, { ...withReach, start: '2030-05-07T11:00:00Z' });
    await base.work();
    const times: number[] = [];
    for (;;) {
      const [status] = await base.statuses();
      if (status?.nextRetryAt === undefined) break;
      times.push(status.nextRetryAt - base.clock.now());
      base.clock.set(status.nextRetryAt);
      await base.work();
    }
    expect(times).toEqual([seconds(30), minutes(2), minutes(10), minutes(30)]);
    expect(await base.statuses()).toMatchObject([
      { status: 'FAILED', retryCount: 5, errorMessage: 'SMTP 451', message: 'every attempt failed', canRetry: true },
    ]);
    const keys = base.email.sent.map(({ attempt }) => attempt.idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });

  it('a provider that refuses for good is not tried again', async () => {
    const base = notified({ ...everything, sms: undefined, webhooks: [], reminders: [] });
    base.email.answers({ status: 'failed', permanent: true, error: 'SMTP 550' });
    await booked(base, withReach);
    await base.work();
    await base.after(hours(1));
    expect(base.email.sent).toHaveLength(1);
    expect(await base.statuses()).toMatchObject([{ status: 'FAILED', retryCount: 1, message: 'not deliverable' }]);
  });
});

describe('A provider that reports later', () => {
  it('a provider that reports later is polled until it says that the message arrived (D58)', async () => {
    const sms = new Provider<SmsMessage>().reports(
      { state: 'sent', providerStatus: 'sent' },
      { state: 'delivered', providerStatus: 'delivered' },
    );
    const base = notified({ ...everything, email: undefined, webhooks: [], reminders: [] }, { sms });
    await booked(base, withReach);
    await base.work();
    expect(await base.statuses()).toMatchObject([
      { status: 'PENDING', providerStatus: 'queued', nextPollAt: base.clock.now() + seconds(15) },
    ]);
    await base.after(seconds(15));
    expect(await base.statuses()).toMatchObject([
      { status: 'PENDING', providerStatus: 'sent', nextPollAt: base.clock.now() + minutes(1) },
    ]);
    await base.after(minutes(1));
    const [status] = await base.statuses();
    expect(status).toMatchObject({ status: 'DELIVERED', providerStatus: 'delivered', retryCount: 1 });
    expect(status?.nextPollAt).toBeUndefined();
    expect((await base.history()).map(({ status: state }) => state)).toEqual([
      'INITIALIZED',
      'PENDING',
      'PENDING',
      'DELIVERED',
    ]);
  });
});
