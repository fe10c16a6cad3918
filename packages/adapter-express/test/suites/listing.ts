import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../support/client.js';
import { type Host, type OpenStore, type Person, people, startHost } from '../support/host.js';
import { created } from '../support/requests.js';

const v2 = '/api/v2/appointments/';
const v1 = '/api/appointments/';
const { agent, otherAgent, supervisor, service } = people;

/** List and count, v2 and v1 (spec: Endpoints, rules 1 and 11; D27, D30 to D34), on any store. */
export function listingSuite(name: string, open: OpenStore): void {
  describe(`listing on ${name}`, () => {
    let host: Host;
    let titles: Record<string, string>;

    beforeAll(async () => {
      host = await startHost({ open });
      const made = [
        await created(host, { title: 'one', start: '2030-02-01T09:00:00Z', duration: 'PT15M' }),
        await created(host, { title: 'two', start: '2030-02-02T09:00:00Z', duration: 'PT60M' }),
        await created(host, { title: 'three', start: '2030-02-03T09:00:00Z', duration: 'PT1H' }, otherAgent),
        await created(host, { title: 'four', start: '2030-02-04T09:00:00Z', applicationId: 'app-open' }, otherAgent),
        await created(host, { title: 'gone', start: '2030-02-05T09:00:00Z' }),
      ];
      titles = Object.fromEntries(made.map(({ id, title }) => [id, title]));
      const gone = made.at(-1).id;
      await host.call('PUT', `${v2}${gone}/cancel`, { as: agent });
      await host.call('POST', `${v2}activate/${made[0].id}`, { as: agent });
    });
    afterAll(() => host.close());

    async function listed(query: string, as: Person = supervisor, path = v2): Promise<string[] | number> {
      const { status, body } = await host.call('GET', `${path}?${query}`, { as });
      return status === 200 ? body.content.map(({ id }: { id: string }) => titles[id] ?? '') : status;
    }

    it('a list answers the paged envelope, and echoes what was used (D30, D31)', async () => {
      const { body } = await host.call('GET', `${v2}?pageSize=2&pageNumber=2&sortField=title&sortOrder=desc`, {
        as: supervisor,
      });
      const { content, ...envelope } = body;
      expect(envelope).toEqual({
        pageCount: 3,
        pageNumber: 2,
        pageSize: 2,
        sortField: 'title',
        sortOrder: 'desc',
        total: 5,
      });
      expect(content).toHaveLength(2);
    });

    it('a list is by default: start, ascending, 20 on a page, retained ones included; no access details on items', async () => {
      expect(await listed('')).toEqual(['one', 'two', 'three', 'four', 'gone']);
      const { body } = await host.call('GET', v2, { as: supervisor });
      expect(body).toMatchObject({ pageSize: 20, pageNumber: 1, sortField: 'start', sortOrder: 'asc' });
      expect(body.content.every((item: object) => !('secureToken' in item))).toBe(true);
    });

    it.each([
      ['sortOrder=desc', ['gone', 'four', 'three', 'two', 'one']],
      ['sortField=duration&pageSize=1', ['one']],
      ['duration=PT1H', ['two', 'three']],
      ['duration=PT60M,PT15M', ['one', 'two', 'three']],
      ['duration=PT0.25H&duration=P0.5D', ['one']],
      ['range=2030-02-02T00:00:00Z,2030-02-04T00:00:00Z', ['two', 'three']],
      ['range=,2030-02-02T09:00:00Z', ['one']],
      ['range=2030-02-04T00:00:00Z,', ['four', 'gone']],
      ['range=,2030-02-02T00:00:00Z,2030-02-05T00:00:00Z,', ['one', 'gone']],
      ['range=2030-02-02T00:00:00%2B02:00,2030-02-03T00:00:00Z', ['two']],
      ['state=CANCELLED', ['gone']],
      ['state=activated,SCHEDULED', ['one', 'two', 'three', 'four']],
      ['agentId=agent-2', ['three', 'four']],
      ['agentId=agent-2,agent-1', ['one', 'two', 'three', 'four', 'gone']],
      ['organizerId=agent-2', ['three', 'four']],
      ['agentId=agent-1&organizerId=agent-2', ['one', 'two', 'gone']],
      ['applicationId=app-open', ['four']],
      ['unknown=1&__proto__[x]=1', ['one', 'two', 'three', 'four', 'gone']],
      ['pageNumber=7', []],
      ['pageNumber=3000000000', []],
      ['pageNumber=9007199254740991&pageSize=100', []],
      ['agentId=nobody', 404],
      ['agentId=AGENT-1', 404],
      ['applicationId=nowhere', 404],
    ])('a supervisor lists with %s', async (query, expected) => {
      expect(await listed(query)).toEqual(expected);
    });

    it('a list without a match is told as such, and of no id, which nobody asked for', async () => {
      const { status, body } = await host.call('GET', `${v2}?applicationId=nowhere`, { as: supervisor });
      expect([status, body.detail]).toEqual([404, 'There is nothing here for this caller.']);
    });

    it.each([
      'pageSize=0',
      'pageSize=-1',
      'pageSize=101',
      'pageSize=1e3',
      'pageSize=1.5',
      'pageSize=NaN',
      'pageSize=',
      'pageSize=99999999999999999999',
      'pageSize=9223372036854775807',
      'pageSize=%D9%A1%D9%A0',
      'pageSize=10&pageSize=20',
      'pageSize[]=10&pageSize=x',
      'agentId[]=agent-2',
      'applicationId%5B%5D=app-open&unknown[]=1',
      'range[0]=2030-02-02T00:00:00Z,',
      'pageNumber=0',
      'pageNumber=9007199254740993',
      'sortOrder=ASC',
      'sortOrder=up',
      'sortField=users.password',
      "sortField=start'--",
      'sortField=constructor',
      'sortField=start,id',
      'duration=P1W',
      'duration=P1M',
      'duration=P1Y',
      'duration=PT',
      'duration=PT1E5S',
      'duration=-P1D',
      'range=2030-02-02T00:00:00Z',
      'range=2030-02-02T00:00:00Z,2030-02-01T00:00:00Z',
      'range=2030-02-02T00:00:00Z,2030-02-02T00:00:00Z',
      'range=yesterday,today',
      'range=2030-02-02,2030-02-03',
      'range=2030-02-02T00:00:00+02:00,',
      'state=BOOKED',
      `agentId=${'x'.repeat(5000)}`,
      `agentId=${Array.from({ length: 101 }, (_, index) => `a${index}`).join(',')}`,
      'applicationId=a&applicationId=b',
      'agentId=%00',
      'agentId=%ed%a0%80',
      'agentId=%',
    ])('a list answers 400 for %s', async (query) => {
      const { status, body } = await host.call('GET', `${v2}?${query}`, { as: supervisor });
      expect([status, body.code]).toEqual([400, 'validation_failed']);
      expect(body.errors.length).toBeGreaterThan(0);
      if (!query.includes('%00') && !query.includes('%ed') && !query.endsWith('%')) {
        expect(query).toContain(body.errors[0].parameter);
      }
    });

    it('a caller who is not a supervisor gets their own, whatever they filter by (D34)', async () => {
      expect(await listed('', agent)).toEqual(['one', 'two', 'gone']);
      expect(await listed('agentId=agent-2', agent)).toEqual(['one', 'two', 'gone']);
      expect(await listed('organizerId=agent-2', agent)).toEqual(['one', 'two', 'gone']);
      expect(await listed('agentId=agent-1', service)).toBe(404);
    });

    it('where agents see all, they may filter by agent; organizerId is ignored for other roles than supervisors', async () => {
      expect(await listed('applicationId=app-open', agent)).toEqual(['four']);
      expect(await listed('applicationId=app-open&agentId=agent-1', agent)).toBe(404);
      expect(await listed('applicationId=app-open&organizerId=agent-1', agent)).toEqual(['four']);
    });

    it('an application that the token may not use is 403 (D34)', async () => {
      expect(await listed('applicationId=app-open', { ...supervisor, applicationIds: ['app-1'] })).toBe(403);
      expect(await listed('', { ...supervisor, applicationIds: ['app-open'] })).toEqual(['four']);
    });

    it('v1 leaves cancelled ones out and shows the v1 shapes (D25)', async () => {
      expect(await listed('', supervisor, v1)).toEqual(['one', 'two', 'three', 'four']);
      const { body } = await host.call('GET', v1, { as: supervisor });
      expect(body.content.every((item: object) => !('roomAccess' in item) && 'participantIds' in item)).toBe(true);
    });

    it.each([
      ['duration=PT1H', ['two', 'three']],
      ['duration=P1W', 404],
      ['duration=P1Y2M', 404],
      ['state=CANCELLED', ['one', 'two', 'three', 'four']],
      ['duration=P1X', 400],
      ['duration=PT1M1H', 400],
    ])('in v1 the duration values are plain ISO 8601 durations: %s', async (query, expected) => {
      expect(await listed(query, supervisor, v1)).toEqual(expected);
    });

    describe('count (rule 11)', () => {
      const window = 'applicationId=app-1&organizationId=org-1&timeFrame=P1D';

      it.each(['/api/v2/appointments/count', '/api/appointments/count'])(
        '%s answers one item for each start, in order (D27)',
        async (path) => {
          const starts = 'start=2030-02-05T00:00:00Z,2030-02-02T00:00:00Z&start=2030-02-02T09:00:00.001Z';
          const { status, body } = await host.call('GET', `${path}?${window}&${starts}`, { as: people.customer });
          expect(status).toBe(200);
          const item = { duration: 'P1D', timezone: 'UTC' };
          expect(body).toEqual([
            { ...item, count: 0, start: '2030-02-05T00:00:00Z', end: '2030-02-06T00:00:00Z' },
            { ...item, count: 1, start: '2030-02-02T00:00:00Z', end: '2030-02-03T00:00:00Z' },
            { ...item, count: 1, start: '2030-02-02T09:00:00.001Z', end: '2030-02-03T09:00:00.001Z' },
          ]);
        },
      );

      it('timeFrame is an ISO 8601 duration, relative to each start: a week (rule 11)', async () => {
        const query = `${window.replace('P1D', 'P1W')}&start=2030-02-02T00:00:00Z`;
        const { body } = await host.call('GET', `/api/v2/appointments/count?${query}`, { as: agent });
        expect(body).toMatchObject([{ duration: 'P1W', start: '2030-02-02T00:00:00Z', end: '2030-02-09T00:00:00Z' }]);
      });

      it('all query parameters are required', async () => {
        const { status, body } = await host.call('GET', '/api/v2/appointments/count', { as: agent });
        expect(status).toBe(400);
        expect(body.errors.map((each: { parameter: string }) => each.parameter).sort()).toEqual(
          ['applicationId', 'organizationId', 'start', 'timeFrame'].sort(),
        );
      });

      it('a count of another organization is 403 (D28)', async () => {
        const query = `${window.replace('org-1', 'org-2')}&start=2030-02-02T00:00:00Z`;
        expect((await host.call('GET', `/api/v2/appointments/count?${query}`, { as: agent })).status).toBe(403);
      });

      it.each(['timeFrame=P1M', 'timeFrame=x', 'timeFrame=PT0S', 'start=today'])(
        'a count answers 400 for %s',
        async (wrong) => {
          const all = new URLSearchParams(`${window}&start=2030-02-02T00:00:00Z`);
          const [name = '', value = ''] = wrong.split('=');
          all.set(name, value);
          const { status, body } = await host.call('GET', `/api/v2/appointments/count?${all.toString()}`, {
            as: agent,
          });
          expect([status, body.errors[0].parameter]).toEqual([400, name]);
        },
      );

      it('overlap count is served only when the host turns it on (D29)', async () => {
        const query = `${window}&start=2030-02-02T09:30:00Z`;
        const path = `/api/v2/appointments/count/overlapping?${query}`;
        expect((await exchange(host.port, 'GET', path)).headers).not.toHaveProperty('x-request-id');
        const on = await startHost({ http: { countOverlapping: true } });
        await created(on, { start: '2030-02-02T09:00:00Z', duration: 'PT1H' });
        const { body } = await on.call('GET', path, { as: agent });
        expect(body).toEqual([expect.objectContaining({ count: 1 })]);
        await on.close();
      });

      it('counting is public where the host says so (D28)', async () => {
        const open = await startHost({ http: { countAuth: 'none' } });
        await created(open, { start: '2030-02-02T09:00:00Z' });
        const query = `${window}&start=2030-02-02T00:00:00Z`;
        const { status, body } = await open.call('GET', `/api/v2/appointments/count?${query}`);
        expect([status, body[0].count]).toEqual([200, 1]);
        await open.close();
      });
    });
  });
}
