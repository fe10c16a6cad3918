import { describe, expect, it } from 'vitest';
import {
  days,
  hours,
  type InteractionState,
  interactionStates,
  minutes,
  type NotificationType,
  notificationTypes,
} from '@calends/model';
import { allOn, claimedToSend } from '../../test/notifications/sample-notification.js';
import { customer, end, inState, interaction, now, scheduled, start } from '../../test/sample-appointments.js';
import type { Appointment } from '../domain/appointments/appointment.js';
import type { NotificationSettings } from '../settings/notification-settings.js';
import { type Notification } from '../domain/notifications/notification.js';
import { reasonAgainstRetrying, reasonAgainstSending } from './wanted.js';

interface Case {
  readonly row?: Partial<Notification>;
  readonly appointment?: Appointment | undefined;
  readonly settings?: Partial<NotificationSettings>;
  readonly now?: number;
}

function against(given: Case, ask = reasonAgainstSending): string | undefined {
  return ask({
    notification: claimedToSend(given.row),
    appointment: 'appointment' in given ? given.appointment : scheduled(),
    settings: { ...allOn, ...given.settings },
    now: given.now ?? now,
  });
}

const hook = { channel: 'WEBHOOKS', addressee: { type: 'SYSTEM', id: 'crm', label: 'CRM' } } as const;
const reminder = { type: 'REMINDER', offset: hours(1), scheduledFor: start - hours(1) } as const;

describe('A notification is still wanted', () => {
  it.each(notificationTypes.filter((type) => type !== 'FOLLOW_UP'))(
    'a notification is still wanted when nothing speaks against it: %s',
    (type) => {
      expect(against({ row: { type } })).toBeUndefined();
      expect(against({ row: { type, ...hook } })).toBeUndefined();
    },
  );
});

describe('A notification is not wanted any more', () => {
  it.each<[string, Case, string]>([
    ['of a record that is gone', { appointment: undefined }, 'the appointment was removed'],
    ['switched off (D12)', { settings: { active: false } }, 'notifications are switched off'],
    ['without mail', { settings: { email: undefined } }, 'the channel is not configured'],
    ['without SMS', { row: { channel: 'SMS' }, settings: { sms: undefined } }, 'the channel is not configured'],
    ['without its endpoint', { row: hook, settings: { webhooks: [] } }, 'the endpoint is not configured'],
    [
      'for an earlier schedule',
      { row: reminder, appointment: scheduled({ scheduleVersion: 2 }) },
      'superseded by a new schedule',
    ],
    [
      'for a customer who left',
      { appointment: scheduled({ participants: [{ ...customer, id: 'customer-2' }] }) },
      'the customer takes part no more',
    ],
    [
      'for a customer who is not confirmed (D62)',
      { appointment: scheduled({ participants: [{ ...customer, confirmed: false }] }) },
      'the customer is not confirmed',
    ],
    [
      'over a channel whose address was not proven (D62)',
      {
        row: { channel: 'SMS' },
        appointment: scheduled({ participants: [{ ...customer, confirmed: false, toldOver: ['EMAIL'] }] }),
      },
      'the customer is not confirmed',
    ],
  ])('a notification is not wanted any more: %s', (_what, given, reason) => {
    expect(against(given)).toBe(reason);
    expect(against(given, reasonAgainstRetrying)).toBe(reason);
  });

  it('a notification is wanted over a channel whose address was proven, and by subscribers of anyone who booked (D62)', () => {
    const appointment = scheduled({ participants: [{ ...customer, confirmed: false, toldOver: ['EMAIL'] }] });
    expect(against({ appointment })).toBeUndefined();
    expect(against({ appointment, row: hook })).toBeUndefined();
  });

  it.each(['CANCELLED', 'ABORTED'] as const)(
    'a notification of an appointment that is %s is not wanted any more, but CANCELLED and FAILED (D53)',
    (state) => {
      const reason = state === 'ABORTED' ? 'the appointment was aborted' : 'the appointment was cancelled';
      const wanted = notificationTypes.filter(
        (type) => against({ row: { type }, appointment: inState(state) }) === undefined,
      );
      expect(wanted).toEqual(['CANCELLED', 'FAILED']);
      expect(against({ row: { type: 'CREATE' }, appointment: inState(state) })).toBe(reason);
    },
  );

  it('an untimed one is not superseded by a new schedule', () => {
    expect(against({ row: { type: 'CREATE' }, appointment: scheduled({ scheduleVersion: 2 }) })).toBeUndefined();
  });
});

describe('The state of the interaction', () => {
  const inInteraction = (state: InteractionState, initiatedBy?: string) =>
    inState('ACTIVATED', {
      interaction: interaction(state, {
        initiatedBy: initiatedBy === undefined ? undefined : { id: initiatedBy, type: 'CUSTOMER', timestamp: now },
      }),
    });

  it.each(interactionStates)('the state %s of the interaction says whether it is reminded of', (state) => {
    const wanted = ['PENDING', 'INITIATED', 'FAILED'].includes(state);
    const given = { row: reminder, appointment: inInteraction(state), now: reminder.scheduledFor };
    expect(against(given)).toBe(wanted ? undefined : 'the appointment is under way or over');
  });

  const followUp = { type: 'FOLLOW_UP', offset: 0, scheduledFor: end } as const;

  it.each(interactionStates)(
    'the state %s of the interaction says whether it is followed up, for customers who joined (D49)',
    (state) => {
      const joined = state === 'IN_PROGRESS' || state === 'COMPLETED';
      const reason = joined ? undefined : 'the customer did not join';
      expect(against({ row: followUp, appointment: inInteraction(state), now: end })).toBe(reason);
      expect(against({ row: { ...followUp, ...hook }, appointment: inInteraction(state), now: end })).toBe(reason);
    },
  );

  it('of several customers, the one who opened the channel is followed up', () => {
    const two = [customer, { ...customer, id: 'customer-2' }];
    const by = (id: string) => ({ ...inInteraction('COMPLETED', id), participants: two });
    expect(against({ row: followUp, appointment: by('customer-1'), now: end })).toBeUndefined();
    expect(against({ row: followUp, appointment: by('customer-2'), now: end })).toBe('the customer did not join');
    expect(against({ row: followUp, appointment: by('agent-1'), now: end })).toBeUndefined();
    expect(against({ row: { ...followUp, ...hook }, appointment: by('customer-2'), now: end })).toBeUndefined();
  });
});

describe('The time', () => {
  const missed = 'missed delivery window';
  const followed = inState('ACTIVATED', { interaction: interaction('COMPLETED') });

  it.each<[NotificationType, Partial<Notification>, number, string | undefined]>([
    ['REMINDER', reminder, reminder.scheduledFor + minutes(5), undefined],
    ['REMINDER', reminder, reminder.scheduledFor + minutes(5) + 1, missed],
    ['ROOM', {}, now + minutes(5), undefined],
    ['ROOM', {}, now + minutes(5) + 1, missed],
    ['FOLLOW_UP', { scheduledFor: end }, end + days(1), undefined],
    ['FOLLOW_UP', { scheduledFor: end }, end + days(1) + 1, missed],
    ['CREATE', {}, end - 1, undefined],
    ['CREATE', {}, end, missed],
    ['CREATE', hook, end + days(9), undefined],
    ['RESCHEDULE', {}, end - 1, undefined],
    ['RESCHEDULE', {}, end, missed],
    ['CANCELLED', {}, end + days(9), undefined],
    ['UPDATE', hook, end + days(9), undefined],
    ['NO_SHOW', hook, end + days(9), undefined],
  ])('the time of %s %j at %d says %s (D55)', (type, row, at, reason) => {
    const appointment = type === 'FOLLOW_UP' ? followed : scheduled();
    expect(against({ row: { type, ...row }, now: at, appointment })).toBe(reason);
  });

  const removal = { kept: JSON.stringify({ appointment: { id: 'a' } }) };

  it.each<[string, Partial<Notification>, number, string | undefined]>([
    ['a message of a removed record to a customer: a day', removal, days(1), undefined],
    ['a message of a removed record to a customer: no longer', removal, days(1) + 1, missed],
    ['a web hook of a removed record: a week', { ...hook, ...removal }, days(7), undefined],
    ['a web hook of a removed record: no longer', { ...hook, ...removal }, days(7) + 1, missed],
    ['a web hook that keeps its body: without an end', { ...hook, kept: '{"body":"{}"}' }, days(9), undefined],
    ['a message that could not be made: without an end', { kept: '{"faults":1}' }, days(9), undefined],
  ])('the time bounds %s (ADR 0022)', (_what, row, wait, reason) => {
    expect(against({ row: { type: 'CANCELLED', ...row }, now: now + wait })).toBe(reason);
  });

  it.each(['REMINDER', 'ROOM'] as const)('%s is never sent at the start or after it, by hand neither (D54)', (type) => {
    const row = { type, createdAt: start - 1, scheduledFor: start - 1 };
    for (const ask of [reasonAgainstSending, reasonAgainstRetrying]) {
      expect(against({ row, now: start - 1 }, ask)).toBeUndefined();
      expect(against({ row, now: start }, ask)).toBe(missed);
    }
  });

  it.each<[string, Partial<Notification>, string | undefined]>([
    ['the first attempt', { attempts: 1 }, missed],
    ['the second attempt', { attempts: 2 }, undefined],
    ['the first attempt by hand', { attempts: 1, manualRetries: 1 }, undefined],
  ])('the time binds %s', (_what, more, reason) => {
    expect(against({ row: { ...reminder, ...more }, now: reminder.scheduledFor + minutes(10) })).toBe(reason);
  });

  it('the time is what the application says (D55)', () => {
    const lateness = { reminder: 0, room: 0, followUp: 0 };
    expect(against({ row: reminder, now: reminder.scheduledFor, settings: { lateness } })).toBeUndefined();
    expect(against({ row: reminder, now: reminder.scheduledFor + 1, settings: { lateness } })).toBe(missed);
  });

  it('the time does not bind a retry by hand, which is late by its nature (D53)', () => {
    expect(against({ row: reminder, now: reminder.scheduledFor + minutes(30) }, reasonAgainstRetrying)).toBeUndefined();
  });
});
