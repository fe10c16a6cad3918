import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import {
  appointmentSortFields,
  appointmentStates,
  type Notification,
  notificationChannels,
  notificationEventSortFields,
  notificationSortFields,
  notificationStates,
  notificationTypes,
  type SchedulingStore,
} from '@calends/core/store';
import fc from 'fast-check';
import { Compared, seed } from '../compared.js';
import { numbers } from '../steps.js';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, removal, update } from '../fixtures/changes.js';
import { changed, delivered, written } from '../fixtures/notifications.js';

/** The fixture of an appointment in that state. */
const inState = ({ scheduled, activated, cancelled, aborted }: Words, state: Appointment['state']) =>
  ({ SCHEDULED: scheduled, ACTIVATED: activated, CANCELLED: cancelled, ABORTED: aborted })[state];

const people = ['anna', 'Anna', 'bert', 'bert '];
const applications = ['app-1', 'APP-1', 'app-2'];
const durations = [minute, hour, hour + 1];
const starts = numbers(8).map((index) => fixtureStart + index * hour);

const oneOf = fc.constantFrom;
const perhaps = <Value>(any: fc.Arbitrary<Value>) => fc.option(any, { nil: undefined });
const some = <Value>(...values: readonly Value[]) =>
  perhaps(fc.array(oneOf(...values), { minLength: 1, maxLength: 3 }));
const someOrNone = <Value>(...values: readonly Value[]) => perhaps(fc.uniqueArray(oneOf(...values)));

const anyAppointment = fc.record({
  state: oneOf(...appointmentStates),
  applicationId: oneOf(...applications),
  organizerId: oneOf(...people),
  agentIds: fc.uniqueArray(oneOf(...people), { maxLength: 3 }),
  start: oneOf(...starts),
  duration: oneOf(...durations),
  title: oneOf('', 'a', 'B', 'é', '\uff21', '𐐀'),
  timezone: oneOf('UTC', 'Europe/Berlin', 'Asia/Calcutta'),
});

const anyQuery = fc.record({
  applicationIds: some(...applications),
  agentIds: some(...people),
  organizerIds: some(...people),
  durations: some(...durations),
  states: some(...appointmentStates),
  ranges: perhaps(
    fc.array(fc.record({ from: oneOf(undefined, ...starts), to: oneOf(undefined, ...starts) }), {
      minLength: 1,
      maxLength: 3,
    }),
  ),
  sortField: oneOf(...appointmentSortFields),
  sortOrder: oneOf('asc' as const, 'desc' as const),
  pageNumber: fc.integer({ min: 1, max: 4 }),
  pageSize: oneOf(1, 3, 20),
});

async function compareLists(compared: Compared, a: Words, numRuns: number): Promise<void> {
  await compared.askMany(numRuns, anyQuery, (store, query) =>
    store.appointments.list({ ...query, organizationId: a.organizationId }),
  );
  const windows = starts.flatMap((from) => [minute, hour, 3 * hour].map((length) => ({ from, to: from + length })));
  for (const applicationId of applications) {
    const query = { organizationId: a.organizationId, applicationId, windows };
    await compared.ask((store) => store.appointments.countStarting(query));
    await compared.ask((store) => store.appointments.countOverlapping(query));
  }
}

const anyCommit = fc.record({
  place: fc.nat(24),
  kind: oneOf('write', 'write', 'write', 'remove'),
  isGuarded: fc.boolean(),
  content: anyAppointment,
});

export const naiveModelGroup = group('a store answers what the naive model answers', [
  { rule: 'filters' },
  it('a store answers what the naive model answers to two hundred lists of sixty appointments', async (store, a) => {
    const compared = new Compared(store);
    for (const [index, { state, ...fields }] of fc.sample(anyAppointment, { numRuns: 60, seed }).entries()) {
      const next = inState(a, state)({ ...fields, id: `m-${index}` });
      await compared.ask((each) => each.commit(insertion(next)));
    }
    await compareLists(compared, a, 200);
  }),
  { rule: 'guard' },
  it('a store answers what the naive model answers after a hundred and fifty commits, guarded and not, that insert, change and remove', async (store, a, organizationId) => {
    const compared = new Compared(store);
    for (const { place, kind, isGuarded, content } of fc.sample(anyCommit, { numRuns: 150, seed })) {
      const id = `m-${place}`;
      const current = await compared.ask((each) => each.appointments.find(organizationId, id));
      const { state, ...fields } = content;
      const next = inState(a, state)({ ...fields, id, version: (current?.version ?? 0) + 1 });
      const window = { from: next.schedule.start, to: next.schedule.end };
      const guard = isGuarded ? { actorIds: [content.organizerId, ...content.agentIds], window } : undefined;
      const write = current === undefined ? insertion(next, { guard }) : update(next, { guard, before: current });
      await compared.ask((each) => each.commit(kind === 'remove' ? removal(current ?? next) : write));
    }
    await compareLists(compared, a, 50);
    await compared.ask((each) => each.appointments.listEligible(organizationId, { limit: 100 }));
  }),
]);

const appointments = ['a-0', 'a-1', 'a-2'];
const customers = ['c-0', 'c-1', 'C-1'];
const types = notificationTypes.slice(0, 4);
const channel = oneOf(...notificationChannels);

const anyRow = fc.record({
  applicationId: oneOf('app-1', 'app-2'),
  appointmentId: oneOf(...appointments),
  addresseeId: oneOf(...customers),
  dedupeKey: fc.nat(70).map((place) => `key-${place}`),
  channel,
  type: oneOf(...types),
  wait: fc.option(fc.nat(20)),
  scheduledFor: perhaps(fc.nat(3)),
});

const anyOutcome = oneOf<Partial<Notification>>(
  delivered,
  { phase: 'DONE', status: 'FAILED', wakeAt: null, errorMessage: 'Refused.' },
  { phase: 'RETRY_WAIT', status: 'PENDING', wakeAt: fixtureStart + 30, nextRetryAt: fixtureStart + 30 },
  { phase: 'SUBMITTED', status: 'PENDING', wakeAt: fixtureStart + 25, nextPollAt: fixtureStart + 25 },
  { phase: 'SUBMITTED', status: 'PENDING', wakeAt: null },
);

const picks = fc.uniqueArray(fc.nat(1000), { maxLength: 4 });
const anyCancellation = fc.record({
  appointmentId: oneOf(...appointments),
  types: perhaps(fc.uniqueArray(oneOf(...types), { maxLength: 3 })),
  channels: perhaps(fc.uniqueArray(channel, { maxLength: 3 })),
  addresseeId: perhaps(oneOf(...customers)),
  messageIfTaken: perhaps(fc.constant('Taken before.')),
});

const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.array(anyRow, { maxLength: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ claim: channel, limit: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ settle: picks, outcome: anyOutcome, isLate: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ cancel: anyCancellation }) },
);

const instant = perhaps(fc.nat(80).map((place) => fixtureStart + place));
const anyFilters = fc.record({
  applicationId: oneOf('app-1', 'app-2'),
  types: someOrNone(...types),
  channels: someOrNone(...notificationChannels),
  statuses: someOrNone(...notificationStates),
  from: instant,
  to: instant,
  scope: oneOf({ kind: 'all' as const }, { kind: 'existing' as const }, { kind: 'ofAgent' as const, agentId: 'anna' }),
  sortOrder: oneOf('asc' as const, 'desc' as const),
  pageNumber: fc.integer({ min: 1, max: 3 }),
  pageSize: oneOf(2, 7, 200),
});

const later = { limit: 1000, leaseFor: 7 };

/** What a step does to a store; what is held are the notifications as claims gave them. */
async function take(
  compared: Compared,
  a: Words,
  step: typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never,
  index: number,
  held: Map<string, Notification>,
): Promise<void> {
  const now = fixtureStart + Math.floor(index / 3);
  if ('claim' in step) {
    // What comes again after its lease may stand in its former place or in its new one: all of it is claimed then.
    const claim = { channel: step.claim, now, ...(index < 200 ? { limit: step.limit, leaseFor: hour } : later) };
    const { claimed } = await compared.ask((store) => store.notifications.claim(claim));
    for (const { notification: one } of claimed) held.set(one.id, one);
  } else if ('settle' in step) {
    const rows = [...held.values()];
    const picked = new Set(step.settle.flatMap((pick) => rows[pick % rows.length] ?? []));
    const outcome = { nextRetryAt: undefined, nextPollAt: undefined, ...step.outcome };
    const updates = [...picked].map((row) =>
      changed(step.isLate ? { ...row, revision: row.revision - 1 } : row, outcome, { timestamp: now }),
    );
    const answers = await compared.ask((store) => store.notifications.settle(updates));
    for (const [place, { next }] of updates.entries()) if (answers[place] === true) held.delete(next.id);
  } else if ('cancel' in step) {
    const change = a.notifying({ cancel: [{ ...step.cancel, message: `Step ${index}.`, at: now }] });
    const sorted = async (store: SchedulingStore) => {
      const result = await store.commit(change);
      return 'sending' in result ? { ...result, sending: result.sending.toSorted() } : result;
    };
    const result = await compared.ask(sorted);
    for (const id of 'sending' in result ? (result.sending ?? []) : []) {
      const found = await compared.ask((store) => store.notifications.find(a.organizationId, id));
      if (found !== undefined) held.set(id, found.notification);
    }
  } else {
    const add = step.add.map(({ addresseeId, wait, ...row }, place) => {
      const id = `n-${`${index}`.padStart(3, '0')}-${place}`;
      const addressee = { type: 'CUSTOMER' as const, id: addresseeId };
      const wakeAt = wait === null ? null : now + wait;
      return written(a.notification({ ...row, id, addressee, wakeAt, createdAt: now, updatedAt: now }));
    });
    await compared.ask((store) => store.commit(a.notifying({ add })));
  }
}

export const notificationModelGroup = group('a store does to notifications what the naive model does', [
  { rule: 'notification-claims', emptyStore: true },
  it('a store does what the naive model does in two hundred commits, claims and outcomes, and in the lists after them', async (store, a, organizationId) => {
    const compared = new Compared(store);
    // The agent of the lists organizes one, is assigned to one, and one has no record.
    for (const [id, organizerId] of Object.entries({ 'a-0': 'anna', 'a-1': 'bert' })) {
      const record = a.scheduled({ id, organizerId });
      await compared.ask((each) => each.commit(insertion(record)));
    }
    const held = new Map<string, Notification>();
    for (const [index, step] of fc.sample(anyStep, { numRuns: 400, seed }).entries()) {
      await take(compared, a, step, index, held);
      const interests = { appointments: false, events: false, channels: notificationChannels };
      await compared.ask((each) => each.nextWakeAt(interests));
    }
    const all = await compared.ask((each) => each.notifications.list(a.notificationQuery()));
    assert.ok(all.total > 20 && new Set(all.items.map(({ notification: { status } }) => status)).size === 5);
    const ids = all.items.map(({ notification: { id } }) => id);
    await compared.ask((each) => each.notifications.countSending(organizationId, ids));
    await compared.ask((each) => each.notifications.listKept({ organizationId, limit: 1000 }));
    const ofRows = fc.tuple(anyFilters, oneOf(...notificationSortFields));
    await compared.askMany(60, ofRows, (each, [filters, sortField]) =>
      each.notifications.list({ ...filters, sortField, organizationId }),
    );
    const ofEvents = fc.tuple(anyFilters, oneOf(...notificationEventSortFields));
    await compared.askMany(60, ofEvents, (each, [filters, sortField]) =>
      each.notifications.listEvents({ ...filters, sortField, organizationId }),
    );
  }),
]);
