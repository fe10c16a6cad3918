import assert from 'node:assert/strict';
import { group, it } from '../conformance-case.js';
import { auditRecord, expect, sorted } from '../expectations.js';
import { fixtureStart, hour, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { consumptionOf, firstIssue, ticketKeyOf } from '../fixtures/proofs.js';
import { atOnce, commitAll, inserted, issued, numbers, outcomes, put, race } from '../steps.js';

const at = fixtureStart + minute;
const howManyTrue = (answers: readonly boolean[]): number => answers.filter(Boolean).length;

export const proofConcurrencyGroup = group('concurrent uses of proofs and of the audit record are decided one by one', [
  { rule: 'one-by-one' },
  it('fifty bookings with one one-time password: one is committed, with its line of the record', async (store, a, organizationId) => {
    const challenge = await put(store, a.challenge());
    const booking = (index: number) => {
      const next = a.scheduled({ id: `at-${index}`, organizerId: `agent-${index}` });
      const window = { from: next.schedule.start, to: next.schedule.end };
      // Some under a guard, which is decided on another way in some stores.
      const guard = index % 2 === 0 ? { actorIds: [`agent-${index}`], window } : undefined;
      const audit = [a.entry({ id: `entry-${index}`, appointmentId: next.id })];
      return insertion(next, { audit, guard, otp: { ...consumptionOf(challenge), at: at + index } });
    };
    const winner = await race(50, 'otpUsed', booking, store);
    const { items } = await store.appointments.list(a.listQuery());
    expect(items.map(({ id }) => id)).toEqual([`at-${winner}`]);
    expect((await auditRecord(store, organizationId)).map(({ id }) => id)).toEqual([`entry-${winner}`]);
    await expect.challenges(store, { ...challenge, consumedAt: at + winner });
  }),
  it('a thousand tries at one one-time password that allows five: five are counted, each once', async (store, a, organizationId) => {
    const challenge = await put(store, a.challenge());
    const attempt = { organizationId, subject: challenge.subject, now: at, limit: 5 };
    const answers = await atOnce(1000, () => store.customers.countTry(attempt));
    const tries = answers.flatMap((answer) => (answer === undefined ? [] : [answer.tries]));
    expect(tries.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5]);
    await expect.challenges(store, { ...challenge, tries: 5 });
  }),
  it('twenty challenges in the place of none, and then of that one: each time one is put', async (store, a, organizationId) => {
    let expected: string | undefined;
    for (const round of ['first', 'second']) {
      const before = expected;
      const challenges = numbers(20).map((index) =>
        a.challenge({ challengeId: `${round}-${index}`, codeHash: `${index}` }),
      );
      const answers = await Promise.all(challenges.map((next) => store.customers.putChallenge(next, before)));
      expect(howManyTrue(answers)).toEqual(1);
      const winner = challenges[answers.indexOf(true)];
      expect(await store.customers.findChallenge(organizationId, 'subject-1')).toEqual(winner);
      expected = winner?.challengeId;
    }
  }),
  it('bookings and tries at once: the one-time password is used once, and no try is lost', async (store, a, organizationId) => {
    const challenge = await put(store, a.challenge());
    const attempt = { organizationId, subject: challenge.subject, now: at, limit: 1000 };
    const using = a.change({ otp: consumptionOf(challenge) });
    const [answers, results] = await Promise.all([
      atOnce(40, () => store.customers.countTry(attempt)),
      atOnce(20, () => store.commit(using)),
    ]);
    expect(outcomes(results)).toEqual({ committed: 1, otpUsed: 19 });
    const tries = answers.filter((answer) => answer !== undefined).length;
    await expect.challenges(store, { ...challenge, tries, consumedAt: at });
  }),
  it('fifty first tickets of one key, and then fifty rotations of it: each time one is committed', async (store, a, organizationId) => {
    let expectedNonce: string | undefined;
    for (const round of ['first', 'second']) {
      const before = expectedNonce;
      const issue = (index: number) => {
        const next = a.ticket({ nonce: `${round}-${index}` });
        return a.change({ ticket: { next, expectedNonce: before }, audit: [a.entry({ id: `${round}-${index}` })] });
      };
      expectedNonce = `${round}-${await race(50, 'stale', issue, store)}`;
      await expect.tickets(store, a.ticket({ nonce: expectedNonce }));
    }
    expect(await store.audit.countUnsealed(organizationId)).toEqual(2);
  }),
  it('fifty revocations of one ticket, each at its own time: one of them counts, and all are committed', async (store, a) => {
    const ticket = await issued(store, a.ticket());
    const revocation = { kind: 'MANAGE', subjectId: ticket.subjectId } as const;
    const results = await atOnce(50, (index) =>
      store.commit(a.change({ revokedTickets: [{ ...revocation, at: at + index }] })),
    );
    expect(outcomes(results)).toEqual({ committed: 50 });
    const revokedAt = (await store.customers.findTicket(ticketKeyOf(ticket)))?.revokedAt ?? -1;
    assert.ok(revokedAt >= at && revokedAt < at + 50);
    await expect.tickets(store, { ...ticket, revokedAt });
  }),
  it('removals of an appointment and changes that issue a ticket for it: one of them all is committed', async (store, a) => {
    const ids = numbers(10).map((index) => `at-${index}`);
    for (const id of ids) {
      const appointment = a.scheduled({ id });
      const ticket = a.ticket({ subjectId: id });
      const issuing = update(nextVersion(appointment), { ticket: firstIssue(ticket) });
      await commitAll(store, insertion(appointment));
      const results = await Promise.all([
        store.commit(issuing),
        store.commit(removal(appointment)),
        store.commit(issuing),
      ]);
      expect(outcomes(results)).toEqual({ committed: 1, stale: 2 });
      await (results[1].status === 'committed' ? expect.noTickets : expect.tickets)(store, ticket);
    }
  }),
  it('fifty seals with one number: one stands, over its own line', async (store, a, organizationId) => {
    const audit = numbers(50).map((index) => a.entry({ id: `entry-${index}` }));
    await commitAll(store, a.change({ audit }));
    const seals = audit.map(({ id }) => a.seal({ entryIds: [id], hash: id }));
    const answers = await Promise.all(seals.map((seal) => store.audit.seal(seal)));
    expect(howManyTrue(answers)).toEqual(1);
    const winner = answers.indexOf(true);
    const expected = [{ seal: seals[winner], entries: [audit[winner]] }];
    expect(await store.audit.listSeals(organizationId, 1, 100)).toEqual(expected);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(49);
  }),
  it('commits and refusals side by side leave every line', async (store, a, organizationId) => {
    await inserted(store, a.scheduled());
    const window = { from: fixtureStart + hour, to: fixtureStart + 2 * hour };
    const [results] = await Promise.all([
      atOnce(30, (index) => {
        const next = a.scheduled({ id: `at-${index}`, start: window.from });
        const guard = index % 3 === 0 ? { actorIds: [`free-${index}`], window } : undefined;
        const audit = [a.entry({ id: `entry-${index}`, appointmentId: next.id })];
        return store.commit(insertion(next, { audit, guard }));
      }),
      atOnce(10, (index) =>
        store.audit.recordRefusals([`refusal-${index}`, `refusal-${index}-b`].map((id) => a.refusal({ id }))),
      ),
    ]);
    expect(outcomes(results)).toEqual({ committed: 30 });
    expect((await auditRecord(store, organizationId)).length).toEqual(50);
    expect(await store.audit.countUnsealed(organizationId)).toEqual(50);
  }),
  { rule: 'one-by-one', emptyStore: true },
  it('sealers side by side, while lines come in: every line ends in exactly one seal', async (store, a, organizationId) => {
    const ids = numbers(60).map((index) => `entry-${index}`);
    const sealing = async (): Promise<void> => {
      for (let round = 0; round < 30; round += 1) {
        const unsealed = await store.audit.unsealed(7);
        if (unsealed === undefined) continue;
        const entryIds = unsealed.entries.map(({ id }) => id);
        await store.audit.seal(a.seal({ number: (unsealed.lastSeal?.number ?? 0) + 1, entryIds }));
      }
    };
    const recording = async (): Promise<void> => {
      for (const id of ids) await commitAll(store, a.change({ audit: [a.entry({ id })] }));
    };
    await Promise.all([recording(), sealing(), sealing(), sealing()]);
    await sealing();
    expect(await store.audit.countUnsealed(organizationId)).toEqual(0);
    const sealed = await store.audit.listSeals(organizationId, 1, 1000);
    expect(sealed.map(({ seal }) => seal.number)).toEqual(sealed.map((_, index) => index + 1));
    expect(sorted(sealed.flatMap(({ seal }) => seal.entryIds))).toEqual(sorted(ids));
    for (const { seal, entries } of sealed) {
      expect(entries.map(({ id }) => id)).toEqual(seal.entryIds);
    }
  }),
]);
