import { formatInstant, parseInstant } from '@calends/core/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availability, holds, hours, service, startAvailableHost } from '../support/availability.js';
import type { Reply } from '../support/client.js';
import { type Host, type OpenStore, people } from '../support/host.js';
import { created, creation } from '../support/requests.js';

const { agent, supervisor } = people;
const v2 = '/api/v2/appointments';
const asked = { applicationId: 'app-1', serviceId: 'to-the-end' };
const query = (more: Readonly<Record<string, string>>): string => new URLSearchParams({ ...asked, ...more }).toString();
const lastDay = { from: '9999-12-31T00:00:00Z', to: '9999-12-31T23:59:59Z' };

/** Every instant of an answer: as it stands there, and as it is read and written again in UTC. */
function instantsOf({ text }: Reply): readonly (readonly [string, string])[] {
  const written = text.match(/[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g) ?? [];
  return written.map((each) => [each, formatInstant(parseInstant(each) ?? Number.NaN)]);
}

/** The last hours of the years that can be written (D3), on any store. */
export function lastYearSuite(name: string, open: OpenStore): void {
  describe(`the end of the year 9999 on ${name} (D3)`, () => {
    let host: Host;
    beforeAll(async () => {
      host = await startAvailableHost({ open });
      const always = {
        timezone: 'UTC',
        weekly: [{ days: ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], from: '00:00', until: '24:00' }],
      };
      const rules = {
        title: 'To the end',
        timezone: 'UTC',
        durations: ['PT15M', 'PT1H'],
        grid: { step: 'PT15M' },
        requirements: [{ kind: 'agent', anyOf: ['agent-1'] }],
      };
      const saved = [
        await host.call('PUT', `${hours}/agent-1`, { as: supervisor, json: always }),
        await host.call('PUT', service('to-the-end'), { as: supervisor, json: rules }),
      ];
      expect(saved.map(({ status }) => status)).toEqual([200, 200]);
    });
    afterAll(async () => {
      expect(host.faults).toEqual([]);
      await host.close();
    });

    const find = (more: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      host.call('GET', `${availability}?${query({ ...lastDay, ...more })}`, { as: agent });
    const explain = (start: string, duration: string): Promise<Reply> =>
      host.call('GET', `${availability}/explain?${query({ start, duration })}`, { as: agent });
    const hold = (start: string, duration: string): Promise<Reply> =>
      host.call('POST', holds, { as: agent, json: { ...asked, start, duration } });
    const book = (start: string, duration: string): Promise<Reply> =>
      host.call('POST', `${v2}/`, { as: agent, json: creation({ ...asked, start, duration }) });
    const refused = (of: 'pointer' | 'parameter', { status, body }: Reply) => [status, body.code, body.errors[0][of]];

    it.each([
      ['9999-12-31T23:00:00Z', 'PT1H'],
      ['9999-12-31T23:45:00Z', 'PT15M'],
      ['9999-12-31T23:45:00Z', 'PT1H'],
    ])('%s for %s, which ends too late, is offered, explained, held and booked by nobody', async (start, duration) => {
      const { body } = await find({ duration });
      expect(body.durations[0].offers.map((offer: { readonly start: string }) => offer.start)).not.toContain(start);
      const place = [400, 'invalid_schedule', '/start'];
      expect(refused('pointer', await book(start, duration))).toEqual(place);
      expect(refused('pointer', await hold(start, duration))).toEqual(place);
      expect(refused('parameter', await explain(start, duration))).toEqual([400, 'invalid_schedule', 'start']);
    });

    it('the last time that ends in the year is offered, explained and held', async () => {
      const start = '9999-12-31T23:30:00Z';
      const { body } = await find({ duration: 'PT15M' });
      expect(body.durations[0].offers.at(-1).start).toBe(start);
      expect((await explain(start, 'PT15M')).body.free).toBe(true);
      expect((await hold(start, 'PT15M')).body.end).toBe('9999-12-31T23:45:00Z');
    });

    it.each(['UTC', 'Europe/Vienna', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
      'free times in %s are instants that can be read',
      async (timezone) => {
        const found = instantsOf(await find({ timezone }));
        expect(found.length).toBeGreaterThan(100);
        for (const [written, read] of found) expect(parseInstant(written)).toBe(parseInstant(read));
      },
    );

    it('answers about an appointment in the last hour are instants that can be read', async () => {
      const start = '9999-12-31T23:10:00Z';
      const { id } = await created(host, { start, duration: 'PT30M' });
      const replies = [
        await host.call('POST', `/api/appointments/activate/${String(id)}`, { as: agent }),
        await host.call('GET', `/api/appointments/${String(id)}`, { as: agent }),
        await host.call('GET', `${v2}/${String(id)}`, { as: agent }),
      ];
      for (const reply of replies) {
        expect(reply.status).toBe(200);
        const found = instantsOf(reply);
        expect(found).not.toEqual([]);
        for (const [written, read] of found) expect(written).toBe(read);
      }
      expect(replies[0]?.body.expires).toBe('9999-12-31T23:59:59.999Z');
    });

    it.each(['/api/appointments/count', `${v2}/count`])(
      '%s refuses a window that ends after the year, at its start',
      async (path) => {
        const count = (start: string, timeFrame: string): Promise<Reply> =>
          host.call(
            'GET',
            `${path}?${new URLSearchParams({ applicationId: 'app-1', organizationId: 'org-1', start, timeFrame }).toString()}`,
            { as: agent },
          );
        const late = await count('9999-12-31T23:00:00Z', 'P3660D');
        expect(refused('parameter', late)).toEqual([400, 'validation_failed', 'start']);
        const last = await count('9999-12-31T23:00:00Z', 'PT59M');
        expect([last.status, last.body[0].end]).toEqual([200, '9999-12-31T23:59:00Z']);
      },
    );
  });
}
