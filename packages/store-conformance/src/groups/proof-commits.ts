import assert from 'node:assert/strict';
import { type Change, commitRefusals } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { auditRecord, expect } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion, removal } from '../fixtures/changes.js';
import { consumptionOf, firstIssue } from '../fixtures/proofs.js';
import { at, atomicityCases, expectUntouched, precedenceCases, prepare, refusals } from '../refused-commits.js';
import { commitAll, put } from '../steps.js';

const trial = { refusals };

export const proofCommitsGroup = group('proofs and the audit record stand or fall with their commit', [
  { rule: 'all-or-nothing' },
  ...atomicityCases(
    trial,
    Object.values(refusals).flatMap((of) => Object.keys(of)),
  ),
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
  ...precedenceCases(trial, commitRefusals),
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
