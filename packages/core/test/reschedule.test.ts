import { describe, expect, it } from 'vitest';
import { hours } from '@calends/model';
import type { RescheduleCommand } from '../src/index.js';
import { agentOne, booked, fixture, supervisor } from './fixtures.js';
import { errorOf } from './error-of.js';

const same = { start: '2030-05-06T11:00:00Z', duration: 'PT30M', timezone: 'Europe/Athens' };
const later = { start: '2030-05-08T09:00:00Z', duration: 'PT45M', timezone: 'America/New_York' };

describe('Reschedule (spec: Endpoints, rule 7; D20)', () => {
  it('Reschedule changes start, duration, time zone and locale, and keeps the id', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const moved = await base.appointments.reschedule(agentOne, { id, ...later, locale: 'el-GR' });
    expect(moved).toMatchObject({
      id,
      state: 'SCHEDULED',
      version: 2,
      scheduleVersion: 1,
      locale: 'el-GR',
      schedule: { start: Date.UTC(2030, 4, 8, 9), end: Date.UTC(2030, 4, 8, 9, 45), timezone: 'America/New_York' },
    });
    expect(base.newEvents()).toEqual(['APRescheduledEvent']);
    expect(base.events().at(-1)?.data).toMatchObject({
      schedule: { start: '2030-05-08T09:00:00Z', end: '2030-05-08T09:45:00Z', timezone: 'America/New_York' },
      previousSchedule: { start: '2030-05-06T11:00:00Z', end: '2030-05-06T11:30:00Z', timezone: 'Europe/Athens' },
    });
  });

  it('Reschedule without a locale keeps the one there is', async () => {
    const base = fixture();
    const { id } = await booked(base, { locale: 'fr' });
    expect((await base.appointments.reschedule(agentOne, { id, ...later })).locale).toBe('fr');
  });

  it('Reschedule of an activated appointment updates access to the new schedule; the URL stays (spec: States)', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const before = await base.appointments.activate(agentOne, id);
    const after = await base.appointments.reschedule(agentOne, { id, ...later });
    const [then, now] = [await base.scheduling.access.detailsOf(before), await base.scheduling.access.detailsOf(after)];
    expect(after.state).toBe('ACTIVATED');
    expect(now?.roomUrl).toBe(then?.roomUrl);
    expect(now?.expires).toBe(after.schedule.end + hours(1));
    expect(now?.secureToken).not.toBe(then?.secureToken);
  });

  it.each([
    ['the same', {}],
    ['the same instant with another offset', { start: '2030-05-06T14:00:00+03:00' }],
    ['an equal duration', { duration: 'PT1800S' }],
    ['the answered form of the duration', { duration: 'PT30M (30 minutes)' }],
    ['the zone in other letters', { timezone: 'europe/ATHENS' }],
    ['the locale there is', { locale: 'en' }],
  ])('Reschedule to an identical schedule writes nothing: %s', async (_what, more) => {
    const base = fixture();
    const appointment = await booked(base);
    const answer = await base.appointments.reschedule(agentOne, { id: appointment.id, ...same, ...more });
    expect(answer).toEqual(appointment);
    expect(base.newEvents()).toEqual([]);
  });

  it('Reschedule to an identical schedule that has begun meanwhile still writes nothing', async () => {
    const base = fixture();
    const appointment = await booked(base);
    base.clock.set(appointment.schedule.start + hours(0.25));
    expect(await base.appointments.reschedule(agentOne, { id: appointment.id, ...same })).toEqual(appointment);
  });

  const missing = ['start', 'duration', 'timezone'] as const;

  it.each(missing)('Reschedule without %s is not valid (D2)', async (name) => {
    const base = fixture();
    const { id } = await booked(base);
    const command = { id, ...later, [name]: undefined } as unknown as RescheduleCommand;
    const error = await errorOf(() => base.appointments.reschedule(agentOne, command));
    expect(error).toMatchObject({ code: 'validation_failed', issues: [{ pointer: `/${name}`, code: 'required' }] });
  });

  it.each([
    ['into the past', { start: '2030-05-06T07:00:00Z' }],
    ['to 25 hours', { duration: 'PT25H' }],
    ['to 59 seconds', { duration: 'PT59S' }],
  ])('%s is an invalid schedule', async (_where, more) => {
    const base = fixture();
    const { id } = await booked(base);
    const error = await errorOf(() => base.appointments.reschedule(agentOne, { id, ...later, ...more }));
    expect(error.code).toBe('invalid_schedule');
    expect(base.newEvents()).toEqual([]);
  });

  it.each(['IN_PROGRESS', 'COMPLETED', 'NO_SHOW'] as const)(
    'Reschedule of what is %s is an invalid schedule',
    async (to) => {
      const base = fixture();
      const { id } = await booked(base);
      if (to === 'COMPLETED') await base.appointments.moveInteraction(agentOne, { id, to: 'IN_PROGRESS' });
      await base.appointments.moveInteraction(agentOne, { id, to });
      const error = await errorOf(() => base.appointments.reschedule(supervisor, { id, ...later }));
      expect(error.code).toBe('invalid_schedule');
    },
  );

  it('Reschedule to a time whose lead has passed activates within the same operation (D18)', async () => {
    const base = fixture();
    const { id } = await booked(base);
    const moved = await base.appointments.reschedule(agentOne, { id, ...later, start: '2030-05-06T08:10:00Z' });
    expect(moved).toMatchObject({ state: 'ACTIVATED', version: 2 });
    expect(base.newEvents()).toEqual(['APRescheduledEvent']);
  });
});
