import { withoutIdentities } from '../../domain/appointments/participants.js';
import { describe, expect, it } from 'vitest';
import {
  active,
  eventOf,
  everywhere,
  immediate,
  planned,
  rows,
  subscribersAlone,
} from '../../../test/notifications/planned.js';
import { customer, inState, now, scheduled } from '../../../test/sample-appointments.js';
import { sampleCustomer } from '../../../test/sample-messages.js';
import type { Appointment, Participant } from '../../domain/appointments/appointment.js';
import { type DomainEvent, domainEventTypes } from '../../domain/appointments/events.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import type { PlanSubject } from '../../delivery/notification-plan.js';

describe('What is taken back', () => {
  const base = { appointmentId: scheduled().id, at: now, messageIfTaken: 'sent before cancellation' };
  const moved = { appointment: scheduled({ ...active, scheduleVersion: 2 }) };
  const timed = ['REMINDER', 'FOLLOW_UP'];

  it.each<[string, DomainEvent, Partial<PlanSubject>, readonly object[]]>([
    ['everything on cancelling', eventOf('APCancelledEvent'), {}, [{ message: 'the appointment was cancelled' }]],
    ['everything on deleting (v2)', eventOf('APDeletedEvent'), {}, [{ message: 'the appointment was cancelled' }]],
    [
      'everything on removing (v1)',
      eventOf('APDeletedEvent', { removed: true }),
      {},
      [{ message: 'the appointment was removed' }],
    ],
    ['everything on aborting (D15)', eventOf('APAbortedEvent'), {}, [{ message: 'the appointment was aborted' }]],
    [
      'timed rows of all channels, RESCHEDULE of mail and SMS only, on a new schedule',
      eventOf('APRescheduledEvent'),
      moved,
      [
        { types: timed, message: 'superseded by a new schedule' },
        { types: ['RESCHEDULE'], channels: ['EMAIL', 'SMS'], message: 'superseded by a new schedule' },
      ],
    ],
    ['nothing on a new locale only', eventOf('APRescheduledEvent'), {}, []],
    [
      'what goes to a customer who leaves',
      eventOf('APParticipantRemovedEvent', { participantId: 'customer-1' }),
      {},
      [{ addresseeId: 'customer-1', message: 'the customer takes part no more' }],
    ],
    ['nothing on an update of the title', eventOf('APUpdatedEvent'), {}, []],
    ['nothing on a reassignment', eventOf('APReassignedEvent'), {}, []],
    ['nothing on an activation', eventOf('APActivatedEvent', { explicit: true }), {}, []],
    ['nothing on a creation', eventOf('APCreatedEvent'), {}, []],
    ['nothing on an added customer', eventOf('APParticipantAddedEvent'), {}, []],
  ])('a change takes back %s', (_what, event, more, expected) => {
    expect(planned(event, more).cancel).toEqual(expected.map((each) => ({ ...base, ...each })));
  });

  it('a new schedule makes new timed rows, a new locale makes none (D20)', () => {
    const types = (more: Partial<PlanSubject>) =>
      rows(planned(eventOf('APRescheduledEvent'), more)).map(({ type, channel }) => `${type} ${channel}`);
    const told = ['RESCHEDULE EMAIL', 'RESCHEDULE SMS', 'RESCHEDULE WEBHOOKS'];
    expect(types({})).toEqual(told);
    expect(types(moved)).toEqual([...told, 'REMINDER EMAIL', 'REMINDER SMS', 'REMINDER WEBHOOKS']);
  });

  type Reach = 'lost' | 'gained' | undefined;
  const changes: readonly [string, Partial<CustomerProfile>, Partial<CustomerProfile>, Reach][] = [
    ['another name', {}, { firstName: 'Anna' }, undefined],
    ['another address, which is read when it is sent to', {}, { primaryEmail: 'anna@example.org' }, undefined],
    ['a phone taken away', {}, { primaryPhone: undefined }, 'lost'],
    ['a phone cleared', {}, { primaryPhone: '' }, 'lost'],
    ['a phone given', { primaryPhone: undefined }, {}, 'gained'],
    ['a cleared phone that stays away', { primaryPhone: '' }, { primaryPhone: undefined }, undefined],
  ];

  it.each(changes)('a contact with %s touches no other channel', (_what, before, after, sms) => {
    for (const type of ['APUpdatedEvent', 'APParticipantUpdatedEvent'] as const) {
      const changedCustomers = [{ ...sampleCustomer, ...after }];
      const customers = [{ ...sampleCustomer, ...before }];
      const plan = planned(eventOf(type, { participantId: 'customer-1' }), { customers, changedCustomers });
      const message = 'superseded by a new contact';
      const taken = { ...base, types: timed, channels: ['SMS'], addresseeId: 'customer-1', message };
      expect(plan.cancel).toEqual(sms === 'lost' ? [taken] : []);
      const reminders = rows(plan).filter((row) => row.type === 'REMINDER');
      expect(reminders.map(({ channel }) => channel)).toEqual(sms === 'gained' ? ['SMS'] : []);
    }
  });

  it.each<[string, Partial<Participant>, readonly string[]]>([
    ['who proved nothing', { confirmed: false }, []],
    ['who proved an address', { confirmed: false, toldOver: ['EMAIL'] }, ['EMAIL']],
    ['whom the application lets be told', { confirmed: false, toldOver: ['EMAIL', 'SMS'] }, ['EMAIL', 'SMS']],
    ['who is confirmed, as everybody from before', {}, ['EMAIL', 'SMS']],
  ])('a customer %s is told over proven channels only, whatever happens (D62)', (_who, confirmation, channels) => {
    const participants = [{ ...customer, ...confirmation }];
    const appointment = scheduled({ ...active, scheduleVersion: 2, participants });
    for (const type of domainEventTypes) {
      const told = rows(
        planned(eventOf(type, { explicit: true }), { appointment, previous: scheduled({ participants }) }),
      )
        .filter(({ addressee }) => addressee.type === 'CUSTOMER')
        .map(({ channel }) => channel);
      expect([type, [...new Set(told)].filter((channel) => !channels.includes(channel))]).toEqual([type, []]);
      if (type === 'APCreatedEvent') expect([...new Set(told)]).toEqual(channels);
    }
  });

  it('a customer whom staff confirms gets what lies ahead, and nobody is told of it at once (D62)', () => {
    const previous = scheduled({ ...active, participants: [{ ...customer, confirmed: false, toldOver: ['EMAIL'] }] });
    const appointment = scheduled({ ...active, participants: [customer] });
    for (const type of ['APUpdatedEvent', 'APParticipantUpdatedEvent'] as const) {
      const event = eventOf(type, { participantId: 'customer-1' });
      const plan = planned(event, { previous, appointment, customers: [sampleCustomer], changedCustomers: undefined });
      expect(
        rows(plan)
          .filter(({ channel }) => channel !== 'WEBHOOKS')
          .map((row) => `${row.type} ${row.channel}`),
      ).toEqual(['REMINDER SMS']);
      expect(plan.cancel).toEqual([]);
      const again = planned(event, { previous: appointment, appointment, customers: [sampleCustomer] });
      expect([again.cancel, rows(again).filter(({ type: each }) => each === 'REMINDER')]).toEqual([[], []]);
    }
  });

  it('a customer who is added is reminded, and nobody else once more', () => {
    const added = { ...sampleCustomer, participantId: 'customer-2' };
    const appointment = scheduled({ ...active, participants: [customer, { ...customer, id: 'customer-2' }] });
    const event = eventOf('APParticipantAddedEvent', { participantId: 'customer-2' });
    const plan = planned(event, { appointment, changedCustomers: [added] });
    expect(rows(plan).map((row) => `${row.type} ${row.channel} ${row.addressee.id}`)).toEqual([
      'PARTICIPANT_ADDED WEBHOOKS crm',
      'REMINDER EMAIL customer-2',
      'REMINDER SMS customer-2',
    ]);
  });
});

describe('The removal of a record (v1)', () => {
  const removal = eventOf('APDeletedEvent', { removed: true });

  it('the removal of a record keeps what its messages need, since it stands nowhere else, and nothing that recognises customers', () => {
    const last = scheduled({ ...active, version: 4 });
    expect(last.participants.some(({ identity }) => identity !== undefined)).toBe(true);
    const kept = rows(planned(removal, { appointment: last })).map((row) => [row.channel, JSON.parse(row.kept ?? '0')]);
    const appointment = JSON.parse(JSON.stringify(withoutIdentities(last))) as Appointment;
    const customerLeft = JSON.parse(JSON.stringify(sampleCustomer)) as CustomerProfile;
    expect(kept).toEqual([
      ['EMAIL', { appointment, customer: customerLeft }],
      ['SMS', { appointment, customer: customerLeft }],
      ['WEBHOOKS', { appointment }],
    ]);
  });

  it.each(['CANCELLED', 'ABORTED'] as const)(
    'the removal of a record that was %s already tells subscribers only',
    (state) => {
      const previous = inState(state, active);
      expect(immediate(planned(removal, { previous, appointment: previous }))).toEqual(subscribersAlone('CANCELLED'));
    },
  );

  it('the removal of a record that was activated tells its customers', () => {
    const previous = inState('ACTIVATED', active);
    expect(immediate(planned(removal, { previous, appointment: previous }))).toEqual(everywhere('CANCELLED'));
  });

  it('the removal of a record is the only event that keeps anything', () => {
    for (const type of domainEventTypes) {
      for (const { kept } of rows(planned(eventOf(type, { explicit: true })))) expect(kept).toBeUndefined();
    }
  });
});
