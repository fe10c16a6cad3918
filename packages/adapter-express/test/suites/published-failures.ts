import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CustomerHost, startCustomerHost } from '../support/customer-host.js';
import { type OpenStore, people } from '../support/host.js';
import { created, creation, joining } from '../support/requests.js';

const { agent, otherAgent, foreign } = people;
const v2 = '/api/v2/appointments';
const v1 = '/api/appointments';
const schedule = { start: '2030-03-01T09:00:00Z', duration: 'PT30M', timezone: 'UTC' };

interface Reach {
  readonly method: string;
  readonly path: string;
  readonly json?: object;
}

/**
 * Fifteen ways to reach what belongs to another user, one for each published case of one peer; here all of them are a
 * booking of another agent, reached by its id.
 */
const reaches: readonly (readonly [string, string, Reach])[] = [
  ['CVE-2023-3285', 'reads a booking', { method: 'GET', path: `${v2}/{id}` }],
  ['CVE-2023-3286', 'reads a booking over v1', { method: 'GET', path: `${v1}/{id}` }],
  ['CVE-2023-3287', 'changes a booking', { method: 'PUT', path: `${v2}/`, json: { title: 'mine' } }],
  ['CVE-2023-3288', 'changes a booking over v1', { method: 'PUT', path: `${v1}/`, json: { title: 'mine' } }],
  [
    'CVE-2023-3289',
    'changes a customer',
    { method: 'PUT', path: `${v2}/`, json: { customer: { id: '{customer}', username: 'mine' } } },
  ],
  [
    'CVE-2023-3290',
    'changes a customer over v1',
    { method: 'PUT', path: `${v1}/`, json: { customer: { participantId: '{customer}', username: 'mine' } } },
  ],
  ['CVE-2023-38047', 'moves a booking', { method: 'PUT', path: `${v2}/reschedule/`, json: schedule }],
  ['CVE-2023-38048', 'moves a booking over v1', { method: 'PUT', path: `${v1}/reschedule/`, json: schedule }],
  ['CVE-2023-38049', 'cancels a booking', { method: 'PUT', path: `${v2}/{id}/cancel` }],
  ['CVE-2023-38050', 'deletes a booking', { method: 'DELETE', path: `${v2}/{id}` }],
  ['CVE-2023-38051', 'removes a booking over v1', { method: 'DELETE', path: `${v1}/{id}` }],
  ['CVE-2023-38052', 'activates a booking', { method: 'POST', path: `${v2}/activate/{id}` }],
  ['CVE-2023-38053', 'activates a booking over v1', { method: 'POST', path: `${v1}/activate/{id}` }],
  ['CVE-2023-38054', 'takes a booking over', { method: 'PUT', path: `${v2}/reassign/`, json: { userId: 'agent-2' } }],
  [
    'CVE-2023-38055',
    'takes a booking over by v1',
    { method: 'PUT', path: `${v1}/reassign/`, json: { userId: 'agent-2' } },
  ],
];

/** Failures that were published of comparable systems, each under its name; on any store. */
export function publishedFailureSuite(name: string, open: OpenStore): void {
  describe(`published failures of peers do not happen on ${name}`, () => {
    let host: CustomerHost;
    let id: string;
    let customerId: string;
    beforeAll(async () => {
      host = await startCustomerHost(open);
    });
    beforeEach(async () => {
      const made = (await created(host, { title: 'Private' })) as {
        readonly id: string;
        readonly participants: readonly { readonly id: string; readonly type: string }[];
      };
      id = made.id;
      customerId = made.participants.find(({ type }) => type === 'CUSTOMER')?.id ?? '';
    });
    afterAll(() => host.close());

    const present = () => host.store.store.appointments.find('org-1', id);

    it('CVE-2026-23478: no field of a body says who calls', async () => {
      const claimed = {
        organizationId: 'org-2',
        userId: 'agent-9',
        callerId: 'agent-9',
        roles: ['ROLE_SUPERVISOR'],
        organizer: { id: 'agent-9', type: 'AGENT' },
        participants: [{ id: 'agent-9', type: 'AGENT' }],
        email: 'agent-9@example.org',
      };
      const { status, body } = await host.call('POST', `${v2}/`, { as: agent, json: creation(claimed) });
      expect(status).toBe(200);
      expect(body.organizer).toEqual({ id: 'agent-1', type: 'AGENT' });
      expect(JSON.stringify(body)).not.toContain('agent-9');
      expect(await host.store.store.appointments.find('org-2', String(body.id))).toBeUndefined();
      const update = await host.call('PUT', `${v2}/`, {
        as: otherAgent,
        json: { id, title: 'mine', userId: 'agent-1' },
      });
      expect([update.status, update.body.code]).toEqual([403, 'not_assigned']);
    });

    it.each([
      'organizationId=org-1&userId=agent-1',
      'fields=*&expand=customers&include=participants,profiles',
      'email=ada@example.org',
      'token=x&debug=true&admin=1',
    ])('CVE-2026-9349: the query %s discloses nothing', async (query) => {
      const plain = await host.call('GET', `${v2}/${id}`, { as: agent });
      const asked = await host.call('GET', `${v2}/${id}?${query}`, { as: agent });
      expect(asked.body).toEqual(plain.body);
      expect(asked.text).not.toMatch(/ada@example\.org|Lovelace/);
      const without = await host.call('GET', `${v2}/${id}?${query}`);
      expect(without.status).toBe(401);
      const others = await host.call('GET', `${v2}/${id}?${query}`, { as: otherAgent });
      expect([others.status, others.body.code]).toEqual([403, 'not_assigned']);
      const foreigners = await host.call('GET', `${v2}/${id}?${query}`, { as: foreign });
      expect([foreigners.status, foreigners.body.code]).toEqual([404, 'not_found']);
    });

    it.each(reaches)('%s: nobody %s of another agent', async (_case, _what, { method, path, json }) => {
      const before = await present();
      const body = json && (JSON.parse(JSON.stringify({ id, ...json }).replace('{customer}', customerId)) as object);
      const target = path.replace('{id}', id);
      const call = body === undefined ? {} : { json: body };
      const other = await host.call(method, target, { as: otherAgent, ...call });
      expect([other.status, other.body.code]).toEqual([403, expect.stringMatching(/^(not_assigned|forbidden)$/)]);
      const customer = await host.call(method, target, {
        as: joining('0194222d-ffff-7fff-8fff-fffffffffffe'),
        ...call,
      });
      expect([customer.status, customer.body.code]).toEqual([403, 'forbidden']);
      const stranger = await host.call(method, target, { as: foreign, ...call });
      expect([stranger.status, stranger.body.code]).toEqual([404, 'not_found']);
      expect(other.text + customer.text + stranger.text).not.toMatch(/Private|Lovelace|agent-1/);
      expect(await present()).toEqual(before);
    });

    it('CVE-2026-9188: no link can be worked out of what is public', async () => {
      const links = await Promise.all(Array.from({ length: 50 }, () => host.linked()));
      const tickets = links.map(({ code }) => code.slice(0, 22));
      expect(new Set(tickets).size).toBe(50);
      for (const linked of links.slice(0, 5)) {
        const guesses = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
          [linked.id, linked.participantId, `${linked.id}${linked.participantId}`].map((text) =>
            createHash(algorithm).update(text).digest().subarray(0, 16).toString('base64url'),
          ),
        );
        for (const guess of guesses) {
          const code = `${guess}${linked.code.slice(22)}`;
          const { status } = await host.call('POST', '/api/customers/sessions', { json: { code } });
          expect(status).toBe(403);
        }
      }
    });

    it('CVE-2026-23622: no GET changes anything', async () => {
      const linked = await host.linked();
      const token = await host.session(linked.code);
      const before = await host.store.store.appointments.find('org-1', linked.id);
      const events = host.events.length;
      for (const path of ['cancel', 'activate', 'reschedule', 'delete']) {
        await host.call('GET', `${v2}/${linked.id}/${path}`, { as: token });
        await host.call('GET', `${v2}/${path}/${linked.id}`, { as: agent });
      }
      for (const as of [token, agent]) {
        await host.call('GET', `${v2}/${linked.id}?cancel=true&_method=DELETE`, {
          as,
          headers: { 'x-http-method-override': 'DELETE' },
        });
      }
      expect(await host.store.store.appointments.find('org-1', linked.id)).toEqual(before);
      expect(host.events).toHaveLength(events);
    });

    it('GHSA-7w99-5wm4-3g79: of two redemptions of one code at once, one succeeds', async () => {
      for (let round = 0; round < 5; round += 1) {
        const username = `round-${String(round)}@example.org`;
        const code = await host.codeFor(username);
        const replies = await Promise.all([host.book(username, code), host.book(username, code)]);
        expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401]);
      }
    });

    it('easyappointments#1849: an agent who asks for the appointments of another gets their own', async () => {
      const own = (await created(host, { title: 'Own' }, otherAgent)).id as string;
      for (const filter of ['agentId=agent-1', 'organizerId=agent-1', 'agentId=agent-1,agent-2', '']) {
        const { body } = await host.call('GET', `${v2}/?pageSize=100&${filter}`, { as: otherAgent });
        const listed = body.content as readonly { readonly id: string; readonly organizer: { readonly id: string } }[];
        expect(listed.map((item) => item.id)).toContain(own);
        expect(new Set(listed.map(({ organizer }) => organizer.id))).toEqual(new Set(['agent-2']));
      }
    });
  });
}
