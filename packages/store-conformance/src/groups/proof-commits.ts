import assert from 'node:assert/strict';
import { type Change, commitRefusals, type RefusalStatus, type SchedulingStore } from '@calends/core/store';
import { type Case, group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { auditRecord, expect } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, keeping, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { changed, notification } from '../fixtures/notifications.js';
import { consumptionOf, firstIssue, proofOf, proving } from '../fixtures/proofs.js';
import { completing, keyOf } from '../fixtures/requests.js';
import { commitAll, inserted, put } from '../steps.js';

const at = fixtureStart + minute;

/** What a change with something of every kind meets, and what it makes of it. */
function situationOf(a: Words) {
  const appointment = a.scheduled();
  const ticket = a.ticket();
  return {
    organizationId: a.organizationId,
    appointment,
    next: nextVersion(appointment, { title: 'Changed' }),
    profile: a.profile(appointment),
    challenge: a.challenge(),
    ticket,
    rotated: { ...ticket, nonce: 'nonce-2', issuedAt: at },
    leaving: a.ticket({ holderId: 'leaving' }),
    feed: a.feedTicket(),
    over: a.cancelled({ id: 'over', organizerId: 'agent-8' }),
    entry: a.entry(),
    request: a.request({ answer: '"done"' }),
    answered: a.request({ key: 'answered' }),
  };
}

type Situation = ReturnType<typeof situationOf>;

/** The parts that a change may have without an appointment. */
const looseParts = ({ challenge, ticket, rotated, entry, request, profile, appointment }: Situation) => ({
  customers: [{ ...profile, firstName: 'Changed' }],
  events: [anEvent(appointment, { version: 2 })],
  request,
  otp: consumptionOf(challenge),
  proof: proofOf(ticket),
  ticket: { next: rotated, expectedNonce: ticket.nonce },
  revokedTickets: [{ kind: 'CALENDAR_FEED', subjectId: 'agent-1', at }] as const,
  audit: [entry],
});

const shapes: Readonly<Record<string, (situation: Situation) => Change>> = {
  'an update': (situation) => update(situation.next, { ...looseParts(situation), removedCustomers: ['leaving'] }),
  'a change that keeps its appointment': (situation) => keeping(situation.appointment, looseParts(situation)),
  'a change without an appointment': (situation) => proving(situation.organizationId, looseParts(situation)),
};

async function prepare(store: SchedulingStore, a: Words): Promise<Situation> {
  const situation = situationOf(a);
  const { appointment, profile, challenge, ticket, leaving, feed, over, answered } = situation;
  await commitAll(store, insertion(appointment, { customers: [profile] }), insertion(over));
  const revoked = a.ticket({ holderId: 'revoked', revokedAt: fixtureStart });
  for (const next of [ticket, leaving, feed, revoked]) await commitAll(store, a.change({ ticket: firstIssue(next) }));
  await put(store, challenge);
  await commitAll(store, completing(answered));
  return situation;
}

async function expectUntouched(store: SchedulingStore, situation: Situation): Promise<void> {
  const { organizationId, appointment, profile, challenge, ticket, leaving, feed, request } = situation;
  const appointmentId = appointment.id;
  expect(await store.appointments.find(organizationId, appointmentId)).toEqual(appointment);
  await expect.profiles(store, profile);
  await expect.challenges(store, challenge);
  await expect.tickets(store, ticket, leaving, feed);
  expect(await auditRecord(store, organizationId)).toEqual([]);
  expect(await store.audit.countUnsealed(organizationId)).toEqual(0);
  expect(await store.events.list({ organizationId, appointmentId })).toEqual([]);
  expect(await store.requests.find(keyOf(request), request.at)).toEqual(undefined);
}

/** What makes the store refuse a change that it would take otherwise, by how it refuses it. */
const refusals: Readonly<Record<RefusalStatus, Readonly<Record<string, (situation: Situation) => Partial<Change>>>>> = {
  stale: {
    'the appointment has another version': ({ next }) => ({
      appointment: { kind: 'update', next, expectedVersion: 9, wakeAt: null },
    }),
    'the id of a new appointment is taken': ({ appointment }) => ({
      appointment: { kind: 'insert', next: appointment, wakeAt: null },
    }),
    'the appointment to remove has another version': ({ appointment }) => ({
      appointment: { kind: 'remove', appointmentId: appointment.id, expectedVersion: 9 },
    }),
    'the appointment to keep is not there': () => ({ appointment: { kind: 'keep', appointmentId: 'unknown' } }),
    'the appointment to keep is over': ({ over }) => ({ appointment: { kind: 'keep', appointmentId: over.id } }),
    'the key has another ticket': ({ rotated }) => ({ ticket: { next: rotated, expectedNonce: 'nonce-0' } }),
    'the key has a ticket already': ({ rotated }) => ({ ticket: firstIssue(rotated) }),
    'the key has no ticket any more': ({ rotated }) => ({
      ticket: { next: { ...rotated, holderId: 'unknown' }, expectedNonce: 'nonce-1' },
    }),
    'the notification is gone': ({ organizationId }) => ({
      notifications: { update: changed(notification({ organizationId }), {}) },
    }),
  },
  slotConflict: {
    'another appointment stands in the way': () => ({
      guard: { actorIds: ['agent-9'], window: { from: fixtureStart, to: fixtureStart + hour } },
    }),
  },
  otpUsed: {
    'another one-time password was issued': ({ challenge }) => ({
      otp: { ...consumptionOf(challenge), challengeId: 'challenge-0' },
    }),
    'there is no such one-time password': ({ challenge }) => ({
      otp: { ...consumptionOf(challenge), subject: 'unknown' },
    }),
    'the one-time password was used up': ({ challenge }) => ({ otp: { ...consumptionOf(challenge), subject: 'used' } }),
    'the one-time password is one of another organization': ({ challenge }) => ({
      otp: { ...consumptionOf(challenge), subject: 'foreign' },
    }),
  },
  proofLost: {
    'the ticket that was proved was replaced': ({ ticket }) => ({ proof: { ...proofOf(ticket), nonce: 'nonce-0' } }),
    'the ticket that was proved was revoked': ({ ticket }) => ({ proof: { ...proofOf(ticket), holderId: 'revoked' } }),
    'the ticket that was proved is gone': ({ ticket }) => ({ proof: { ...proofOf(ticket), holderId: 'unknown' } }),
  },
  requestLost: {
    'the request is answered already': ({ answered }) => ({ request: answered }),
  },
};

/** A refusal: its case, how the store tells it, and what of the change is wrong. */
const allRefusals = commitRefusals.flatMap((status) =>
  Object.entries(refusals[status]).map(([name, broken]) => ({ name, status, broken })),
);

/** A situation in which all refusals apply. */
async function prepareAll(store: SchedulingStore, a: Words): Promise<Situation> {
  const situation = await prepare(store, a);
  await inserted(store, a.scheduled({ id: 'rival', organizerId: 'agent-9' }));
  await put(store, a.challenge({ subject: 'used', consumedAt: fixtureStart }));
  return situation;
}

/** The refusal, then the same change without what was wrong with it: written whole. */
const atomicityCase = ({ name, status, broken }: (typeof allRefusals)[number]): Case =>
  it(`nothing is written when ${name} (${status}), and all of it when not`, async (store, a) => {
    for (const [shape, changeOf] of Object.entries(shapes)) {
      const situation = await prepareAll(store, a.of(shape));
      const { organizationId, challenge, rotated, leaving, feed, entry } = situation;
      const foreign = await put(store, a.of(`${shape} abroad`).challenge({ subject: 'foreign' }));

      const result = await store.commit({ ...changeOf(situation), ...broken(situation) });
      expect(result.status).toEqual(status);
      await expectUntouched(store, situation);
      expect((await store.customers.findChallenge(foreign.organizationId, 'foreign'))?.consumedAt).toEqual(null);

      await commitAll(store, changeOf(situation));
      await expect.challenges(store, { ...challenge, consumedAt: at });
      await expect.tickets(store, rotated, { ...feed, revokedAt: at });
      await (changeOf(situation).removedCustomers === undefined ? expect.tickets : expect.noTickets)(store, leaving);
      expect(await auditRecord(store, organizationId)).toEqual([entry]);
      expect(await store.audit.countUnsealed(organizationId)).toEqual(1);
    }
  });

/** Two by two, the one to be told first (D75). */
const precedenceCase = (told: RefusalStatus, other: RefusalStatus): Case =>
  it(`${told} is told before ${other} where both apply`, async (store, a) => {
    for (const [shape, changeOf] of Object.entries(shapes)) {
      const situation = await prepareAll(store, a.of(shape));
      for (const [name, broken] of Object.entries(refusals[told])) {
        for (const [otherName, alsoBroken] of Object.entries(refusals[other])) {
          const result = await store.commit({ ...changeOf(situation), ...broken(situation), ...alsoBroken(situation) });
          expect(result.status).toEqual(told, `${shape}: ${name}, ${otherName}`);
        }
      }
      await expectUntouched(store, situation);
    }
  });

const precedenceCases = commitRefusals.flatMap((told, index) =>
  commitRefusals.slice(index + 1).map((other) => precedenceCase(told, other)),
);

export const proofCommitsGroup = group('proofs and the audit record stand or fall with their commit', [
  { rule: 'all-or-nothing' },
  ...allRefusals.map(atomicityCase),
  it('a removal that is refused leaves the manage tickets and writes no line of the record', async (store, a, organizationId) => {
    const situation = await prepare(store, a);
    const { appointment, challenge, entry, ticket, leaving, feed } = situation;
    const otp = consumptionOf(challenge);
    const change = removal(appointment, { audit: [entry], otp: { ...otp, challengeId: 'challenge-0' } });
    expect(await store.commit(change)).toEqual({ status: 'otpUsed' });
    await expectUntouched(store, situation);
    await commitAll(store, { ...change, otp });
    await expect.noTickets(store, ticket, leaving);
    await expect.tickets(store, feed);
    expect(await auditRecord(store, organizationId)).toEqual([entry]);
  }),
  { rule: 'refusal-order' },
  ...precedenceCases,
  { rule: 'challenges', level: 'audit' },
  it('a one-time password is used up at the instant given, its tries and issues stay', async (store, a) => {
    // The last try that it allows may be the right one.
    const challenge = a.challenge({ tries: 5, issues: [1, 2, fixtureStart] });
    const other = a.challenge({ subject: 'subject-2' });
    await put(store, challenge);
    await put(store, other);
    const appointment = a.scheduled();
    await commitAll(store, insertion(appointment, { otp: { ...consumptionOf(challenge), at: at + 7 } }));
    await expect.challenges(store, { ...challenge, consumedAt: at + 7 }, other);
  }),
  it('a one-time password is used once; the next one of its subject is another', async (store, a, organizationId) => {
    const [first, second] = ['challenge-1', 'challenge-2'].map((challengeId) => a.challenge({ challengeId }));
    assert.ok(first !== undefined && second !== undefined);
    const using = (challenge: typeof first) => a.change({ otp: consumptionOf(challenge) });
    await put(store, first);
    expect(await store.commit(using(second))).toEqual({ status: 'otpUsed' });
    await commitAll(store, using(first));
    expect(await store.commit(using(first))).toEqual({ status: 'otpUsed' });
    const attempt = { organizationId, subject: first.subject, now: at, limit: 5 };
    expect(await store.customers.countTry(attempt)).toEqual(undefined);
    expect(await store.customers.putChallenge(second, first.challengeId)).toEqual(true);
    expect(await store.commit(using(first))).toEqual({ status: 'otpUsed' });
    expect((await store.customers.countTry(attempt))?.challengeId).toEqual(second.challengeId);
    await commitAll(store, using(second));
  }),
  { rule: 'challenges', level: 'audit', emptyStore: true },
  it('a one-time password that was purged is used up', async (store, a, organizationId) => {
    const challenge = await put(store, a.challenge());
    expect(await store.customers.purgeChallenges(at, 1)).toEqual(1);
    const booking = insertion(a.scheduled(), { otp: consumptionOf(challenge) });
    expect(await store.commit(booking)).toEqual({ status: 'otpUsed' });
    expect(await store.appointments.find(organizationId, 'appointment-1')).toEqual(undefined);
  }),
  { rule: 'code-points' },
  it('what looks like subject, challenge, nonce, holder or subject of a ticket is another one', async (store, a, organizationId) => {
    const challenge = a.challenge({ subject: 'e', challengeId: 'e' });
    const ticket = a.ticket({ subjectId: 'e', holderId: 'e', nonce: 'e' });
    await put(store, challenge);
    await commitAll(store, a.change({ ticket: firstIssue(ticket) }));
    const otp = consumptionOf(challenge);
    const next = { ...ticket, nonce: 'x' };
    for (const other of ['E', '\u00e9', 'e\u0301', 'e ', ' e', 'e\u200b', '\uff45']) {
      const refused: readonly (readonly [change: Partial<Change>, status: string])[] = [
        [{ otp: { ...otp, subject: other } }, 'otpUsed'],
        [{ otp: { ...otp, challengeId: other } }, 'otpUsed'],
        [{ ticket: { next, expectedNonce: other } }, 'stale'],
        [{ ticket: { next: { ...next, holderId: other }, expectedNonce: 'e' } }, 'stale'],
        [{ ticket: { next: { ...next, subjectId: other }, expectedNonce: 'e' } }, 'stale'],
      ];
      for (const [change, status] of refused) {
        expect((await store.commit(a.change(change))).status).toEqual(status);
      }
      const revokedTickets = [
        { kind: 'MANAGE', subjectId: other, at },
        { kind: 'MANAGE', subjectId: 'e', holderIds: [other], at },
      ] as const;
      await commitAll(store, a.change({ revokedTickets }));
      expect(await store.customers.findChallenge(organizationId, other)).toEqual(undefined);
      expect(await store.customers.countTry({ organizationId, subject: other, now: at, limit: 5 })).toEqual(undefined);
      expect(await store.customers.putChallenge({ ...challenge, subject: other }, undefined)).toEqual(true);
      await expect.noTickets(store, { ...ticket, holderId: other }, { ...ticket, subjectId: other });
    }
    await expect.tickets(store, ticket);
    expect(await store.customers.findChallenge(organizationId, 'e')).toEqual(challenge);
  }),
]);
