import { aProfile, aScheduledAppointment, insertion } from '@calends/store-conformance';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnexStore, knexStore } from '../src/index.js';
import { openDatabase, type TestDatabase } from './support/databases.js';
import { describeEach } from './support/each-database.js';
import { aChallenge, anEntry, aSeal, aTicket, proving } from './support/proofs.js';

const appointment = aScheduledAppointment();
const feed = aTicket({ kind: 'CALENDAR_FEED', subjectId: 'agent-1', holderId: '' });

/** What no row may become: the table, which row, the columns, and the rule they break. */
const refused: readonly (readonly [
  table: string,
  row: Record<string, string>,
  columns: Record<string, unknown>,
  rule: string,
])[] = [
  ['otp_challenges', {}, { tries: -1 }, 'nobody tries less than never'],
  ['otp_challenges', {}, { expires_at: 1 }, 'a code lasts for a while (D44)'],
  ['otp_challenges', {}, { code_hash: null }, 'a challenge has a code'],
  ['tickets', { kind: 'MANAGE' }, { kind: 'JOIN' }, 'there are two kinds of tickets'],
  ['tickets', { kind: 'MANAGE' }, { holder_id: '' }, 'a manage ticket is a participant’s (D42)'],
  ['tickets', { kind: 'CALENDAR_FEED' }, { holder_id: 'customer-1' }, 'a feed is nobody’s but the agent’s'],
  ['audit', {}, { proof: 'password' }, 'there are five proofs'],
  ['audit', {}, { actor_role: null }, 'an actor has a role'],
  ['audit', {}, { actor_id: null }, 'nobody has no role'],
  ['audit', {}, { to_state: 'DREAMT' }, 'there are four states (D13)'],
  ['audit', {}, { from_state: 'scheduled' }, 'a state is written in capitals'],
  ['audit', {}, { outcome: 'forbidden' }, 'what was refused changed no state'],
  ['audit', {}, { outcome: 'forbidden', to_state: null }, 'what was refused made no version'],
  ['audit', {}, { version: 0 }, 'versions begin at 1'],
  ['audit', {}, { happened_at: -1 }, 'time begins in 1970 (D3)'],
  ['audit', {}, { seal_number: -1 }, 'seals are numbered from 1'],
  ['audit_seals', {}, { seal_number: 0 }, 'the first seal has number 1'],
  ['customers', {}, { removal_reason: 'PDM_ERASED' }, 'what was removed was removed at an instant'],
  ['customers', {}, { removed_at: 1 }, 'what was removed was removed for a reason (D57)'],
  ['customers', {}, { removal_reason: 'PDM_ERASED', removed_at: 1 }, 'who is removed has no personal data any more'],
];

describeEach('the schema of proofs and of the audit record', (kind) => {
  let database: TestDatabase;
  let store: KnexStore;

  beforeAll(async () => {
    database = await openDatabase(kind);
    store = knexStore({ knex: database.knex });
    const issue = { next: aTicket(), expectedNonce: undefined };
    const customers = [aProfile(appointment, { firstName: 'Anna', metadata: {} })];
    await store.commit(insertion(appointment, { customers }));
    await store.commit(proving({ ticket: issue, audit: [anEntry()] }));
    await store.commit(proving({ ticket: { next: feed, expectedNonce: undefined } }));
    await store.customers.putChallenge(aChallenge(), undefined);
    await store.audit.seal(aSeal({ entryIds: [] }));
  });
  afterAll(() => database.drop());

  for (const [name, row, columns, rule] of refused) {
    it(`the schema of proofs refuses what the domain does not know: ${rule}: ${name} with ${Object.keys(columns).join(', ')}`, async () => {
      const rows = () => database.knex(`calends_${name}`).where(row);
      const before: unknown = await rows();
      expect(before).toHaveLength(1);
      await expect(rows().update(columns)).rejects.toThrow();
      expect(await rows()).toEqual(before);
    });
  }

  it('a commit fails for a line of the record that stands already, and writes nothing of its own', async () => {
    const next = aTicket({ holderId: 'customer-2' });
    const doubled = proving({ audit: [anEntry()], ticket: { next, expectedNonce: undefined } });
    await expect(store.commit(doubled)).rejects.toMatchObject({ name: 'StoreError', code: 'unexpected' });
    expect(await store.customers.findTicket(next)).toBeUndefined();
  });
});
