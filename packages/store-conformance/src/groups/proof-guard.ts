import assert from 'node:assert/strict';
import type { Appointment, Change, SchedulingStore, Ticket } from '@calends/core';
import type { CaseContext, ConformanceCase, ConformanceGroup } from '../conformance-case.js';
import { commitAll, expectNoTickets, expectStale, expectTickets, outcomes } from '../expectations.js';
import { aCancelledAppointment, aScheduledAppointment, fixtureStart, minute } from '../fixtures/appointments.js';
import { insertion, keeping, nextVersion, removal, update } from '../fixtures/changes.js';
import { aTicket, firstIssue, proofOf, proving } from '../fixtures/proofs.js';

const at = fixtureStart + minute;
const proofLost = { status: 'proofLost' };
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** An appointment with a ticket of one of its customers. */
async function ticketed(store: SchedulingStore, organizationId: string, id = 'appointment-1') {
  const appointment = aScheduledAppointment({ organizationId, id });
  const ticket = aTicket({ organizationId, subjectId: id });
  await commitAll(store, insertion(appointment), keeping(appointment, { ticket: firstIssue(ticket) }));
  return { appointment, ticket };
}

const revoking = ({ organizationId, kind, subjectId, holderId }: Ticket): Change =>
  proving(organizationId, { revokedTickets: [{ kind, subjectId, holderIds: [holderId], at }] });
const rotating = (ticket: Ticket): Change =>
  proving(ticket.organizationId, { ticket: { next: { ...ticket, nonce: 'nonce-2' }, expectedNonce: ticket.nonce } });

/** Moves under a proof one after the other until one is refused; answers with what. */
async function moveUntilRefused(store: SchedulingStore, appointment: Appointment, ticket: Ticket): Promise<string> {
  for (let next = nextVersion(appointment); ; next = nextVersion(next)) {
    const { status } = await store.commit(update(next, { proof: proofOf(ticket) }));
    if (status !== 'committed') return status;
  }
}

/** Ends the proof by one store while another one moves; no version comes after the end has returned. */
async function expectNoneAfter(
  { store, organizationId }: CaseContext,
  ending: SchedulingStore,
  end: (ticket: Ticket) => Change,
): Promise<void> {
  for (const round of numbers(10)) {
    const { appointment, ticket } = await ticketed(store, organizationId, `at-${round}`);
    const moving = moveUntilRefused(store, appointment, ticket);
    await commitAll(ending, end(ticket));
    const then = await ending.findAppointment(organizationId, appointment.id);
    assert.equal(await moving, 'proofLost');
    const last = await store.findAppointment(organizationId, appointment.id);
    assert.equal(last?.version, then?.version);
  }
}

/** Issues the first ticket by one store while another one takes its appointment away. */
async function expectNoOrphans({ store, organizationId }: CaseContext, removing: SchedulingStore): Promise<void> {
  for (const round of numbers(20)) {
    const appointment = aScheduledAppointment({ organizationId, id: `at-${round}` });
    const ticket = aTicket({ organizationId, subjectId: appointment.id });
    await commitAll(store, insertion(appointment));
    const [issued, removed] = await Promise.all([
      store.commit(keeping(appointment, { ticket: firstIssue(ticket) })),
      removing.commit(removal(appointment)),
    ]);
    assert.equal(removed.status, 'committed');
    assert.ok(['committed', 'stale'].includes(issued.status));
    await expectNoTickets(store, ticket);
  }
}

const ends = { 'its revocation': revoking, 'its replacement': rotating } as const;

const racesOf = (name: string, end: (ticket: Ticket) => Change): readonly ConformanceCase[] => [
  {
    name: `no change under a proof is committed once ${name} has returned`,
    run: (context) => expectNoneAfter(context, context.store, end),
  },
  {
    name: `no change under a proof is committed by one process once ${name} has returned in another`,
    requires: 'sharedBetweenProcesses',
    run: async (context) => expectNoneAfter(context, await context.secondWriter(), end),
  },
];

export const proofGuardGroup: ConformanceGroup = {
  name: 'a change under a proof commits only while the proof holds (D65)',
  cases: [
    {
      name: 'while its ticket is the current one and not revoked, before the change ends or replaces it itself',
      async run({ store, organizationId }) {
        const { appointment, ticket } = await ticketed(store, organizationId);
        const proof = proofOf(ticket);
        const second = nextVersion(appointment);
        const third = nextVersion(second);
        const replaced = { ...ticket, nonce: 'nonce-2' };
        await commitAll(
          store,
          update(second, { proof }),
          proving(organizationId, { proof }),
          update(third, { proof, ticket: { next: replaced, expectedNonce: ticket.nonce } }),
        );
        const over = aCancelledAppointment({ organizationId, version: third.version + 1 });
        const ofAll = { kind: 'MANAGE', subjectId: appointment.id, at } as const;
        await commitAll(store, update(over, { proof: proofOf(replaced), revokedTickets: [ofAll] }));
        await expectTickets(store, { ...replaced, revokedAt: at });
        for (const change of [update(nextVersion(over), { proof: proofOf(replaced) }), update(second, { proof })]) {
          assert.deepEqual(await store.commit(change), proofLost);
        }
      },
    },
    {
      name: 'not under the ticket of another holder, appointment, kind or organization',
      async run({ store, organizationId, organization }) {
        const { appointment, ticket } = await ticketed(store, organizationId);
        await ticketed(store, organization('b'));
        const abroad = { ...aTicket({ organizationId: organization('b'), holderId: 'abroad' }) };
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
          assert.deepEqual(await store.commit(update(nextVersion(appointment), { proof: each })), proofLost);
        }
        assert.deepStrictEqual(await store.findAppointment(organizationId, appointment.id), appointment);
      },
    },
    {
      name: 'not after the customer, or the whole appointment, was removed',
      async run({ store, organizationId }) {
        const { appointment, ticket } = await ticketed(store, organizationId);
        const proof = proofOf(ticket);
        const second = nextVersion(appointment);
        await commitAll(store, update(second, { removedCustomers: [ticket.holderId] }));
        assert.deepEqual(await store.commit(update(nextVersion(second), { proof })), proofLost);
        await commitAll(store, keeping(second, { ticket: firstIssue(ticket) }), removal(second));
        assert.deepEqual(await store.commit(update(nextVersion(second), { proof })), proofLost);
      },
    },
    ...Object.entries(ends).flatMap(([name, end]) => racesOf(name, end)),
    {
      name: 'changes under one proof and one version: one is committed, the others are stale',
      async run({ store, organizationId }) {
        const { appointment, ticket } = await ticketed(store, organizationId);
        const change = update(nextVersion(appointment), { proof: proofOf(ticket) });
        const results = await Promise.all(numbers(20).map(() => store.commit(change)));
        assert.deepEqual(outcomes(results), { committed: 1, stale: 19 });
      },
    },
    {
      name: 'a ticket is issued only for an appointment that is there and not over',
      async run({ store, organizationId }) {
        const appointment = aScheduledAppointment({ organizationId });
        const ticket = aTicket({ organizationId });
        const issue = keeping(appointment, { ticket: firstIssue(ticket) });
        await expectStale(store, issue);
        await commitAll(store, insertion(appointment), issue);
        await expectTickets(store, ticket);
        const other = aTicket({ organizationId, holderId: 'customer-2' });
        await commitAll(store, update(aCancelledAppointment({ organizationId, version: appointment.version + 1 })));
        await expectStale(store, keeping(appointment, { ticket: firstIssue(other) }));
        await expectNoTickets(store, other);
      },
    },
    {
      name: 'a ticket that is issued while its appointment is removed does not stay behind',
      run: (context) => expectNoOrphans(context, context.store),
    },
    {
      name: 'a ticket that one process issues while another removes its appointment does not stay behind',
      requires: 'sharedBetweenProcesses',
      run: async (context) => expectNoOrphans(context, await context.secondWriter()),
    },
  ],
};
