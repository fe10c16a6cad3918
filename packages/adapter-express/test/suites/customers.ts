import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, Reply } from '../support/client.js';
import { type CustomerHost, type Linked, startCustomerHost } from '../support/customer-host.js';
import { type OpenStore, people } from '../support/host.js';
import { created, creation, unknownId } from '../support/requests.js';

const { admin, agent, otherAgent, supervisor } = people;
const v2 = '/api/v2/appointments';
const v1 = '/api/appointments';
const counted = 'applicationId=app-1&organizationId=org-1&start=2030-01-01T00:00:00Z&timeFrame=P1D';
const schedule = { start: '2030-03-01T09:00:00Z', duration: 'PT30M', timezone: 'UTC' };
const supervisorCaller = { id: 'supervisor-1', organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'] } as const;
const agentCaller = { id: 'agent-1', organizationId: 'org-1', roles: ['ROLE_AGENT'] } as const;

/** Customers' own proofs over HTTP (D41 to D45), on any store. */
export function customerSuite(name: string, open: OpenStore): void {
  describe(`customers on ${name}`, () => {
    let host: CustomerHost;
    beforeAll(async () => {
      host = await startCustomerHost(open);
    });
    afterAll(() => host.close());

    describe('booking with a one-time password (spec: Endpoints, rule 5; D44)', () => {
      it.each(['v2', 'v1'] as const)(
        'booking with a one-time password makes the caller the CUSTOMER participant (%s)',
        async (family) => {
          const code = await host.codeFor(`ada-${family}@example.org`);
          const { status, body } = await host.book(`ada-${family}@example.org`, code, {}, family);
          expect(status).toBe(200);
          const listed = (family === 'v2' ? body.participants : body.participantIds) as readonly { type: string }[];
          expect(listed.map(({ type }) => type)).toEqual(['CUSTOMER']);
        },
      );

      it('booking with a one-time password is 401 with a challenge for a wrong code, a used one, and a bearer token', async () => {
        const code = await host.codeFor('bea@example.org');
        const wrong = await host.book('bea@example.org', code === '000000' ? '000001' : '000000');
        expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
          401,
          'Basic realm="calends", charset="UTF-8"',
        ]);
        expect((await host.book('bea@example.org', code)).status).toBe(200);
        const again = await host.book('bea@example.org', code);
        expect([again.status, again.body.detail]).toEqual([401, wrong.body.detail]);
        expect((await host.call('POST', `${v2}/basic`, { as: agent, json: creation() })).status).toBe(401);
      });

      it('booking with a one-time password makes one appointment of the right code sent 50 times at once', async () => {
        const code = await host.codeFor('cleo@example.org');
        const replies = await Promise.all(Array.from({ length: 50 }, () => host.book('cleo@example.org', code)));
        const statuses = replies.map(({ status }) => status);
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        expect(statuses.filter((status) => status === 401)).toHaveLength(49);
      });

      it('booking with a one-time password keeps the code where the booking is refused for its time', async () => {
        const target = { applicationId: 'app-guarded', targetAssignment: { id: 'agent-1', type: 'AGENT' } };
        const taken = { ...target, start: '2031-02-01T09:00:00Z' };
        await created(host, { ...taken });
        const code = await host.codeFor('dora@example.org', 'app-guarded');
        expect((await host.book('dora@example.org', code, taken)).status).toBe(409);
        const free = { ...target, start: '2031-02-01T19:00:00Z' };
        expect((await host.book('dora@example.org', code, free)).status).toBe(200);
      });

      it('booking with a one-time password tells nothing of who is known when a code is asked for', async () => {
        const ask = (username: string): Promise<Reply> =>
          host.call('POST', '/api/customers/one-time-passwords', { json: { applicationId: 'app-1', username } });
        const observed = async (username: string) => {
          host.store.statements();
          const { status, text } = await ask(username);
          // What follows from it is over then.
          await host.scheduling.close();
          const methods = host.store.statements().map((each) => each.split(' ')[0]);
          // Refusals of before are written together, a while later.
          return { status, text, statements: methods.filter((method) => method !== 'audit.recordRefusals') };
        };
        const known = await observed('known-eva');
        expect(known).toMatchObject({ status: 204, text: '' });
        expect(await observed('nobody-knows-me')).toEqual(known);
        const { status, text } = await observed('eva@example.org');
        expect({ status, text }).toEqual({ status: known.status, text: known.text });
      });
    });

    describe('a manage link (D42, D45)', () => {
      let mine: Linked;
      let token: string;
      beforeAll(async () => {
        mine = await host.linked({
          customers: [{ username: 'ada' }, { username: 'ben', contact: { primaryEmail: 'ben@example.org' } }],
        });
        token = await host.session(mine.code);
      });

      const send = (method: string, path: string, call: Call = {}, as = token): Promise<Reply> =>
        host.call(method, path, { as, ...call });

      it('a manage link shows the customer their own participant only', async () => {
        const { status, body } = await send('GET', `${v2}/${mine.id}`);
        expect(status).toBe(200);
        const customers = (body.participants as { id: string; type: string }[]).filter(
          ({ type }) => type === 'CUSTOMER',
        );
        expect(customers.map(({ id }) => id)).toEqual([mine.participantId]);
      });

      it('a manage link moves the appointment, and goes on holding', async () => {
        expect((await send('PUT', `${v2}/reschedule/`, { json: { id: mine.id, ...schedule } })).status).toBe(200);
        expect((await send('GET', `${v2}/${mine.id}`)).status).toBe(200);
      });

      it.each<[string, string, string, boolean]>([
        ['another appointment', 'GET', `${v2}/{other}`, false],
        ['an unknown appointment', 'GET', `${v2}/${unknownId}`, false],
        ['another appointment, to cancel', 'PUT', `${v2}/{other}/cancel`, false],
        ['another appointment, to move', 'PUT', `${v2}/reschedule/`, true],
        ['the v1 get', 'GET', `${v1}/{mine}`, false],
        ['the v1 delete', 'DELETE', `${v1}/{mine}`, false],
        ['the v1 activation', 'POST', `${v1}/activate/{mine}`, false],
        ['the v1 reschedule', 'PUT', `${v1}/reschedule/`, true],
        ['the v2 activation', 'POST', `${v2}/activate/{mine}`, false],
        ['the v2 delete', 'DELETE', `${v2}/{mine}`, false],
        ['the list', 'GET', `${v2}/`, false],
        ['the count', 'GET', `${v2}/count?${counted}`, false],
        ['the overlap count', 'GET', `${v2}/count/overlapping?${counted}`, false],
        ['the v1 count', 'GET', `${v1}/count?${counted}`, false],
      ])('a manage link replayed on %s is 403 stale_ticket, in one wording', async (_on, method, path, hasBody) => {
        const other = (await created(host, {}, otherAgent)).id as string;
        const target = path.replace('{mine}', mine.id).replace('{other}', other);
        const json = { id: path.startsWith(v1) ? mine.id : other, ...schedule };
        const { status, body } = await send(method, target, hasBody ? { json } : {});
        expect([status, body.code, body.detail]).toEqual([
          403,
          'stale_ticket',
          'The manage link does not open this, or is not valid any more.',
        ]);
      });

      it('a manage link ends with rotation, revocation and cancel, all alike', async () => {
        const ends: Readonly<Record<string, (linked: Linked) => Promise<unknown>>> = {
          rotated: ({ id, participantId }) =>
            host.scheduling.customers.issueManageLink(supervisorCaller, { appointmentId: id, participantId }),
          revoked: ({ id, participantId }) =>
            host.scheduling.customers.revokeManageLink(supervisorCaller, { appointmentId: id, participantId }),
          cancelled: ({ id }) => host.call('PUT', `${v2}/${id}/cancel`, { as: agent }),
          'with another address': ({ id, participantId }) =>
            host.call('PUT', `${v2}/`, {
              as: agent,
              json: { id, customer: { id: participantId, contact: { primaryEmail: 'new@example.org' } } },
            }),
          erased: ({ id, participantId }) =>
            host.scheduling.customers.erase(supervisorCaller, { appointmentId: id, participantId }),
        };
        for (const [how, end] of Object.entries(ends)) {
          const linked = await host.linked();
          const as = await host.session(linked.code);
          await end(linked);
          const get = await host.call('GET', `${v2}/${linked.id}`, { as });
          expect([how, get.status, get.body.code]).toEqual([how, 403, 'stale_ticket']);
          const exchange = await host.call('POST', '/api/customers/sessions', { json: { code: linked.code } });
          expect([how, exchange.status, exchange.body.code]).toEqual([how, 403, 'stale_ticket']);
        }
      });

      it('a manage link is one 403 for every code that is not valid', async () => {
        const { code } = mine;
        const turned = code.startsWith('A') ? `B${code.slice(1)}` : `A${code.slice(1)}`;
        for (const bad of [turned, `${code}A`, code.slice(0, 66), 'x', '.', `${code}.b3JnLTI`, 'Ω'.repeat(66)]) {
          const reply = await host.call('POST', '/api/customers/sessions', { json: { code: bad } });
          expect([reply.status, reply.body.code, reply.body.detail]).toEqual([
            403,
            'stale_ticket',
            'The manage link does not open this, or is not valid any more.',
          ]);
        }
      });

      it.each<[string, number, Call]>([
        ['is broken', 400, { raw: '{' }],
        ['lacks everything', 400, { json: {} }],
        ['is too large', 413, { raw: `"${'x'.repeat(300_000)}"` }],
        ['is no JSON', 415, { raw: 'x', headers: { 'content-type': 'text/plain' } }],
      ])('a body that %s is answered %d', async (_what, status, call) => {
        expect((await host.call('POST', '/api/customers/sessions', call)).status).toBe(status);
        expect((await host.call('POST', '/api/customers/one-time-passwords', call)).status).toBe(status);
      });
    });

    describe('the calendar feed of an agent', () => {
      const feed = (code: string, headers = {}): Promise<Reply> =>
        host.call('GET', `/api/calendar-feeds/${code}.ics`, { headers });

      it('the calendar feed of an agent is a calendar without data of customers, kept by its tag', async () => {
        const { code } = await host.scheduling.calendarFeeds.issue(agentCaller, { agentId: 'agent-1' });
        await created(host, { title: 'Seen in the feed', customers: [{ username: 'secret-customer' }] });
        const first = await feed(code);
        expect([first.status, first.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
        expect(first.text).toContain('SUMMARY:Seen in the feed');
        expect(first.text).not.toContain('secret-customer');
        const again = await feed(code, { 'if-none-match': String(first.headers['etag']) });
        expect([again.status, again.text]).toEqual([304, '']);
      });

      it('the calendar feed of an agent is 404 once its address is rotated or revoked, and for every other text', async () => {
        const old = await host.scheduling.calendarFeeds.issue(agentCaller, { agentId: 'agent-1' });
        const present = await host.scheduling.calendarFeeds.issue(agentCaller, { agentId: 'agent-1' });
        expect((await feed(old.code)).status).toBe(404);
        expect((await feed(present.code)).status).toBe(200);
        await host.scheduling.calendarFeeds.revoke(agentCaller, { agentId: 'agent-1' });
        for (const code of [present.code, 'x', `${present.code}A`, '..', '%00', 'x'.repeat(5000)]) {
          const { status, body } = await feed(code);
          expect([status, body.detail]).toEqual([404, 'There is no such calendar feed.']);
        }
      });
    });

    describe('personal data and the audit record', () => {
      it('recipients show - with PDM_ERASED once the customer is erased (D57)', async () => {
        const { id, participantId } = await host.linked();
        const { customers } = host.scheduling;
        expect(await customers.erase(supervisorCaller, { appointmentId: id, participantId })).toBe(1);
        expect(await customers.erase(supervisorCaller, { appointmentId: id, participantId })).toBe(0);
        const found = await host.store.store.customers.find('org-1', id, participantId);
        expect(found).toMatchObject({ metadata: {}, removal: { reason: 'PDM_ERASED' } });
        expect(JSON.stringify(found)).not.toMatch(/ada@|Lovelace|\+30/);
      });

      it('every change and every refusal of a known appointment has its line, and the chain holds', async () => {
        const { id } = (await created(host)) as { readonly id: string };
        await host.call('PUT', `${v2}/reschedule/`, { as: agent, json: { id, ...schedule } });
        await host.call('GET', `${v2}/${id}`, { as: otherAgent });
        await host.call('GET', `${v2}/${id}`);
        await host.call('GET', `${v2}/${unknownId}`);
        await host.call('GET', `${v2}/${id}`, { as: { ...admin, conferenceId: id } });
        await host.call('PUT', `${v2}/${id}/cancel`, { as: supervisor });
        await host.scheduling.close();
        const { items } = await host.scheduling.audit.list(supervisorCaller, { appointmentId: id, pageSize: 100 });
        const lines = items.map(({ operation, outcome, from, to, proof }) =>
          [operation, outcome, from, to, proof].join(' '),
        );
        expect(lines.toSorted()).toEqual(
          [
            'schedule done  SCHEDULED token',
            'reschedule done SCHEDULED SCHEDULED token',
            'cancel done SCHEDULED CANCELLED token',
            'get not_assigned   token',
            'get forbidden   token',
            'get unauthenticated   none',
          ].toSorted(),
        );
        host.clock.time += 60_000;
        await host.scheduling.workers.runOnce();
        const checked = await host.scheduling.audit.verify(supervisorCaller);
        expect(checked).toMatchObject({ intact: true, unsealed: 0 });
        expect(checked.entries).toBeGreaterThan(10);
      });
    });
  });
}
