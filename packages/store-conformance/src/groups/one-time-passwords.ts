import assert from 'node:assert/strict';
import type { OtpTry } from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
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

export const oneTimePasswordsGroup: ConformanceGroup = {
  name: 'a subject has one present one-time password, and its tries are counted before they are compared (D44)',
  cases: [
    {
      name: 'every field of a challenge comes back exactly, one that was used up or never tried too',
      async run({ store, organizationId }) {
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
          assert.equal(await store.findOtpChallenge(organizationId, challenge.subject), undefined);
          assert.equal(await store.putOtpChallenge(challenge, undefined), true);
        }
        for (const challenge of challenges) {
          assert.deepStrictEqual(await store.findOtpChallenge(organizationId, challenge.subject), challenge);
        }
      },
    },
    {
      name: 'a challenge takes the place of the one that was looked at, whole, and of no other',
      async run({ store, organizationId }) {
        const first = aChallenge({ organizationId, tries: 3, consumedAt: fixtureStart + 1 });
        const second = aChallenge({ organizationId, challengeId: 'challenge-2', codeHash: 'other', issues: [1, 2] });
        const third = aChallenge({ organizationId, challengeId: 'challenge-3' });
        assert.equal(await store.putOtpChallenge(first, 'challenge-0'), false);
        assert.equal(await store.findOtpChallenge(organizationId, first.subject), undefined);
        assert.equal(await store.putOtpChallenge(first, undefined), true);
        for (const expected of [undefined, 'challenge-2', 'Challenge-1', 'challenge-1 ']) {
          assert.equal(await store.putOtpChallenge(second, expected), false);
          assert.deepStrictEqual(await store.findOtpChallenge(organizationId, first.subject), first);
        }
        assert.equal(await store.putOtpChallenge(second, first.challengeId), true);
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, first.subject), second);
        assert.equal(await store.putOtpChallenge(third, first.challengeId), false);
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, first.subject), second);
      },
    },
    {
      name: 'a try is counted and answered with the challenge, up to the limit and never beyond',
      async run({ store, organizationId }) {
        const challenge = aChallenge({ organizationId });
        await store.putOtpChallenge(challenge, undefined);
        for (const tries of [1, 2, 3]) {
          assert.deepStrictEqual(await store.countOtpTry(aTry(organizationId, { limit: 3 })), { ...challenge, tries });
        }
        assert.equal(await store.countOtpTry(aTry(organizationId, { limit: 3 })), undefined);
        assert.equal(await store.countOtpTry(aTry(organizationId, { limit: 2 })), undefined);
        const stored = await store.findOtpChallenge(organizationId, challenge.subject);
        assert.deepStrictEqual(stored, { ...challenge, tries: 3 });
        assert.equal((await store.countOtpTry(aTry(organizationId, { limit: 4 })))?.tries, 4);
      },
    },
    {
      name: 'where a code went is kept with its challenge alone, and nothing else of it changes (D62)',
      async run({ store, organizationId }) {
        const challenge = aChallenge({ organizationId });
        const other = aChallenge({ organizationId, subject: 'subject-2' });
        const foreign = aChallenge({ organizationId: `${organizationId}-b` });
        for (const each of [challenge, other, foreign]) await store.putOtpChallenge(each, undefined);
        const note = {
          organizationId,
          subject: challenge.subject,
          challengeId: challenge.challengeId,
          sentTo: 'hash-1',
        };
        await store.countOtpTry(aTry(organizationId));
        await store.noteOtpContact({ ...note, challengeId: 'challenge-0' });
        await store.noteOtpContact({ ...note, subject: 'unknown' });
        assert.equal((await store.findOtpChallenge(organizationId, challenge.subject))?.sentTo, null);
        await store.noteOtpContact(note);
        const noted = { ...challenge, tries: 1, sentTo: 'hash-1' };
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, challenge.subject), noted);
        assert.deepStrictEqual(await store.countOtpTry(aTry(organizationId)), { ...noted, tries: 2 });
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, other.subject), other);
        assert.deepStrictEqual(await store.findOtpChallenge(foreign.organizationId, foreign.subject), foreign);
        const next = aChallenge({ organizationId, challengeId: 'challenge-2' });
        assert.equal(await store.putOtpChallenge(next, challenge.challengeId), true);
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, challenge.subject), next);
      },
    },
    {
      name: 'a challenge can be tried before its end and not at it (now < expiresAt)',
      async run({ store, organizationId }) {
        const challenge = aChallenge({ organizationId });
        await store.putOtpChallenge(challenge, undefined);
        const { expiresAt } = challenge;
        assert.equal((await store.countOtpTry(aTry(organizationId, { now: expiresAt - 1 })))?.tries, 1);
        assert.equal(await store.countOtpTry(aTry(organizationId, { now: expiresAt })), undefined);
        assert.equal(await store.countOtpTry(aTry(organizationId, { now: expiresAt + day })), undefined);
        assert.equal((await store.findOtpChallenge(organizationId, challenge.subject))?.tries, 1);
      },
    },
    {
      name: 'there is nothing to try where the challenge was used up, or where there is none',
      async run({ store, organizationId }) {
        const used = aChallenge({ organizationId, consumedAt: fixtureStart });
        await store.putOtpChallenge(used, undefined);
        assert.equal(await store.countOtpTry(aTry(organizationId)), undefined);
        assert.equal(await store.countOtpTry(aTry(organizationId, { subject: 'unknown' })), undefined);
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, used.subject), used);
        assert.equal(await store.findOtpChallenge(organizationId, 'unknown'), undefined);
      },
    },
    {
      name: 'the tries of another subject are its own, and those of a new challenge begin anew',
      async run({ store, organizationId }) {
        const other = aChallenge({ organizationId, subject: 'subject-2' });
        await store.putOtpChallenge(aChallenge({ organizationId }), undefined);
        await store.putOtpChallenge(other, undefined);
        await store.countOtpTry(aTry(organizationId, { limit: 1 }));
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, other.subject), other);
        const renewed = aChallenge({ organizationId, challengeId: 'challenge-2' });
        assert.equal(await store.putOtpChallenge(renewed, 'challenge-1'), true);
        assert.equal((await store.countOtpTry(aTry(organizationId, { limit: 1 })))?.tries, 1);
      },
    },
    {
      name: 'the same subject in two organizations has two challenges',
      async run({ store, organizationId, organization }) {
        const mine = aChallenge({ organizationId });
        const theirs = aChallenge({ organizationId: organization('b'), codeHash: 'theirs' });
        assert.equal(await store.putOtpChallenge(mine, undefined), true);
        assert.equal(await store.findOtpChallenge(theirs.organizationId, theirs.subject), undefined);
        assert.equal(await store.countOtpTry(aTry(theirs.organizationId)), undefined);
        assert.equal(await store.putOtpChallenge(theirs, mine.challengeId), false);
        assert.equal(await store.putOtpChallenge(theirs, undefined), true);
        assert.deepStrictEqual(await store.countOtpTry(aTry(theirs.organizationId)), { ...theirs, tries: 1 });
        assert.deepStrictEqual(await store.findOtpChallenge(organizationId, mine.subject), mine);
      },
    },
    {
      name: 'a purge deletes what was issued before its time, bounded, and nothing else',
      emptyStore: true,
      async run({ store, organizationId, organization }) {
        const challenges = [1, 2, 3, 4, 5].map((step) =>
          aChallenge({
            organizationId: step % 2 === 0 ? organizationId : organization('other'),
            subject: `subject-${step}`,
            issuedAt: fixtureStart + step,
          }),
        );
        for (const challenge of challenges.toReversed()) await store.putOtpChallenge(challenge, undefined);
        const before = fixtureStart + 4;
        assert.equal(await store.purgeOtpChallenges(before, 2), 2);
        assert.equal(await store.purgeOtpChallenges(before, 100), 1);
        assert.equal(await store.purgeOtpChallenges(before, 100), 0);
        for (const [index, challenge] of challenges.entries()) {
          const found = await store.findOtpChallenge(challenge.organizationId, challenge.subject);
          assert.deepStrictEqual(found, index < 3 ? undefined : challenge);
        }
      },
    },
    {
      name: 'a purge spares a challenge that took the place of an old one, and what it deleted may be put anew',
      emptyStore: true,
      async run({ store, organizationId }) {
        const old = aChallenge({ organizationId });
        const renewed = aChallenge({ organizationId, challengeId: 'challenge-2', issuedAt: fixtureStart + minute });
        await store.putOtpChallenge(old, undefined);
        await store.putOtpChallenge(renewed, old.challengeId);
        await store.countOtpTry(aTry(organizationId));
        assert.equal(await store.purgeOtpChallenges(renewed.issuedAt, 100), 0);
        assert.equal(await store.purgeOtpChallenges(renewed.issuedAt + 1, 100), 1);
        assert.equal(await store.findOtpChallenge(organizationId, old.subject), undefined);
        assert.equal(await store.putOtpChallenge(old, renewed.challengeId), false);
        assert.equal(await store.putOtpChallenge(old, undefined), true);
      },
    },
    {
      name: 'what a caller does to an answer or to what it put changes nothing stored',
      async run({ store, organizationId }) {
        const expected = aChallenge({ organizationId, issues: [1, 2, 3] });
        const given = structuredClone(expected);
        await store.putOtpChallenge(given, undefined);
        spoil(given);
        spoil(await store.findOtpChallenge(organizationId, expected.subject));
        spoil(await store.countOtpTry(aTry(organizationId)));
        const found = await store.findOtpChallenge(organizationId, expected.subject);
        assert.deepStrictEqual(found, { ...expected, tries: 1 });
      },
    },
  ],
};
