import { describe, expect, it } from 'vitest';
import { hours, minutes } from '@calends/model';
import type { ConfiguredNotifications } from '../../src/index.js';
import { agentOne, booked, customerOf, supervisor } from '../fixtures.js';
import { everything, type Notified, notified, reachable } from './notified.js';

const settings: ConfiguredNotifications = { ...everything, reminders: [hours(1)] };
const withReach = { customers: [reachable] };
const schedule = { start: '2030-05-06T11:00:00Z', duration: 'PT30M', timezone: 'Europe/Athens' };

async function count(base: Notified): Promise<number> {
  return (await base.statuses()).length;
}

describe('One notification set per event', () => {
  type Step = (base: Notified, id: string, customerId: string) => Promise<unknown>;
  const steps: readonly [string, Step, number][] = [
    ['an update', (base, id) => base.appointments.update(agentOne, { id, title: 'b' }), 1],
    ['a reassignment', (base, id) => base.appointments.reassign(supervisor, { id, userId: 'agent-2' }), 1],
    ['an explicit activation', (base, id) => base.appointments.activate(agentOne, id), 3],
    ['a reschedule', (base, id) => base.appointments.reschedule(agentOne, { id, ...schedule, duration: 'PT45M' }), 6],
    ['a new locale', (base, id) => base.appointments.reschedule(agentOne, { id, ...schedule, locale: 'el' }), 3],
    ['an added agent', (base, id) => base.appointments.addParticipant(agentOne, { id, agentId: 'agent-3' }), 1],
    ['an added customer', (base, id) => base.appointments.addParticipant(agentOne, { id, customer: reachable }), 3],
    [
      'a phone taken away',
      (base, id, participantId) =>
        base.appointments.updateParticipant(agentOne, {
          id,
          participantId,
          customer: { contact: { primaryPhone: '' } },
        }),
      1,
    ],
    ['a started interaction', (base, id) => base.appointments.moveInteraction(agentOne, { id, to: 'IN_PROGRESS' }), 1],
    ['a cancellation', (base, id) => base.appointments.cancel(agentOne, { id }), 3],
    ['a deletion (v2)', (base, id) => base.appointments.softDelete(agentOne, id), 3],
    ['a removal (v1)', (base, id) => base.appointments.remove(supervisor, id), 3],
    ['an abort', (base, id) => base.appointments.abort(supervisor, { id, reason: 'x' }), 1],
  ];

  it.each(steps)('%s plans one notification set', async (_what, step, added) => {
    const base = notified(settings);
    const appointment = await booked(base, withReach);
    const before = await count(base);
    await step(base, appointment.id, customerOf(appointment));
    expect(base.events()).toHaveLength(2);
    const rows = await base.statuses();
    expect(rows.length - before).toBe(added);
    const ids = new Set(
      await Promise.all(
        rows.map(async ({ id }) => (await base.store.notifications.find('org-1', id))?.notification.sourceEventId),
      ),
    );
    expect(ids).toEqual(new Set(base.events().map(({ id }) => id)));
  });

  it('No-ops plan nothing', async () => {
    const base = notified(settings);
    const { id } = await booked(base, withReach);
    await base.appointments.activate(supervisor, id);
    await base.appointments.reassign(supervisor, { id, userId: 'agent-2' });
    const before = await count(base);
    await base.appointments.activate(supervisor, id);
    await base.appointments.reschedule(supervisor, { id, ...schedule });
    await base.appointments.reassign(supervisor, { id, userId: 'agent-2' });
    expect(await count(base)).toBe(before);
    await base.appointments.cancel(supervisor, { id });
    const cancelled = await count(base);
    await base.appointments.cancel(supervisor, { id });
    await base.appointments.softDelete(supervisor, id);
    expect(await count(base)).toBe(cancelled);
  });

  it('fifty cancellations at once plan one set', async () => {
    const base = notified(settings);
    const { id } = await booked(base, withReach);
    await Promise.all(Array.from({ length: 50 }, () => base.appointments.cancel(agentOne, { id })));
    expect(await base.statuses({ types: ['CANCELLED'] })).toHaveLength(3);
  });

  it('a booking that is refused plans nothing', async () => {
    const base = notified(settings, {
      applications: { 'app-1': { notifications: settings, overlap: { mode: 'agent', buffer: 0 } } },
    });
    await booked(base, withReach);
    const before = await count(base);
    await expect(booked(base, withReach)).rejects.toMatchObject({ code: 'slot_conflict' });
    expect(await count(base)).toBe(before);
  });

  it('an automatic activation tells nobody (D19)', async () => {
    const base = notified(settings);
    await booked(base, withReach);
    await base.after(hours(2.5) + minutes(1));
    expect(base.events().map(({ type }) => type)).toEqual(['APCreatedEvent', 'APActivatedEvent']);
    expect(await base.statuses({ types: ['ROOM'] })).toEqual([]);
  });
});

describe('An address that a customer loses while nobody is told', () => {
  it.each<[string, ConfiguredNotifications]>([
    ['notifications are switched off', { ...settings, active: false }],
    ['no channel to customers is on', { ...settings, email: undefined, sms: undefined }],
  ])(
    'an address that a customer loses while %s takes back what waits for it, so that nothing goes there twice',
    async (_why, off) => {
      const host = { notifications: settings };
      const base = notified(settings, { applications: { find: () => ({ notifications: host.notifications }) } });
      const appointment = await booked(base, withReach);
      const withPhone = (primaryPhone: string) =>
        base.appointments.updateParticipant(agentOne, {
          id: appointment.id,
          participantId: customerOf(appointment),
          customer: { contact: { primaryPhone } },
        });
      const reminders = async () => {
        const items = await base.statuses({ types: ['REMINDER'], sortField: 'id', sortOrder: 'asc' });
        return items.flatMap(({ channel, status, message }) =>
          channel === 'SMS' ? [`${status} ${String(message)}`] : [],
        );
      };
      host.notifications = off;
      await withPhone('');
      expect(await reminders()).toEqual(['CANCELLED superseded by a new contact']);
      host.notifications = settings;
      await withPhone('+306900000001');
      await base.after(hours(2));
      expect(await reminders()).toEqual(['CANCELLED superseded by a new contact', 'DELIVERED delivered']);
    },
  );
});
