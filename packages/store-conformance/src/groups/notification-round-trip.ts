import type { DeliveryEvent, Notification } from '@calends/core/store';
import { awkwardTexts, longText } from '../fixtures/awkward-values.js';
import { type Case, group, it } from '../conformance-case.js';
import { deliveryEventsOf, expect, spoil } from '../expectations.js';
import { day, fixtureStart, lastInstant } from '../fixtures/appointments.js';
import { changed, deliveryEvent, written } from '../fixtures/notifications.js';
import { commitAll } from '../steps.js';

/** Every field of a notification that may be absent, and the counters, each with a value of its own. */
const everyField: Partial<Notification> = {
  applicationId: 'app-1',
  sourceEventId: '0195a4e2-7c1f-7000-8000-0123456789ab',
  scheduleVersion: 12,
  type: 'REMINDER',
  offset: 86_400_000,
  scheduledFor: fixtureStart + 1,
  dedupeKey: 'Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm8-_',
  createdAt: fixtureStart - day + 3,
  wakeAt: fixtureStart + 4,
  revision: 31,
  updatedAt: fixtureStart + 5,
  attempts: 6,
  manualRetries: 5,
  lostClaims: 2,
  unknownOutcomes: 3,
  pollAttempts: 9,
  nextRetryAt: fixtureStart + 10,
  nextPollAt: fixtureStart + 11,
  submittedAt: fixtureStart + 12,
  providerStatus: 'accepted',
  messageId: 'message-13',
  conversationId: 'conversation-14',
  message: 'For people.',
  errorMessage: 'Went wrong.',
  cancelRequestedAt: fixtureStart + 15,
  kept: '{"body":true}',
};

const everyEventField: Partial<DeliveryEvent> = {
  timestamp: fixtureStart + 21,
  status: 'PENDING',
  message: 'For people.',
  errorMessage: 'Went wrong.',
  providerStatus: 'queued',
  messageId: 'message-22',
  conversationId: 'conversation-23',
  attempts: 24,
  pollAttempts: 25,
  nextPollAt: fixtureStart + 26,
};

/** A case that adds a notification, reads it back, and makes one of a plain one, and a plain one of it. */
function roundTrip(name: string, overrides: Partial<Notification>, eventOverrides: Partial<DeliveryEvent> = {}): Case {
  return it(name, async (store, a) => {
    const row = a.notificationIn('RETRY_WAIT', { id: 'added', ...overrides });
    const event = deliveryEvent(eventOverrides);
    await commitAll(store, a.notifying({ add: [written(row, [event])] }));
    await expect.notifications(store, row);
    expect(await deliveryEventsOf(store, row)).toEqual([event]);
    const { items } = await store.notifications.list(a.notificationQuery());
    expect(items[0]?.notification).toEqual(row);

    const plain = a.notification({ ...keysOf(row), id: 'plain', dedupeKey: 'plain' });
    const replaced = { ...row, ...keysOf(plain), revision: plain.revision + 1, eventCount: 2 };
    const further = { ...event, number: 2 };
    await commitAll(store, a.notifying({ add: [written(plain)] }));
    const update = { expectedRevision: plain.revision, next: replaced, events: [further] };
    expect(await store.notifications.settle([update])).toEqual([true]);
    await expect.notifications(store, replaced);
    expect((await deliveryEventsOf(store, plain)).at(-1)).toEqual(further);

    const plainAgain = changed({ ...plain, revision: 2, eventCount: 2 }, {});
    await commitAll(store, a.notifying({ update: plainAgain }));
    await expect.notifications(store, plainAgain.next);
  });
}

/** What a notification is for and whom it goes to: it never changes. */
const keys: readonly string[] = [
  ...['id', 'organizationId', 'applicationId', 'appointmentId', 'sourceEventId', 'scheduleVersion', 'type'],
  ...['channel', 'addressee', 'offset', 'scheduledFor', 'dedupeKey', 'createdAt'],
];
const keysOf = (row: Notification): Partial<Notification> =>
  Object.fromEntries(Object.entries(row).filter(([key]) => keys.includes(key)));

const withEach = <Value>(fields: readonly string[], value: Value): Readonly<Record<string, Value>> =>
  Object.fromEntries(fields.map((field) => [field, value]));

const words = ['message', 'errorMessage', 'providerStatus', 'messageId', 'conversationId'];
const texts = (text: string): Partial<Notification> => ({
  ...withEach(words, text),
  channel: 'WEBHOOKS',
  addressee: { type: 'SYSTEM', id: 'endpoint-1', label: text },
  kept: JSON.stringify({ [text]: text }),
});

const instants = ['scheduledFor', 'wakeAt', 'createdAt', 'updatedAt', 'nextRetryAt', 'nextPollAt', 'submittedAt'];
const instantsAt = (at: number): Partial<Notification> => withEach([...instants, 'cancelRequestedAt'], at);
const eventAt = (at: number): Partial<DeliveryEvent> => ({ timestamp: at, nextPollAt: at });

export const notificationRoundTripGroup = group(
  'notifications and their events come back exactly as they were written',
  [
    { rule: 'round-trip' },
    roundTrip('a plain one', { nextRetryAt: undefined, errorMessage: undefined }),
    roundTrip('every field', everyField, everyEventField),
    roundTrip('an endpoint without a label', { channel: 'WEBHOOKS', addressee: { type: 'SYSTEM', id: 'endpoint-1' } }),
    roundTrip('an offset of nothing and instants of 1970', { offset: 0, ...instantsAt(0) }, eventAt(0)),
    roundTrip('the last instant of 9999', { offset: 366 * day, ...instantsAt(lastInstant) }, eventAt(lastInstant)),
    roundTrip('empty texts are not absent ones', texts(''), withEach(words, '')),
    ...awkwardTexts.map(([kind, text]) => roundTrip(`texts with ${kind}`, texts(text), withEach(words, text))),
    roundTrip('long texts', texts(longText), withEach(words, longText)),
    roundTrip('what is kept, to the letter: its bytes are signed', {
      kept: '{ "z": 1.0,\n\t"a": [ 1e2, "\\u00e9é", null ],  "a": {}, "__proto__": 9007199254740993 }',
    }),
    roundTrip('what is kept, as large as an appointment and a profile are', {
      kept: JSON.stringify({ notes: '𝒩'.repeat(150_000) }),
    }),
    it('an optional field that is undefined reads back as absent', async (store, a) => {
      const plain = a.notification();
      const absent = withEach(Object.keys(everyField), undefined);
      const addressee = { ...plain.addressee, label: undefined };
      const event = deliveryEvent();
      const absentOfEvent = withEach(Object.keys(everyEventField), undefined);
      const next = { ...absent, ...plain, addressee };
      await commitAll(store, a.notifying({ add: [{ next, events: [{ ...absentOfEvent, ...event }] }] }));
      await expect.notifications(store, plain);
      expect(await deliveryEventsOf(store, plain)).toEqual([event]);
    }),
    { rule: 'copies' },
    it('what a caller does to an answer or to what it wrote changes nothing stored', async (store, a, organizationId) => {
      const expected = a.notification();
      const update = changed(expected, { message: 'Changed.' });
      const given = structuredClone({ add: [written(expected)] });
      await commitAll(store, a.notifying(given));
      spoil(given);
      spoil(await store.notifications.find(organizationId, expected.id));
      spoil(await store.notifications.list(a.notificationQuery()));
      await expect.notifications(store, expected);
      const settled = structuredClone([update]);
      expect(await store.notifications.settle(settled)).toEqual([true]);
      spoil(settled);
      spoil(await deliveryEventsOf(store, expected));
      await expect.updated(store, update);
    }),
  ],
);
