import assert from 'node:assert/strict';
import type { Appointment } from '@calends/core';
import type { Change, ProofGuard, SchedulingStore, Ticket } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect } from '../expectations.js';
import { fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, keeping, nextVersion, removal, update } from '../fixtures/changes.js';
import { firstIssue, proofOf, proving, ticketKeyOf } from '../fixtures/proofs.js';
import { commitAll, numbers, race } from '../steps.js';

const at = fixtureStart + minute;
const proofLost = { status: 'proofLost' };

/** An appointment with a ticket of one of its customers. */
async function ticketed(store: SchedulingStore, a: Words, id = 'appointment-1') {
  const appointment = a.scheduled({ id });
  const ticket = a.ticket({ subjectId: id });
  await commitAll(store, insertion(appointment), keeping(appointment, { ticket: firstIssue(ticket) }));
  return { appointment, ticket };
}

type Ending = (store: SchedulingStore, ticket: Ticket) => Promise<void>;

const ended =
  (change: (ticket: Ticket) => Change): Ending =>
  (store, ticket) =>
    commitAll(store, change(ticket));
const revoking = ended(({ organizationId, kind, subjectId, holderId }) =>
  proving(organizationId, { revokedTickets: [{ kind, subjectId, holderIds: [holderId], at }] }),
);
const rotating = ended((ticket) =>
  proving(ticket.organizationId, { ticket: { next: { ...ticket, nonce: 'nonce-2' }, expectedNonce: ticket.nonce } }),
);
const endingSessions: Ending = (store, ticket) => store.customers.endSessions(ticketKeyOf(ticket), 1);

/** What a commit must find for a change in the first session of a ticket. */
const sessionOf = (ticket: Ticket): ProofGuard => ({ ...proofOf(ticket), session: 0 });

/** Moves under a proof one after the other until one is refused; answers with what. */
async function moveUntilRefused(store: SchedulingStore, appointment: Appointment, ticket: Ticket): Promise<string> {
  for (let next = nextVersion(appointment); next.version < 5000; next = nextVersion(next)) {
    const { status } = await store.commit(update(next, { proof: sessionOf(ticket) }));
    if (status !== 'committed') return status;
  }
  return 'never refused';
}

/** Ends the proof by one store while another one moves; no version comes after the end has returned. */
async function expectNoneAfter(store: SchedulingStore, a: Words, ending: SchedulingStore, end: Ending): Promise<void> {
  for (const round of numbers(10)) {
    const { appointment, ticket } = await ticketed(store, a, `at-${round}`);
    const moving = moveUntilRefused(store, appointment, ticket);
    await end(ending, ticket);
    const then = await ending.appointments.find(a.organizationId, appointment.id);
    expect(await moving).toEqual('proofLost');
    const last = await store.appointments.find(a.organizationId, appointment.id);
    expect(last?.version).toEqual(then?.version);
  }
}

/** Issues the first ticket by one store while another one takes its appointment away. */
async function expectNoOrphans(store: SchedulingStore, a: Words, removing: SchedulingStore): Promise<void> {
  for (const round of numbers(20)) {
    const appointment = a.scheduled({ id: `at-${round}` });
    const ticket = a.ticket({ subjectId: appointment.id });
    await commitAll(store, insertion(appointment));
    const [issued, removed] = await Promise.all([
      store.commit(keeping(appointment, { ticket: firstIssue(ticket) })),
      removing.commit(removal(appointment)),
    ]);
    expect(removed.status).toEqual('committed');
    assert.ok(['committed', 'stale'].includes(issued.status));
    await expect.noTickets(store, ticket);
  }
}

const ends = Object.entries({
  'its revocation': revoking,
  'its replacement': rotating,
  'the end of its sessions': endingSessions,
});

export const proofGuardGroup = group('a change under a proof commits only while the proof holds (D65)', [
  { rule: 'proof' },
  it('a change commits while its ticket is the current one and not revoked, before the change ends or replaces it itself', async (store, a) => {
    const { appointment, ticket } = await ticketed(store, a);
    const proof = proofOf(ticket);
    const second = nextVersion(appointment);
    const third = nextVersion(second);
    const replaced = { ...ticket, nonce: 'nonce-2' };
    await commitAll(
      store,
      update(second, { proof }),
      a.change({ proof }),
      update(third, { proof, ticket: { next: replaced, expectedNonce: ticket.nonce } }),
    );
    const over = a.cancelled({ version: third.version + 1 });
    const ofAll = { kind: 'MANAGE', subjectId: appointment.id, at } as const;
    await commitAll(store, update(over, { before: third, proof: proofOf(replaced), revokedTickets: [ofAll] }));
    await expect.tickets(store, { ...replaced, revokedAt: at });
    for (const change of [update(nextVersion(over), { proof: proofOf(replaced) }), update(second, { proof })]) {
      expect(await store.commit(change)).toEqual(proofLost);
    }
  }),
  it('a change does not commit in a session that was ended, and commits in a later one and in none', async (store, a) => {
    const { appointment, ticket } = await ticketed(store, a);
    const other = a.ticket({ holderId: 'customer-2' });
    await commitAll(store, keeping(appointment, { ticket: firstIssue(other) }));
    await store.customers.endSessions(ticketKeyOf(ticket), 2);
    let next = nextVersion(appointment);
    for (const session of [0, 1]) {
      expect(await store.commit(update(next, { proof: { ...proofOf(ticket), session } }))).toEqual(proofLost);
    }
    for (const proof of [{ ...proofOf(ticket), session: 2 }, proofOf(ticket), sessionOf(other)]) {
      await commitAll(store, update(next, { proof }));
      next = nextVersion(next);
    }
  }),
  it('a change does not commit under the ticket of another holder, appointment, kind or organization', async (store, a) => {
    const { appointment, ticket } = await ticketed(store, a);
    await ticketed(store, a.of('b'));
    const abroad = { ...a.of('b').ticket({ holderId: 'abroad' }) };
    await commitAll(store, proving(abroad.organizationId, { ticket: firstIssue(abroad) }));
    const proof = proofOf(ticket);
    const wrong = [
      { ...proof, holderId: 'customer-2' },
      { ...proof, subjectId: 'appointment-2' },
      { ...proof, kind: 'CALENDAR_FEED' as const },
      { ...proof, nonce: 'Nonce-1' },
      proofOf(abroad),
    ];
    for (const each of wrong) {
      expect(await store.commit(update(nextVersion(appointment), { proof: each }))).toEqual(proofLost);
    }
    await expect.appointments(store, appointment);
  }),
  it('a change does not commit after the customer, or the whole appointment, was removed', async (store, a) => {
    const { appointment, ticket } = await ticketed(store, a);
    const proof = proofOf(ticket);
    const second = nextVersion(appointment);
    await commitAll(store, update(second, { removedCustomers: [ticket.holderId] }));
    expect(await store.commit(update(nextVersion(second), { proof }))).toEqual(proofLost);
    await commitAll(store, keeping(second, { ticket: firstIssue(ticket) }), removal(second));
    expect(await store.commit(update(nextVersion(second), { proof }))).toEqual(proofLost);
  }),
  ...ends.map(([name, end]) =>
    it(`no change under a proof is committed once ${name} has returned`, (store, a) =>
      expectNoneAfter(store, a, store, end)),
  ),
  it('changes under one proof and one version: one is committed, the others are stale', async (store, a) => {
    const { appointment, ticket } = await ticketed(store, a);
    const change = update(nextVersion(appointment), { proof: proofOf(ticket) });
    await race(20, 'stale', () => change, store);
  }),
  { rule: 'ticket-issue' },
  it('a ticket is issued only for an appointment that is there and not over', async (store, a) => {
    const appointment = a.scheduled();
    const ticket = a.ticket();
    const issue = keeping(appointment, { ticket: firstIssue(ticket) });
    await expect.stale(store, issue);
    await commitAll(store, insertion(appointment), issue);
    await expect.tickets(store, ticket);
    const other = a.ticket({ holderId: 'customer-2' });
    await commitAll(store, update(a.cancelled({ version: appointment.version + 1 }), { before: appointment }));
    await expect.stale(store, keeping(appointment, { ticket: firstIssue(other) }));
    await expect.noTickets(store, other);
  }),
  it('a ticket that is issued while its appointment is removed does not stay behind', (store, a) =>
    expectNoOrphans(store, a, store)),
  { rule: 'ticket-issue', requires: 'sharedBetweenProcesses' },
  it('a ticket that one process issues while another removes its appointment does not stay behind', async (store, a, _organizationId, context) =>
    expectNoOrphans(store, a, await context.secondWriter())),
  { rule: 'proof', requires: 'sharedBetweenProcesses' },
  ...ends.map(([name, end]) =>
    it(`no change under a proof is committed by one process once ${name} has returned in another`, async (store, a, _organizationId, context) =>
      expectNoneAfter(store, a, await context.secondWriter(), end)),
  ),
]);
