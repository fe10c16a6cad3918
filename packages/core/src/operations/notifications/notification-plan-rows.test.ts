import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { days, interactionStates } from '@calends/model';
import { allOn } from '../../../test/notifications/sample-notification.js';
import { endpoint } from '../../../test/notifications/notified.js';
import { active, eventOf, planned, rows } from '../../../test/notifications/planned.js';
import { customer, now, scheduled } from '../../../test/sample-appointments.js';
import { sampleCustomer } from '../../../test/sample-messages.js';
import { domainEventTypes } from '../../domain/appointments/events.js';
import type { CustomerProfile } from '../../domain/customers/profile.js';
import { planNeedsCustomers } from '../../delivery/notification-plan.js';

describe('Every row', () => {
  const offsets = fc.uniqueArray(fc.integer({ min: 0, max: days(3) }), { maxLength: 5 });
  const people = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
  const subject = fc.record({
    type: fc.constantFrom(...domainEventTypes),
    interactionState: fc.constantFrom(...interactionStates),
    explicit: fc.boolean(),
    removed: fc.boolean(),
    reminders: offsets,
    followUps: offsets,
    people,
    endpoints: fc.integer({ min: 0, max: 4 }),
    scheduleVersion: fc.integer({ min: 1, max: 3 }),
  });
  const personal = ['Maria', 'Papadaki', 'maria@example.org', '+306900000001', 'Consultation'];

  function arbitraryPlan({
    type,
    people: ids,
    endpoints,
    scheduleVersion,
    ...given
  }: typeof subject extends fc.Arbitrary<infer Given> ? Given : never) {
    const { interactionState, explicit, reminders, followUps } = given;
    const removed = type === 'APDeletedEvent' && given.removed;
    const participants = ids.map((id) => ({ ...customer, id: `customer-${String(id)}` }));
    const profiles = participants.map(({ id }) => ({ ...sampleCustomer, participantId: id }));
    const webhooks = Array.from({ length: endpoints }, (_, index) => ({
      ...endpoint,
      id: `endpoint-${String(index)}`,
    }));
    return planned(eventOf(type, { interactionState, explicit, removed, participantId: participants[0]?.id }), {
      appointment: scheduled({ ...active, participants, scheduleVersion }),
      customers: type === 'APCreatedEvent' ? [] : profiles,
      changedCustomers: type === 'APCreatedEvent' ? profiles : [],
      settings: { ...allOn, reminders, followUps, webhooks },
    });
  }

  it('every row has a dedupe key of its own, the same for the same event, another for another (D56)', () => {
    fc.assert(
      fc.property(subject, (given) => {
        const keys = rows(arbitraryPlan(given)).map(({ dedupeKey }) => dedupeKey);
        expect(new Set(keys).size).toBe(keys.length);
        expect(rows(arbitraryPlan(given)).map(({ dedupeKey }) => dedupeKey)).toEqual(keys);
      }),
    );
    const [one, other] = ['event-1', 'event-2'].map((id) => rows(planned(eventOf('APUpdatedEvent', {}, id)))[0]);
    expect(one?.dedupeKey).not.toBe(other?.dedupeKey);
  });

  it('every row begins READY with one event, due at its time or now, and is never due in the past', () => {
    fc.assert(
      fc.property(subject, (given) => {
        for (const { next, events } of arbitraryPlan(given).add ?? []) {
          expect(next).toMatchObject({
            phase: 'READY',
            status: 'INITIALIZED',
            revision: 1,
            eventCount: 1,
            attempts: 0,
          });
          expect(events).toMatchObject([{ number: 1, status: 'INITIALIZED', message: 'planned', timestamp: now }]);
          expect(next.wakeAt).toBe(next.scheduledFor ?? now);
          expect(next.wakeAt).toBeGreaterThanOrEqual(now);
        }
      }),
    );
  });

  it('every row holds nothing personal but in what a removal keeps', () => {
    fc.assert(
      fc.property(subject, (given) => {
        const changes = arbitraryPlan(given);
        const shown = JSON.stringify(rows(changes).map((row) => ({ ...row, kept: undefined })));
        for (const text of personal) expect(shown).not.toContain(text);
        expect(JSON.stringify(changes.cancel ?? [])).not.toMatch(/@|\+30|Maria/);
      }),
    );
  });

  it('every row addresses one customer or endpoint, and each of them once over each channel, for each time', () => {
    fc.assert(
      fc.property(subject, (given) => {
        const times = rows(arbitraryPlan(given)).map(
          ({ type, offset, channel, addressee }) => `${type} ${String(offset)} ${channel} ${addressee.id}`,
        );
        expect(new Set(times).size).toBe(times.length);
      }),
    );
  });
});

describe('Profiles', () => {
  it.each(domainEventTypes)('profiles are asked for where the plan at %s uses them', (type) => {
    const event = eventOf(type, { explicit: true });
    const another: CustomerProfile = { ...sampleCustomer, primaryPhone: undefined };
    const changed =
      type === 'APUpdatedEvent' || type === 'APParticipantUpdatedEvent' ? { changedCustomers: [another] } : {};
    const [withThem, without] = [[sampleCustomer], []].map((customers) =>
      planned(event, { previous: scheduled(active), customers, ...changed }),
    );
    const usesThem = JSON.stringify(withThem) !== JSON.stringify(without);
    if (usesThem) expect(planNeedsCustomers(event, allOn)).toBe(true);
    for (const off of [
      { ...allOn, active: false },
      { ...allOn, email: undefined, sms: undefined },
    ]) {
      const withThem = JSON.stringify(planned(event, { previous: scheduled(active), settings: off, ...changed }));
      const withoutThem = planned(event, { previous: scheduled(active), settings: off, customers: [], ...changed });
      expect(planNeedsCustomers(event, off)).toBe(withThem !== JSON.stringify(withoutThem));
    }
  });

  it('profiles are not asked for where nothing goes to customers', () => {
    for (const type of ['APReassignedEvent', 'APAbortedEvent', 'APInteractionUpdatedEvent'] as const) {
      expect(planNeedsCustomers(eventOf(type), allOn)).toBe(false);
    }
    expect(planNeedsCustomers(eventOf('APActivatedEvent', { explicit: false }), allOn)).toBe(false);
  });
});
