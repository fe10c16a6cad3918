import assert from 'node:assert/strict';
import type { DeliveryPhase, Notification, NotificationCancellation, SchedulingStore } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { deliveryEventsOf, expect, sorted, storedNotification } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import {
  adding,
  changed,
  deliveryEvent,
  notification,
  notifying,
  cancellation as movedAway,
} from '../fixtures/notifications.js';
import { added, commitAll, numbers } from '../steps.js';

const at = fixtureStart + minute;

const cancellation = (overrides: Partial<NotificationCancellation> = {}) => movedAway({ at, ...overrides });

/** What a row that waits becomes. */
const cancelled = (row: Notification, { message } = cancellation()): Notification =>
  notification({
    ...row,
    phase: 'DONE',
    status: 'CANCELLED',
    message,
    wakeAt: null,
    nextRetryAt: undefined,
    kept: undefined,
    updatedAt: row.attempts === 0 ? at : row.updatedAt,
    revision: row.revision + 1,
    eventCount: row.eventCount + 1,
  });

/** Which of the rows a commit with the cancellations takes back. */
async function takenBack(
  store: SchedulingStore,
  rows: readonly [Notification, ...Notification[]],
  ...cancel: readonly NotificationCancellation[]
): Promise<readonly string[]> {
  await commitAll(store, notifying(rows[0].organizationId, { cancel }));
  const taken: string[] = [];
  for (const row of rows) {
    const stored = await storedNotification(store, row.organizationId, row.id);
    if (stored.status === 'CANCELLED') taken.push(row.id);
    else expect(stored).toEqual(row);
  }
  return taken;
}

const waiting: readonly (readonly [name: string, overrides: Partial<Notification>, phase: DeliveryPhase])[] = [
  ['one that waits for its time', {}, 'READY'],
  ['one that waits for its time after a retry by hand', { attempts: 3, manualRetries: 1, message: 'Old.' }, 'READY'],
  ['one without an instant', { wakeAt: null }, 'READY'],
  ['one that waits for another attempt', { kept: '{"body":1}', eventCount: 4, revision: 9 }, 'RETRY_WAIT'],
  ['one that had been polled', { pollAttempts: 2, messageId: 'm', providerStatus: 'failed' }, 'RETRY_WAIT'],
];

const ofWaiting = waiting.map(([name, overrides, phase]): Case =>
  it(`${name} becomes CANCELLED, with an event`, async (store, a) => {
    const row = a.notificationIn(phase, overrides);
    await commitAll(store, adding(row), a.notifying({ cancel: [cancellation()] }));
    await expect.notifications(store, cancelled(row));
    const { message } = cancellation();
    const { attempts, pollAttempts, eventCount } = row;
    const event = {
      number: eventCount + 1,
      timestamp: at,
      status: 'CANCELLED',
      message,
      attempts,
      pollAttempts,
    } as const;
    expect((await deliveryEventsOf(store, row)).slice(eventCount)).toEqual([deliveryEvent(event)]);
  }),
);

const messageIfTaken = 'Taken before.';
const told = { cancelRequestedAt: fixtureStart, message: 'Before.' };
const untouched: readonly (readonly [
  name: string,
  phase: DeliveryPhase,
  overrides: Partial<Notification>,
  cancel?: Partial<NotificationCancellation>,
])[] = [
  ...(['SUBMITTED', 'POLLING', 'DONE'] as const).map((phase) => [`in phase ${phase}`, phase, { kept: '{}' }] as const),
  ['delivered', 'DONE', {}, { messageIfTaken }],
  ['that failed', 'DONE', { status: 'FAILED' }, { messageIfTaken }],
  ['taken by a provider and told of before', 'SUBMITTED', told, { messageIfTaken }],
  ['asked about and told of before', 'POLLING', told, { messageIfTaken }],
];

const ofUntouched = untouched.map(([name, phase, overrides, cancel]): Case =>
  it(`a notification ${name} stays as it is`, async (store, a) => {
    const row = a.notificationIn(phase, overrides);
    await commitAll(store, adding(row), a.notifying({ cancel: [cancellation(cancel)] }));
    await expect.updated(store, { next: row, events: [] });
  }),
);

export const notificationCancellingGroup = group('a commit takes back what is under way for an appointment', [
  { rule: 'cancellations' },
  ...ofWaiting,
  ...ofUntouched,
  ...(['SUBMITTED', 'POLLING'] as const).map((phase): Case =>
    it(`a notification in phase ${phase} stays and says that it was taken before, once`, async (store, a) => {
      const row = a.notificationIn(phase, { kept: '{}', eventCount: 2, revision: 7 });
      const cancel = [
        cancellation({ types: ['CREATE'], messageIfTaken }),
        cancellation({ at: at + 1, messageIfTaken }),
      ];
      await commitAll(store, adding(row));
      const result = await store.commit(a.notifying({ cancel }));
      expect(result).toEqual({ status: 'committed' });
      await commitAll(store, a.notifying({ cancel: [cancellation({ messageIfTaken: 'Again.' })] }));
      const after = { cancelRequestedAt: at, message: messageIfTaken, revision: 8, eventCount: 3 };
      await expect.notifications(store, { ...row, ...after });
      const { status, attempts, pollAttempts } = row;
      expect((await deliveryEventsOf(store, row)).slice(2)).toEqual([
        deliveryEvent({ number: 3, timestamp: at, status, message: messageIfTaken, attempts, pollAttempts }),
      ]);
    }),
  ),
  it('a notification that is asked about meanwhile: its outcome is refused, until the row is read again', async (store, a, organizationId) => {
    const row = a.notificationIn('POLLING');
    const cancel = [cancellation({ messageIfTaken })];
    await commitAll(store, adding(row), a.notifying({ cancel }));
    expect(await store.notifications.settle([changed(row, { phase: 'SUBMITTED' })])).toEqual([false]);
    const told = await storedNotification(store, organizationId, row.id);
    expect(await store.notifications.settle([changed(told, { phase: 'SUBMITTED' })])).toEqual([true]);
  }),
  it('a notification whose update comes with the commit that tells of it makes that commit stale', async (store, a) => {
    const row = await added(store, a.notificationIn('SUBMITTED'));
    const cancel = [cancellation({ messageIfTaken })];
    const change = a.notifying({ cancel, update: changed(row, { message: 'x' }) });
    expect(await store.commit(change)).toEqual({ status: 'stale' });
    await expect.notifications(store, row);
  }),
  it('of what is cancelled nothing says that it was taken', async (store, a) => {
    const row = a.notificationIn('RETRY_WAIT');
    await commitAll(store, adding(row), a.notifying({ cancel: [cancellation({ messageIfTaken })] }));
    await expect.notifications(store, cancelled(row));
  }),
  it('cancellations of one commit apply in turn: what one took back the next leaves alone', async (store, a) => {
    const reminder = a.notification({ id: 'n-1', type: 'REMINDER' });
    const room = a.notification({ id: 'n-2', type: 'ROOM' });
    await commitAll(store, adding(reminder, room));
    const first = cancellation({ types: ['REMINDER'], message: 'First.' });
    const second = cancellation({ message: 'Second.' });
    await commitAll(store, a.notifying({ cancel: [first, second] }));
    await expect.notifications(store, cancelled(reminder, first), cancelled(room, second));
    expect((await deliveryEventsOf(store, reminder)).length).toEqual(2);
  }),
  it('a second commit finds nothing left to take back', async (store, a) => {
    const row = a.notification();
    const cancel = [cancellation()];
    await commitAll(store, adding(row), a.notifying({ cancel }));
    await commitAll(store, a.notifying({ cancel: [cancellation({ message: 'Again.' })] }));
    await expect.notifications(store, cancelled(row));
  }),
  it('those notifications are cancelled that fit all of the types, channels and the addressee that are asked for', async (store, a) => {
    const row = (id: string, overrides: Partial<Notification>) => a.notification({ id, ...overrides });
    const rows: [Notification, ...Notification[]] = [
      row('reminder-mail', { type: 'REMINDER', channel: 'EMAIL' }),
      row('reminder-sms', { type: 'REMINDER', channel: 'SMS' }),
      row('room-mail', { type: 'ROOM', channel: 'EMAIL' }),
      row('room-hook', { type: 'ROOM', channel: 'WEBHOOKS', addressee: { type: 'SYSTEM', id: 'endpoint-1' } }),
      row('update-mail-2', { type: 'UPDATE', channel: 'EMAIL', addressee: { type: 'CUSTOMER', id: 'customer-2' } }),
      row('create-sms-2', { type: 'CREATE', channel: 'SMS', addressee: { type: 'CUSTOMER', id: 'customer-2' } }),
    ];
    await commitAll(store, adding(...rows));
    const expectTaken = async (expected: readonly string[], ...cancel: readonly NotificationCancellation[]) =>
      expect(await takenBack(store, rows, ...cancel)).toEqual(expected);
    await expectTaken([], cancellation({ types: [] }), cancellation({ channels: [] }));
    await expectTaken([], cancellation({ types: ['NO_SHOW'] }), cancellation({ addresseeId: 'customer-3' }));
    await expectTaken([], cancellation({ types: ['REMINDER'], addresseeId: 'customer-2' }));
    await expectTaken(['reminder-sms'], cancellation({ types: ['REMINDER', 'ROOM'], channels: ['SMS'] }));
    await expectTaken(['reminder-sms', 'update-mail-2', 'create-sms-2'], cancellation({ addresseeId: 'customer-2' }));
    await expectTaken(
      ['reminder-sms', 'room-mail', 'room-hook', 'update-mail-2', 'create-sms-2'],
      cancellation({ types: ['ROOM'] }),
    );
    await expectTaken(
      rows.map(({ id }) => id),
      cancellation({ channels: ['WEBHOOKS', 'EMAIL'] }),
    );
  }),
  it('nothing of another appointment or another organization', async (store, a) => {
    const own = a.notification({ id: 'n-1', appointmentId: 'appointment-2' });
    const ownSending = a.notificationIn('SENDING', { id: 'n-2', appointmentId: 'appointment-2' });
    const foreign = a.of('other').notification({ id: 'n-3' });
    const foreignSending = a.of('other').notificationIn('SENDING', { id: 'n-4' });
    await commitAll(store, adding(own, ownSending), adding(foreign, foreignSending));
    expect(await takenBack(store, [own, ownSending, foreign, foreignSending], cancellation())).toEqual([]);
  }),
  it('many rows of one appointment are cancelled at once', async (store, a) => {
    const rows = numbers(120).map((index) => a.notification({ id: `n-${index}` }));
    await commitAll(store, adding(...rows), a.notifying({ cancel: [cancellation()] }));
    await expect.notifications(store, ...rows.map((row) => cancelled(row)));
  }),
  { rule: 'sends-in-flight' },
  it('notifications that are being sent are marked, without an event, and reported', async (store, a) => {
    const rows = ['n-1', 'n-2', 'n-3'].map((id) => a.notificationIn('SENDING', { id, kept: '{}' }));
    const ready = a.notification({ id: 'n-4' });
    await commitAll(store, adding(...rows, ready));
    const result = await store.commit(a.notifying({ cancel: [cancellation()] }));
    assert.ok(result.status === 'committed' && result.sending !== undefined);
    expect(sorted(result.sending)).toEqual(['n-1', 'n-2', 'n-3']);
    for (const row of rows) {
      await expect.updated(store, { next: { ...row, cancelRequestedAt: at, revision: row.revision + 1 }, events: [] });
    }
    await expect.notifications(store, cancelled(ready));
  }),
  it('a notification that is being sent and marked twice in a commit is reported once', async (store, a) => {
    const row = await added(store, a.notificationIn('SENDING'));
    const cancel = [cancellation(), cancellation({ at: at + 1 })];
    const result = await store.commit(a.notifying({ cancel }));
    expect(result).toEqual({ status: 'committed', sending: [row.id] });
    await expect.notifications(store, { ...row, cancelRequestedAt: at + 1, revision: row.revision + 2 });
  }),
]);
