import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '../support/client.js';
import { type Host, type OpenStore, people, startHost } from '../support/host.js';
import { creation, oneTimePassword } from '../support/requests.js';

const path = '/api/customers/one-time-passwords';
const count =
  '/api/v2/appointments/count?applicationId=app-1&organizationId=org-1&timeFrame=P1D&start=2030-02-02T00:00:00Z';

/** Limits of what needs no bearer token (D66), on any store. */
export function limitSuite(name: string, open: OpenStore): void {
  describe(`limits on ${name}`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startHost({
        open,
        http: {
          oneTimePasswords: true,
          customerSessions: true,
          countAuth: 'none',
          trustProxy: 1,
          limits: { address: { perSecond: 0.01, burst: 3 }, application: { perSecond: 0.01, burst: 5 } },
        },
      });
    });
    afterAll(() => host.close());

    const from = (address: string, call: Call = {}): Call => ({
      ...call,
      headers: { 'x-forwarded-for': `1.1.1.1, ${address}`, ...call.headers },
    });
    const json = (applicationId: string) => ({ json: { applicationId, username: 'nobody' } });
    const ask = (address: string, applicationId: string) => host.call('POST', path, from(address, json(applicationId)));
    async function statusesOf(times: number, send: () => ReturnType<Host['call']>): Promise<readonly number[]> {
      const statuses: number[] = [];
      for (let time = 0; time < times; time += 1) statuses.push((await send()).status);
      return statuses;
    }

    it('an address that asks for codes too fast is told when to come again, another one is not', async () => {
      expect(await statusesOf(3, () => ask('8.8.4.1', 'l-1'))).toEqual([204, 204, 204]);
      const { status, headers, body } = await ask('8.8.4.1', 'l-1');
      expect([status, headers['retry-after'], body.code]).toEqual([429, '100', 'rate_limited']);
      expect((await ask('8.8.4.2', 'l-1')).status).toBe(204);
    });

    it.each([
      ['a link', 'POST', '/api/customers/sessions', { json: { code: 'x' } }, 403],
      [
        'a booking',
        'POST',
        '/api/v2/appointments/basic',
        { json: creation(), headers: oneTimePassword('u', '0') },
        403,
      ],
      ['a public count', 'GET', count, {}, 200],
    ] as const)('an address has one allowance for all of it: %s', async (what, method, to, call, before) => {
      const address = `8.8.5.${String(what.length)}`;
      expect((await host.call(method, to, from(address, call))).status).toBe(before);
      await statusesOf(2, () => ask(address, `l-${what}`));
      expect((await host.call(method, to, from(address, call))).status).toBe(429);
    });

    it('the limiter is asked before the credentials and the body are looked at', async () => {
      await statusesOf(3, () => ask('8.8.6.1', 'l-2'));
      expect((await host.call('POST', path, from('8.8.6.1', { raw: '{' }))).status).toBe(429);
      expect((await host.call('POST', '/api/v2/appointments/basic', from('8.8.6.1'))).status).toBe(429);
    });

    it('the limiter counts IPv6 by its first 64 bits', async () => {
      const last = ['1', '2', '3', '4'];
      const statuses: number[] = [];
      for (const each of last) statuses.push((await ask(`2a00:1450:4001:81b::${each}`, 'l-3')).status);
      expect(statuses).toEqual([204, 204, 204, 429]);
      expect((await ask('2a00:1450:4001:81c::1', 'l-3')).status).toBe(204);
    });

    it('an application has an allowance over all addresses, and only for what names it', async () => {
      const statuses: number[] = [];
      for (let last = 1; last <= 7; last += 1) statuses.push((await ask(`8.8.7.${String(last)}`, 'l-4')).status);
      expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429]);
      expect((await ask('8.8.7.8', 'l-5')).status).toBe(204);
    });

    it('the limiter asks for no address where none is public', async () => {
      expect(await statusesOf(5, () => host.call('POST', path, json('l-6')))).toEqual([204, 204, 204, 204, 204]);
      expect((await host.call('POST', path, json('l-6'))).status).toBe(429);
    });

    it('the limiter tells of what was refused, with the address and the request', async () => {
      const before = host.security.length;
      await statusesOf(4, () => ask('8.8.9.1', 'l-8'));
      await statusesOf(2, () => host.call('GET', '/api/v2/appointments/', from('8.8.9.2')));
      const told = host.security.slice(before).map(({ kind, source }) => `${kind} ${source ?? ''}`);
      expect(told).toEqual(['limited 8.8.9.1', 'refusedCredentials 8.8.9.2', 'refusedCredentials 8.8.9.2']);
      const json = { json: creation(), headers: oneTimePassword('maria@example.org', '0') };
      await host.call('POST', '/api/customers/sessions', from('8.8.9.3', { json: { code: 'x' } }));
      expect(host.security.at(-1)).toMatchObject({ kind: 'refusedLink', source: '8.8.9.3' });
      const { headers } = await host.call('POST', '/api/v2/appointments/basic', from('8.8.9.3', json));
      expect(JSON.stringify(host.security)).not.toContain('maria');
      expect(headers['x-request-id']).toBeDefined();
    });

    it('the limiter lets everybody with a bearer token through', async () => {
      await statusesOf(4, () => ask('8.8.8.1', 'l-7'));
      const listed = await host.call('GET', '/api/v2/appointments/eligible', {
        ...from('8.8.8.1'),
        as: people.service,
      });
      expect(listed.status).toBe(200);
      const created = await host.call('POST', '/api/v2/appointments/', {
        ...from('8.8.8.1', { json: creation() }),
        as: people.agent,
      });
      expect(created.status).toBe(200);
    });
  });
}
