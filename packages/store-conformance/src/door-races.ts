import assert from 'node:assert/strict';
import type { CommitResult, SchedulingStore } from '@calends/core/store';
import type { ConformanceLevel } from './conformance-case.js';
import { expect, storedNotification } from './expectations.js';
import { fixtureStart, hour, minute } from './fixtures/appointments.js';
import { booked, guardOf, heldAt, holding, service1 } from './fixtures/availability.js';
import { insertion, keeping, nextVersion, removal, update } from './fixtures/changes.js';
import { adding, cancellation } from './fixtures/notifications.js';
import { consumptionOf, firstIssue, proofOf, ticketKeyOf } from './fixtures/proofs.js';
import { completing } from './fixtures/requests.js';
import { type Words, words } from './fixtures/words.js';
import { commitAll, inserted, issued, outcomes, put } from './steps.js';

/** Two stores over the same data: of two processes, or through two nodes of one cluster. */
export type Doors = readonly [one: SchedulingStore, other: SchedulingStore];

/** A race between two doors, and what must be true after it, however it ends. */
export interface DoorRace {
  readonly level: ConformanceLevel;
  /** What races, and what is true then. */
  readonly name: string;
  /** Rejects when it is not true. Each run needs an organization of its own. */
  readonly run: (doors: Doors, organizationId: string) => Promise<void>;
}

const always = { from: 0, to: fixtureStart + 1000 * hour };

/** Both at once; one is committed, and the other is refused in this way. */
async function expectOneOf(
  refused: string,
  both: readonly [Promise<CommitResult>, Promise<CommitResult>],
): Promise<void> {
  expect(outcomes(await Promise.all(both))).toEqual({ committed: 1, [refused]: 1 });
}

/** Where a race is about appointments: how many stand, by both doors. */
async function expectAppointments(doors: Doors, a: Words, count: number): Promise<void> {
  for (const door of doors) expect((await door.appointments.list(a.listQuery())).total).toEqual(count);
}

async function slots([one, other]: Doors, a: Words): Promise<void> {
  const booking = (id: string, start: number) => {
    const next = a.scheduled({ id, start });
    return insertion(next, { guard: guardOf(next) });
  };
  // The first booking of an agent is another matter than those that follow: it makes what is locked.
  for (const [place, start] of [fixtureStart, fixtureStart + 2 * hour].entries()) {
    await expectOneOf('slotConflict', [
      one.commit(booking(`one-${place}`, start)),
      other.commit(booking(`other-${place}`, start)),
    ]);
    await expectAppointments([one, other], a, place + 1);
  }
}

async function moves([one, other]: Doors, a: Words): Promise<void> {
  const first = await inserted(one, a.scheduled({ id: 'first', start: fixtureStart + 3 * hour }));
  const second = await inserted(other, a.scheduled({ id: 'second', start: fixtureStart + 5 * hour }));
  const move = (appointment: typeof first) => {
    const schedule = { ...appointment.schedule, start: fixtureStart, end: fixtureStart + hour };
    const next = nextVersion(appointment, { schedule });
    return update(next, { guard: guardOf(next) });
  };
  await expectOneOf('slotConflict', [one.commit(move(first)), other.commit(move(second))]);
}

/** Once a revocation has returned, nothing under the old link commits (D65). */
async function revokeAndMove([one, other]: Doors, a: Words): Promise<void> {
  const appointment = await inserted(one, a.scheduled());
  const ticket = await issued(one, a.ticket());
  const moved = update(nextVersion(appointment, { title: 'moved' }), { proof: proofOf(ticket) });
  const holderIds = [ticket.holderId];
  const revocation = { kind: 'MANAGE', subjectId: appointment.id, holderIds, at: fixtureStart } as const;
  const moving = other.commit(moved);
  const revoked = await one.commit(a.change({ revokedTickets: [revocation] }));
  expect(revoked).toEqual({ status: 'committed' });
  const then = await one.appointments.find(a.organizationId, appointment.id);
  const result = await moving;
  const now = await one.appointments.find(a.organizationId, appointment.id);
  expect(now?.version).toEqual(then?.version, 'It was moved under a link after its revocation had returned.');
  expect(result).toEqual({ status: now?.version === 2 ? 'committed' : 'proofLost' });
  expect(await other.commit(update(nextVersion(now ?? appointment), { proof: proofOf(ticket) }))).toEqual({
    status: 'proofLost',
  });
}

/** What a cancellation does not report as being sent is not sent any more; and what it reports, a look before the send tells. */
async function cancelAndSend([one, other]: Doors, a: Words): Promise<void> {
  const { organizationId } = a;
  const appointment = await inserted(one, a.scheduled());
  // Of another channel than what other cases leave due.
  const channel = 'SMS' as const;
  const message = a.notification({ id: `${organizationId}-message`, channel });
  await commitAll(one, adding(message));
  const over = a.cancelled({ id: appointment.id, version: 2 });
  const claiming = other.notifications.claim({ channel, limit: 100, leaseFor: minute, now: fixtureStart });
  const cancelled = await one.commit(
    update(over, { before: appointment, notifications: { cancel: [cancellation()] } }),
  );
  assert.ok(cancelled.status === 'committed');
  const standing = await other.notifications.findStanding({
    organizationId,
    id: message.id,
    appointmentId: appointment.id,
    channel,
    addresseeId: message.addressee.id,
    now: fixtureStart,
  });
  const { claimed } = await claiming;
  const { phase, revision, cancelRequestedAt } = await storedNotification(other, organizationId, message.id);
  const isSent = phase === 'SENDING';
  expect(isSent || claimed.every(({ notification }) => notification.id !== message.id)).toEqual(true);
  expect(cancelled.sending ?? []).toEqual(
    isSent ? [message.id] : [],
    'A send began after a cancellation had returned.',
  );
  expect([phase, cancelRequestedAt]).toEqual(isSent ? ['SENDING', fixtureStart] : ['DONE', undefined]);
  expect(standing?.revision).toEqual(revision, 'The look before a send did not tell of the cancellation.');
}

async function codeUsedTwice([one, other]: Doors, a: Words): Promise<void> {
  const challenge = await put(one, a.challenge());
  const booking = (id: string) => insertion(a.scheduled({ id }), { otp: consumptionOf(challenge) });
  await expectOneOf('otpUsed', [one.commit(booking('one')), other.commit(booking('other'))]);
  await expectAppointments([one, other], a, 1);
}

async function triesAtOnce([one, other]: Doors, a: Words): Promise<void> {
  const { organizationId, subject } = await put(one, a.challenge());
  const attempt = { organizationId, subject, now: fixtureStart, limit: 1 };
  const answers = await Promise.all([one.customers.countTry(attempt), other.customers.countTry(attempt)]);
  expect(answers.filter((answer) => answer !== undefined).length).toEqual(1);
}

async function keyUsedTwice([one, other]: Doors, a: Words): Promise<void> {
  const effect = (id: string) => insertion(a.scheduled({ id }), { request: a.request({ answer: `"${id}"` }) });
  await expectOneOf('requestLost', [one.commit(effect('one')), other.commit(effect('other'))]);
  await expectAppointments([one, other], a, 1);
  expect(await other.commit(completing(a.request()))).toEqual({ status: 'requestLost' });
}

async function ticketAndRemoval([one, other]: Doors, a: Words): Promise<void> {
  const appointment = await inserted(one, a.scheduled());
  const ticket = a.ticket();
  const issuing = other.commit(keeping(appointment, { ticket: firstIssue(ticket) }));
  expect(await one.commit(removal(appointment))).toEqual({ status: 'committed' });
  const result = await issuing;
  assert.ok(['committed', 'stale'].includes(result.status));
  await expect.noTickets(one, ticket);
  await expect.noTickets(other, ticket);
}

/** What is changed by one statement alone, without a look at it, is not missed because the other door lags. */
async function linkAndEndOfSessions([one, other]: Doors, a: Words): Promise<void> {
  await inserted(one, a.scheduled());
  const ticket = await issued(one, a.ticket());
  const key = ticketKeyOf(ticket);
  await other.customers.endSessions(key, 1);
  expect((await one.customers.findTicket(key))?.sessionsEnded).toEqual(1, 'A session that was ended goes on.');
}

/** A time is kept for a move of an appointment only while that is live. */
async function holdForAMove([one, other]: Doors, a: Words): Promise<void> {
  const appointment = await inserted(one, a.scheduled());
  const hold = a.hold({ start: fixtureStart + 4 * hour });
  const appointmentKept = keeping(appointment).appointment;
  const holdingIt = other.commit({ ...holding(hold, { guard: guardOf(hold) }), appointment: appointmentKept });
  expect(await one.commit(removal(appointment))).toEqual({ status: 'committed' });
  const before = await one.availability?.findHold(a.organizationId, hold.id);
  const result = await holdingIt;
  const after = await one.availability?.findHold(a.organizationId, hold.id);
  expect(after).toEqual(before, 'A time was held for an appointment after its removal had returned.');
  expect(result).toEqual({ status: after === undefined ? 'stale' : 'committed' });
}

async function holdAndBook([one, other]: Doors, a: Words): Promise<void> {
  const hold = a.hold();
  const next = a.scheduled({ service: booked() });
  await expectOneOf('slotConflict', [
    one.commit(holding(hold, { guard: guardOf(hold) })),
    other.commit(insertion(next, { guard: guardOf(next), holdsAt: heldAt })),
  ]);
}

async function holdUsedTwice([one, other]: Doors, a: Words): Promise<void> {
  const hold = a.hold();
  await commitAll(one, holding(hold, { guard: guardOf(hold) }));
  const booking = (id: string) =>
    insertion(a.scheduled({ id, service: booked() }), {
      guard: { ...guardOf(hold), exceptHoldIds: [hold.id] },
      holds: { consume: hold.id },
      holdsAt: heldAt,
    });
  await expectOneOf('holdLost', [one.commit(booking('one')), other.commit(booking('other'))]);
}

async function limits([one, other]: Doors, a: Words): Promise<void> {
  const booking = (agent: string, place: number) => {
    const service = booked();
    const next = a.scheduled({ id: `at-${agent}-${place}`, organizerId: agent, agentIds: [agent], service });
    const limit = { actorId: service1, window: always, max: place + 1 };
    return insertion(next, { guard: guardOf(next), limits: [limit], holdsAt: heldAt });
  };
  for (const place of [0, 1]) {
    await expectOneOf('limitReached', [
      one.commit(booking(`anna-${place}`, place)),
      other.commit(booking(`bert-${place}`, place)),
    ]);
  }
  await expectAppointments([one, other], a, 2);
}

const of = (level: ConformanceLevel, name: string, run: (doors: Doors, a: Words) => Promise<void>): DoorRace => ({
  level,
  name,
  run: (doors, organizationId) => run(doors, words(organizationId)),
});

/**
 * What is raced between two doors to the same data, one kind of guard after the other: a store whose doors are nodes of a cluster
 * must decide as one that has one door.
 */
export const doorRaces: readonly DoorRace[] = [
  of('appointments', 'two bookings of one time: one is committed, and each door sees it', slots),
  of('appointments', 'two moves into one free hour: one is committed', moves),
  of('requests', 'two effects of one key: one is committed, and a later one is refused', keyUsedTwice),
  of(
    'customers',
    'a revocation and a move under the link: nothing moves once the revocation has returned',
    revokeAndMove,
  ),
  of('customers', 'two bookings with one code: one is committed', codeUsedTwice),
  of('customers', 'two tries at a code that allows one: one is counted', triesAtOnce),
  of('customers', 'a link and the removal of its appointment: none is left', ticketAndRemoval),
  of('customers', 'a link, and the end of its sessions through the other door: they are ended', linkAndEndOfSessions),
  of(
    'notifications',
    'a cancellation and a claim: what is sent is reported, and the look before it tells',
    cancelAndSend,
  ),
  of(
    'availability',
    'a hold for a move and the removal of its appointment: none is made once that has returned',
    holdForAMove,
  ),
  of('availability', 'a hold and a booking of one time: one is committed', holdAndBook),
  of('availability', 'two bookings that use one hold: one is committed', holdUsedTwice),
  of('availability', 'two bookings against a limit: one is committed', limits),
];
