import assert from 'node:assert/strict';
import type { NamedKey, Ticket } from '@calends/core';
import type { ConformanceGroup } from '../conformance-case.js';
import { commitAll } from '../expectations.js';
import { aScheduledAppointment, fixtureStart } from '../fixtures/appointments.js';
import { insertion } from '../fixtures/changes.js';
import { aFeedTicket, aTicket, firstIssue, proving } from '../fixtures/proofs.js';

const key = (number: number, id = `key-${String(number)}`): NamedKey => ({ number, id, check: `check-of-${id}` });

const issuing = (next: Ticket) => proving(next.organizationId, { ticket: firstIssue(next) });

export const namedKeysGroup: ConformanceGroup = {
  name: 'a store names the keys in use (D67)',
  cases: [
    {
      name: 'keys come by their number, as they were named',
      emptyStore: true,
      async run({ store }) {
        assert.deepEqual(await store.listKeys(), []);
        for (const each of [key(1, 'Key'), key(2, 'key'), key(10)]) assert.equal(await store.addKey(each), true);
        assert.deepEqual(await store.listKeys(), [key(1, 'Key'), key(2, 'key'), key(10)]);
      },
    },
    {
      name: 'of twenty that name a key under one number at once, one does',
      emptyStore: true,
      async run({ store }) {
        const offered = Array.from({ length: 20 }, (_, index) => key(1, `key-${String(index)}`));
        const answers = await Promise.all(offered.map((each) => store.addKey(each)));
        assert.equal(answers.filter((named) => named).length, 1);
        assert.deepEqual(
          await store.listKeys(),
          offered.filter((_, index) => answers[index]),
        );
      },
    },
    {
      name: 'of two processes that name a key at once, one does',
      requires: 'sharedBetweenProcesses',
      emptyStore: true,
      async run({ store, secondWriter }) {
        const other = await secondWriter();
        const answers = await Promise.all([store.addKey(key(1, 'one')), other.addKey(key(1, 'other'))]);
        assert.deepEqual(answers.toSorted(), [false, true]);
        assert.deepEqual(await other.listKeys(), await store.listKeys());
      },
    },
    {
      name: 'a key changes only while it is as it was looked at',
      emptyStore: true,
      async run({ store }) {
        const [first, other] = [key(1), key(2)];
        for (const each of [first, other]) await store.addKey(each);
        const quiet = { ...first, quietSince: 0 };
        assert.equal(await store.changeKey(quiet, first), true);
        assert.equal(await store.changeKey({ ...first, keptAudit: 'lost' }, first), false);
        assert.equal(await store.changeKey(key(3), key(3)), false);
        assert.deepEqual(await store.listKeys(), [quiet, other]);
        assert.equal(await store.changeKey({ ...quiet, keptAudit: 'one' }, quiet), true);
        assert.equal(await store.changeKey({ ...quiet, keptAudit: 'two' }, quiet), false);
        assert.deepEqual(await store.listKeys(), [{ ...quiet, keptAudit: 'one' }, other]);
        assert.equal(await store.changeKey(first, { ...quiet, keptAudit: 'one' }), true);
        assert.deepEqual(await store.listKeys(), [first, other]);
      },
    },
    {
      name: 'of twenty that change a key at once, one does',
      emptyStore: true,
      async run({ store }) {
        await store.addKey(key(1));
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => store.changeKey({ ...key(1), quietSince: index + 1 }, key(1))),
        );
        assert.deepEqual(
          answers.flatMap((changed, index) => (changed ? [index + 1] : [])),
          (await store.listKeys()).map(({ quietSince }) => quietSince),
        );
      },
    },
    {
      name: 'a walk meets the appointments of all organizations once, in any state, with when they are looked at',
      emptyStore: true,
      async run({ store, organization }) {
        const walked = ['b', 'a'].flatMap((name) =>
          ['2', '10', 'A', 'a', 'é'].map((id) => aScheduledAppointment({ id, organizationId: organization(name) })),
        );
        const [first] = walked;
        await commitAll(
          store,
          ...walked.map((each) => insertion(each, { wakeAt: each === first ? fixtureStart : null })),
        );
        const found = [];
        for (;;) {
          const part = await store.walkAppointments({ after: found.at(-1)?.appointment, limit: 3 });
          found.push(...part);
          if (part.length < 3) break;
        }
        const place = ({ organizationId, id }: { organizationId: string; id: string }) => `${organizationId} ${id}`;
        assert.deepEqual(
          found.map(({ appointment }) => place(appointment)),
          walked.map(place).sort(),
        );
        const looked = found.find(({ wakeAt }) => wakeAt !== null);
        assert.deepEqual(looked, { appointment: first, wakeAt: fixtureStart });
      },
    },
    {
      name: 'tickets that hold a key are counted: those of its id or of none, not revoked, not over',
      emptyStore: true,
      async run({ store, organizationId }) {
        const live = aScheduledAppointment({ organizationId, id: 'live' });
        const { end } = live.schedule;
        const query = { keyId: 'k_y', now: fixtureStart, endedBy: end - 1 };
        const nonces = ['k_y.1', 'none', 'K_y.1', 'kxy.1', 'k_y1.1'];
        const tickets = [
          ...nonces.map((nonce) => aTicket({ organizationId, subjectId: 'live', holderId: nonce, nonce })),
          aTicket({ organizationId, subjectId: 'live', holderId: 'r', nonce: 'k_y.2', revokedAt: fixtureStart }),
          aTicket({ organizationId, subjectId: 'live', holderId: 'x', nonce: 'k_y.3', expiresAt: fixtureStart }),
          aTicket({ organizationId, subjectId: 'live', holderId: 'y', nonce: 'k_y.4', expiresAt: fixtureStart + 1 }),
          aTicket({ organizationId, subjectId: 'gone', holderId: 'z', nonce: 'k_y.5' }),
          aFeedTicket({ organizationId, nonce: 'k_y.6' }),
        ];
        await commitAll(store, insertion(live), ...tickets.map(issuing));
        assert.equal(await store.countTickets(query), 4);
        assert.equal(await store.countTickets({ ...query, endedBy: end }), 1);
        assert.equal(await store.countTickets({ ...query, keyId: 'other' }), 1);
      },
    },
    {
      name: 'named keys are there after a restart',
      requires: 'durable',
      emptyStore: true,
      async run({ store, reopen }) {
        assert.equal(await store.addKey(key(1)), true);
        assert.deepEqual(await (await reopen()).listKeys(), [key(1)]);
      },
    },
  ],
};
