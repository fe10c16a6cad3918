import {
  type Notification,
  type NotificationQuery,
  notificationChannels,
  notificationStates,
  notificationTypes,
} from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expectListed, notificationList, ofAgent, ofOneApplication, scopes } from './both-lists.js';
import type { Words } from '../fixtures/words.js';
import { expect } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion, nextVersion, update } from '../fixtures/changes.js';
import { adding } from '../fixtures/notifications.js';
import { commitAll } from '../steps.js';

type Filters = Partial<NotificationQuery<'id'>>;

const ended = { DELIVERED: 'DONE', FAILED: 'DONE', CANCELLED: 'DONE' } as const;
const phaseOf = { INITIALIZED: 'READY', PENDING: 'RETRY_WAIT', ...ended } as const;

/** One notification of every type, channel and status that there is, made a millisecond apart. */
function everyKind(a: Words): readonly Notification[] {
  const kinds = notificationTypes.flatMap((type) =>
    notificationChannels.flatMap((channel) => notificationStates.map((status) => ({ type, channel, status }))),
  );
  return kinds.map((kind, index) => {
    const id = `n-${`${index}`.padStart(3, '0')}`;
    return a.notificationIn(phaseOf[kind.status], { id, ...kind, createdAt: fixtureStart + index });
  });
}

const within = <Value>(wanted: readonly Value[] | undefined, value: Value): boolean => wanted?.includes(value) ?? true;

const filters: Readonly<Record<string, Filters>> = {
  'nothing lets everything through': {},
  'one type': { types: ['NO_SHOW'] },
  'types are alternatives': { types: ['CREATE', 'CANCELLED', 'PARTICIPANT_UPDATED'] },
  'one channel': { channels: ['WEBHOOKS'] },
  'channels are alternatives': { channels: ['SMS', 'EMAIL'] },
  'one status': { statuses: ['FAILED'] },
  'statuses are alternatives': { statuses: ['INITIALIZED', 'CANCELLED'] },
  'the same value twice': { statuses: ['PENDING', 'PENDING'], types: ['ROOM', 'ROOM'] },
  'all filters at once': { types: ['ROOM', 'REMINDER'], channels: ['SMS'], statuses: ['PENDING', 'FAILED'] },
  'no type': { types: [] },
  'no channel': { channels: [] },
  'no status': { statuses: [] },
  'from, inclusive': { from: fixtureStart + 200 },
  'to, exclusive': { to: fixtureStart + 7 },
  'a window': { from: fixtureStart + 3, to: fixtureStart + 9 },
  'a window of one millisecond': { from: fixtureStart + 3, to: fixtureStart + 4 },
  'an empty window': { from: fixtureStart + 3, to: fixtureStart + 3 },
  'a window and filters': {
    from: fixtureStart + 20,
    to: fixtureStart + 90,
    channels: ['EMAIL'],
    statuses: ['DELIVERED'],
  },
};

/** The ids of those that fit, by the words of the filters. */
const fitting = (
  all: readonly Notification[],
  { types, channels, statuses, from = -Infinity, to = Infinity }: Filters,
) =>
  all
    .filter(({ type }) => within(types, type))
    .filter(({ channel }) => within(channels, channel))
    .filter(({ status }) => within(statuses, status))
    .filter(({ createdAt }) => from <= createdAt && createdAt < to)
    .map(({ id }) => id);

export const notificationFiltersGroup = group('notifications are listed as asked', [
  { rule: 'filters' },
  it('notifications are listed by type, channel, status and window of creation', async (store, a) => {
    const all = everyKind(a);
    await commitAll(store, adding(...all));
    const table = Object.values(filters).map((asked) => [asked, fitting(all, asked)] as const);
    await expectListed(store, a, notificationList, table);
  }),
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
    await expectListed(store, a, notificationList, [
      [ofAgent('anna'), []],
      [ofAgent('bert'), ['notification-1']],
    ]);
  }),
  { rule: 'organization-first' },
  ofOneApplication(notificationList),
  { rule: 'scopes' },
  scopes(notificationList),
]);
