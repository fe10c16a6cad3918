import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, type OpenStore, people, startHost } from '../support/host.js';
import { created, joining, managing, unknownId } from '../support/requests.js';
import type { Call, Reply } from '../support/client.js';

const { agent, foreign } = people;

interface Attempt {
  readonly name: string;
  readonly method: string;
  readonly path: (id: string) => string;
  readonly json?: (id: string) => object;
}

const schedule = { start: '2030-03-01T09:00:00Z', duration: 'PT1H', timezone: 'UTC' };

const attempts: readonly Attempt[] = ['/api/v2/appointments', '/api/appointments'].flatMap((base) => [
  { name: 'get', method: 'GET', path: (id: string) => `${base}/${id}` },
  { name: 'activate', method: 'POST', path: (id: string) => `${base}/activate/${id}` },
  { name: 'update', method: 'PUT', path: () => `${base}/`, json: (id: string) => ({ id, title: 'mine now' }) },
  {
    name: 'reassign',
    method: 'PUT',
    path: () => `${base}/reassign`,
    json: (id: string) => ({ id, userId: 'agent-1' }),
  },
  { name: 'reschedule', method: 'PUT', path: () => `${base}/reschedule`, json: (id: string) => ({ id, ...schedule }) },
  { name: 'delete', method: 'DELETE', path: (id: string) => `${base}/${id}` },
  ...(base.includes('v2') ? [{ name: 'cancel', method: 'PUT', path: (id: string) => `${base}/${id}/cancel` }] : []),
]);

/** A record of another organization is unknown (D39; security model), on any store. */
export function isolationSuite(name: string, open: OpenStore): void {
  describe(`isolation on ${name}`, () => {
    let host: Host;
    let theirs: string;
    beforeAll(async () => {
      host = await startHost({ open });
      theirs = (await created(host)).id;
    });
    afterAll(() => host.close());

    async function observed({ method, path, json }: Attempt, id: string, as = foreign) {
      const call: Call = json === undefined ? {} : { json: json(id) };
      host.store.statements();
      const reply = await host.call(method, path(id), { as, ...call });
      // Refusals of before are written together, a while later.
      const own = host.store.statements().filter((each) => !each.startsWith('audit.recordRefusals'));
      return { ...visible(reply), statements: own.map((each) => each.replaceAll(id, '{id}')) };
    }

    it.each(attempts)(
      '$name $path: foreign and unknown give the same statements, status, headers and body',
      async (it_) => {
        const unknown = await observed(it_, unknownId);
        expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
        expect(await observed(it_, theirs)).toEqual(unknown);
      },
    );

    it.each(attempts)('$name $path: an id that is not well formed is 404 without a look-up (D9)', async (it_) => {
      const unknown = await observed(it_, unknownId);
      const ids = it_.json === undefined ? ['x', '0', '%00', '%ed%a0%80', '..%2f..', 'x'.repeat(6000)] : ['x', '0'];
      for (const id of [...ids, unknownId.toUpperCase(), `${unknownId}%20`]) {
        const malformed = await observed(it_, id, people.supervisor);
        expect([malformed.status, malformed.body]).toEqual([404, unknown.body]);
        expect(malformed.statements).toEqual([]);
        expect(Object.keys(malformed.headers)).toEqual(Object.keys(unknown.headers));
      }
    });

    it('nothing happened of what another organization tried', async () => {
      const { body, headers } = await host.call('GET', `/api/v2/appointments/${theirs}`, { as: agent });
      expect([body.title, headers['etag']]).toEqual(['', '"1"']);
    });

    it.each(attempts.filter(({ name: operation }) => ['get', 'cancel'].includes(operation)))(
      '$name $path: a customer whose proof is for another appointment gets the same 403 for every id',
      async (it_) => {
        const proofs = [joining('another'), people.customer];
        for (const as of proofs) {
          const answers = [await observed(it_, theirs, as), await observed(it_, unknownId, as)];
          expect(answers[0]).toMatchObject({ status: 403, statements: [] });
          expect(answers[1]).toEqual(answers[0]);
        }
      },
    );

    it('a manage proof that does not hold is the same 403 for unknown and stale (D42)', async () => {
      const stale = managing('another', 'someone');
      const [cancel] = attempts.filter(({ name: operation }) => operation === 'cancel');
      expect(await observed(cancel!, unknownId, stale)).toEqual(await observed(cancel!, theirs, stale));
    });

    it('lists, eligible and counts show nothing of another organization', async () => {
      for (const base of ['/api/v2/appointments', '/api/appointments']) {
        expect((await host.call('GET', `${base}/`, { as: foreign })).status).toBe(404);
        expect((await host.call('GET', `${base}/?agentId=agent-1`, { as: foreign })).status).toBe(404);
        expect((await host.call('GET', `${base}/eligible`, { as: foreign })).body).toEqual([]);
        const count = `${base}/count?applicationId=app-1&organizationId=org-2&start=2030-01-02T00:00:00Z&timeFrame=P1D`;
        expect((await host.call('GET', count, { as: foreign })).body).toEqual([expect.objectContaining({ count: 0 })]);
      }
    });

    it('organizations that differ in letter case, accent or trailing space are others', async () => {
      for (const organizationId of ['ORG-1', 'org-1 ', 'örg-1', 'org-1\u0301', 'org‐1']) {
        const as = { ...agent, organizationId };
        expect((await host.call('GET', `/api/v2/appointments/${theirs}`, { as })).status).toBe(404);
      }
    });

    it('no field of a body or query names actor, role or organization', async () => {
      const claims = { organizationId: 'org-1', roles: ['ROLE_SUPERVISOR'], sub: 'agent-1', userId: 'agent-1' };
      const json = { id: theirs, title: 'x', ...claims };
      const query = 'organizationId=org-1&roles=ROLE_SUPERVISOR';
      const as = people.foreignAgent;
      expect((await host.call('PUT', `/api/v2/appointments/?${query}`, { as, json })).status).toBe(404);
    });
  });
}

/** What a client can tell two answers apart by; request ids are of the same length. */
function visible({ status, headers, body }: Reply) {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  const { requestId: _requestId, instance: _instance, ...problem } = (body ?? {}) as Record<string, unknown>;
  return { status, headers: others, body: problem };
}
