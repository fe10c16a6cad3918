import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type OpenedStore, type OpenStore, people, startHost } from '../support/host.js';
import { created } from '../support/requests.js';

const base = '/api/v2/appointments';
const { supervisor } = people;
const atOnce = 50;

type Reply = Awaited<ReturnType<Host['call']>>;
type Send = (host: Host, id: string) => Promise<Reply>;

const moved = { start: '2030-02-01T10:00:00Z', duration: 'PT1H', timezone: 'Europe/Athens' };

/** Calls that come in fifty at once, and the one event that they leave. */
const calls: Readonly<Record<string, { readonly event: string; readonly send: Send }>> = {
  cancels: {
    event: 'APCancelledEvent',
    send: (host, id) => host.call('PUT', `${base}/${id}/cancel`, { as: supervisor }),
  },
  deletes: {
    event: 'APDeletedEvent',
    send: (host, id) => host.call('DELETE', `${base}/${id}`, { as: supervisor }),
  },
  activations: {
    event: 'APActivatedEvent',
    send: (host, id) => host.call('POST', `/api/appointments/activate/${id}`, { as: supervisor }),
  },
  reschedules: {
    event: 'APRescheduledEvent',
    send: (host, id) => host.call('PUT', `${base}/reschedule/`, { as: supervisor, json: { id, ...moved } }),
  },
  reassignments: {
    event: 'APReassignedEvent',
    send: (host, id) => host.call('PUT', `${base}/reassign/`, { as: supervisor, json: { id, userId: 'agent-2' } }),
  },
};

/** Fifty calls at once on one appointment, through two servers over one store (issue: Must hold; D16, D18, D20). */
export function concurrencySuite(name: string, open: OpenStore): void {
  describe(`50 calls at once on one appointment on ${name}`, () => {
    let opened: OpenedStore;
    let hosts: readonly [Host, Host];
    beforeAll(async () => {
      opened = await open();
      const shared: OpenStore = () => Promise.resolve({ store: opened.store, close: () => Promise.resolve() });
      hosts = [await startHost({ open: shared }), await startHost({ open: shared, firstId: 1_000_000 })];
    });
    afterAll(async () => {
      await Promise.all(hosts.map((host) => host.close()));
      await opened.close();
    });

    it.each(Object.entries(calls))(
      '50 calls at once that %s have one effect, one event, one answer for all',
      async (_, { event, send }) => {
        const { id } = await created(hosts[0]);
        const replies = await Promise.all(
          Array.from({ length: atOnce }, (_each, index) => send(index % 2 === 0 ? hosts[0] : hosts[1], id)),
        );
        expect(new Set(replies.map(({ status }) => status)).size).toBe(1);
        expect(replies[0]?.status).toBeLessThan(300);
        // One room, one version: every answer is the same to the letter.
        expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
        const events = await opened.store.events.list({ organizationId: 'org-1', appointmentId: id });
        expect(events.map(({ type, version }) => [type, version])).toEqual([
          ['APCreatedEvent', 1],
          [event, 2],
        ]);
      },
    );

    it('v1 deletes: one removes the record, the others find none', async () => {
      const { id } = await created(hosts[0]);
      const replies = await Promise.all(
        Array.from({ length: atOnce }, (_each, index) =>
          hosts[index % 2 === 0 ? 0 : 1].call('DELETE', `/api/appointments/${id}`, { as: supervisor }),
        ),
      );
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 404)).toHaveLength(atOnce - 1);
    });

    it('creates for one agent where overlaps are guarded against: one is booked, 409 for the others', async () => {
      const replies = await Promise.all(
        Array.from({ length: atOnce }, (_each, index) =>
          hosts[index % 2 === 0 ? 0 : 1].call('POST', `${base}/`, {
            as: people.service,
            json: {
              applicationId: 'app-guarded',
              ...moved,
              customers: [{ username: `customer-${index}` }],
              targetAssignment: { id: 'agent-7', type: 'AGENT' },
            },
          }),
        ),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(atOnce - 1);
    });

    it('creates with one Idempotency-Key: one is booked, the others are in progress or get its answer', async () => {
      const headers = { 'idempotency-key': 'fifty-at-once' };
      const json = { applicationId: 'app-1', ...moved, customers: [{ username: 'maria' }] };
      const replies = await Promise.all(
        Array.from({ length: atOnce }, (_each, index) =>
          hosts[index % 2 === 0 ? 0 : 1].call('POST', `${base}/`, { as: people.service, json, headers }),
        ),
      );
      const booked = replies.filter(({ status }) => status === 200);
      expect(new Set(booked.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      const refused = replies.filter(({ status }) => status !== 200);
      expect(refused.every(({ status, body }) => status === 409 && body.code === 'idempotency_in_progress')).toBe(true);
    });
  });
}
