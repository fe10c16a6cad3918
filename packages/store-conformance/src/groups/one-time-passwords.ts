import type { OtpTry } from '@calends/core/store';
import { awkwardTexts } from '../fixtures/awkward-values.js';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect, spoil } from '../expectations.js';
import { day, fixtureStart, lastInstant, minute } from '../fixtures/appointments.js';
import { consumptionOf } from '../fixtures/proofs.js';
import { commitAll, put } from '../steps.js';

const aTry = (a: Words, overrides: Partial<OtpTry> = {}): OtpTry => ({
  organizationId: a.organizationId,
  subject: 'subject-1',
  now: fixtureStart + minute,
  limit: 5,
  ...overrides,
});

export const oneTimePasswordsGroup = group(
  'a subject has one present one-time password, and its tries are counted before they are compared (D44)',
  [
    { rule: 'round-trip' },
    it('every field of a challenge comes back exactly, one that was used up or never tried too', async (store, a, organizationId) => {
      const challenges = [
        a.challenge(),
        a.challenge({ tries: 4, consumedAt: fixtureStart + 1, issues: [0, 1, 'hash', fixtureStart, 'häsh'] }),
        a.challenge({ issuedAt: 0, expiresAt: lastInstant, consumedAt: lastInstant, issues: [] }),
        ...awkwardTexts.map(([, text]) => a.challenge({ challengeId: text, codeHash: text })),
      ].map((challenge, index) => ({ ...challenge, subject: `subject-${index}` }));
      for (const challenge of challenges) {
        expect(await store.customers.findChallenge(organizationId, challenge.subject)).toEqual(undefined);
        await put(store, challenge);
      }
      await expect.challenges(store, ...challenges);
    }),
    { rule: 'challenges' },
    it('a challenge takes the place of the one that was looked at, whole, and of no other', async (store, a, organizationId) => {
      const first = a.challenge({ tries: 3, consumedAt: fixtureStart + 1 });
      const second = a.challenge({ challengeId: 'challenge-2', codeHash: 'other', issues: [1, 2] });
      const third = a.challenge({ challengeId: 'challenge-3' });
      expect(await store.customers.putChallenge(first, 'challenge-0')).toEqual(false);
      expect(await store.customers.findChallenge(organizationId, first.subject)).toEqual(undefined);
      await put(store, first);
      for (const expected of [undefined, 'challenge-2', 'Challenge-1', 'challenge-1 ']) {
        expect(await store.customers.putChallenge(second, expected)).toEqual(false);
        await expect.challenges(store, first);
      }
      expect(await store.customers.putChallenge(second, first.challengeId)).toEqual(true);
      await expect.challenges(store, second);
      expect(await store.customers.putChallenge(third, first.challengeId)).toEqual(false);
      await expect.challenges(store, second);
    }),
    { rule: 'tries' },
    it('a try is counted and answered with the challenge, up to the limit and never beyond', async (store, a) => {
      const challenge = await put(store, a.challenge());
      for (const tries of [1, 2, 3]) {
        expect(await store.customers.countTry(aTry(a, { limit: 3 }))).toEqual({ ...challenge, tries });
      }
      expect(await store.customers.countTry(aTry(a, { limit: 3 }))).toEqual(undefined);
      expect(await store.customers.countTry(aTry(a, { limit: 2 }))).toEqual(undefined);
      await expect.challenges(store, { ...challenge, tries: 3 });
      expect((await store.customers.countTry(aTry(a, { limit: 4 })))?.tries).toEqual(4);
    }),
    it('a challenge can be tried before its end and not at it (now < expiresAt)', async (store, a, organizationId) => {
      const challenge = await put(store, a.challenge());
      const { expiresAt } = challenge;
      expect((await store.customers.countTry(aTry(a, { now: expiresAt - 1 })))?.tries).toEqual(1);
      expect(await store.customers.countTry(aTry(a, { now: expiresAt }))).toEqual(undefined);
      expect(await store.customers.countTry(aTry(a, { now: expiresAt + day }))).toEqual(undefined);
      expect((await store.customers.findChallenge(organizationId, challenge.subject))?.tries).toEqual(1);
    }),
    it('there is nothing to try where the challenge was used up, or where there is none', async (store, a, organizationId) => {
      const used = await put(store, a.challenge({ consumedAt: fixtureStart }));
      expect(await store.customers.countTry(aTry(a))).toEqual(undefined);
      expect(await store.customers.countTry(aTry(a, { subject: 'unknown' }))).toEqual(undefined);
      await expect.challenges(store, used);
      expect(await store.customers.findChallenge(organizationId, 'unknown')).toEqual(undefined);
    }),
    it('the tries of another subject are its own, and those of a new challenge begin anew', async (store, a) => {
      const other = a.challenge({ subject: 'subject-2' });
      await store.customers.putChallenge(a.challenge(), undefined);
      await put(store, other);
      await store.customers.countTry(aTry(a, { limit: 1 }));
      await expect.challenges(store, other);
      const renewed = a.challenge({ challengeId: 'challenge-2' });
      expect(await store.customers.putChallenge(renewed, 'challenge-1')).toEqual(true);
      expect((await store.customers.countTry(aTry(a, { limit: 1 })))?.tries).toEqual(1);
    }),
    { rule: 'challenges' },
    it('where a code went is kept with its challenge alone, and nothing else of it changes (D62)', async (store, a, organizationId) => {
      const challenge = a.challenge();
      const other = a.challenge({ subject: 'subject-2' });
      const foreign = a.challenge({ organizationId: `${organizationId}-b` });
      for (const each of [challenge, other, foreign]) await store.customers.putChallenge(each, undefined);
      const note = { organizationId, subject: challenge.subject, challengeId: challenge.challengeId, sentTo: 'hash-1' };
      await store.customers.countTry(aTry(a));
      await store.customers.noteContact({ ...note, challengeId: 'challenge-0' });
      await store.customers.noteContact({ ...note, subject: 'unknown' });
      expect((await store.customers.findChallenge(organizationId, challenge.subject))?.sentTo).toEqual(null);
      await store.customers.noteContact(note);
      const noted = { ...challenge, tries: 1, sentTo: 'hash-1' };
      await expect.challenges(store, noted);
      expect(await store.customers.countTry(aTry(a))).toEqual({ ...noted, tries: 2 });
      await expect.challenges(store, other, foreign);
      const next = a.challenge({ challengeId: 'challenge-2' });
      expect(await store.customers.putChallenge(next, challenge.challengeId)).toEqual(true);
      await expect.challenges(store, next);
    }),
    it('a challenge that was used up stays so, whatever is noted of it, tried or asked for, and however late', async (store, a, organizationId) => {
      const challenge = await put(store, a.challenge({ tries: 1 }));
      const { subject, challengeId, issuedAt, expiresAt } = challenge;
      const otp = consumptionOf(challenge);
      await commitAll(store, a.change({ otp }));
      await store.customers.noteContact({ organizationId, subject, challengeId, sentTo: 'hash-1' });
      for (const now of [issuedAt, otp.at, expiresAt - 1, expiresAt, expiresAt + day]) {
        expect(await store.customers.countTry(aTry(a, { now }))).toEqual(undefined);
        expect(await store.commit(a.change({ otp: { ...otp, at: now } }))).toEqual({ status: 'otpUsed' });
      }
      expect(await store.customers.putChallenge(a.challenge(), undefined)).toEqual(false);
      await expect.challenges(store, { ...challenge, consumedAt: otp.at, sentTo: 'hash-1' });
    }),
    { rule: 'tries' },
    it('tries that are over stay over, whatever is noted of the challenge or asked for, until its end and after it', async (store, a, organizationId) => {
      const challenge = await put(store, a.challenge({ tries: 5 }));
      const { subject, challengeId, issuedAt, expiresAt } = challenge;
      await store.customers.noteContact({ organizationId, subject, challengeId, sentTo: 'hash-1' });
      for (const now of [issuedAt, expiresAt - 1, expiresAt, expiresAt + day]) {
        for (const _ of [1, 2]) expect(await store.customers.countTry(aTry(a, { now }))).toEqual(undefined);
      }
      expect(await store.customers.putChallenge(a.challenge(), undefined)).toEqual(false);
      await expect.challenges(store, { ...challenge, sentTo: 'hash-1' });
    }),
    { rule: 'organization-first' },
    it('the same subject in two organizations has two challenges', async (store, a) => {
      const mine = a.challenge();
      const b = a.of('b');
      const theirs = b.challenge({ codeHash: 'theirs' });
      await put(store, mine);
      expect(await store.customers.findChallenge(theirs.organizationId, theirs.subject)).toEqual(undefined);
      expect(await store.customers.countTry(aTry(b))).toEqual(undefined);
      expect(await store.customers.putChallenge(theirs, mine.challengeId)).toEqual(false);
      await put(store, theirs);
      expect(await store.customers.countTry(aTry(b))).toEqual({ ...theirs, tries: 1 });
      await expect.challenges(store, mine);
    }),
    { rule: 'purges', emptyStore: true },
    it('a purge deletes what was issued before its time, bounded, and nothing else', async (store, a) => {
      const challenges = [1, 2, 3, 4, 5].map((step) =>
        (step % 2 === 0 ? a : a.of('other')).challenge({ subject: `subject-${step}`, issuedAt: fixtureStart + step }),
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
    it('challenges of the same subject in two organizations are purged one by one, and counted so', async (store, a) => {
      for (const each of [a, a.of('other')]) await put(store, each.challenge());
      for (const purged of [1, 1, 0])
        expect(await store.customers.purgeChallenges(fixtureStart + 1, 1)).toEqual(purged);
    }),
    it('a purge spares a challenge that took the place of an old one, and what it deleted may be put anew', async (store, a, organizationId) => {
      const old = a.challenge();
      const renewed = a.challenge({ challengeId: 'challenge-2', issuedAt: fixtureStart + minute });
      await put(store, old);
      await store.customers.putChallenge(renewed, old.challengeId);
      await store.customers.countTry(aTry(a));
      expect(await store.customers.purgeChallenges(renewed.issuedAt, 100)).toEqual(0);
      expect(await store.customers.purgeChallenges(renewed.issuedAt + 1, 100)).toEqual(1);
      expect(await store.customers.findChallenge(organizationId, old.subject)).toEqual(undefined);
      expect(await store.customers.putChallenge(old, renewed.challengeId)).toEqual(false);
      await put(store, old);
    }),
    { rule: 'copies' },
    it('what a caller does to an answer or to what it put changes nothing stored', async (store, a, organizationId) => {
      const expected = a.challenge({ issues: [1, 2, 3] });
      const given = structuredClone(expected);
      await put(store, given);
      spoil(given);
      spoil(await store.customers.findChallenge(organizationId, expected.subject));
      spoil(await store.customers.countTry(aTry(a)));
      await expect.challenges(store, { ...expected, tries: 1 });
    }),
  ],
);
