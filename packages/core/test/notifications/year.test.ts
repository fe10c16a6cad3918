import { describe, expect, it } from 'vitest';
import { days, hours, minutes, seconds } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import type { SendResult } from '../../src/notifier.js';
import { cpuTime } from '../cpu-time.js';
import { agentOne, booked, standingClock, supervisor } from '../fixtures.js';
import { everything, notified, reachable } from './notified.js';

const mailsAlone: ConfiguredNotifications = { ...everything, sms: undefined, webhooks: [] };
const withReach = { customers: [reachable] };

describe('Reminders over the changes of the clocks', () => {
  // The first appointment of the day on which the clocks have changed in the night, at 09:00 there.
  it.each([
    ['Europe/Athens', '2031-03-30T09:00:00+03:00', 'forwards'],
    ['Europe/Athens', '2031-10-26T09:00:00+02:00', 'back'],
    ['America/New_York', '2031-03-09T09:00:00-04:00', 'forwards'],
    ['America/New_York', '2031-11-02T09:00:00-05:00', 'back'],
    ['Australia/Lord_Howe', '2031-04-06T09:00:00+10:30', 'back'],
    ['Australia/Lord_Howe', '2031-10-05T09:00:00+11:00', 'forwards'],
  ])('in %s, %s (%s): PT24H is 24 hours exactly, and comes once', async (timezone, start) => {
    const at = Date.parse(start);
    const base = notified(mailsAlone, { clock: standingClock(at - days(2)) });
    await booked(base, { ...withReach, start, timezone });
    const sentAt: number[] = [];
    await base.work();
    base.email.answers(({ type }) => {
      if (type === 'REMINDER') sentAt.push(base.clock.now() - at);
      return { status: 'delivered' };
    });
    while (base.clock.now() < at + hours(1)) await base.after(minutes(5));
    expect(sentAt).toEqual([-hours(24), -minutes(30)]);
    const said = base.email.sent
      .filter(({ message }) => message.type === 'REMINDER')
      .map(({ message }) => message.text);
    for (const text of said) expect(text).toMatch(/9:00/);
  });
});

describe('A year of notifications', () => {
  it('a year of notifications passes in seconds: every day one is booked, half of them are moved or cancelled, the provider fails now and then', async () => {
    const began = cpuTime();
    const first = Date.UTC(2031, 0, 1, 6);
    const base = notified(everything, { clock: standingClock(first) });
    let calls = 0;
    for (const provider of [base.email, base.sms, base.webhooks]) {
      provider.answers((): SendResult =>
        (calls += 1) % 7 === 0 ? { status: 'failed', permanent: false, error: 'busy' } : { status: 'delivered' },
      );
    }
    const late: string[] = [];
    for (let day = 0; day < 365; day += 1) {
      base.clock.set(first + days(day));
      const date = new Date(base.clock.now() + days(2)).toISOString().slice(0, 10);
      const { id } = await booked(base, { ...withReach, start: `${date}T09:00:00Z`, timezone: 'Europe/Athens' });
      await base.work();
      const moved = { id, start: `${date}T15:00:00Z`, duration: 'PT1H', timezone: 'Europe/Athens' };
      if (day % 4 === 1) await base.appointments.reschedule(agentOne, moved);
      if (day % 4 === 3) await base.appointments.cancel(supervisor, { id });
      for (;;) {
        const next = await base.store.nextWakeAt({
          appointments: false,
          events: false,
          channels: ['EMAIL', 'SMS', 'WEBHOOKS'],
        });
        if (next === null || next >= first + days(day + 1)) break;
        base.clock.set(Math.max(next, base.clock.now()));
        await base.work();
      }
    }
    await base.after(days(3));
    for (const signal of base.signals) {
      if (signal.type === 'notificationSettled' && signal.attempt && signal.lateness > seconds(1)) {
        late.push(signal.notificationId);
      }
    }
    expect(late).toEqual([]);
    const backlog = await base.store.notifications.backlog();
    expect(backlog).toEqual([]);
    const byType = (type: string): number =>
      new Set(
        base.email.sent.flatMap(({ message, attempt }) => (message.type === type ? [attempt.idempotencyKey] : [])),
      ).size;
    expect(byType('CREATE')).toBe(365);
    expect(byType('RESCHEDULE')).toBe(91);
    expect(byType('CANCELLED')).toBe(91);
    // The last two appointments come after the loop: their reminders are missed and counted, not sent.
    expect(byType('REMINDER')).toBeGreaterThanOrEqual((365 - 91 - 4) * 2);
    expect(byType('REMINDER')).toBeLessThanOrEqual((365 - 91) * 2);
    expect(cpuTime() - began).toBeLessThan(seconds(20));
  }, 60_000);
});

describe('A restart after three days of outage', () => {
  it('a restart after three days of outage sends no reminder for what is past and no announcement of what is over, and no flood', async () => {
    const base = notified({ ...mailsAlone, followUps: [hours(1)] });
    // Over by then, while its reminders were due; nothing of it was sent.
    await booked(base, { ...withReach, start: '2030-05-07T11:00:00Z' });
    // Ahead still, its day before it was missed.
    await booked(base, { ...withReach, start: '2030-05-09T20:00:00Z' });
    await booked(base, { ...withReach, start: '2030-05-20T11:00:00Z' });
    const cancelled = await booked(base, { ...withReach, start: '2030-05-08T11:00:00Z' });
    await base.appointments.cancel(supervisor, { id: cancelled.id });
    base.clock.advance(days(3));
    await base.work();
    expect(base.email.types.toSorted()).toEqual(['CANCELLED', 'CREATE', 'CREATE']);
    const missed = await base.statuses({ statuses: ['CANCELLED'] });
    const late = missed.filter(({ message }) => message === 'missed delivery window');
    expect(late.map(({ type }) => type).toSorted()).toEqual(['CREATE', 'REMINDER', 'REMINDER', 'REMINDER']);
    expect(base.scheduling.workers.health().delivery.find(({ channel }) => channel === 'EMAIL')).toMatchObject({
      missed: 4,
    });
    // What is still ahead is sent at its time.
    base.clock.set(Date.UTC(2030, 4, 9, 19, 30));
    await base.work();
    expect(base.email.types.filter((type) => type === 'REMINDER')).toHaveLength(1);
    base.clock.set(Date.UTC(2030, 4, 19, 11));
    await base.work();
    expect(base.email.types.filter((type) => type === 'REMINDER')).toHaveLength(2);
  });

  it('a restart after three days of outage does not try a REMINDER again once the appointment has begun', async () => {
    const base = notified({ ...mailsAlone, reminders: [minutes(5)] });
    await booked(base, withReach);
    await base.work();
    base.email.answers({ status: 'failed', permanent: false, error: 'busy' });
    await base.after(hours(3) - minutes(5));
    expect(await base.statuses({ types: ['REMINDER'] })).toMatchObject([{ status: 'PENDING' }]);
    for (let minute = 0; minute < 60; minute += 1) await base.after(minutes(1));
    expect(base.email.types.filter((type) => type === 'REMINDER')).toHaveLength(3);
    expect(await base.statuses({ types: ['REMINDER'] })).toMatchObject([
      { status: 'FAILED', message: 'every attempt failed', retryCount: 3, canRetry: false },
    ]);
  });

  it('an outage into which a retry fell sends no reminder after the start', async () => {
    const base = notified({ ...mailsAlone, reminders: [minutes(5)] });
    await booked(base, withReach);
    await base.work();
    base.email.answers({ status: 'failed', permanent: false, error: 'busy' });
    await base.after(hours(3) - minutes(5));
    await base.after(days(3));
    expect(base.email.types.filter((type) => type === 'REMINDER')).toHaveLength(1);
    expect(await base.statuses({ types: ['REMINDER'] })).toMatchObject([
      { status: 'CANCELLED', message: 'missed delivery window', retryCount: 1 },
    ]);
  });
});
