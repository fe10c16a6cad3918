import type { Change } from '@calends/core/store';
import {
  anEvent,
  aProfile,
  aRequest,
  aScheduledAppointment,
  insertion,
  keeping,
  nextVersion,
  removal,
  update,
} from '@calends/store-conformance';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { emptyTables, openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { aChallenge, anEntry, aRefusal, aSeal, aTicket, proofOf, proving } from './support/proofs.js';
import { isOfProgramVersion } from './support/program-version.js';

const appointment = aScheduledAppointment();
const { organizationId, id: appointmentId } = appointment;
const challenge = aChallenge();
const otp = { subject: challenge.subject, challengeId: challenge.challengeId, at: 5 };
const ticket = aTicket({ subjectId: appointmentId });
const ofAll = { kind: 'MANAGE', subjectId: appointmentId, at: 9 } as const;

describeEach('what the database is asked about proofs', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;

  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
  });
  afterEach(() => emptyTables(database.knex));
  afterAll(() => database.drop());

  /** The statements of a call, with how many values each had. */
  async function statementsOf(call: () => Promise<unknown>): Promise<readonly string[]> {
    const seen: string[] = [];
    const listener = ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }): void => {
      if (!isOfProgramVersion(sql)) seen.push(`${bindings.length} ${sql}`);
    };
    database.knex.on('query', listener);
    try {
      await call();
    } finally {
      database.knex.removeListener('query', listener);
    }
    return seen;
  }

  it('what the database is asked about proofs is the same for a foreign ticket, subject or entry and for one that does not exist', async () => {
    await store.customers.putChallenge(aChallenge({ organizationId: 'org-owner', subject: 'owned' }), undefined);
    const foreign = aTicket({ organizationId: 'org-owner', subjectId: 'owned' });
    const audit = [anEntry({ organizationId: 'org-owner', appointmentId: 'owned' })];
    await store.commit(proving({ ticket: { next: foreign, expectedNonce: undefined }, audit }, 'org-owner'));
    const calls = (id: string): readonly (() => Promise<unknown>)[] => [
      () => store.customers.findChallenge(organizationId, id),
      () => store.customers.countTry({ organizationId, subject: id, now: 1, limit: 5 }),
      () => store.customers.findTicket(aTicket({ subjectId: id })),
      () => store.audit.list({ organizationId, appointmentId: id, pageNumber: 1, pageSize: 10 }),
      () => store.commit(proving({ revokedTickets: [{ kind: 'MANAGE', subjectId: id, at: 1 }] })),
    ];
    const unknown = calls('unknown');
    for (const [index, call] of calls('owned').entries()) {
      const asked = await statementsOf(call);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked).toEqual(await statementsOf(unknown[index] ?? call));
    }
  });

  it('what the database is asked about proofs holds no value of a caller in its text', async () => {
    const mark = 'MARK';
    const scope = `o-${mark}`;
    const marked = aTicket({ organizationId: scope, subjectId: mark, holderId: mark, nonce: mark, expiresAt: 4710 });
    const entry = anEntry({ organizationId: scope, id: mark, appointmentId: mark, requestId: mark, at: 4711 });
    const texts = await statementsOf(async () => {
      const asked = aChallenge({ organizationId: scope, subject: mark, challengeId: mark, codeHash: mark });
      await store.customers.putChallenge(asked, undefined);
      await store.customers.putChallenge(asked, mark);
      await store.customers.countTry({ organizationId: scope, subject: mark, now: 4712, limit: 4713 });
      await store.customers.purgeChallenges(4714, 4715);
      const consumption = { subject: mark, challengeId: mark, at: 4716 };
      const issue = { next: marked, expectedNonce: undefined };
      await store.commit(proving({ otp: consumption, ticket: issue, audit: [entry] }, scope));
      const revocation = { kind: 'MANAGE', subjectId: mark, holderIds: [mark], at: 4717 } as const;
      await store.commit(
        proving({ ticket: { ...issue, expectedNonce: mark }, revokedTickets: [revocation, { ...revocation }] }, scope),
      );
      await store.customers.findTicket(marked);
      const contact = { username: mark, primaryEmail: mark, primaryPhone: mark, limit: 4718 };
      await store.customers.findByContact({ organizationId: scope, ...contact });
      await store.audit.recordRefusals([aRefusal({ appointmentId: mark, requestId: mark }), aRefusal({ id: mark })]);
      await store.audit.list({
        organizationId: scope,
        appointmentId: mark,
        from: 1,
        to: 4719,
        pageNumber: 1,
        pageSize: 9,
      });
      await store.audit.unsealed(4719);
      await store.audit.seal(aSeal({ organizationId: scope, entryIds: [mark, `n-${mark}`], hash: mark }));
      await store.audit.listSeals(scope, 1, 4719);
      await store.audit.countUnsealed(scope);
    });
    expect(texts.length).toBeGreaterThan(15);
    for (const text of texts) expect(text.replace(/^\d+ /, '')).not.toMatch(/MARK|471/);
  });

  it('what the database is asked about proofs stays one statement for a commit with proofs and audit lines where the database can do so', async () => {
    await store.customers.putChallenge(challenge, undefined);
    const audit = (id: string): Pick<Change, 'audit'> => ({ audit: [anEntry({ id })] });
    const second = nextVersion(appointment);
    const third = nextVersion(second);
    const fourth = nextVersion(third);
    const rotated = { ...ticket, nonce: 'nonce-2' };
    const free = { actorIds: ['agent-9'], window: { from: 0, to: 1 } };
    const commits: Readonly<Record<string, Change>> = {
      plain: { ...insertion(aScheduledAppointment({ id: 'plain' })), ...audit('plain') },
      proven: { ...insertion(appointment, { customers: [aProfile(appointment)] }), otp, ...audit('proven') },
      issuing: proving({ ticket: { next: ticket, expectedNonce: undefined }, ...audit('issuing') }),
      replacing: {
        ...keeping(appointment),
        ticket: { next: rotated, expectedNonce: ticket.nonce },
        ...audit('replacing'),
      },
      underProof: { ...update(second), proof: proofOf(rotated), ...audit('underProof') },
      underProofAndGuard: { ...update(third), proof: proofOf(rotated), guard: free, ...audit('underProofAndGuard') },
      revoking: { ...update(fourth), revokedTickets: [ofAll], ...audit('revoking') },
      removing: { ...removal(fourth), ...audit('removing') },
      keyed: {
        ...insertion(aScheduledAppointment({ id: 'keyed' })),
        request: aRequest(organizationId),
        ...audit('keyed'),
      },
    };
    const counts: Record<string, number> = {};
    for (const [name, change] of Object.entries(commits)) {
      const asked = await statementsOf(async () => {
        expect(await store.commit(change)).toEqual({ status: 'committed' });
      });
      counts[name] = asked.filter((text) => !/^0 (begin|set|start|commit)/.test(text)).length;
    }
    // Appointment, actor and entry; what is proven is looked at and locked before anything is written. Where one writer
    // works at a time, the appointment needs no lock of its own before its tickets.
    const stepwise = {
      // Who adds or removes an appointment counts it.
      plain: 4,
      proven: 7,
      issuing: 3,
      replacing: 4,
      underProof: 5,
      underProofAndGuard: 7,
      revoking: 5,
      // A plain one, a look at the key, the deletion of one that is over, and the answer.
      keyed: 7,
    };
    const locking = kind.family === 'mysql' ? { underProof: 6, underProofAndGuard: 9, removing: 7 } : { removing: 6 };
    const single = {
      plain: 1,
      proven: 1,
      issuing: 1,
      replacing: 1,
      underProof: 3,
      underProofAndGuard: 6,
      revoking: 1,
      keyed: 1,
    };
    expect(counts).toEqual(kind.family === 'postgres' ? { ...single, removing: 2 } : { ...stepwise, ...locking });
    expect(await store.audit.countUnsealed(organizationId)).toBe(9);
  });

  it('a batch keeps joined commits apart: each has its own one-time password, ticket and entry, or none of them', async () => {
    const commits = Array.from({ length: 40 }, (_, index): Change => {
      const next = aScheduledAppointment({ id: `appointment-${index}` });
      const subject = `subject-${index % 20}`;
      const mine = aTicket({ subjectId: next.id });
      return {
        ...insertion(next, { customers: [aProfile(next)], events: [anEvent(next, { id: `event-${index}` })] }),
        otp: { subject, challengeId: 'challenge-1', at: index },
        ticket: { next: mine, expectedNonce: index % 4 === 0 ? 'gone' : undefined },
        audit: [anEntry({ id: `entry-${index}`, appointmentId: next.id })],
      };
    });
    for (let index = 0; index < 20; index += 1) {
      await store.customers.putChallenge(aChallenge({ subject: `subject-${index}` }), undefined);
    }
    const results = await Promise.all(commits.map((change) => store.commit(change)));
    for (let index = 0; index < 20; index += 1) {
      const pair = [results[index]?.status, results[index + 20]?.status].sort();
      // Those that expect a ticket which is not there leave the one-time password to nobody.
      expect(pair).toEqual(index % 4 === 0 ? ['stale', 'stale'] : ['committed', 'otpUsed']);
      const used = await store.customers.findChallenge(organizationId, `subject-${index}`);
      const winner = [index, index + 20].find((one) => results[one]?.status === 'committed') ?? null;
      expect(used?.consumedAt).toBe(winner);
    }
    const { items } = await store.audit.list({ organizationId, pageNumber: 1, pageSize: 100 });
    expect(items).toHaveLength(15);
    for (const [index, { status }] of results.entries()) {
      const stands = status === 'committed';
      expect(items.some(({ id }) => id === `entry-${index}`)).toBe(stands);
      const issued = await store.customers.findTicket(aTicket({ subjectId: `appointment-${index}` }));
      expect(issued !== undefined).toBe(stands);
    }
  });

  it('a commit with proofs takes effect with a transaction of the host, or not at all', async () => {
    await store.customers.putChallenge(challenge, undefined);
    const first = proving({ ticket: { next: ticket, expectedNonce: undefined } });
    const booking: Change = { ...insertion(appointment), otp, audit: [anEntry()] };
    const rolledBack = database.knex.transaction(async (transaction) => {
      const joined = store.joining(transaction);
      expect(await joined.commit(booking)).toEqual({ status: 'committed' });
      expect(await joined.commit(first)).toEqual({ status: 'committed' });
      // The host's transaction goes on after a refusal.
      expect(await joined.commit(first)).toEqual({ status: 'stale' });
      expect(await joined.commit(proving({ otp }))).toEqual({ status: 'otpUsed' });
      await joined.audit.recordRefusals([aRefusal()]);
      expect(await joined.audit.seal(aSeal())).toBe(true);
      expect(await joined.audit.seal(aSeal({ entryIds: [] }))).toBe(false);
      expect(await joined.audit.countUnsealed(organizationId)).toBe(1);
      throw new Error('the host gives up');
    });
    await expect(rolledBack).rejects.toThrow('the host gives up');
    expect(await store.customers.findChallenge(organizationId, challenge.subject)).toEqual(challenge);
    expect(await store.customers.findTicket(ticket)).toBeUndefined();
    expect(await store.audit.list({ organizationId, pageNumber: 1, pageSize: 9 })).toEqual({ items: [], total: 0 });
    expect(await store.audit.listSeals(organizationId, 1, 9)).toEqual([]);
  });

  it('the audit record shows an entry that was slipped in under a seal, and one that was taken from it', async () => {
    await store.commit(proving({ audit: [anEntry(), anEntry({ id: 'entry-2' })] }));
    await store.audit.seal(aSeal({ entryIds: ['entry-1', 'entry-2'] }));
    const row: Record<string, unknown> = await database.knex('calends_audit').where({ id: 'entry-2' }).first();
    await database.knex('calends_audit').insert({ ...row, id: 'entry-3' });
    await database.knex('calends_audit').where({ id: 'entry-1' }).update({ seal_number: 0 });
    const [sealed] = await store.audit.listSeals(organizationId, 1, 9);
    expect(sealed?.entries.map(({ id }) => id)).toEqual(['entry-2', 'entry-3']);
    expect((await store.audit.unsealed(9))?.entries.map(({ id }) => id)).toEqual(['entry-1']);
  });
});
