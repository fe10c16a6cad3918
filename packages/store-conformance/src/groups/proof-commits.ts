import assert from 'node:assert/strict';
import { type Change, commitRefusals, type RefusalStatus, type SchedulingStore } from '@calends/core';
import type { ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { auditRecord, commitAll, expectNoTickets, expectTickets } from '../expectations.js';
import { aCancelledAppointment, aScheduledAppointment, fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { anEntry } from '../fixtures/audit.js';
import { insertion, keeping, nextVersion, removal, update } from '../fixtures/changes.js';
import { anEvent } from '../fixtures/events.js';
import { changed, notification } from '../fixtures/notifications.js';
import { aProfile } from '../fixtures/profiles.js';
import { aChallenge, aFeedTicket, aTicket, consumptionOf, firstIssue, proofOf, proving } from '../fixtures/proofs.js';
import { aRequest, completing, keyOf } from '../fixtures/requests.js';

const at = fixtureStart + minute;

/** What a change with something of every kind meets, and what it makes of it. */
function situationOf(organizationId: string) {
  const appointment = aScheduledAppointment({ organizationId });
  const ticket = aTicket({ organizationId });
  return {
    organizationId,
    appointment,
    next: nextVersion(appointment, { title: 'Changed' }),
    profile: aProfile(appointment),
    challenge: aChallenge({ organizationId }),
    ticket,
    rotated: { ...ticket, nonce: 'nonce-2', issuedAt: at },
    leaving: aTicket({ organizationId, holderId: 'leaving' }),
    feed: aFeedTicket({ organizationId }),
    over: aCancelledAppointment({ organizationId, id: 'over', organizerId: 'agent-8' }),
    entry: anEntry({ organizationId }),
    request: aRequest(organizationId, { answer: '"done"' }),
    answered: aRequest(organizationId, { key: 'answered' }),
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

async function prepare(store: SchedulingStore, organizationId: string): Promise<Situation> {
  const situation = situationOf(organizationId);
  const { appointment, profile, challenge, ticket, leaving, feed, over, answered } = situation;
  await commitAll(store, insertion(appointment, { customers: [profile] }), insertion(over));
  const revoked = aTicket({ organizationId, holderId: 'revoked', revokedAt: fixtureStart });
  for (const next of [ticket, leaving, feed, revoked])
    await commitAll(store, proving(organizationId, { ticket: firstIssue(next) }));
  assert.equal(await store.putOtpChallenge(challenge, undefined), true);
  await commitAll(store, completing(answered));
  return situation;
}

async function expectUntouched(store: SchedulingStore, situation: Situation): Promise<void> {
  const { organizationId, appointment, profile, challenge, ticket, leaving, feed, request } = situation;
  const appointmentId = appointment.id;
  assert.deepStrictEqual(await store.findAppointment(organizationId, appointmentId), appointment);
  assert.deepStrictEqual(await store.findCustomer(organizationId, appointmentId, profile.participantId), profile);
  assert.deepStrictEqual(await store.findOtpChallenge(organizationId, challenge.subject), challenge);
  await expectTickets(store, ticket, leaving, feed);
  assert.deepEqual(await auditRecord(store, organizationId), []);
  assert.equal(await store.countUnsealedAudit(organizationId), 0);
  assert.deepEqual(await store.listEvents({ organizationId, appointmentId }), []);
  assert.equal(await store.findRequest(keyOf(request), request.at), undefined);
}

/** What makes the store refuse a change that it would take otherwise. */
const refusals: readonly (readonly [
  name: string,
  status: RefusalStatus,
  broken: (situation: Situation) => Partial<Change>,
])[] = [
  [
    'the appointment has another version',
    'stale',
    ({ next }) => ({ appointment: { kind: 'update', next, expectedVersion: 9, wakeAt: null } }),
  ],
  [
    'the id of a new appointment is taken',
    'stale',
    ({ appointment }) => ({ appointment: { kind: 'insert', next: appointment, wakeAt: null } }),
  ],
  [
    'the appointment to remove has another version',
    'stale',
    ({ appointment }) => ({ appointment: { kind: 'remove', appointmentId: appointment.id, expectedVersion: 9 } }),
  ],
  [
    'the appointment to keep is not there',
    'stale',
    () => ({ appointment: { kind: 'keep', appointmentId: 'unknown' } }),
  ],
  [
    'the appointment to keep is over',
    'stale',
    ({ over }) => ({ appointment: { kind: 'keep', appointmentId: over.id } }),
  ],
  ['the key has another ticket', 'stale', ({ rotated }) => ({ ticket: { next: rotated, expectedNonce: 'nonce-0' } })],
  ['the key has a ticket already', 'stale', ({ rotated }) => ({ ticket: firstIssue(rotated) })],
  [
    'the key has no ticket any more',
    'stale',
    ({ rotated }) => ({ ticket: { next: { ...rotated, holderId: 'unknown' }, expectedNonce: 'nonce-1' } }),
  ],
  [
    'the notification is gone',
    'stale',
    ({ organizationId }) => ({ notifications: { update: changed(notification({ organizationId }), {}) } }),
  ],
  [
    'another appointment stands in the way',
    'slotConflict',
    () => ({ guard: { actorIds: ['agent-9'], window: { from: fixtureStart, to: fixtureStart + hour } } }),
  ],
  [
    'another one-time password was issued',
    'otpUsed',
    ({ challenge }) => ({ otp: { ...consumptionOf(challenge), challengeId: 'challenge-0' } }),
  ],
  [
    'there is no such one-time password',
    'otpUsed',
    ({ challenge }) => ({ otp: { ...consumptionOf(challenge), subject: 'unknown' } }),
  ],
  [
    'the one-time password was used up',
    'otpUsed',
    ({ challenge }) => ({ otp: { ...consumptionOf(challenge), subject: 'used' } }),
  ],
  [
    'the one-time password is one of another organization',
    'otpUsed',
    ({ challenge }) => ({ otp: { ...consumptionOf(challenge), subject: 'foreign' } }),
  ],
  [
    'the ticket that was proved was replaced',
    'proofLost',
    ({ ticket }) => ({ proof: { ...proofOf(ticket), nonce: 'nonce-0' } }),
  ],
  [
    'the ticket that was proved was revoked',
    'proofLost',
    ({ ticket }) => ({ proof: { ...proofOf(ticket), holderId: 'revoked' } }),
  ],
  [
    'the ticket that was proved is gone',
    'proofLost',
    ({ ticket }) => ({ proof: { ...proofOf(ticket), holderId: 'unknown' } }),
  ],
  ['the request is answered already', 'requestLost', ({ answered }) => ({ request: answered })],
];

/** The refusal, then the same change without what was wrong with it: written whole. */
const atomicityCase = ([name, status, broken]: (typeof refusals)[number]): ConformanceCase => ({
  name: `nothing is written when ${name} (${status}), and all of it when not`,
  async run({ store, organization }) {
    for (const [shape, changeOf] of Object.entries(shapes)) {
      const situation = await prepare(store, organization(shape));
      const { organizationId, challenge, rotated, leaving, feed, entry } = situation;
      const rival = aScheduledAppointment({ organizationId, id: 'rival', organizerId: 'agent-9' });
      await commitAll(store, insertion(rival));
      await store.putOtpChallenge({ ...challenge, subject: 'used', consumedAt: fixtureStart }, undefined);
      const foreign = aChallenge({ organizationId: organization(`${shape} abroad`), subject: 'foreign' });
      await store.putOtpChallenge(foreign, undefined);

      const result = await store.commit({ ...changeOf(situation), ...broken(situation) });
      assert.equal(result.status, status);
      await expectUntouched(store, situation);
      assert.equal((await store.findOtpChallenge(foreign.organizationId, 'foreign'))?.consumedAt, null);

      await commitAll(store, changeOf(situation));
      const used = await store.findOtpChallenge(organizationId, challenge.subject);
      assert.deepStrictEqual(used, { ...challenge, consumedAt: at });
      await expectTickets(store, rotated, { ...feed, revokedAt: at });
      await (changeOf(situation).removedCustomers === undefined ? expectTickets : expectNoTickets)(store, leaving);
      assert.deepStrictEqual(await auditRecord(store, organizationId), [entry]);
      assert.equal(await store.countUnsealedAudit(organizationId), 1);
    }
  },
});

/** Refusals two by two, the one to be told first (D75). */
const refusalPairs = refusals
  .flatMap((told) => refusals.map((other) => [told, other] as const))
  .filter(([[, told], [, other]]) => commitRefusals.indexOf(told) < commitRefusals.indexOf(other));

const precedenceCase = (told: RefusalStatus, other: RefusalStatus): ConformanceCase => ({
  name: `${told} is told before ${other} where both apply`,
  async run({ store, organization }) {
    for (const [shape, changeOf] of Object.entries(shapes)) {
      const situation = await prepare(store, organization(shape));
      const { organizationId, challenge } = situation;
      await commitAll(store, insertion(aScheduledAppointment({ organizationId, id: 'rival', organizerId: 'agent-9' })));
      await store.putOtpChallenge({ ...challenge, subject: 'used', consumedAt: fixtureStart }, undefined);
      for (const [[name, status, broken], [otherName, otherStatus, alsoBroken]] of refusalPairs) {
        if (status !== told || otherStatus !== other) continue;
        const result = await store.commit({ ...changeOf(situation), ...broken(situation), ...alsoBroken(situation) });
        assert.equal(result.status, told, `${shape}: ${name}, ${otherName}`);
      }
      await expectUntouched(store, situation);
    }
  },
});

const precedenceCases = commitRefusals.flatMap((told, index) =>
  commitRefusals.slice(index + 1).map((other) => precedenceCase(told, other)),
);

export const proofCommitsGroup: ConformanceGroup = {
  name: 'proofs and the audit record stand or fall with their commit',
  cases: [
    ...refusals.map(atomicityCase),
    ...precedenceCases,
    {
      name: 'a removal that is refused leaves the manage tickets and writes no line of the record',
      async run({ store, organizationId }) {
        const situation = await prepare(store, organizationId);
        const { appointment, challenge, entry, ticket, leaving, feed } = situation;
        const otp = consumptionOf(challenge);
        const change = removal(appointment, { audit: [entry], otp: { ...otp, challengeId: 'challenge-0' } });
        assert.deepEqual(await store.commit(change), { status: 'otpUsed' });
        await expectUntouched(store, situation);
        await commitAll(store, { ...change, otp });
        await expectNoTickets(store, ticket, leaving);
        await expectTickets(store, feed);
        assert.deepStrictEqual(await auditRecord(store, organizationId), [entry]);
      },
    },
    {
      name: 'a one-time password is used up at the instant given, its tries and issues stay',
      async run({ store, organizationId }) {
        // The last try that it allows may be the right one.
        const challenge = aChallenge({ organizationId, tries: 5, issues: [1, 2, fixtureStart] });
        const other = aChallenge({ organizationId, subject: 'subject-2' });
        await store.putOtpChallenge(challenge, undefined);
        await store.putOtpChallenge(other, undefined);
        const appointment = aScheduledAppointment({ organizationId });
        await commitAll(store, insertion(appointment, { otp: { ...consumptionOf(challenge), at: at + 7 } }));
        const used = await store.findOtpChallenge(organizationId, challenge.subject);
        assert.deepStrictEqual(used, { ...challenge, consumedAt: at + 7 });
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, other.subject), other);
      },
    },
    {
      name: 'a one-time password is used once; the next one of its subject is another',
      async run({ store, organizationId }) {
        const [first, second] = ['challenge-1', 'challenge-2'].map((challengeId) =>
          aChallenge({ organizationId, challengeId }),
        );
        assert.ok(first !== undefined && second !== undefined);
        const using = (challenge: typeof first) => proving(organizationId, { otp: consumptionOf(challenge) });
        await store.putOtpChallenge(first, undefined);
        assert.deepEqual(await store.commit(using(second)), { status: 'otpUsed' });
        await commitAll(store, using(first));
        assert.deepEqual(await store.commit(using(first)), { status: 'otpUsed' });
        const attempt = { organizationId, subject: first.subject, now: at, limit: 5 };
        assert.equal(await store.countOtpTry(attempt), undefined);
        assert.equal(await store.putOtpChallenge(second, first.challengeId), true);
        assert.deepEqual(await store.commit(using(first)), { status: 'otpUsed' });
        assert.equal((await store.countOtpTry(attempt))?.challengeId, second.challengeId);
        await commitAll(store, using(second));
      },
    },
    {
      name: 'a one-time password that was purged is used up',
      emptyStore: true,
      async run({ store, organizationId }) {
        const challenge = aChallenge({ organizationId });
        await store.putOtpChallenge(challenge, undefined);
        assert.equal(await store.purgeOtpChallenges(at, 1), 1);
        const booking = insertion(aScheduledAppointment({ organizationId }), { otp: consumptionOf(challenge) });
        assert.deepEqual(await store.commit(booking), { status: 'otpUsed' });
        assert.equal(await store.findAppointment(organizationId, 'appointment-1'), undefined);
      },
    },
    {
      name: 'what looks like subject, challenge, nonce, holder or subject of a ticket is another one',
      async run({ store, organizationId }) {
        const challenge = aChallenge({ organizationId, subject: 'e', challengeId: 'e' });
        const ticket = aTicket({ organizationId, subjectId: 'e', holderId: 'e', nonce: 'e' });
        await store.putOtpChallenge(challenge, undefined);
        await commitAll(store, proving(organizationId, { ticket: firstIssue(ticket) }));
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
            assert.equal((await store.commit(proving(organizationId, change))).status, status);
          }
          const revokedTickets = [
            { kind: 'MANAGE', subjectId: other, at },
            { kind: 'MANAGE', subjectId: 'e', holderIds: [other], at },
          ] as const;
          await commitAll(store, proving(organizationId, { revokedTickets }));
          assert.equal(await store.findOtpChallenge(organizationId, other), undefined);
          assert.equal(await store.countOtpTry({ organizationId, subject: other, now: at, limit: 5 }), undefined);
          assert.equal(await store.putOtpChallenge({ ...challenge, subject: other }, undefined), true);
          await expectNoTickets(store, { ...ticket, holderId: other }, { ...ticket, subjectId: other });
        }
        await expectTickets(store, ticket);
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, 'e'), challenge);
      },
    },
  ],
};
