import {
  type Notification,
  type NotificationQuery,
  type NotificationScope,
  type SchedulingStore,
  notificationChannels,
  type NotificationSortField,
  notificationStates,
  notificationTypes,
} from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { commitAll, expect, listedNotificationIds } from '../expectations.js';
import { customer, fixtureStart } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { adding, notification } from '../fixtures/notifications.js';

type Filters = Partial<NotificationQuery<NotificationSortField>>;

const phaseOf = {
  INITIALIZED: 'READY',
  PENDING: 'RETRY_WAIT',
  DELIVERED: 'DONE',
  FAILED: 'DONE',
  CANCELLED: 'DONE',
} as const;

/** One notification of every type, channel and status that there is, made a millisecond apart. */
function everyKind(a: Words): readonly Notification[] {
  const kinds = notificationTypes.flatMap((type) =>
    notificationChannels.flatMap((channel) => notificationStates.map((status) => ({ type, channel, status }))),
  );
  return kinds.map(({ type, channel, status }, index) =>
    a.notificationIn(phaseOf[status], {
      id: `n-${`${index}`.padStart(3, '0')}`,
      type,
      channel,
      status,
      createdAt: fixtureStart + index,
    }),
  );
}

const within = <Value>(wanted: readonly Value[] | undefined, value: Value): boolean => wanted?.includes(value) ?? true;

const filters: readonly (readonly [name: string, filters: Filters])[] = [
  ['nothing lets everything through', {}],
  ['one type', { types: ['NO_SHOW'] }],
  ['types are alternatives', { types: ['CREATE', 'CANCELLED', 'PARTICIPANT_UPDATED'] }],
  ['one channel', { channels: ['WEBHOOKS'] }],
  ['channels are alternatives', { channels: ['SMS', 'EMAIL'] }],
  ['one status', { statuses: ['FAILED'] }],
  ['statuses are alternatives', { statuses: ['INITIALIZED', 'CANCELLED'] }],
  ['the same value twice', { statuses: ['PENDING', 'PENDING'], types: ['ROOM', 'ROOM'] }],
  ['all filters at once', { types: ['ROOM', 'REMINDER'], channels: ['SMS'], statuses: ['PENDING', 'FAILED'] }],
  ['no type', { types: [] }],
  ['no channel', { channels: [] }],
  ['no status', { statuses: [] }],
  ['from, inclusive', { from: fixtureStart + 200 }],
  ['to, exclusive', { to: fixtureStart + 7 }],
  ['a window', { from: fixtureStart + 3, to: fixtureStart + 9 }],
  ['a window of one millisecond', { from: fixtureStart + 3, to: fixtureStart + 4 }],
  ['an empty window', { from: fixtureStart + 3, to: fixtureStart + 3 }],
  [
    'a window and filters',
    { from: fixtureStart + 20, to: fixtureStart + 90, channels: ['EMAIL'], statuses: ['DELIVERED'] },
  ],
];

const ofFilters: Case = it('by type, channel, status and window of creation', async (store, a) => {
  const all = everyKind(a);
  await commitAll(store, adding(...all));
  for (const [name, asked] of filters) {
    const { from = -Infinity, to = Infinity } = asked;
    const expected = all
      .filter(({ type }) => within(asked.types, type))
      .filter(({ channel }) => within(asked.channels, channel))
      .filter(({ status }) => within(asked.statuses, status))
      .filter(({ createdAt }) => from <= createdAt && createdAt < to)
      .map(({ id }) => id);
    expect(await listedNotificationIds(store, a.notificationQuery(asked))).toEqual(expected, name);
    const page = await store.notifications.list(a.notificationQuery({ ...asked, pageSize: 5 }));
    expect(page.total).toEqual(expected.length, name);
    expect(page.items.map((item) => item.notification.id)).toEqual(expected.slice(0, 5), name);
  }
});

async function expectScope(
  store: SchedulingStore,
  a: Words,
  scope: NotificationScope,
  expected: readonly string[],
): Promise<void> {
  expect(await listedNotificationIds(store, a.notificationQuery({ scope }))).toEqual(expected);
}

const ofAgent = (agentId: string): NotificationScope => ({ kind: 'ofAgent', agentId });

export const notificationFiltersGroup = group('notifications are listed as asked', [
  { rule: 'filters' },
  ofFilters,
  { rule: 'beside' },
  it('each with its appointment and the profile of its customer as they are now', async (store, a) => {
    const first = a.scheduled();
    const second = nextVersion(first, { title: 'Second' });
    const customers = [a.profile(first), a.profile(first, { participantId: 'customer-2', firstName: 'Bert' })];
    const mail = a.notification({ id: 'n-1', addressee: { type: 'CUSTOMER', id: 'customer-2' } });
    const addressee = { type: 'SYSTEM' as const, id: 'customer-1', label: 'CRM' };
    const hook = a.notification({ id: 'n-2', channel: 'WEBHOOKS', addressee });
    const unknown = a.notification({ id: 'n-3', addressee: { type: 'CUSTOMER', id: 'customer-3' } });
    await commitAll(store, insertion(first, { customers }), adding(mail, hook, unknown), update(second));
    const { items, total } = await store.notifications.list(a.notificationQuery());
    expect(total).toEqual(3);
    expect(items.map((item) => item.notification)).toEqual([mail, hook, unknown]);
    for (const { appointment } of items) expect(appointment).toEqual(second);
    expect(items[0]?.customer).toEqual(customers[1]);
    expect([items[1]?.customer, items[2]?.customer]).toEqual([undefined, undefined]);
  }),
  { rule: 'scopes' },
  it('the scope follows the appointment as it is now', async (store, a) => {
    const first = a.scheduled({ organizerId: 'anna' });
    const second = nextVersion(first, { organizer: { id: 'bert', type: 'AGENT' } });
    await commitAll(store, insertion(first), adding(a.notification()), update(second));
    await expectScope(store, a, ofAgent('anna'), []);
    await expectScope(store, a, ofAgent('bert'), ['notification-1']);
  }),
  { rule: 'organization-first' },
  it('of one application of one organization', async (store, a) => {
    const mine = a.notification({ id: 'n-1' });
    const elsewhere = a.notification({ id: 'n-2', applicationId: 'app-2' });
    const foreign = a.of('other').notification({ id: 'n-3' });
    await commitAll(store, adding(mine, elsewhere), adding(foreign));
    expect(await listedNotificationIds(store, a.notificationQuery())).toEqual(['n-1']);
    const second = a.notificationQuery({ applicationId: 'app-2' });
    expect(await listedNotificationIds(store, second)).toEqual(['n-2']);
    const third = a.notificationQuery({ applicationId: 'app-3' });
    expect(await store.notifications.list(third)).toEqual({ items: [], total: 0 });
    const theirs = a.of('other').notificationQuery({ applicationId: 'app-2' });
    expect(await store.notifications.list(theirs)).toEqual({ items: [], total: 0 });
  }),
  { rule: 'scopes' },
  it('scopes: everything, what has a record, and what the agent organizes or is assigned to (D60)', async (store, a) => {
    const at = (id: string, organizerId: string, agentIds: readonly string[] = []) =>
      a.scheduled({ id, organizerId, agentIds });
    const gone = at('a-gone', 'anna');
    const others = a.of('other').organizationId;
    await commitAll(
      store,
      insertion(at('a-organized', 'anna')),
      insertion(at('a-assigned', 'bert', ['anna', 'carl'])),
      insertion(at('a-both', 'anna', ['anna'])),
      insertion(a.cancelled({ id: 'a-cancelled', organizerId: 'anna' })),
      insertion(
        a.scheduled({
          id: 'a-customer',
          organizerId: 'bert',
          participants: [customer('anna', 'anna')],
        }),
      ),
      insertion(gone),
      insertion(a.scheduled({ organizationId: others, id: 'a-foreign', organizerId: 'anna' })),
    );
    const appointmentIds = ['organized', 'assigned', 'both', 'cancelled', 'customer', 'gone', 'foreign', 'unknown'];
    const rows = appointmentIds.flatMap((name) =>
      ['1', '2'].map((place) => a.notification({ id: `${name}-${place}`, appointmentId: `a-${name}` })),
    );
    await commitAll(store, adding(...rows), removal(gone));
    const twoOf = (...names: readonly string[]) => names.flatMap((name) => [`${name}-1`, `${name}-2`]);
    await expectScope(store, a, { kind: 'all' }, twoOf(...appointmentIds.toSorted()));
    const existing = twoOf('assigned', 'both', 'cancelled', 'customer', 'organized');
    await expectScope(store, a, { kind: 'existing' }, existing);
    const annas = twoOf('assigned', 'both', 'cancelled', 'organized');
    await expectScope(store, a, ofAgent('anna'), annas);
    await expectScope(store, a, ofAgent('bert'), twoOf('assigned', 'customer'));
    await expectScope(store, a, ofAgent('carl'), twoOf('assigned'));
    for (const nobody of ['', 'ANNA', 'anna ', 'dora']) {
      await expectScope(store, a, ofAgent(nobody), []);
    }
    const page = a.notificationQuery({ scope: ofAgent('anna'), pageSize: 3, pageNumber: 2 });
    const { items, total } = await store.notifications.list(page);
    expect(total).toEqual(8);
    expect(items.map((item) => item.notification.id)).toEqual(annas.slice(3, 6));
  }),
]);
