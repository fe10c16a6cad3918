import { aProfile, aScheduledAppointment, fixtureStart, insertion } from '@calends/store-conformance';
import type { Knex } from 'knex';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { aChallenge, anEntry, aRefusal, aSeal, aTicket, proving, ticketKeyOf } from './support/proofs.js';
import { accessesOf, type TableAccess } from './support/query-plans.js';

const organizationId = 'org-1';
const subject = 'subject-7';
const stored = 3000;
const sealedSpan = 25;
const atOnce = 100;
const numbered = (stem: string, index: number): string => `${stem}-${String(index).padStart(6, '0')}`;

/** Appointments with their tickets, challenges and entries; all entries but the last ones are sealed. */
async function fill(store: KnexStore): Promise<void> {
  const indices = Array.from({ length: stored }, (_, index) => index);
  const add = async (index: number): Promise<void> => {
    const appointment = aScheduledAppointment({ organizationId, id: numbered('appointment', index) });
    const place = { organizationId, appointmentId: appointment.id };
    await store.customers.putChallenge(
      aChallenge({ subject: `subject-${index}`, issuedAt: fixtureStart + index }),
      undefined,
    );
    await store.commit({
      ...insertion(appointment, { customers: [aProfile(appointment)] }),
      ticket: { next: aTicket({ subjectId: appointment.id }), expectedNonce: undefined },
      audit: [anEntry({ ...place, id: numbered('entry', index), at: fixtureStart + index })],
    });
  };
  // All at once, the last ones would wait for a connection for longer than a call may.
  for (let first = 0; first < stored; first += atOnce) {
    await Promise.all(indices.slice(first, first + atOnce).map(add));
  }
  for (let first = 0; first + sealedSpan < stored; first += sealedSpan) {
    const entryIds = indices.slice(first, first + sealedSpan).map((index) => numbered('entry', index));
    await store.audit.seal(aSeal({ number: first / sealedSpan + 1, entryIds }));
  }
}

// Statements are explained on a connection of their own.
describeEach(
  'statements about what can be activated, proofs and the audit record',
  (kind) => {
    let database: TestDatabase;
    let store: KnexStore;
    let explaining: Knex;

    beforeAll(async () => {
      database = await openDatabase(kind);
      explaining = database.another();
      store = knexStore({ knex: database.knex });
      await fill(store);
      const tables = ['otp_challenges', 'tickets', 'audit', 'audit_seals', 'customers', 'appointments'];
      const names = tables.map((name) => `calends_${name}`).join(', ');
      if (kind.family === 'mysql') await database.knex.raw(`analyze table ${names}`);
      if (kind.family === 'postgres') await database.knex.raw(`analyze ${names}`);
    });
    afterAll(() => database.drop());

    const accesses = (call: () => Promise<unknown>): Promise<readonly TableAccess[]> =>
      accessesOf(kind, { asks: database.knex, explains: explaining }, call);

    const appointmentId = numbered('appointment', 7);
    const page = { organizationId, pageNumber: 1, pageSize: 10 };
    const ticket = aTicket({ subjectId: appointmentId });
    const unsealed = [numbered('entry', stored - 1), numbered('entry', stored - 2)];
    const audit = (id: string) => [anEntry({ id, appointmentId })];
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      'a challenge': () => store.customers.findChallenge(organizationId, subject),
      'a new challenge': () => store.customers.putChallenge(aChallenge({ subject }), 'challenge-1'),
      'a try': () => store.customers.countTry({ organizationId, subject, now: fixtureStart, limit: 5 }),
      'the end of old challenges': () => store.customers.purgeChallenges(fixtureStart + 5, 3),
      'a one-time password used up': () =>
        store.commit(proving({ otp: { subject, challengeId: 'challenge-1', at: 1 }, audit: audit('by-otp') })),
      'a ticket': () => store.customers.findTicket(ticketKeyOf(ticket)),
      'a rotation': () =>
        store.commit(proving({ ticket: { next: { ...ticket, nonce: 'nonce-2' }, expectedNonce: 'nonce-1' } })),
      'a revocation': () =>
        store.commit(proving({ revokedTickets: [{ kind: 'MANAGE', subjectId: appointmentId, at: 1 }] })),
      'refused calls': () =>
        store.audit.recordRefusals([
          aRefusal({ appointmentId }),
          aRefusal({ appointmentId, id: 'refusal-2', organizationId: undefined }),
        ]),
      'unsealed entries': () => store.audit.unsealed(100),
      'how many are unsealed': () => store.audit.countUnsealed(organizationId),
      'a seal': () => store.audit.seal(aSeal({ number: stored / sealedSpan, entryIds: unsealed })),
      'seals with what they cover': () => store.audit.listSeals(organizationId, 3, 2),
      "an appointment's record": () => store.audit.list({ ...page, appointmentId }),
      'the record of a time': () => store.audit.list({ ...page, from: fixtureStart + 10, to: fixtureStart + 40 }),
    };
    for (const [name, call] of Object.entries(calls)) {
      it(`${name}: no table or index is read from end to end`, async () => {
        const found = await accesses(call);
        expect(found.length).toBeGreaterThan(0);
        expect(found.filter(({ isWhole }) => isWhole)).toEqual([]);
      });
    }

    it.each([
      ['all', undefined],
      ['those of an application', ['app-1']],
    ])('a page of what can be activated comes from its index, in its order: %s', async (_, applicationIds) => {
      const after = numbered('appointment', 1500);
      const found = await accesses(() =>
        store.appointments.listEligible(organizationId, { applicationIds, after, limit: 50 }),
      );
      expect(found.filter(({ isWhole, sorts }) => isWhole || sorts)).toEqual([]);
      // Here all are of one organization and scheduled: servers know that any index by id serves as well.
      const inOrder =
        kind.family === 'sqlite'
          ? /calends_appointments_eligible/
          : /calends_appointments_(eligible|by_id|pkey)|PRIMARY/;
      expect(found.some(({ detail }) => inOrder.test(detail))).toBe(true);
    });

    it('unsealed entries come from their part of the index, and are not sorted unless they are few', async () => {
      const found = await accesses(() => store.audit.unsealed(100));
      // PostgreSQL takes the pages of few rows in the order of the disk.
      if (kind.family !== 'postgres') expect(found.filter(({ sorts }) => sorts)).toEqual([]);
      expect(found.some(({ detail }) => detail.includes('calends_audit_by_seal'))).toBe(true);
    });

    it('a seal reads what lies between its entries, not all that is unsealed', async () => {
      const entryIds = unsealed.map((id) => `${id}-open`);
      await store.commit(proving({ audit: entryIds.map((id) => anEntry({ id })) }));
      const { lastSeal } = (await store.audit.unsealed(1)) ?? {};
      const found = await accesses(() => store.audit.seal(aSeal({ number: (lastSeal?.number ?? 0) + 1, entryIds })));
      const reads = found.filter(({ detail }) =>
        // With old statistics PostgreSQL looks for a list of ids in every row that is unsealed.
        kind.family === 'postgres' ? /Index Cond: .*\bid >= /.test(detail) : detail.includes('calends_audit_by_seal'),
      );
      expect(reads).toHaveLength(2);
    });

    if (kind.family !== 'postgres') return;
    it('the first organization with unsealed entries is not looked for among sealed ones, however large the index by seal has grown', async () => {
      await database.knex.raw('update calends_audit set seal_number = 0 where seal_number > 90');
      await database.knex.raw('alter index calends_audit_by_seal set (fillfactor = 10)');
      await database.knex.raw('reindex index calends_audit_by_seal');
      await database.knex.raw('analyze calends_audit');
      const found = await accesses(() => store.audit.unsealed(1));
      expect(found.filter(({ detail }) => detail.includes('calends_audit_pkey'))).toEqual([]);
    });
  },
  { shared: true },
);
