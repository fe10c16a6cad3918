import type { OtpTry } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { day, fixtureStart, minute } from '../fixtures/appointments.js';
import { awkwardTexts } from '../fixtures/awkward-values.js';
import { aChallenge } from '../fixtures/proofs.js';
import { spoil } from '../fixtures/spoil.js';

const lastInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const aTry = (organizationId: string, overrides: Partial<OtpTry> = {}): OtpTry => ({
  organizationId,
  subject: 'subject-1',
  now: fixtureStart + minute,
  limit: 5,
  ...overrides,
});

export const oneTimePasswordsGroup = group(
  'a subject has one present one-time password, and its tries are counted before they are compared (D44)',
  [
    { rule: 'round-trip' },
    it('every field of a challenge comes back exactly, one that was used up or never tried too', async (store, organizationId) => {
      const challenges = [
        aChallenge({ organizationId }),
        aChallenge({
          organizationId,
          tries: 4,
          consumedAt: fixtureStart + 1,
          issues: [0, 1, 'hash', fixtureStart, 'häsh'],
        }),
        aChallenge({ organizationId, issuedAt: 0, expiresAt: lastInstant, consumedAt: lastInstant, issues: [] }),
        ...awkwardTexts.map(([, text]) => aChallenge({ organizationId, challengeId: text, codeHash: text })),
      ].map((challenge, index) => ({ ...challenge, subject: `subject-${index}` }));
      for (const challenge of challenges) {
        expect(await store.customers.findChallenge(organizationId, challenge.subject)).toEqual(undefined);
        expect(await store.customers.putChallenge(challenge, undefined)).toEqual(true);
      }
      for (const challenge of challenges) {
        expect(await store.customers.findChallenge(organizationId, challenge.subject)).toEqual(challenge);
      }
    }),
    { rule: 'challenges' },
    it('a challenge takes the place of the one that was looked at, whole, and of no other', async (store, organizationId) => {
      const first = aChallenge({ organizationId, tries: 3, consumedAt: fixtureStart + 1 });
      const second = aChallenge({ organizationId, challengeId: 'challenge-2', codeHash: 'other', issues: [1, 2] });
      const third = aChallenge({ organizationId, challengeId: 'challenge-3' });
      expect(await store.customers.putChallenge(first, 'challenge-0')).toEqual(false);
      expect(await store.customers.findChallenge(organizationId, first.subject)).toEqual(undefined);
      expect(await store.customers.putChallenge(first, undefined)).toEqual(true);
      for (const expected of [undefined, 'challenge-2', 'Challenge-1', 'challenge-1 ']) {
        expect(await store.customers.putChallenge(second, expected)).toEqual(false);
        expect(await store.customers.findChallenge(organizationId, first.subject)).toEqual(first);
      }
      expect(await store.customers.putChallenge(second, first.challengeId)).toEqual(true);
      expect(await store.customers.findChallenge(organizationId, first.subject)).toEqual(second);
      expect(await store.customers.putChallenge(third, first.challengeId)).toEqual(false);
      expect(await store.customers.findChallenge(organizationId, first.subject)).toEqual(second);
    }),
    { rule: 'tries' },
    it('a try is counted and answered with the challenge, up to the limit and never beyond', async (store, organizationId) => {
      const challenge = aChallenge({ organizationId });
      await store.customers.putChallenge(challenge, undefined);
      for (const tries of [1, 2, 3]) {
        expect(await store.customers.countTry(aTry(organizationId, { limit: 3 }))).toEqual({ ...challenge, tries });
      }
      expect(await store.customers.countTry(aTry(organizationId, { limit: 3 }))).toEqual(undefined);
      expect(await store.customers.countTry(aTry(organizationId, { limit: 2 }))).toEqual(undefined);
      const stored = await store.customers.findChallenge(organizationId, challenge.subject);
      expect(stored).toEqual({ ...challenge, tries: 3 });
      expect((await store.customers.countTry(aTry(organizationId, { limit: 4 })))?.tries).toEqual(4);
    }),
    it('a challenge can be tried before its end and not at it (now < expiresAt)', async (store, organizationId) => {
      const challenge = aChallenge({ organizationId });
      await store.customers.putChallenge(challenge, undefined);
      const { expiresAt } = challenge;
      expect((await store.customers.countTry(aTry(organizationId, { now: expiresAt - 1 })))?.tries).toEqual(1);
      expect(await store.customers.countTry(aTry(organizationId, { now: expiresAt }))).toEqual(undefined);
      expect(await store.customers.countTry(aTry(organizationId, { now: expiresAt + day }))).toEqual(undefined);
      expect((await store.customers.findChallenge(organizationId, challenge.subject))?.tries).toEqual(1);
    }),
    it('there is nothing to try where the challenge was used up, or where there is none', async (store, organizationId) => {
      const used = aChallenge({ organizationId, consumedAt: fixtureStart });
      await store.customers.putChallenge(used, undefined);
      expect(await store.customers.countTry(aTry(organizationId))).toEqual(undefined);
      expect(await store.customers.countTry(aTry(organizationId, { subject: 'unknown' }))).toEqual(undefined);
      expect(await store.customers.findChallenge(organizationId, used.subject)).toEqual(used);
      expect(await store.customers.findChallenge(organizationId, 'unknown')).toEqual(undefined);
    }),
    it('the tries of another subject are its own, and those of a new challenge begin anew', async (store, organizationId) => {
      const other = aChallenge({ organizationId, subject: 'subject-2' });
      await store.customers.putChallenge(aChallenge({ organizationId }), undefined);
      await store.customers.putChallenge(other, undefined);
      await store.customers.countTry(aTry(organizationId, { limit: 1 }));
      expect(await store.customers.findChallenge(organizationId, other.subject)).toEqual(other);
      const renewed = aChallenge({ organizationId, challengeId: 'challenge-2' });
      expect(await store.customers.putChallenge(renewed, 'challenge-1')).toEqual(true);
      expect((await store.customers.countTry(aTry(organizationId, { limit: 1 })))?.tries).toEqual(1);
    }),
    { rule: 'challenges' },
    it('where a code went is kept with its challenge alone, and nothing else of it changes (D62)', async (store, organizationId) => {
      const challenge = aChallenge({ organizationId });
      const other = aChallenge({ organizationId, subject: 'subject-2' });
      const foreign = aChallenge({ organizationId: `${organizationId}-b` });
      for (const each of [challenge, other, foreign]) await store.customers.putChallenge(each, undefined);
      const note = {
        organizationId,
        subject: challenge.subject,
        challengeId: challenge.challengeId,
        sentTo: 'hash-1',
      };
      await store.customers.countTry(aTry(organizationId));
      await store.customers.noteContact({ ...note, challengeId: 'challenge-0' });
      await store.customers.noteContact({ ...note, subject: 'unknown' });
      expect((await store.customers.findChallenge(organizationId, challenge.subject))?.sentTo).toEqual(null);
      await store.customers.noteContact(note);
      const noted = { ...challenge, tries: 1, sentTo: 'hash-1' };
      expect(await store.customers.findChallenge(organizationId, challenge.subject)).toEqual(noted);
      expect(await store.customers.countTry(aTry(organizationId))).toEqual({ ...noted, tries: 2 });
      expect(await store.customers.findChallenge(organizationId, other.subject)).toEqual(other);
      expect(await store.customers.findChallenge(foreign.organizationId, foreign.subject)).toEqual(foreign);
      const next = aChallenge({ organizationId, challengeId: 'challenge-2' });
      expect(await store.customers.putChallenge(next, challenge.challengeId)).toEqual(true);
      expect(await store.customers.findChallenge(organizationId, challenge.subject)).toEqual(next);
    }),
    { rule: 'organization-first' },
    it('the same subject in two organizations has two challenges', async (store, organizationId, context) => {
      const mine = aChallenge({ organizationId });
      const theirs = aChallenge({ organizationId: context.organization('b'), codeHash: 'theirs' });
      expect(await store.customers.putChallenge(mine, undefined)).toEqual(true);
      expect(await store.customers.findChallenge(theirs.organizationId, theirs.subject)).toEqual(undefined);
      expect(await store.customers.countTry(aTry(theirs.organizationId))).toEqual(undefined);
      expect(await store.customers.putChallenge(theirs, mine.challengeId)).toEqual(false);
      expect(await store.customers.putChallenge(theirs, undefined)).toEqual(true);
      expect(await store.customers.countTry(aTry(theirs.organizationId))).toEqual({ ...theirs, tries: 1 });
      expect(await store.customers.findChallenge(organizationId, mine.subject)).toEqual(mine);
    }),
    { rule: 'purges', emptyStore: true },
    it('a purge deletes what was issued before its time, bounded, and nothing else', async (store, organizationId, context) => {
      const challenges = [1, 2, 3, 4, 5].map((step) =>
        aChallenge({
          organizationId: step % 2 === 0 ? organizationId : context.organization('other'),
          subject: `subject-${step}`,
          issuedAt: fixtureStart + step,
        }),
      );
      for (const challenge of challenges.toReversed()) await store.customers.putChallenge(challenge, undefined);
      const before = fixtureStart + 4;
      expect(await store.customers.purgeChallenges(before, 2)).toEqual(2);
      expect(await store.customers.purgeChallenges(before, 100)).toEqual(1);
      expect(await store.customers.purgeChallenges(before, 100)).toEqual(0);
      for (const [index, challenge] of challenges.entries()) {
        const found = await store.customers.findChallenge(challenge.organizationId, challenge.subject);
        expect(found).toEqual(index < 3 ? undefined : challenge);
      }
    }),
    it('a purge spares a challenge that took the place of an old one, and what it deleted may be put anew', async (store, organizationId) => {
      const old = aChallenge({ organizationId });
      const renewed = aChallenge({ organizationId, challengeId: 'challenge-2', issuedAt: fixtureStart + minute });
      await store.customers.putChallenge(old, undefined);
      await store.customers.putChallenge(renewed, old.challengeId);
      await store.customers.countTry(aTry(organizationId));
      expect(await store.customers.purgeChallenges(renewed.issuedAt, 100)).toEqual(0);
      expect(await store.customers.purgeChallenges(renewed.issuedAt + 1, 100)).toEqual(1);
      expect(await store.customers.findChallenge(organizationId, old.subject)).toEqual(undefined);
      expect(await store.customers.putChallenge(old, renewed.challengeId)).toEqual(false);
      expect(await store.customers.putChallenge(old, undefined)).toEqual(true);
    }),
    { rule: 'copies' },
    it('what a caller does to an answer or to what it put changes nothing stored', async (store, organizationId) => {
      const expected = aChallenge({ organizationId, issues: [1, 2, 3] });
      const given = structuredClone(expected);
      await store.customers.putChallenge(given, undefined);
      spoil(given);
      spoil(await store.customers.findChallenge(organizationId, expected.subject));
      spoil(await store.customers.countTry(aTry(organizationId)));
      const found = await store.customers.findChallenge(organizationId, expected.subject);
      expect(found).toEqual({ ...expected, tries: 1 });
    }),
  ],
);
