import type { NamedKey, Ticket } from '@calends/core/store';
import { group, it } from '../conformance-case.js';
import { expect } from '../expectations.js';
import { fixtureStart } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { firstIssue, proving } from '../fixtures/proofs.js';
import { atOnce, commitAll, numbers } from '../steps.js';

const key = (number: number, id = `key-${String(number)}`): NamedKey => ({ number, id, check: `check-of-${id}` });

const issuing = (next: Ticket) => proving(next.organizationId, { ticket: firstIssue(next) });

export const namedKeysGroup = group('a store names the keys in use (D67)', [
  { rule: 'keys', emptyStore: true },
  it('keys come by their number, as they were named', async (store) => {
    expect(await store.keys.list()).toEqual([]);
    for (const each of [key(10), key(2, 'key'), key(1, 'Key')]) expect(await store.keys.add(each)).toEqual(true);
    expect(await store.keys.list()).toEqual([key(1, 'Key'), key(2, 'key'), key(10)]);
  }),
  it('of twenty that name a key under one number at once, one does', async (store) => {
    const offered = numbers(20).map((index) => key(1, `key-${String(index)}`));
    const answers = await Promise.all(offered.map((each) => store.keys.add(each)));
    expect(answers.filter((named) => named).length).toEqual(1);
    expect(await store.keys.list()).toEqual(offered.filter((_, index) => answers[index]));
  }),
  it('a key changes only while it is as it was looked at', async (store) => {
    const [first, other] = [key(1), key(2)];
    for (const each of [first, other]) await store.keys.add(each);
    const quiet = { ...first, quietSince: 0 };
    expect(await store.keys.change(quiet, first)).toEqual(true);
    expect(await store.keys.change({ ...first, keptAudit: 'lost' }, first)).toEqual(false);
    expect(await store.keys.change(key(3), key(3))).toEqual(false);
    expect(await store.keys.list()).toEqual([quiet, other]);
    expect(await store.keys.change({ ...quiet, keptAudit: 'one' }, quiet)).toEqual(true);
    expect(await store.keys.change({ ...quiet, keptAudit: 'two' }, quiet)).toEqual(false);
    expect(await store.keys.list()).toEqual([{ ...quiet, keptAudit: 'one' }, other]);
    expect(await store.keys.change(first, { ...quiet, keptAudit: 'one' })).toEqual(true);
    expect(await store.keys.list()).toEqual([first, other]);
  }),
  it('of twenty that change a key at once, one does', async (store) => {
    await store.keys.add(key(1));
    const answers = await atOnce(20, (index) => store.keys.change({ ...key(1), quietSince: index + 1 }, key(1)));
    expect(answers.flatMap((changed, index) => (changed ? [index + 1] : []))).toEqual(
      (await store.keys.list()).map(({ quietSince }) => quietSince),
    );
  }),
  { rule: 'keys', emptyStore: true, requires: 'sharedBetweenProcesses' },
  it('of two processes that name a key at once, one does', async (store, _a, _organizationId, context) => {
    const other = await context.secondWriter();
    const answers = await Promise.all([store.keys.add(key(1, 'one')), other.keys.add(key(1, 'other'))]);
    expect(answers.toSorted()).toEqual([false, true]);
    expect(await other.keys.list()).toEqual(await store.keys.list());
  }),
  { rule: 'walk', emptyStore: true },
  it('a walk meets the appointments of all organizations once, in any state, with when they are looked at', async (store, a) => {
    const walked = ['b', 'a'].flatMap((name) => ['2', '10', 'A', 'a', 'é'].map((id) => a.of(name).scheduled({ id })));
    const [first] = walked;
    await commitAll(store, ...walked.map((each) => insertion(each, { wakeAt: each === first ? fixtureStart : null })));
    const found = [];
    for (;;) {
      const part = await store.appointments.walk({ after: found.at(-1)?.appointment, limit: 3 });
      expect(part.length <= 3).toEqual(true, 'no more than asked for');
      found.push(...part);
      expect(found.length < 1000).toEqual(true, 'a walk comes to an end');
      if (part.length < 3) break;
    }
    const place = ({ organizationId, id }: { organizationId: string; id: string }) => `${organizationId} ${id}`;
    expect(found.map(({ appointment }) => place(appointment))).toEqual(walked.map(place).sort());
    const looked = found.find(({ wakeAt }) => wakeAt !== null);
    expect(looked).toEqual({ appointment: first, wakeAt: fixtureStart });
  }),
  { rule: 'countable-tickets', emptyStore: true },
  it('tickets that hold a key are counted: those of its id or of none, not revoked, not over, of what is live in their organization', async (store, a) => {
    const live = a.scheduled({ id: 'live' });
    const cancelled = a.cancelled({ id: 'cancelled' });
    const { end } = live.schedule;
    const query = { keyId: 'k_y', now: fixtureStart, endedBy: end - 1 };
    const nonces = ['k_y.1', 'none', 'K_y.1', 'kxy.1', 'k_y1.1'];
    const tickets = [
      ...nonces.map((nonce) => a.ticket({ subjectId: 'live', holderId: nonce, nonce })),
      a.ticket({ subjectId: 'live', holderId: 'r', nonce: 'k_y.2', revokedAt: fixtureStart }),
      a.ticket({ subjectId: 'live', holderId: 'x', nonce: 'k_y.3', expiresAt: fixtureStart }),
      a.ticket({ subjectId: 'live', holderId: 'y', nonce: 'k_y.4', expiresAt: fixtureStart + 1 }),
      a.ticket({ subjectId: 'gone', holderId: 'z', nonce: 'k_y.5' }),
      a.ticket({ subjectId: 'cancelled', holderId: 'c', nonce: 'k_y.7' }),
      a.of('b').ticket({ subjectId: 'live', holderId: 'b', nonce: 'k_y.8' }),
      a.feedTicket({ nonce: 'k_y.6' }),
    ];
    await commitAll(store, insertion(live), insertion(cancelled), ...tickets.map(issuing));
    expect(await store.customers.countTickets(query)).toEqual(4);
    expect(await store.customers.countTickets({ ...query, endedBy: end })).toEqual(1);
    expect(await store.customers.countTickets({ ...query, keyId: 'other' })).toEqual(1);
  }),
  { rule: 'keys', emptyStore: true, requires: 'durable' },
  it('named keys are there after a restart', async (store, _a, _organizationId, context) => {
    expect(await store.keys.add(key(1))).toEqual(true);
    expect(await (await context.reopen()).keys.list()).toEqual([key(1)]);
  }),
]);
