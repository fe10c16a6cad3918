import type { AvailabilityOptions } from '@calends/core';
import { afterEach, describe, expect, it } from 'vitest';
import { availability, holds, openService, startAvailableHost } from '../support/availability.js';
import { type Host, type HostOptions, type OpenStore, people } from '../support/host.js';

const asked = { applicationId: 'app-1', serviceId: 'consultation' };
const day = { from: '2030-01-02T00:00:00Z', to: '2030-01-03T00:00:00Z' };
const found = `${availability}?${new URLSearchParams({ ...asked, ...day }).toString()}`;
const json = { ...asked, start: '2030-01-02T08:00:00Z', duration: 'PT30M' };
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

/** Free times without a token, on any store. */
export function availabilityVisitorSuite(name: string, open: OpenStore): void {
  describe(`free times for visitors on ${name}`, () => {
    let host: Host;
    const start = async (options: AvailabilityOptions, http: HostOptions['http'] = {}): Promise<void> => {
      host = await startAvailableHost({ open, http: { availabilityAuth: 'none', trustProxy: 1, ...http } }, options);
      await openService(host, 'consultation');
    };
    afterEach(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    it('visitors are told what is free and not by whom; staff with a token is told both', async () => {
      await start({ public: true });
      const open = await host.call('GET', found);
      expect([open.status, open.body.durations[0].offers.length, open.text.includes('agent-')]).toEqual([
        200,
        6,
        false,
      ]);
      const explained = await host.call(
        'GET',
        found.replace('?', '/explain?').replace('from=', 'duration=PT30M&start='),
      );
      expect(explained.body.reasons).toEqual([{ code: 'OUTSIDE_HOURS' }]);
      expect((await host.call('GET', found, { as: people.agent })).text).toContain('agent-1');
      expect((await host.call('GET', found, { as: people.customer })).text).toBe(open.text);
      expect((await host.call('GET', found, { as: 'no.token.at-all' })).status).toBe(401);
      const basic = { headers: { authorization: 'Basic YTpi' } };
      expect((await host.call('GET', found, basic)).text).toBe(open.text);
      expect((await host.call('GET', found, { as: people.admin })).status).toBe(403);
    });

    it('visitors hold nothing unless the host lets them, and then two times from one address', async () => {
      await start({ public: true });
      expect((await host.call('POST', holds, { json })).status).toBe(401);
      await host.close();
      await start({ public: true, holds: { anonymous: true } });
      const held = await host.call('POST', holds, { json, ...from('203.0.113.7') });
      expect([held.status, Object.keys(held.body).includes('agentIds')]).toEqual([200, false]);
      const next = { json: { ...json, start: '2030-01-02T08:30:00Z' } };
      expect((await host.call('POST', holds, { ...next, ...from('203.0.113.7') })).status).toBe(200);
      const third = await host.call('POST', holds, { ...next, ...from('203.0.113.7') });
      expect([third.status, third.body.code]).toEqual([429, 'rate_limited']);
      expect((await host.call('POST', holds, { ...next, ...from('203.0.113.8') })).status).toBe(200);
      const path = `${holds}/${String(held.body.id)}?applicationId=app-1`;
      expect((await host.call('DELETE', path)).status).toBe(404);
      expect((await host.call('DELETE', path, { headers: { 'calends-hold': held.body.token } })).status).toBe(204);
    });

    it('services and hours stay closed to visitors, and everything where only one side is open', async () => {
      await start({ public: true });
      expect((await host.call('GET', '/api/v2/services?applicationId=app-1')).status).toBe(401);
      expect((await host.call('GET', '/api/v2/hours')).status).toBe(401);
      await host.close();
      await start({});
      expect((await host.call('GET', found)).status).toBe(401);
      await host.close();
      await start({ public: true }, { availabilityAuth: 'bearer' });
      expect((await host.call('GET', found)).status).toBe(401);
      expect((await host.call('GET', found, { as: people.customer })).status).toBe(403);
    });

    it('visitors share the limits of what needs no token; who sends one does not', async () => {
      await start({ public: true }, { limits: { address: { perSecond: 1, burst: 2 } } });
      const statuses = [];
      for (let index = 0; index < 3; index += 1)
        statuses.push((await host.call('GET', found, from('203.0.113.7'))).status);
      expect(statuses).toEqual([200, 200, 429]);
      expect((await host.call('GET', found, { ...from('203.0.113.7'), as: people.agent })).status).toBe(200);
    });
  });
}
