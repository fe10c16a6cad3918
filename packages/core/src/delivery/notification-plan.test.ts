import { describe, expect, it } from 'vitest';
import {
  days,
  hours,
  type InteractionState,
  interactionStates,
  lastInstant,
  minutes,
  notificationTypes,
} from '@calends/model';
import { allOn } from '../../test/notifications/sample-notification.js';
import { endpoint } from '../../test/notifications/notified.js';
import {
  active,
  eventOf,
  everywhere,
  immediate,
  nobody,
  planned,
  rows,
  subscribersAlone,
} from '../../test/notifications/planned.js';
import {
  aborted,
  activated,
  cancelled,
  customer,
  end,
  interaction,
  now,
  scheduled,
  start,
} from '../../test/sample-appointments.js';
import { sampleCustomer } from '../../test/sample-messages.js';
import type { Appointment } from '../domain/appointments/appointment.js';
import { type DomainEventData, type DomainEventType, domainEventTypes } from '../domain/appointments/events.js';
import type { CustomerProfile } from '../domain/customers/profile.js';

describe('From event to message (D49)', () => {
  it.each<[DomainEventType, Partial<DomainEventData>, object]>([
    ['APCreatedEvent', {}, everywhere('CREATE')],
    ['APUpdatedEvent', {}, subscribersAlone('UPDATE')],
    ['APRescheduledEvent', {}, everywhere('RESCHEDULE')],
    ['APReassignedEvent', {}, subscribersAlone('REASSIGN')],
    ['APActivatedEvent', { explicit: true }, everywhere('ROOM')],
    ['APActivatedEvent', { explicit: false }, nobody],
    ['APActivatedEvent', {}, nobody],
    ['APCancelledEvent', {}, everywhere('CANCELLED')],
    ['APDeletedEvent', {}, everywhere('CANCELLED')],
    ['APDeletedEvent', { removed: true }, everywhere('CANCELLED')],
    ['APAbortedEvent', {}, subscribersAlone('FAILED')],
    ['APParticipantAddedEvent', { participantId: 'agent-3' }, subscribersAlone('PARTICIPANT_ADDED')],
    ['APParticipantRemovedEvent', { participantId: 'agent-2' }, subscribersAlone('PARTICIPANT_REMOVED')],
    ['APParticipantUpdatedEvent', { participantId: 'customer-1' }, subscribersAlone('PARTICIPANT_UPDATED')],
  ])('the event %s %j becomes the messages of its kind', (type, data, expected) => {
    expect(immediate(planned(eventOf(type, data)))).toEqual(expected);
  });

  const moves: Readonly<Record<InteractionState, string>> = {
    PENDING: 'INTERACTION_UPDATED',
    INITIATED: 'INTERACTION_UPDATED',
    IN_PROGRESS: 'IN_PROGRESS',
    COMPLETED: 'COMPLETED',
    NO_SHOW: 'NO_SHOW',
    FAILED: 'FAILED',
    CANCELLED: 'INTERACTION_UPDATED',
  };

  it.each(interactionStates)('an interaction that has moved to %s is told to subscribers only', (interactionState) => {
    const changes = planned(eventOf('APInteractionUpdatedEvent', { interactionState }));
    expect(immediate(changes)).toEqual(subscribersAlone(moves[interactionState]));
    expect(changes.cancel).toEqual([]);
  });

  it.each(domainEventTypes.filter((type) => type !== 'APInteractionUpdatedEvent'))(
    '%s means the same in every state of the interaction',
    (type) => {
      const inEachState = interactionStates.map((interactionState) =>
        immediate(planned(eventOf(type, { interactionState, explicit: true }))),
      );
      for (const each of inEachState) expect(each).toEqual(inEachState[0]);
    },
  );

  it('events reach each of the 16 types', () => {
    const settings = { ...allOn, followUps: [hours(1)] };
    const reached = new Set(
      [
        ...domainEventTypes.flatMap((type) => rows(planned(eventOf(type, { explicit: true }), { settings }))),
        ...interactionStates.flatMap((interactionState) =>
          rows(planned(eventOf('APInteractionUpdatedEvent', { interactionState }))),
        ),
      ].map(({ type }) => type),
    );
    expect([...reached].sort()).toEqual([...notificationTypes].sort());
  });

  it('an event makes one row per endpoint, recipient type SYSTEM, with the label of the endpoint', () => {
    const webhooks = [endpoint, { ...endpoint, id: 'erp', label: 'ERP' }];
    const changes = planned(eventOf('APReassignedEvent'), { settings: { ...allOn, webhooks } });
    expect(rows(changes).map(({ addressee }) => addressee)).toEqual([
      { type: 'SYSTEM', id: 'crm', label: 'CRM' },
      { type: 'SYSTEM', id: 'erp', label: 'ERP' },
    ]);
  });

  it.each([
    [undefined, ['CREATE', 'REMINDER']],
    [[], []],
    [['REMINDER'], ['REMINDER']],
    [['CREATE', 'CANCELLED'], ['CREATE']],
    [['CANCELLED'], []],
  ] as const)('an endpoint for the types %j gets %j of a creation', (types, expected) => {
    const settings = { ...allOn, email: undefined, sms: undefined, webhooks: [{ ...endpoint, types }] };
    expect(rows(planned(eventOf('APCreatedEvent'), { settings })).map(({ type }) => type)).toEqual(expected);
  });
});

describe('Customers', () => {
  const mail = { primaryPhone: undefined };
  const phone = { primaryEmail: undefined };
  const neither = { primaryPhone: undefined, primaryEmail: undefined, username: 'maria' };
  const empty = { primaryPhone: '', primaryEmail: '' };

  it.each<[string, Partial<CustomerProfile>, readonly string[]]>([
    ['mail and phone', {}, ['EMAIL', 'SMS']],
    ['mail only', mail, ['EMAIL']],
    ['a phone only', phone, ['SMS']],
    ['a user name only', neither, []],
    ['a cleared mail and phone', empty, []],
  ])('customers with %s are told over %j only', (_what, more, expected) => {
    const profile = { ...sampleCustomer, ...more };
    const [made, ended] = [
      planned(eventOf('APCreatedEvent'), { changedCustomers: [profile] }),
      planned(eventOf('APCancelledEvent'), { customers: [profile] }),
    ].map((changes) => rows(changes).filter(({ channel }) => channel !== 'WEBHOOKS'));
    expect(made?.filter(({ type }) => type === 'CREATE').map(({ channel }) => channel)).toEqual(expected);
    expect(made?.filter(({ type }) => type === 'REMINDER').map(({ channel }) => channel)).toEqual(expected);
    expect(ended?.map(({ channel }) => channel)).toEqual(expected);
  });

  it.each([
    ['email', ['SMS', 'WEBHOOKS']],
    ['sms', ['EMAIL', 'WEBHOOKS']],
  ] as const)('customers hear nothing over %s where the application has it not', (channel, expected) => {
    const settings = { ...allOn, [channel]: undefined };
    const channels = rows(planned(eventOf('APCreatedEvent'), { settings })).map((row) => row.channel);
    expect([...new Set(channels)]).toEqual(expected);
  });

  it('who take part no more are not told', () => {
    const gone = { ...sampleCustomer, participantId: 'customer-9' };
    const changes = planned(eventOf('APCancelledEvent'), { customers: [sampleCustomer, gone] });
    expect(rows(changes).map(({ addressee }) => addressee.id)).toEqual(['customer-1', 'customer-1', 'crm']);
  });

  it.each<[string, Appointment, object]>([
    ['lies ahead', activated(active), everywhere('CANCELLED')],
    ['is under way', activated({ ...active, interaction: interaction('IN_PROGRESS') }), everywhere('CANCELLED')],
    ['was cancelled', cancelled(active), subscribersAlone('CANCELLED')],
    ['was aborted', aborted(active), subscribersAlone('CANCELLED')],
    ['took place', activated({ ...active, interaction: interaction('COMPLETED') }), subscribersAlone('CANCELLED')],
    ['was missed', scheduled({ ...active, interaction: interaction('NO_SHOW') }), subscribersAlone('CANCELLED')],
  ])('the removal of what %s tells customers of a cancellation only where there is one', (_what, last, expected) => {
    const event = eventOf('APDeletedEvent', { removed: true });
    expect(immediate(planned(event, { appointment: last, previous: last }))).toEqual(expected);
  });

  it('customers are told where the same commit says that they are reached', () => {
    const changes = planned(eventOf('APRescheduledEvent'), {
      changedCustomers: [{ ...sampleCustomer, primaryPhone: undefined }],
    });
    expect(immediate(changes)).toEqual({ EMAIL: ['RESCHEDULE'], SMS: [], WEBHOOKS: ['RESCHEDULE'] });
  });
});

describe('Timed messages', () => {
  const at = (offset: number) => planned(eventOf('APCreatedEvent'), { settings: { ...allOn, reminders: [offset] } });

  it('timed messages are a REMINDER at start − offset and a FOLLOW_UP at end + offset, due then and not before', () => {
    const settings = { ...allOn, reminders: [minutes(30)], followUps: [0, days(1)] };
    const timed = rows(planned(eventOf('APCreatedEvent'), { settings })).filter(({ offset }) => offset !== undefined);
    const times = new Set(timed.map((row) => `${row.type} ${String(row.offset)} ${String(row.scheduledFor)}`));
    expect([...times]).toEqual([
      `REMINDER ${String(minutes(30))} ${String(start - minutes(30))}`,
      `FOLLOW_UP 0 ${String(end)}`,
      `FOLLOW_UP ${String(days(1))} ${String(end + days(1))}`,
    ]);
    for (const { wakeAt, scheduledFor } of timed) expect(wakeAt).toBe(scheduledFor);
    expect(timed).toHaveLength(9);
  });

  it.each([
    ['lies a millisecond ahead', start - now - 1, 3],
    ['is now', start - now, 0],
    ['has passed a millisecond ago', start - now + 1, 0],
    ['is the start itself', 0, 3],
  ])('an offset that %s', (_what, offset, expected) => {
    expect(rows(at(offset)).filter(({ type }) => type === 'REMINDER')).toHaveLength(expected);
  });

  it('timed messages of an appointment at the end of the year 9999 are due no later than its last instant, each (D3)', () => {
    const schedule = { start: lastInstant - hours(1), end: lastInstant - minutes(30), timezone: 'UTC' };
    const settings = { ...allOn, reminders: [], followUps: [minutes(5), hours(1), days(2)] };
    const appointment = scheduled({ ...active, schedule });
    const made = rows(planned(eventOf('APCreatedEvent'), { settings, appointment }));
    const timed = made.filter(({ type, channel }) => type === 'FOLLOW_UP' && channel === 'EMAIL');
    expect(timed.map(({ offset, scheduledFor, wakeAt }) => [offset, scheduledFor, wakeAt])).toEqual([
      [minutes(5), schedule.end + minutes(5), schedule.end + minutes(5)],
      [hours(1), lastInstant, lastInstant],
      [days(2), lastInstant, lastInstant],
    ]);
    expect(new Set(timed.map(({ dedupeKey }) => dedupeKey)).size).toBe(3);
  });

  it('timed messages of an appointment that is over already are not made', () => {
    const schedule = { start: now - hours(2), end: now - hours(1), timezone: 'UTC' };
    const settings = { ...allOn, followUps: [minutes(30), minutes(60), minutes(61)] };
    const appointment = scheduled({ ...active, schedule });
    const made = rows(planned(eventOf('APCreatedEvent'), { settings, appointment }));
    expect(made.map(({ type, offset }) => `${type} ${String(offset)}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'CREATE undefined'),
      ...Array.from({ length: 3 }, () => `FOLLOW_UP ${String(minutes(61))}`),
    ]);
  });

  it.each([
    [1, 1, 1],
    [1, 0, 2],
    [20, 1, 2],
    [3, 4, 0],
  ])(
    '%d customers, %d endpoints and %d offsets ahead: two rows a customer and one an endpoint, for each time',
    (...counts) => {
      const [people, endpoints, offsets] = counts;
      const participants = Array.from({ length: people }, (_, index) => ({
        ...customer,
        id: `customer-${String(index)}`,
      }));
      const changes = planned(eventOf('APCreatedEvent'), {
        appointment: scheduled({ ...active, participants }),
        changedCustomers: participants.map(({ id }) => ({ ...sampleCustomer, participantId: id })),
        settings: {
          ...allOn,
          webhooks: Array.from({ length: endpoints }, (_, index) => ({ ...endpoint, id: `endpoint-${String(index)}` })),
          reminders: [minutes(10), minutes(20)].slice(0, offsets),
        },
      });
      expect(rows(changes)).toHaveLength((2 * people + endpoints) * (1 + offsets));
    },
  );
});

describe('The switch of the application (D12)', () => {
  it.each(domainEventTypes)(
    'an application that is switched on later: an old appointment stays silent at %s',
    (type) => {
      const old = scheduled({ notificationsActive: false });
      expect(planned(eventOf(type, { explicit: true }), { appointment: old, previous: old })).toEqual({});
    },
  );

  it.each(domainEventTypes)('an application that is switched off later: nothing more is planned at %s', (type) => {
    const settings = { ...allOn, active: false };
    const changes = planned(eventOf(type, { explicit: true }), { settings });
    expect(changes.add ?? []).toEqual([]);
  });

  it('an application that is switched off later: what waits is taken back all the same', () => {
    const settings = { ...allOn, active: false };
    expect(planned(eventOf('APCancelledEvent'), { settings }).cancel).toHaveLength(1);
  });
});
