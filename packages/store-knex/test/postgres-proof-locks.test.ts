import type { Change, CommitResult } from '@calends/core/store';
import {
  aCancelledAppointment,
  aProfile,
  aScheduledAppointment,
  fixtureStart,
  insertion,
  keeping,
  nextVersion,
  removal,
  update,
} from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { emptyTables, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { holdOpen, untilSomebodyWaits } from './support/open-transactions.js';
import { aChallenge, anEntry, aSeal, aTicket, proofOf, proving } from './support/proofs.js';

const appointment = aScheduledAppointment();
const { organizationId, id: appointmentId } = appointment;
const challenge = aChallenge();
const otp = { subject: challenge.subject, challengeId: challenge.challengeId, at: fixtureStart + 5 };
const booking = insertion(appointment, { customers: [aProfile(appointment)] });
const proven: Change = { ...booking, otp, audit: [anEntry()] };
const attempt = { organizationId, subject: challenge.subject, now: fixtureStart + 1, limit: 5 };
const ticket = aTicket({ subjectId: appointmentId });
const rotated = { ...ticket, nonce: 'nonce-2' };
const issue = { next: ticket, expectedNonce: undefined };
const rotation = { next: rotated, expectedNonce: ticket.nonce };
const everyTicket = [{ kind: 'MANAGE', subjectId: appointmentId, at: fixtureStart + 9 }] as const;
const guard = { actorIds: ['agent-1'], window: { from: 0, to: 1 } };

// In process there is one connection.
describeEach(
  'proofs that two connections want at once',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    let rival: Knex;

    beforeAll(async () => {
      database = await openDatabase(kind);
      store = knexStore({ knex: database.knex });
      rival = database.another();
    });
    afterEach(() => emptyTables(database.knex));
    afterAll(() => database.drop());

    /** Commits while a rival holds what it did open, and lets the rival commit then. */
    async function commitBehind(
      change: Change,
      rivals: (joined: Pick<KnexStore, 'commit' | 'customers'>) => Promise<unknown>,
    ): Promise<CommitResult> {
      const held = await holdOpen(rival, rivals);
      const committing = store.commit(change);
      await untilSomebodyWaits(database.knex);
      await held.commit();
      return committing;
    }

    const shapes = { 'a booking': proven, 'a booking under a guard': { ...proven, guard } };
    for (const [name, change] of Object.entries(shapes)) {
      it(`${name} uses the one-time password up for which a try was counted meanwhile`, async () => {
        await store.customers.putChallenge(challenge, undefined);
        expect(await commitBehind(change, (joined) => joined.customers.countTry(attempt))).toEqual({
          status: 'committed',
        });
        const found = await store.customers.findChallenge(organizationId, challenge.subject);
        expect(found).toEqual({ ...challenge, tries: 1, consumedAt: otp.at });
      });

      it(`${name} is refused when the one-time password was used up meanwhile`, async () => {
        await store.customers.putChallenge(challenge, undefined);
        const first = aScheduledAppointment({ id: 'first' });
        const result = await commitBehind(change, (joined) => joined.commit({ ...insertion(first), otp }));
        expect(result).toEqual({ status: 'otpUsed' });
        expect(await store.appointments.find(organizationId, appointmentId)).toBeUndefined();
        expect(await store.audit.countUnsealed(organizationId)).toBe(0);
      });

      it(`${name} is refused when another one-time password was issued meanwhile`, async () => {
        await store.customers.putChallenge(challenge, undefined);
        const next = { ...challenge, challengeId: 'challenge-2' };
        const result = await commitBehind(change, (joined) =>
          joined.customers.putChallenge(next, challenge.challengeId),
        );
        expect(result).toEqual({ status: 'otpUsed' });
        expect(await store.customers.findChallenge(organizationId, challenge.subject)).toEqual(next);
      });
    }

    it('a first ticket is refused when a rival issued the first one meanwhile', async () => {
      await store.commit(booking);
      const mine = { next: rotated, expectedNonce: undefined };
      const change = { ...update(nextVersion(appointment)), ticket: mine };
      expect(await commitBehind(change, (joined) => joined.commit(proving({ ticket: issue })))).toEqual({
        status: 'stale',
      });
      expect(await store.customers.findTicket(ticket)).toEqual(ticket);
      expect(await store.appointments.find(organizationId, appointmentId)).toEqual(appointment);
    });

    it('a rotation is refused when the ticket was rotated meanwhile, and not when it was only revoked', async () => {
      await store.commit({ ...booking, ticket: issue });
      const other = { ...rotation, next: { ...rotated, nonce: 'nonce-3' } };
      const result = await commitBehind(proving({ ticket: rotation }), (joined) =>
        joined.commit(proving({ ticket: other })),
      );
      expect(result).toEqual({ status: 'stale' });
      const again = { next: rotated, expectedNonce: 'nonce-3' };
      const second = await commitBehind(proving({ ticket: again }), (joined) =>
        joined.commit(proving({ revokedTickets: everyTicket })),
      );
      expect(second).toEqual({ status: 'committed' });
      expect(await store.customers.findTicket(ticket)).toEqual(rotated);
    });

    it('a revocation reaches the ticket that a rotation put there meanwhile', async () => {
      await store.commit({ ...booking, ticket: issue });
      const change = { ...update(nextVersion(appointment)), revokedTickets: everyTicket };
      const result = await commitBehind(change, (joined) => joined.commit(proving({ ticket: rotation })));
      expect(result).toEqual({ status: 'committed' });
      expect(await store.customers.findTicket(ticket)).toEqual({ ...rotated, revokedAt: fixtureStart + 9 });
    });

    it('a revocation leaves the time of one that came meanwhile', async () => {
      await store.commit({ ...booking, ticket: issue });
      const earlier = [{ kind: 'MANAGE', subjectId: appointmentId, at: fixtureStart + 3 }] as const;
      const result = await commitBehind(proving({ revokedTickets: everyTicket }), (joined) =>
        joined.commit(proving({ revokedTickets: earlier })),
      );
      expect(result).toEqual({ status: 'committed' });
      expect(await store.customers.findTicket(ticket)).toEqual({ ...ticket, revokedAt: fixtureStart + 3 });
    });

    const proof = proofOf(ticket);
    const ended = { revokedTickets: [{ ...everyTicket[0], holderIds: [ticket.holderId] }] };
    const ends: Readonly<Record<string, Change>> = {
      'was revoked': proving(ended),
      'was replaced': proving({ ticket: rotation }),
      'went with its customer': { ...update(nextVersion(appointment)), removedCustomers: [ticket.holderId] },
      'was replaced with the contact': { ...update(nextVersion(appointment)), ticket: rotation },
      'went with its appointment': removal(appointment),
    };
    for (const [name, end] of Object.entries(ends)) {
      it.each([undefined, guard])(
        `a change is refused when the ticket that it stands on ${name} meanwhile`,
        async (times) => {
          await store.commit({ ...booking, ticket: issue });
          const change = { ...update(nextVersion(appointment)), proof, guard: times };
          const result = await commitBehind(change, (joined) => joined.commit(end));
          expect(result).toEqual({ status: 'proofLost' });
        },
      );
    }

    it('a revocation waits for the change that stands on the ticket, and comes after it', async () => {
      await store.commit({ ...booking, ticket: issue });
      const change = { ...update(nextVersion(appointment)), proof };
      const result = await commitBehind(proving(ended), (joined) => joined.commit(change));
      expect(result).toEqual({ status: 'committed' });
      expect(await store.customers.findTicket(ticket)).toEqual({ ...ticket, revokedAt: fixtureStart + 9 });
    });

    const firstIssue = { ...keeping(appointment), ticket: issue };

    it('a removal takes the ticket along that was issued meanwhile', async () => {
      await store.commit(booking);
      const result = await commitBehind(removal(appointment), (joined) => joined.commit(firstIssue));
      expect(result).toEqual({ status: 'committed' });
      expect(await store.customers.findTicket(ticket)).toBeUndefined();
    });

    it.each([
      ['a change of contact revokes', ended, { ...ticket, revokedAt: fixtureStart + 9 }],
      ['a removed customer loses', { removedCustomers: [ticket.holderId] }, undefined],
    ])('%s the ticket that was issued meanwhile', async (_what, more, left) => {
      await store.commit(booking);
      const change = { ...update(nextVersion(appointment)), ...more };
      expect(await commitBehind(change, (joined) => joined.commit(firstIssue))).toEqual({ status: 'committed' });
      expect(await store.customers.findTicket(ticket)).toEqual(left);
    });

    it.each<[string, Change]>([
      ['was removed', removal(appointment)],
      ['ended', update(aCancelledAppointment({ version: 2 }), { before: appointment })],
    ])('a ticket is not issued for an appointment that %s meanwhile', async (_what, change) => {
      await store.commit(booking);
      const result = await commitBehind(firstIssue, (joined) => joined.commit(change));
      expect(result).toEqual({ status: 'stale' });
      expect(await store.customers.findTicket(ticket)).toBeUndefined();
    });

    it('of two seals with one number, or over one entry, the second is refused', async () => {
      await store.commit({ ...booking, audit: [anEntry(), anEntry({ id: 'entry-2' })] });
      const first = await holdOpen(rival, (joined) => joined.audit.seal(aSeal()));
      const sameNumber = store.audit.seal(aSeal({ entryIds: ['entry-2'] }));
      const sameEntry = store.audit.seal(aSeal({ number: 2, entryIds: ['entry-1', 'entry-2'] }));
      await untilSomebodyWaits(database.knex);
      await first.commit();
      expect([first.result, await sameNumber, await sameEntry]).toEqual([true, false, false]);
      expect(await store.audit.countUnsealed(organizationId)).toBe(1);
      expect(await store.audit.listSeals(organizationId, 1, 10)).toHaveLength(1);
    });
  },
  { families: ['postgres'], shared: true },
);
