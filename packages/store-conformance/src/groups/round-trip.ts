import type { Appointment } from '@calends/core';
import type { SchedulingStore } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect, spoil } from '../expectations.js';
import { agent, customer, fixtureStart, lastInstant, minute } from '../fixtures/appointments.js';
import { insertion, update } from '../fixtures/changes.js';
import { listQuery } from '../fixtures/queries.js';
import { awkwardTexts, nestedMetadata } from '../fixtures/awkward-values.js';
import { commitAll } from '../steps.js';

async function expectStored(store: SchedulingStore, expected: Appointment): Promise<void> {
  const { organizationId, id } = expected;
  expect(await store.appointments.find(organizationId, id)).toEqual(expected);
  const { items } = await store.appointments.list(listQuery(organizationId));
  expect(items.find((item) => item.id === id)).toEqual(expected);
}

/** A case that inserts an appointment, reads it back, replaces a plain one by it, and it by a plain one. */
function roundTrip(name: string, build: (a: Words) => Appointment): Case {
  return it(name, async (store, a) => {
    const appointment = build(a);
    await commitAll(store, insertion(appointment));
    await expectStored(store, appointment);

    const plain = a.scheduled({ id: 'plain' });
    const replaced: Appointment = { ...appointment, id: 'plain', version: 2 };
    await commitAll(store, insertion(plain), update(replaced, { before: plain }));
    await expectStored(store, replaced);

    const plainAgain: Appointment = { ...plain, version: 3 };
    await commitAll(store, update(plainAgain, { before: replaced }));
    await expectStored(store, plainAgain);
  });
}

const grant = { conferenceId: 'conference-9', roomUrl: 'https://rooms.example/r?ticket=aB-_9' };

export const roundTripGroup = group('appointments come back exactly as they were committed', [
  { rule: 'round-trip' },
  roundTrip('a plain scheduled appointment', (a) => a.scheduled()),
  roundTrip('every field of a scheduled appointment', (a) =>
    a.scheduled({
      applicationId: 'app-9',
      scheduleVersion: 4,
      title: 'Annual review',
      notes: 'Bring the form.\nSecond line.',
      metadata: nestedMetadata,
      locale: 'zh-Hant-TW',
      start: fixtureStart + 1,
      duration: 90 * minute + 1,
      timezone: 'America/Argentina/Buenos_Aires',
      notificationHeaders: { 'x-campaign': 'spring', 'X-Trace': 'a=b; c="d"' },
      notificationHeadersBy: 'CUSTOMER',
      notificationsActive: true,
      organizer: { id: 'service-1', type: 'SYSTEM' },
      participants: [
        customer('c-1', 'hash-1'),
        agent('agent-2'),
        { ...customer('c-2'), confirmed: false, toldOver: ['EMAIL', 'SMS'] },
        agent('agent-1'),
        { ...customer('c-3', 'hash-3'), confirmed: false, toldOver: [] },
      ],
      targetAssignment: agent('agent-2'),
      customerReschedules: 3,
      createdAt: fixtureStart - 123_456_789,
      updatedAt: fixtureStart - 987,
    }),
  ),
  roundTrip('every field of an interaction', (a) =>
    a.activated({
      interaction: {
        state: 'FAILED',
        initiatedBy: { id: 'customer-1', type: 'CUSTOMER', timestamp: fixtureStart + 17 },
        acceptedBy: [
          { id: 'agent-2', type: 'AGENT', timestamp: fixtureStart + 23 },
          { id: 'agent-1', type: 'AGENT', timestamp: fixtureStart + 19 },
          { id: 'bot', type: 'SYSTEM', timestamp: fixtureStart + 19 },
        ],
        customFields: { reason: 'mortgage', empty: '' },
        properties: { deploymentId: 'd-1', locale: 'en' },
        errorData: { systemMessage: 'ECONNRESET', userMessage: '' },
        routing: { type: 'PROVIDERA_CLOUD_FLOW', properties: { chatMode: 'MESSAGING' } },
      },
    }),
  ),
  roundTrip('an activated appointment with its access grant', (a) =>
    a.activated({ activatedAt: fixtureStart - 1, access: grant }),
  ),
  roundTrip('a cancelled appointment without a reason', (a) => a.cancelled()),
  roundTrip('a cancelled appointment with a reason', (a) =>
    a.cancelled({ cancellation: { at: fixtureStart - 7, by: 'Jörg', reason: 'Ill 🤒' } }),
  ),
  roundTrip('an empty reason is not an absent one', (a) =>
    a.cancelled({ cancellation: { at: fixtureStart - 7, by: 'agent-1', reason: '' } }),
  ),
  roundTrip('a cancelled appointment that had been activated', (a) => a.cancelled({ access: grant })),
  roundTrip('an aborted appointment', (a) => a.aborted()),
  roundTrip('an aborted appointment that had been activated', (a) =>
    a.aborted({ abortedAt: fixtureStart + 1, abortReason: '', access: grant }),
  ),
  roundTrip('empty texts, maps and lists stay empty', (a) =>
    a.scheduled({ title: '', notes: '', participants: [], metadata: {} }),
  ),
  ...awkwardTexts.map(([kind, text]) =>
    roundTrip(`texts with ${kind}`, (a) =>
      a.scheduled({
        title: text,
        notes: text,
        metadata: { [text]: text, list: [text] },
        interaction: { customFields: { [text]: text }, errorData: { systemMessage: text, userMessage: text } },
      }),
    ),
  ),
  roundTrip('the first instant of 1970 and the last of 9999', (a) =>
    a.scheduled({ start: 0, duration: lastInstant, createdAt: 0, updatedAt: lastInstant }),
  ),
  roundTrip('the longest texts and fullest maps that the service accepts', (a) => a.roomy()),
  it('a metadata key named __proto__ stays a key and pollutes nothing', async (store, a, organizationId) => {
    const metadata = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"x":1}}') as Record<string, unknown>;
    await commitAll(store, insertion(a.scheduled({ metadata })));
    const found = await store.appointments.find(organizationId, 'appointment-1');
    expect(JSON.stringify(found?.metadata)).toEqual('{"__proto__":{"polluted":true},"constructor":{"x":1}}');
    expect(Reflect.get({}, 'polluted')).toEqual(undefined);
  }),
  it('an optional field that is undefined reads back as absent', async (store, a) => {
    const plain = a.scheduled();
    const interaction = { ...plain.interaction, errorData: undefined, initiatedBy: undefined, routing: undefined };
    await commitAll(store, insertion({ ...plain, targetAssignment: undefined, interaction }));
    await expect.appointments(store, plain);
  }),
  { rule: 'copies' },
  it('what a caller does to an answer or to what it committed changes nothing stored', async (store, a, organizationId) => {
    const expected = a.scheduled({ metadata: { deep: { list: [1] } } });
    const given = structuredClone(expected);
    await commitAll(store, insertion(given));
    spoil(given);
    spoil(await store.appointments.find(organizationId, expected.id));
    const { items } = await store.appointments.list(a.listQuery());
    spoil(items);
    await expect.appointments(store, expected);
  }),
]);
