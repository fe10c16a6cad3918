import assert from 'node:assert/strict';
import type { Notification, SchedulingStore } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { adding, cancellation, changed, deliveryEvent } from '../fixtures/notifications.js';
import { added, commitAll, numbers } from '../steps.js';

const leaseFor = minute;
const claim = { channel: 'EMAIL', limit: 1000, leaseFor, now: fixtureStart } as const;
const delivered = { phase: 'DONE', status: 'DELIVERED', wakeAt: null, kept: undefined } as const;

/** Claims the only due notification. */
async function claimOne(store: SchedulingStore, now = fixtureStart): Promise<Notification> {
  const { claimed } = await store.notifications.claim({ ...claim, now });
  expect(claimed.length).toEqual(1);
  return (claimed[0] as (typeof claimed)[0]).notification;
}

const outcomes: readonly (readonly [name: string, outcome: Partial<Notification>])[] = [
  ['it was delivered', { ...delivered, messageId: 'm-1', providerStatus: 'delivered' }],
  [
    'the provider took it',
    {
      phase: 'SUBMITTED',
      wakeAt: fixtureStart + 15,
      nextPollAt: fixtureStart + 15,
      submittedAt: fixtureStart + 1,
      messageId: 'm-1',
      conversationId: 'c-1',
      providerStatus: 'queued',
    },
  ],
  ['the provider took it and calls back', { phase: 'SUBMITTED', wakeAt: null, submittedAt: fixtureStart }],
  [
    'it is to be tried again',
    { phase: 'RETRY_WAIT', wakeAt: fixtureStart + 9, nextRetryAt: fixtureStart + 9, errorMessage: 'Busy.' },
  ],
  ['it failed for good', { phase: 'DONE', status: 'FAILED', wakeAt: null, errorMessage: 'Refused.', kept: '{}' }],
  [
    'it was given back before it was sent',
    { phase: 'READY', status: 'INITIALIZED', wakeAt: fixtureStart, attempts: 0 },
  ],
];

const ofOutcomes = outcomes.map(([name, outcome]): Case =>
  it(`an outcome is written with its event: ${name}`, async (store, a) => {
    await commitAll(store, adding(a.notification({ kept: '{"body":1}' })));
    const claimed = await claimOne(store);
    const settled = changed(claimed, outcome, { message: 'Told.', providerStatus: outcome.providerStatus });
    expect(await store.notifications.settle([settled])).toEqual([true]);
    await expect.updated(store, settled);
    const { wakeAt } = settled.next;
    const { claimed: due } = await store.notifications.claim({ ...claim, now: fixtureStart + 10 * minute });
    expect(due.map(({ dueAt }) => dueAt)).toEqual(wakeAt === null ? [] : [wakeAt]);
  }),
);

export const notificationSettlingGroup = group('outcomes are written by whoever holds the revision', [
  { rule: 'outcomes', emptyStore: true },
  ...ofOutcomes,
  it('the outcome of a claim that ran out is refused once somebody claimed again', async (store, a) => {
    await commitAll(store, adding(a.notification()));
    const lost = await claimOne(store);
    const held = await claimOne(store, fixtureStart + leaseFor);
    expect(await store.notifications.settle([changed(lost, delivered)])).toEqual([false]);
    await expect.notifications(store, held);
    expect(await store.notifications.settle([changed(held, delivered)])).toEqual([true]);
  }),
  it('the mere end of the lease does not matter', async (store, a) => {
    await commitAll(store, adding(a.notification({ wakeAt: 1 })));
    const claimed = await claimOne(store, 1);
    expect(await store.notifications.settle([changed(claimed, delivered)])).toEqual([true]);
  }),
  it('a cancellation between claim and outcome has the outcome refused, until the row is read again', async (store, a) => {
    await commitAll(store, adding(a.notification()));
    const claimed = await claimOne(store);
    const cancel = [cancellation({ at: fixtureStart + 1 })];
    const result = await store.commit(a.notifying({ cancel }));
    expect(result).toEqual({ status: 'committed', sending: [claimed.id] });
    expect(await store.notifications.settle([changed(claimed, delivered)])).toEqual([false]);
    const marked = { ...claimed, cancelRequestedAt: fixtureStart + 1, revision: claimed.revision + 1 };
    await expect.notifications(store, marked);
    expect(await store.notifications.settle([changed(marked, delivered)])).toEqual([true]);
    await expect.notifications(store, changed(marked, delivered).next);
  }),
  { rule: 'outcomes' },
  it('nothing to settle settles nothing', async (store) => {
    expect(await store.notifications.settle([])).toEqual([]);
  }),
  it('an outcome without an event and one with several', async (store, a) => {
    const quiet = a.notificationIn('POLLING', { id: 'n-1' });
    const loud = a.notificationIn('SENDING', { id: 'n-2' });
    await commitAll(store, adding(quiet, loud));
    const events = [2, 3, 4].map((number) => deliveryEvent({ number, timestamp: fixtureStart, status: 'PENDING' }));
    const without = { ...quiet, phase: 'SUBMITTED' as const, revision: 2 };
    const withThree = a.notification({ ...loud, ...delivered, revision: 2, eventCount: 4 });
    const updates = [
      { next: without, events: [] },
      { next: withThree, events },
    ].map((each) => ({ expectedRevision: 1, ...each }));
    expect(await store.notifications.settle(updates)).toEqual([true, true]);
    await expect.updated(store, ...updates);
  }),
  it('each outcome is answered in its place: of other revisions, unknown and foreign ones nothing is written', async (store, a) => {
    const rows = ['n-1', 'n-2', 'n-3', 'n-4'].map((id) => a.notificationIn('SENDING', { id, revision: 5 }));
    const [first, second, third, fourth] = rows as [Notification, Notification, Notification, Notification];
    await commitAll(store, adding(...rows));
    const foreign = { ...fourth, organizationId: a.of('foreign').organizationId };
    const updates = [
      changed({ ...second, revision: 4 }, delivered),
      changed(first, delivered),
      changed({ ...fourth, id: 'unknown' }, delivered),
      changed(foreign, delivered),
      changed({ ...third, revision: 6 }, delivered),
    ];
    expect(await store.notifications.settle(updates)).toEqual([false, true, false, false, false]);
    const others = [second, third, fourth].map((next) => ({ next, events: [] }));
    await expect.updated(store, changed(first, delivered), ...others);
    expect(await store.notifications.find(foreign.organizationId, foreign.id)).toEqual(undefined);
  }),
  it('an outcome is written once: the same again is refused', async (store, a) => {
    const row = await added(store, a.notificationIn('SENDING'));
    const settled = changed(row, delivered);
    expect(await store.notifications.settle([settled])).toEqual([true]);
    expect(await store.notifications.settle([settled])).toEqual([false]);
    await expect.updated(store, settled);
  }),
  it('five hundred outcomes of two organizations are written in one call', async (store, a) => {
    const both = [a, a.of('other')].map((each) =>
      numbers(250).map((index) => each.notificationIn('SENDING', { id: `n-${index}`, attempts: index })),
    );
    const rows = both.flat().toSorted((one, other) => one.attempts - other.attempts);
    await commitAll(store, ...both.map((each) => adding(...each)));
    const updates = rows.map((row, index) =>
      changed(index % 10 === 0 ? { ...row, revision: 9 } : row, { ...delivered, messageId: `m-${index}` }),
    );
    const answers = await store.notifications.settle(updates);
    expect(answers).toEqual(rows.map((_, index) => index % 10 !== 0));
    const expected = updates.map(({ next }, index) => (index % 10 === 0 ? (rows[index] as Notification) : next));
    await expect.notifications(store, ...expected);
  }),
  it('of twenty outcomes of one revision at once one is written', async (store, a) => {
    const row = await added(store, a.notificationIn('SENDING'));
    const updates = numbers(20).map((index) => changed(row, { ...delivered, messageId: `m-${index}` }));
    const answers = await Promise.all(updates.map((one) => store.notifications.settle([one])));
    expect(answers.filter(([isWritten]) => isWritten).length).toEqual(1);
    const winner = updates[answers.findIndex(([isWritten]) => isWritten)];
    assert.ok(winner !== undefined);
    await expect.updated(store, winner);
  }),
  it('outcomes of many rows at once, in calls that overlap in other orders, are all written', async (store, a) => {
    const rows = numbers(60).map((index) => a.notificationIn('SENDING', { id: `n-${index}` }));
    await commitAll(store, adding(...rows));
    const updates = rows.map((row) => changed(row, delivered));
    // Each row in three calls: of each, one must be told that it was written.
    const answers = await Promise.all([
      store.notifications.settle(updates),
      store.notifications.settle(updates.toReversed()),
      store.notifications.settle(updates.toSorted((a, b) => (a.next.id < b.next.id ? -1 : 1))),
    ]);
    expect(answers.flat().filter((isWritten) => isWritten).length).toEqual(rows.length);
    await expect.notifications(store, ...updates.map(({ next }) => next));
  }),
  { rule: 'revisions' },
  it('an update in a commit and an outcome of the same revision: the second one is refused', async (store, a) => {
    const [first, second] = ['n-1', 'n-2'].map((id) => a.notificationIn('SUBMITTED', { id }));
    assert.ok(first !== undefined && second !== undefined);
    await commitAll(store, adding(first, second), a.notifying({ update: changed(first, delivered) }));
    expect(await store.notifications.settle([changed(first, delivered)])).toEqual([false]);
    expect(await store.notifications.settle([changed(second, delivered)])).toEqual([true]);
    const late = await store.commit(a.notifying({ update: changed(second, delivered) }));
    expect(late).toEqual({ status: 'stale' });
  }),
]);
