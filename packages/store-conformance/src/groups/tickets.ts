import type { Ticket, TicketRevocation } from '@calends/core/store';
import { awkwardTexts } from '../fixtures/awkward-values.js';
import { group, it } from '../conformance-case.js';
import type { Words } from '../fixtures/words.js';
import { expect, spoil } from '../expectations.js';
import { fixtureStart, lastInstant, minute } from '../fixtures/appointments.js';
import { insertion, nextVersion, removal, update } from '../fixtures/changes.js';
import { firstIssue, proofOf, proving, ticketKeyOf } from '../fixtures/proofs.js';
import { commitAll } from '../steps.js';

const at = fixtureStart + minute;

/** Of every manage ticket of `appointment-1`. */
const ofAll = { kind: 'MANAGE', subjectId: 'appointment-1', at } as const;

const issuing = (next: Ticket) => proving(next.organizationId, { ticket: firstIssue(next) });
const rotating = (next: Ticket, expectedNonce: string) =>
  proving(next.organizationId, { ticket: { next, expectedNonce } });
const revoking = (a: Words, ...revokedTickets: readonly TicketRevocation[]) => a.change({ revokedTickets });

export const ticketsGroup = group('a key has one current ticket (D42)', [
  { rule: 'round-trip' },
  it('every field of a ticket comes back exactly, of both kinds', async (store, a) => {
    const tickets = [
      a.ticket(),
      a.ticket({ holderId: 'ends', expiresAt: lastInstant, issuedAt: 0 }),
      a.ticket({ holderId: 'revoked', expiresAt: fixtureStart, revokedAt: fixtureStart + 1 }),
      a.feedTicket(),
      ...awkwardTexts.map(([, text], index) => a.ticket({ holderId: `h-${index}`, nonce: text })),
    ];
    await expect.noTickets(store, ...tickets);
    await commitAll(store, ...tickets.map(issuing));
    await expect.tickets(store, ...tickets);
  }),
  { rule: 'tickets' },
  it('organization, kind, what it opens and holder each make another key', async (store, a) => {
    const tickets = [
      a.ticket({ subjectId: 'x', holderId: 'y' }),
      a.of('b').ticket({ subjectId: 'x', holderId: 'y' }),
      a.ticket({ subjectId: 'y', holderId: 'x' }),
      a.ticket({ subjectId: 'x', holderId: 'x' }),
      a.feedTicket({ subjectId: 'x' }),
      a.feedTicket({ subjectId: 'y' }),
    ].map((ticket, index) => ({ ...ticket, nonce: `nonce-${index}` }));
    await commitAll(store, ...tickets.map(issuing));
    await expect.tickets(store, ...tickets);
  }),
  it('a ticket is issued only where the key has the ticket that was looked at', async (store, a) => {
    const first = a.ticket();
    const second = a.ticket({ nonce: 'nonce-2', issuedAt: at, expiresAt: at + minute });
    await expect.stale(store, rotating(first, 'nonce-0'));
    await expect.noTickets(store, first);
    await commitAll(store, issuing(first));
    for (const change of [issuing(second), rotating(second, 'nonce-2'), rotating(second, 'Nonce-1')]) {
      await expect.stale(store, change);
      await expect.tickets(store, first);
    }
    await commitAll(store, rotating(second, first.nonce));
    await expect.tickets(store, second);
    await expect.stale(store, rotating({ ...second, nonce: 'nonce-3' }, first.nonce));
    await expect.tickets(store, second);
  }),
  it('an update leaves tickets as they are, also one that replaces a profile', async (store, a) => {
    const appointment = a.scheduled();
    const ticket = a.ticket();
    await commitAll(store, insertion(appointment), issuing(ticket));
    await commitAll(store, update(nextVersion(appointment), { customers: [a.profile(appointment)] }));
    await expect.tickets(store, ticket);
  }),
  { rule: 'sessions' },
  it('how often sessions were ended rises, never falls, stays with the key, and is of this key only', async (store, a) => {
    const ticket = a.ticket();
    const other = a.ticket({ holderId: 'other' });
    await store.customers.endSessions(ticketKeyOf(ticket), 1);
    await expect.noTickets(store, ticket);
    await commitAll(store, issuing(ticket), issuing(other));
    await store.customers.endSessions(ticketKeyOf(ticket), 2);
    await store.customers.endSessions(ticketKeyOf(ticket), 1);
    await expect.tickets(store, { ...ticket, sessionsEnded: 2 }, other);
    await Promise.all([3, 5, 4].map((ended) => store.customers.endSessions(ticketKeyOf(ticket), ended)));
    await expect.tickets(store, { ...ticket, sessionsEnded: 5 }, other);
    const next = a.ticket({ nonce: 'nonce-2', issuedAt: at });
    await commitAll(store, rotating(next, ticket.nonce));
    await expect.tickets(store, { ...next, sessionsEnded: 5 }, other);
  }),
  it('a ticket that was revoked stays so when its sessions are ended, and they stay ended when it is revoked', async (store, a) => {
    const ticket = a.ticket();
    await commitAll(store, issuing(ticket));
    await store.customers.endSessions(ticketKeyOf(ticket), 2);
    await commitAll(store, revoking(a, ofAll));
    await expect.tickets(store, { ...ticket, sessionsEnded: 2, revokedAt: at });
    await store.customers.endSessions(ticketKeyOf(ticket), 3);
    await expect.tickets(store, { ...ticket, sessionsEnded: 3, revokedAt: at });
    expect(await store.commit(a.change({ proof: proofOf(ticket) }))).toEqual({ status: 'proofLost' });
  }),
  { rule: 'revocations' },
  it('a revoked ticket stays the current one, and a new one may take its place', async (store, a) => {
    const first = a.ticket();
    const second = a.ticket({ nonce: 'nonce-2' });
    await commitAll(store, issuing(first), revoking(a, ofAll));
    await expect.tickets(store, { ...first, revokedAt: at });
    await expect.stale(store, issuing(second));
    await commitAll(store, rotating(second, first.nonce));
    await expect.tickets(store, second);
  }),
  it('a revocation reaches every holder, or those that it names, and nothing else', async (store, a) => {
    const holders = ['c-1', 'c-2', 'c-3'].map((holderId) => a.ticket({ holderId }));
    const [first, second, third] = holders as [Ticket, Ticket, Ticket];
    const others = [
      a.ticket({ subjectId: 'appointment-2', holderId: 'c-1' }),
      a.of('b').ticket({ holderId: 'c-1' }),
      a.feedTicket({ subjectId: 'appointment-1' }),
    ];
    await commitAll(store, ...[...holders, ...others].map(issuing));
    await commitAll(store, revoking(a, { ...ofAll, holderIds: [] }));
    await commitAll(store, revoking(a, { ...ofAll, holderIds: ['unknown'] }));
    await expect.tickets(store, ...holders, ...others);
    await commitAll(store, revoking(a, { ...ofAll, holderIds: ['c-1', 'c-3', 'unknown'] }));
    await expect.tickets(store, { ...first, revokedAt: at }, second, { ...third, revokedAt: at }, ...others);
    await commitAll(store, revoking(a, { ...ofAll, at: at + 1 }));
    await expect.tickets(store, { ...second, revokedAt: at + 1 }, ...others);
  }),
  it('a ticket that is revoked already keeps its time', async (store, a) => {
    const ticket = a.ticket();
    const later = { ...ofAll, at: at + 1, holderIds: [ticket.holderId] };
    await commitAll(
      store,
      issuing(ticket),
      revoking(a, ofAll),
      revoking(a, later),
      revoking(a, { ...ofAll, at: at - 1 }),
    );
    await expect.tickets(store, { ...ticket, revokedAt: at });
  }),
  it('several revocations in one change: the first that reaches a ticket counts', async (store, a) => {
    const [one, other] = ['c-1', 'c-2'].map((holderId) => a.ticket({ holderId })) as [Ticket, Ticket];
    const feed = a.feedTicket();
    await commitAll(store, ...[one, other, feed].map(issuing));
    const ofFeed = { kind: 'CALENDAR_FEED', subjectId: 'agent-1', at: at + 7 } as const;
    await commitAll(store, revoking(a, { ...ofAll, holderIds: ['c-2'], at: at + 5 }, ofAll, ofFeed));
    await expect.tickets(
      store,
      { ...one, revokedAt: at },
      { ...other, revokedAt: at + 5 },
      { ...feed, revokedAt: at + 7 },
    );
  }),
  it('a change revokes what was there before it, and not the ticket that it issues itself', async (store, a) => {
    const ticket = a.ticket();
    const other = a.ticket({ holderId: 'customer-2' });
    const rotated = { ...ticket, nonce: 'nonce-2', issuedAt: at };
    await commitAll(store, issuing(ticket), issuing(other));
    await commitAll(store, { ...rotating(rotated, ticket.nonce), revokedTickets: [ofAll] });
    await expect.tickets(store, rotated, { ...other, revokedAt: at });
  }),
  { rule: 'removal' },
  it('a removed appointment takes its manage tickets along, and no other ones', async (store, a) => {
    const appointment = a.scheduled();
    const b = a.of('b');
    const tickets = ['c-1', 'c-2'].map((holderId) => a.ticket({ holderId }));
    const others = [
      a.ticket({ subjectId: 'appointment-2' }),
      b.ticket(),
      a.feedTicket({ subjectId: appointment.id }),
      a.feedTicket({ subjectId: 'agent-1' }),
    ];
    await commitAll(store, insertion(appointment), insertion(b.scheduled()), ...[...tickets, ...others].map(issuing));
    await expect.stale(store, removal({ ...appointment, version: 2 }));
    await expect.tickets(store, ...tickets);
    await commitAll(store, removal(appointment));
    await expect.noTickets(store, ...tickets);
    await expect.tickets(store, ...others);
    await commitAll(store, insertion(appointment));
    await expect.noTickets(store, ...tickets);
    await commitAll(store, ...tickets.map(issuing));
  }),
  it('removed customers lose their manage tickets, the others and other appointments keep theirs', async (store, a) => {
    const appointment = a.scheduled();
    const tickets = ['c-1', 'c-2', 'c-3'].map((holderId) => a.ticket({ holderId }));
    const [first, second, third] = tickets as [Ticket, Ticket, Ticket];
    const neighbour = a.ticket({ subjectId: 'appointment-2', holderId: 'c-1' });
    await commitAll(store, insertion(appointment), ...[...tickets, neighbour].map(issuing));
    const removedCustomers = ['c-1', 'c-3', 'unknown'];
    await commitAll(store, update(nextVersion(appointment), { removedCustomers }));
    await expect.noTickets(store, first, third);
    await expect.tickets(store, second, neighbour);
    await commitAll(store, issuing(first));
  }),
  { rule: 'copies' },
  it('what a caller does to an answer or to what it committed changes nothing stored', async (store, a) => {
    const expected = a.ticket();
    const given = structuredClone(expected);
    await commitAll(store, issuing(given));
    spoil(given);
    spoil(await store.customers.findTicket(ticketKeyOf(expected)));
    await expect.tickets(store, expected);
    await commitAll(store, revoking(a, ofAll));
    spoil(await store.customers.findTicket(ticketKeyOf(expected)));
    await expect.tickets(store, { ...expected, revokedAt: at });
  }),
]);
