import { CalendsError } from '@calends/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CustomerHost, type Linked, startCustomerHost } from '../support/customer-host.js';
import type { OpenedStore, OpenStore } from '../support/host.js';

const supervisor = { id: 'supervisor-1', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] } as const;

/** A time of its own for each move, so that none is nothing new. */
const moveTo = (id: string, index: number) => ({
  id,
  start: new Date(Date.UTC(2030, 2, 1) + index * 3_600_000).toISOString(),
  duration: 'PT30M',
  timezone: 'UTC',
});

/** Again while others are quicker: a change of contact races with the moves for a version. */
async function untilDone(call: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (!CalendsError.is(error) || !error.temporary) throw error;
    }
  }
}

const ends: Readonly<Record<string, (host: CustomerHost, linked: Linked) => Promise<unknown>>> = {
  revocation: ({ scheduling }, { id, participantId }) =>
    scheduling.customers.revokeManageLink(supervisor, { appointmentId: id, participantId }),
  'a new link': ({ scheduling }, { id, participantId }) =>
    scheduling.customers.issueManageLink(supervisor, { appointmentId: id, participantId }),
  'a change of contact': ({ scheduling }, { id, participantId }) =>
    untilDone(() =>
      scheduling.appointments.update(supervisor, {
        id,
        customer: { id: participantId, contact: { primaryEmail: 'moved@example.org' } },
      }),
    ),
};

/** Moves that wait for their turn while the link that they stand on ends in another process (D65). */
export function lostProofSuite(name: string, open: OpenStore): void {
  describe(`moves under a manage link that ended, on ${name}`, () => {
    let opened: OpenedStore;
    let moving: CustomerHost;
    let ending: CustomerHost;
    beforeAll(async () => {
      opened = await open();
      const shared: OpenStore = () => Promise.resolve({ ...opened, close: () => Promise.resolve() });
      [moving, ending] = [await startCustomerHost(shared), await startCustomerHost(shared, 1_000_000)];
    });
    afterAll(async () => {
      await Promise.all([moving.close(), ending.close()]);
      await opened.close();
    });

    const versionOf = async (id: string): Promise<number> =>
      (await moving.scheduling.appointments.get(supervisor, id)).version;

    it.each(Object.entries(ends))('none of 300 moves that wait is committed once %s has returned', async (_, end) => {
      const linked = await moving.linked();
      const { caller } = await moving.scheduling.customers.exchangeManageLink(linked.code);
      const before = await versionOf(linked.id);
      const calls = Array.from({ length: 300 }, (_each, index) =>
        moving.scheduling.appointments.reschedule(caller, moveTo(linked.id, index)).then(
          () => 'moved',
          (error: unknown) => (CalendsError.is(error) ? error.code : String(error)),
        ),
      );
      await end(ending, linked);
      const then = await versionOf(linked.id);
      const outcomes = await Promise.all(calls);
      expect(await versionOf(linked.id)).toBe(then);
      const moved = outcomes.filter((outcome) => outcome === 'moved').length;
      expect(moved).toBeLessThanOrEqual(then - before);
      // What comes after the fifth move of a customer is told that first.
      const refusal = moved < 5 ? ['stale_ticket'] : ['stale_ticket', 'reschedule_limit'];
      expect(outcomes.filter((outcome) => refusal.includes(outcome))).toHaveLength(300 - moved);
      expect(moved).toBeLessThan(300);
    });

    it.each(Object.entries(ends))('none of 60 moves over HTTP is committed once %s has returned', async (_, end) => {
      const linked = await moving.linked();
      const as = await moving.session(linked.code);
      const calls = Array.from({ length: 60 }, (_each, index) =>
        moving.call('PUT', '/api/v2/appointments/reschedule/', { as, json: moveTo(linked.id, index) }),
      );
      await end(ending, linked);
      const then = await versionOf(linked.id);
      const replies = await Promise.all(calls);
      expect(await versionOf(linked.id)).toBe(then);
      for (const { status, body } of replies) {
        // Where the end is slow, the moves before it may have used up all that a customer has (D21).
        if (status !== 200) expect(['403 stale_ticket', '403 reschedule_limit']).toContain(`${status} ${body.code}`);
      }
    });
  });
}
