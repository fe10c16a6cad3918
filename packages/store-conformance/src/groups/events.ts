import assert from 'node:assert/strict';
import type { DomainEvent } from '@calends/core';
import type { SchedulingStore } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { awkwardTexts, longText } from '../fixtures/awkward-values.js';
import { insertion, removal } from '../fixtures/changes.js';
import { commitAll } from '../steps.js';

const versionsOf = async (store: SchedulingStore, a: Words, appointmentId: string) =>
  (await store.events.list({ organizationId: a.organizationId, appointmentId })).map(({ version }) => version);

const fullEvent = (a: Words): DomainEvent =>
  a.event(a.scheduled(), {
    type: 'APReassignedEvent',
    occurredAt: fixtureStart + 3,
    version: 7,
    actor: { id: 'Jörg 𝒜', type: 'SYSTEM', role: 'ROLE_CLIENT_SERVICE' },
    correlationId: 'request-𝒜',
    data: {
      state: 'ACTIVATED',
      interactionState: 'FAILED',
      schedule: { start: '2026-03-02T09:00:00Z', end: '2026-03-02T10:00:00.001Z', timezone: 'Asia/Calcutta' },
      previousSchedule: { start: '1970-01-01T00:00:00Z', end: '9999-12-31T23:59:59.999Z', timezone: 'UTC' },
      organizerId: 'agent-9',
      agentIds: ['agent-9', 'agent-8'],
      previousAgentIds: [],
      participantId: 'customer-1',
      reason: '',
      explicit: false,
      removed: true,
    },
  });

export const eventsGroup = group('events stay beside their appointment (D47)', [
  { rule: 'round-trip' },
  it('every field of an event comes back exactly, absent ones stay absent', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const plain = a.event(appointment);
    const full = fullEvent(a);
    await commitAll(store, insertion(appointment, { events: [plain] }));
    await commitAll(store, { organizationId, events: [full] });
    const events = await store.events.list({ organizationId, appointmentId: appointment.id });
    expect(events).toEqual([plain, full]);
  }),
  it('texts of events come back exactly', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const events = [...awkwardTexts.map(([, text]) => text), longText].map((text, index) =>
      a.event(appointment, {
        version: index + 1,
        correlationId: text,
        data: { ...a.event(appointment).data, reason: text },
      }),
    );
    await commitAll(store, { organizationId, events });
    expect(await store.events.list({ organizationId, appointmentId: appointment.id })).toEqual(events);
  }),
  { rule: 'event-order' },
  it('events are listed in version order, of their appointment only', async (store, a, organizationId) => {
    const appointment = a.scheduled();
    const versions = [10, 9, 100, 1, 2];
    for (const version of versions) {
      await commitAll(store, { organizationId, events: [a.event(appointment, { version })] });
    }
    await commitAll(store, ...a.history('neighbour', 3));
    expect(await versionsOf(store, a, appointment.id)).toEqual([1, 2, 9, 10, 100]);
    expect(await versionsOf(store, a, 'unknown')).toEqual([]);
  }),
  { rule: 'event-order', emptyStore: true },
  it('events are listed after the removal of their appointment and after their delivery', async (store, a) => {
    const appointment = a.scheduled();
    const deleted = a.event(appointment, { version: 2, type: 'APDeletedEvent' });
    await commitAll(store, ...a.history(appointment.id, 1), removal(appointment, { events: [deleted] }));
    const claim = { now: fixtureStart, limit: 10, leaseUntil: fixtureStart + minute };
    const [claimed] = await store.events.claim(claim);
    assert.ok(claimed !== undefined);
    const { token, event } = claimed;
    await store.events.settle([{ eventId: event.id, token, status: 'delivered', at: fixtureStart }]);
    expect(await versionsOf(store, a, appointment.id)).toEqual([1, 2]);
  }),
]);
